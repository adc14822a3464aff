/* SPDX-License-Identifier: MIT */
/* ptb_private.h - what the files of the Primitive Tile Binner share. ptb.c finds the tiles of a
 * primitive and calls ptb_list.c, which writes the tile lists. ptb_setup.c executes records 112
 * and 6. */
#ifndef VC4_BIN_PTB_PRIVATE_H
#define VC4_BIN_PTB_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/cl/primlist.h"
#include "vc4/bin/ptb_state.h"

enum {
    PTB_SMALLEST_BLOCK = 32,
    PTB_XY_BYTES = 4, /* index_bytes of struct primlist_format for lists of coordinates */
};

/* A primitive, or a part of a primitive, that is appended to lists. */
struct ptb_job {
    const struct cl_state *state;
    struct primlist_format format;
    uint32_t vertex[3]; /* vertex numbers, or coordinates in VG mode */
    uint8_t clipped;    /* member clipped of struct clip_part */
};

/* Ends an operation. Keeps the operation's position if the operation stalled, otherwise resets the
 * position. */
static inline enum ptb_result ptb_finish(struct ptb *ptb, enum ptb_result result)
{
    ptb->stalled = result == PTB_STALLED;
    if (!ptb->stalled) {
        ptb->cursor = ptb->sub_cursor = ptb->clip_record = 0;
        ptb->placed = false;
        ptb->dropped = PTB_KEPT;
    }
    return result;
}

/* Returns the number of tiles of the frame. */
static inline uint32_t ptb_tile_count(const struct ptb *ptb)
{
    return ptb->tiles_x * ptb->tiles_y;
}

/* Returns the number of bytes from address to the next multiple of alignment, a power of two. */
static inline uint32_t ptb_padding(uint32_t address, uint32_t alignment)
{
    return -address & (alignment - 1);
}

/* Takes size bytes from the current granule, or from a new one if the rest of the current granule
 * is too small. */
enum ptb_result ptb_take_piece(struct ptb *ptb, const struct ptb_ports *ports, uint32_t size,
                               uint32_t *granule, uint32_t *left, uint32_t *address);

/* Appends a primitive to the list of tile number index, after the records that the primitive
 * needs. */
enum ptb_result ptb_append_job(struct ptb *ptb, const struct ptb_ports *ports, uint32_t index,
                               const struct ptb_job *job);

/* Ends the list of tile number index with a return record. If all_state is true, first appends all
 * state that the list lacks. */
enum ptb_result ptb_flush_tile(struct ptb *ptb, const struct ptb_ports *ports, uint32_t index,
                               const struct cl_state *state, bool all_state);

/* Writes the tile state data array, at host address bytes, for lists that begin in the tiles'
 * initial blocks. */
void ptb_initialise_tiles(struct ptb *ptb, uint8_t *bytes);

#endif
