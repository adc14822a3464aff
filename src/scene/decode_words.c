/* SPDX-License-Identifier: MIT */
/* decode_words.c - see decode_words.h. */
#include "scene/decode_words.h"

#include <stddef.h>

static const char *const notes[256] = {
    [CL_HALT] = "the thread stops here",
    [CL_NOP] = "does nothing",
    [CL_FLUSH] = "closes every tile's list; then waiting semaphore increments take effect",
    [CL_FLUSH_ALL_STATE] = "writes the current state into every tile's list, then closes them",
    [CL_START_TILE_BINNING] = "from here on, state and primitives go into tile lists",
    [CL_INCREMENT_SEMAPHORE] = "lets the other thread pass a wait, once the next flush (binning) "
                               "or frame (rendering) is done",
    [CL_WAIT_ON_SEMAPHORE] = "waits until the other thread has incremented the semaphore",
    [CL_BRANCH] = "goes on at another address",
    [CL_BRANCH_TO_SUB_LIST] = "executes another list, then comes back",
    [CL_RETURN_FROM_SUB_LIST] = "goes back to the list that called this one",
    [CL_STORE_MS_TILE_BUFFER] =
        "writes the tile's colours into the frame, then clears the tile buffer",
    [CL_STORE_MS_TILE_BUFFER_AND_EOF] =
        "writes the last tile's colours into the frame; the frame is done",
    [CL_STORE_FULL_RES_TILE_BUFFER] = "writes all samples of the tile to memory",
    [CL_LOAD_FULL_RES_TILE_BUFFER] =
        "reads all samples of the tile back, at the next tile coordinates",
    [CL_STORE_TILE_BUFFER_GENERAL] =
        "writes one buffer of the tile to memory; storing none only clears the tile buffer",
    [CL_LOAD_TILE_BUFFER_GENERAL] =
        "reads one buffer of the tile back, at the next tile coordinates",
    [CL_INDEXED_PRIMITIVE_LIST] = "draws vertices in the order of an index list",
    [CL_VERTEX_ARRAY_PRIMITIVES] = "draws consecutive vertices",
    [CL_VG_COORDINATE_ARRAY_PRIMITIVES] = "draws shapes from x, y coordinates in memory",
    [CL_VG_INLINE_PRIMITIVES] = "draws shapes from the x, y coordinates that follow",
    [CL_COMPRESSED_PRIMITIVE_LIST] = "draws the primitives that follow, as the binner wrote them",
    [CL_CLIPPED_PRIMITIVE_LIST] =
        "draws the primitives that follow; the first has vertices that clipping made",
    [CL_PRIMITIVE_LIST_FORMAT] = "says what the compressed lists that follow hold",
    [CL_GL_SHADER_STATE] = "chooses the shaders and vertex arrays of the primitives that follow",
    [CL_NV_SHADER_STATE] =
        "chooses the shader and the shaded vertices of the primitives that follow",
    [CL_VG_SHADER_STATE] = "chooses the shader of the shapes that follow",
    [CL_VG_INLINE_SHADER_RECORD] = "chooses the shader of the shapes that follow",
    [CL_CONFIGURATION_BITS] = "says which faces are drawn, and how depth is tested",
    [CL_CLIP_WINDOW] = "nothing is drawn outside of this rectangle",
    [CL_VIEWPORT_OFFSET] = "vertex coordinates count from this point",
    [CL_TILE_BINNING_MODE] = "prepares tile lists for a frame",
    [CL_TILE_RENDERING_MODE] = "says where the frame is and what its pixels look like",
    [CL_CLEAR_COLORS] = "values that each store leaves in the tile buffer",
    [CL_TILE_COORDINATES] = "the tile that loads, primitives and stores are about",
};

const char *control_record_note(uint8_t code)
{
    return notes[code];
}
