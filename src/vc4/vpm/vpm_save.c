/* SPDX-License-Identifier: MIT */
/* vpm_save.c - lists the fields of the VPM and of its ports for saved states (base/state.h). */
#include "base/state.h"
#include "vc4/vpm/vpm.h"

/* --- DMA engines --- */

/* Lists a span, which begins no earlier than the end of the span before it. */
static void span_fields(struct state_stream *stream, struct vpm_span *span, uint64_t least)
{
    state_u64(stream, &span->start);
    state_u64(stream, &span->end);
    state_require(stream, least <= span->start && span->start <= span->end);
}

static void engine_fields(struct state_stream *stream, struct vpm_engine *engine)
{
    state_u64(stream, &engine->past);
    state_in(stream, &engine->count, 0, VPM_SPANS);
    for (uint32_t i = 0; i < engine->count; i++)
        span_fields(stream, &engine->span[i], i ? engine->span[i - 1].end : 0);
}

void vpm_fields(struct state_stream *stream, struct vpm *vpm)
{
    struct state_section section = state_open(stream, STATE_TAG('V', 'P', 'M', ' '));
    engine_fields(stream, &vpm->vcd);
    engine_fields(stream, &vpm->vdw);
    state_u32s(stream, vpm->word[0], VPM_ROWS * VPM_COLUMNS);
    state_u64s(stream, vpm->written, VPM_ROWS);
    state_close(stream, &section);
}

/* --- ports --- */

static void window_fields(struct state_stream *stream, struct vpm_window *window)
{
    state_below(stream, &window->base, VPM_ROWS);
    state_in(stream, &window->rows, 0, VPM_USER_ROWS);
}

static void dma_fields(struct state_stream *stream, struct vpm_dma *dma)
{
    state_bool(stream, &dma->pending);
    state_u64(stream, &dma->ready);
    state_u32(stream, &dma->setup);
    state_u32(stream, &dma->address);
    state_u32(stream, &dma->pc);
}

static void reads_fields(struct state_stream *stream, struct vpm_port *port)
{
    enum { MOST = 16 }; /* vectors of a read setup */
    state_u32s(stream, port->fetched, LANES);
    state_u64(stream, &port->fetched_at);
    state_u32(stream, &port->read_setup);
    state_in(stream, &port->reads_left, 0, MOST);
    state_u32(stream, &port->queued_setup);
    state_in(stream, &port->queued_left, 0, MOST);
    state_u64(stream, &port->queued_at);
    state_u64(stream, &port->first_read);
    state_u32(stream, &port->vectors_read);
}

void vpm_port_fields(struct state_stream *stream, struct vpm_port *port)
{
    window_fields(stream, &port->input);
    window_fields(stream, &port->output);
    state_bool(stream, &port->shader);
    state_u32(stream, &port->qpu);
    state_u64(stream, &port->now);
    state_u32(stream, &port->pc);
    state_u32(stream, &port->read_setup_pc);
    state_u64(stream, &port->executed);
    state_u64(stream, &port->rows_read);
    state_u64(stream, &port->rows_written);
    state_u64(stream, &port->reread);
    state_u64(stream, &port->rewritten);
    state_u64(stream, &port->rows_loaded);
    state_bool(stream, &port->overfilled);
    state_u32(stream, &port->origin.first);
    state_u32(stream, &port->origin.next);
    state_bool(stream, &port->write_ready);
    state_u32(stream, &port->write_setup);
    state_u64s(stream, port->write_done, VPM_WRITES);
    reads_fields(stream, port);
    state_u32(stream, &port->store_setup);
    state_u32(stream, &port->store_stride);
    state_u32(stream, &port->load_setup);
    state_u32(stream, &port->load_pitch);
    dma_fields(stream, &port->load);
    dma_fields(stream, &port->store);
    state_u64(stream, &port->loaded);
    state_u64(stream, &port->stored);
}
