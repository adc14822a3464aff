/* SPDX-License-Identifier: MIT */
/* decode_words.c - see decode_words.h. Bits of the field lists count from the record's first byte.
 */
#include "scene/decode_words.h"

#include <stddef.h>

#define LIST(array)                               \
    {                                             \
        array, sizeof(array) / sizeof((array)[0]) \
    }

/* Table 45. */
static const struct cl_field gl_record[] = {
    {"single_threaded",             "Fragment Shader is single threaded",              0,   1,  CL_BOOL,    NULL},
    {"point_size",                  "Point Size included in shaded vertex data",       1,   1,  CL_BOOL,    NULL},
    {"clipping",                    "Enable Clipping",                                 2,   1,  CL_BOOL,    NULL},
    {"uniforms",                    "Fragment Shader Number of Uniforms (not used)",   16,  8,  CL_UINT,    NULL},
    {"varyings",                    "Fragment Shader Number of Varyings",              24,  8,  CL_UINT,    NULL},
    {"code",                        "Fragment Shader Code Address",                    32,  32, CL_ADDRESS, NULL},
    {"uniforms_address",            "Fragment Shader Uniforms Address",                64,  32, CL_ADDRESS, NULL},
    {"vertex_uniforms",             "Vertex Shader Number of Uniforms (not used)",     96,  16, CL_UINT,    NULL},
    {"vertex_attributes",           "Vertex Shader Attribute Array select bits",       112, 8,  CL_HEX,     NULL},
    {"vertex_attribute_bytes",      "Vertex Shader Total Attributes Size",             120, 8,  CL_UINT,    NULL},
    {"vertex_code",                 "Vertex Shader Code Address",                      128, 32, CL_ADDRESS, NULL},
    {"vertex_uniforms_address",     "Vertex Shader Uniforms Address",                  160, 32, CL_ADDRESS, NULL},
    {"coordinate_uniforms",         "Coordinate Shader Number of Uniforms (not used)", 192, 16, CL_UINT,
     NULL                                                                                                       },
    {"coordinate_attributes",       "Coordinate Shader Attribute Array select bits",   208, 8,  CL_HEX,
     NULL                                                                                                       },
    {"coordinate_attribute_bytes",  "Coordinate Shader Total Attributes Size",         216, 8,  CL_UINT,
     NULL                                                                                                       },
    {"coordinate_code",             "Coordinate Shader Code Address",                  224, 32, CL_ADDRESS, NULL},
    {"coordinate_uniforms_address", "Coordinate Shader Uniforms Address",              256, 32, CL_ADDRESS,
     NULL                                                                                                       },
};

static const struct cl_field gl_attribute[] = {
    {"address",           "Attribute Array Base Memory Address",          0,  32, CL_ADDRESS, NULL},
    {"bytes_minus_1",     "Attribute Array Number of Bytes-1",            32, 8,  CL_UINT,    NULL},
    {"stride",            "Attribute Array Memory Stride",                40, 8,  CL_UINT,    NULL},
    {"vertex_offset",     "Attribute Array Vertex Shader VPM Offset",     48, 8,  CL_UINT,    NULL},
    {"coordinate_offset", "Attribute Array Coordinate Shader VPM Offset", 56, 8,  CL_UINT,    NULL},
};

const struct cl_field extended_stride_field = {
    "extended_stride", "Extended Attribute Array Memory Stride", 0, 32, CL_UINT, NULL};

