/* SPDX-License-Identifier: MIT */
/* ptb_save.c - lists the fields of the binner for saved states (base/state.h). */
#include "base/bits.h"
#include "base/state.h"
#include "vc4/bin/ptb.h"
#include "vc4/raster/clip.h"

enum { SMALLEST_TILE = 16, LARGEST_TILE = 64, SMALLEST_BLOCK = 32, LARGEST_BLOCK = 256 };

/* Lists a power of two. It is 0 before the first record 112. */
static void power_fields(struct state_stream *stream, uint32_t *value, bool configured,
                         uint32_t least, uint32_t most)
{
    state_in(stream, value, 0, most);
    state_require(stream, !configured || (*value >= least && is_power_of_two(*value)));
}

static void setup_fields(struct state_stream *stream, struct ptb *ptb)
{
    STATE_FIELDS(stream, &ptb->configured, &ptb->started, &ptb->early);
    state_require(stream, ptb->configured || !ptb->started);
    STATE_FIELDS(stream, &ptb->allocation_address, &ptb->allocation_size, &ptb->state_address);
    state_below(stream, &ptb->tiles_x, 256);
    state_below(stream, &ptb->tiles_y, 256);
    power_fields(stream, &ptb->tile_width, ptb->configured, SMALLEST_TILE, LARGEST_TILE);
    power_fields(stream, &ptb->tile_height, ptb->configured, SMALLEST_TILE, LARGEST_TILE);
    power_fields(stream, &ptb->initial_block, ptb->configured, SMALLEST_BLOCK, LARGEST_BLOCK);
    power_fields(stream, &ptb->block, ptb->configured, SMALLEST_BLOCK, LARGEST_BLOCK);
    STATE_FIELDS(stream, &ptb->auto_initialise, &ptb->clip_disabled);
}

static void memory_fields(struct state_stream *stream, struct ptb *ptb)
{
    STATE_FIELDS(stream, &ptb->pool_address, &ptb->pool_left, &ptb->overspill_address,
                 &ptb->overspill_size, &ptb->out_of_memory, &ptb->used_overspill,
                 &ptb->block_address, &ptb->block_left, &ptb->clip_address, &ptb->clip_left);
}

static void place_fields(struct state_stream *stream, struct ptb *ptb)
{
    state_bool(stream, &ptb->stalled);
    state_in(stream, &ptb->cursor, 0, UINT16_MAX);
    state_in(stream, &ptb->sub_cursor, 0, CLIP_MAX_PARTS);
    STATE_FIELDS(stream, &ptb->clip_record, &ptb->placed);
    state_below(stream, &ptb->dropped, PTB_DROPS);
    state_u32(stream, &ptb->draw);
}

void ptb_fields(struct state_stream *stream, struct ptb *ptb)
{
    struct state_section section = state_open(stream, STATE_TAG('P', 'T', 'B', ' '));
    setup_fields(stream, ptb);
    memory_fields(stream, ptb);
    state_u16s(stream, ptb->version, PTB_ITEMS);
    STATE_FIELDS(stream, &ptb->changes, &ptb->drawn);
    place_fields(stream, ptb);
    ptb_guard_fields(stream, &ptb->guard);
    state_u64(stream, &ptb->primitives);
    state_close(stream, &section);
}
