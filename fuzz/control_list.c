/* SPDX-License-Identifier: MIT */
/* control_list.c - fuzz target: binning and rendering of a valid frame that the input changes. The
 * input is a series of pieces. Each piece has a kind, an offset of 16 bits, a length, and length
 * bytes. A piece replaces bytes of one part of the frame at the offset, inserts records before the
 * end of a control list, or replaces bytes of the tile lists between binning and rendering. */
#include "frame.h"

enum piece {
    PIECE_BIN_RECORDS,    /* inserts records before the Flush record of the binning list */
    PIECE_RENDER_RECORDS, /* inserts records before those of the tiles in the rendering list */
    PIECE_TILE_LISTS,     /* replaces bytes of the tile lists after binning */
    PIECE_BIN_LIST,
    PIECE_RENDER_LIST,
    PIECE_RECORD,
    PIECE_VERTICES,
    PIECE_UNIFORMS,
    PIECE_SHADER,
    PIECE_TEXTURE,
    PIECE_MEMORY, /* replaces bytes anywhere in the first 64 KiB */
    PIECES
};

static const uint32_t bases[PIECES] = {
    [PIECE_TILE_LISTS] = FRAME_TILE_LISTS,   [PIECE_BIN_LIST] = FRAME_BIN_LIST,
    [PIECE_RENDER_LIST] = FRAME_RENDER_LIST, [PIECE_RECORD] = FRAME_RECORD,
    [PIECE_VERTICES] = FRAME_VERTICES,       [PIECE_UNIFORMS] = FRAME_UNIFORMS,
    [PIECE_SHADER] = FRAME_SHADER,           [PIECE_TEXTURE] = FRAME_TEXTURE,
};

/* Inserts bytes before the tail of a list, if the list then still ends at or before limit. */
static void insert(uint8_t *memory, uint32_t *tail, uint32_t *end, uint32_t limit,
                   const uint8_t *bytes, size_t size)
{
    if (size == 0 || size > limit - *end)
        return;
    memmove(memory + *tail + size, memory + *tail, *end - *tail);
    memcpy(memory + *tail, bytes, size);
    *tail += (uint32_t)size;
    *end += (uint32_t)size;
}

static void damage(uint8_t *memory, struct frame_lists *lists, struct input input, bool between)
{
    while (input.left > 0) {
        enum piece piece = (enum piece)(input_bits(&input, 1) % PIECES);
        uint32_t offset = input_bits(&input, 2);
        size_t size = input_bits(&input, 1);
        const uint8_t *bytes = input_bytes(&input, &size);
        if ((piece == PIECE_TILE_LISTS) != between)
            continue;
        if (piece == PIECE_BIN_RECORDS)
            insert(memory, &lists->bin_tail, &lists->bin_end, FRAME_RENDER_LIST, bytes, size);
        else if (piece == PIECE_RENDER_RECORDS)
            insert(memory, &lists->render_tail, &lists->render_end, FRAME_RECORD, bytes, size);
        else if (size)
            memcpy(memory + bases[piece] + offset, bytes, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tess_vc4_options options = {.machine.max_instructions = 300,
                                                    .max_records = 300};
    struct frame_lists lists;
    struct tess_vc4 *vc4 = frame_device(&options, &lists);
    if (!vc4)
        return 0;
    uint8_t *memory = tess_vc4_memory(vc4, 0, FRAME_MEMORY);
    damage(memory, &lists, (struct input){data, size}, false);
    tess_vc4_write(vc4, V3D_CT0CA, FRAME_BIN_LIST);
    tess_vc4_write(vc4, V3D_CT0EA, lists.bin_end);
    tess_vc4_run(vc4);
    damage(memory, &lists, (struct input){data, size}, true);
    tess_vc4_write(vc4, V3D_CT1CA, FRAME_RENDER_LIST);
    tess_vc4_write(vc4, V3D_CT1EA, lists.render_end);
    if (tess_vc4_run(vc4) != TESS_VC4_IDLE)
        tess_vc4_report_stuck(vc4);
    tess_vc4_destroy(vc4);
    return 0;
}