/* Table 46. */
static const struct cl_field nv_record[] = {
    {"single_threaded",  "Fragment Shader is single threaded",                     0,  1,  CL_BOOL,    NULL},
    {"point_size",       "Point Size included in shaded vertex data",              1,  1,  CL_BOOL,    NULL},
    {"clipping",         "Enable Clipping",                                        2,  1,  CL_BOOL,    NULL},
    {"clip_header",      "Clip Coordinates header included in shaded vertex data", 3,  1,  CL_BOOL,    NULL},
    {"stride",           "Shaded Vertex Data Stride",                              8,  8,  CL_UINT,    NULL},
    {"uniforms",         "Fragment Shader Number of Uniforms (not used)",          16, 8,  CL_UINT,    NULL},
    {"varyings",         "Fragment Shader Number of Varyings",                     24, 8,  CL_UINT,    NULL},
    {"code",             "Fragment Shader Code Address",                           32, 32, CL_ADDRESS, NULL},
    {"uniforms_address", "Fragment Shader Uniforms Address",                       64, 32, CL_ADDRESS, NULL},
    {"vertices",         "Shaded Vertex Data Address",                             96, 32, CL_ADDRESS, NULL},
};

/* Table 47. */
static const struct cl_field vg_record[] = {
    {"single_threaded",  "Fragment Shader is single threaded",            0,  1,  CL_BOOL,    NULL},
    {"uniforms",         "Fragment Shader Number of Uniforms (not used)", 16, 8,  CL_UINT,    NULL},
    {"varyings",         "Fragment Shader Number of Varyings",            24, 8,  CL_UINT,    NULL},
    {"code",             "Fragment Shader Code Address",                  32, 32, CL_ADDRESS, NULL},
    {"uniforms_address", "Fragment Shader Uniforms Address",              64, 32, CL_ADDRESS, NULL},
};

/* Table 44, one clipped vertex. */
static const struct cl_field clipped_vertex[] = {
    {"x",         "XS coordinate in pixels from the viewport centre", 0,   16, CL_FIX4,  NULL},
    {"y",         "YS coordinate in pixels from the viewport centre", 16,  16, CL_FIX4,  NULL},
    {"z",         "ZS",                                               32,  32, CL_FLOAT, NULL},
    {"inverse_w", "1/WC",                                             64,  32, CL_FLOAT, NULL},
    {"weight0",   "Varying interpolation vertex 0 coefficient",       96,  32, CL_FLOAT, NULL},
    {"weight1",   "Varying interpolation vertex 1 coefficient",       128, 32, CL_FLOAT, NULL},
    {"weight2",   "Varying interpolation vertex 2 coefficient",       160, 32, CL_FLOAT, NULL},
};

/* Figure 12. */
const struct cl_field vertex_clip_fields[4] = {
    {"clip_x", "XC", 0,  32, CL_FLOAT, NULL},
    {"clip_y", "YC", 32, 32, CL_FLOAT, NULL},
    {"clip_z", "ZC", 64, 32, CL_FLOAT, NULL},
    {"clip_w", "WC", 96, 32, CL_FLOAT, NULL},
};
const struct cl_field vertex_position_fields[4] = {
    {"x",         "XS in pixels from the viewport centre", 0,  16, CL_FIX4,  NULL},
    {"y",         "YS in pixels from the viewport centre", 16, 16, CL_FIX4,  NULL},
    {"z",         "ZS",                                    32, 32, CL_FLOAT, NULL},
    {"inverse_w", "1/WC",                                  64, 32, CL_FLOAT, NULL},
};
const struct cl_field vertex_point_field = {"point_size", "Point Size", 0, 32, CL_FLOAT, NULL};
const struct cl_field vertex_varying_field = {"varying", "Varying", 0, 32, CL_FLOAT, NULL};

const struct cl_field vg_coordinate_fields[2] = {
    {"x", "X in pixels", 0,  16, CL_FIX4, NULL},
    {"y", "Y in pixels", 16, 16, CL_FIX4, NULL},
};

const struct field_list gl_record_fields = LIST(gl_record);
const struct field_list gl_attribute_fields = LIST(gl_attribute);
const struct field_list nv_record_fields = LIST(nv_record);
const struct field_list vg_record_fields = LIST(vg_record);
const struct field_list clipped_vertex_fields = LIST(clipped_vertex);

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
