/* SPDX-License-Identifier: MIT */
/* tlb_save.c - lists the fields of the tile buffer for saved states (base/state.h). */
#include "base/state.h"
#include "vc4/tile/tlb.h"
#include "vc4/tile/tlb_memory.h"

static void frame_fields(struct state_stream *stream, struct tlb_frame *frame)
{
    enum { FLAGS = CL_TILE_RENDERING_MODE_DOUBLE_BUFFER_BIT + 1 - TLB_FRAME_FLAGS_BIT };
    STATE_FIELDS(stream, &frame->configured, &frame->address);
    state_below(stream, &frame->width, 1 << 16);
    state_below(stream, &frame->height, 1 << 16);
    state_below(stream, &frame->flags, 1 << FLAGS);
}

static void load_fields(struct state_stream *stream, struct tlb_load *load)
{
    STATE_FIELDS(stream, &load->pending, &load->full_resolution);
    state_below(stream, &load->bits, UINT64_C(1) << 48);
}

/* Computes the geometry, which depends on the frame and the half. */
static struct tlb_geometry geometry_of(const struct tlb *tlb)
{
    const struct tlb_frame *frame = &tlb->frame;
    struct tlb_geometry tile = tlb_geometry(TLB_FRAME_GET(frame, MULTISAMPLE),
                                            TLB_FRAME_GET(frame, COLOR_64BIT),
                                            TLB_FRAME_GET(frame, DOUBLE_BUFFER));
    tile.first = tile.halves == TLB_HALVES ? tlb->half * tile.width * tile.height : 0;
    return tile;
}

void tlb_fields(struct state_stream *stream, struct tlb *tlb)
{
    struct state_section section = state_open(stream, STATE_TAG('T', 'L', 'B', ' '));
    frame_fields(stream, &tlb->frame);
    state_u32s(stream, tlb->clear_colour, 2);
    state_below(stream, &tlb->clear_z, 1 << 24);
    STATE_FIELDS(stream, &tlb->clear_mask, &tlb->clear_stencil);
    load_fields(stream, &tlb->load);
    state_below(stream, &tlb->half, TLB_HALVES);
    STATE_FIELDS(stream, &tlb->in_tile, &tlb->reloaded);
    state_in(stream, &tlb->known_halves, 0, TLB_ALL_HALVES);
    state_below(stream, &tlb->column, 256);
    state_below(stream, &tlb->row, 256);
    STATE_FIELDS(stream, &tlb->last_store, &tlb->tiles_stored);
    state_u64s(stream, tlb->drawn, TLB_SAMPLES / 64);
    state_u32s(stream, tlb->colour, TLB_SAMPLES);
    state_u32s(stream, tlb->zs, TLB_SAMPLES);
    state_bytes(stream, tlb->mask, TLB_SAMPLES);
    if (state_is_reading(stream))
        tlb->tile = geometry_of(tlb);
    state_close(stream, &section);
}
