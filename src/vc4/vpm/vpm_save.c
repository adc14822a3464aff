/* SPDX-License-Identifier: MIT */
/* vpm_save.c - lists the fields of the VPM and of its ports for saved states (base/state.h). */
#include "base/state.h"
#include "vc4/vpm/vpm.h"

/* --- DMA engines --- */

/* Lists a span, which begins no earlier than the end of the span before it. */
static void span_fields(struct state_stream *stream, struct vpm_span *span, uint64_t least)
{
    STATE_FIELDS(stream, &span->start, &span->end);
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
    STATE_FIELDS(stream, &dma->pending, &dma->ready, &dma->setup, &dma->address, &dma->pc);
}

static void reads_fields(struct state_stream *stream, struct vpm_port *port)
{
    enum { MOST = 16 }; /* vectors of a read setup */
    state_u32s(stream, port->fetched, LANES);
    STATE_FIELDS(stream, &port->fetched_at, &port->read_setup);
    state_in(stream, &port->reads_left, 0, MOST);
    state_u32(stream, &port->queued_setup);
    state_in(stream, &port->queued_left, 0, MOST);
    STATE_FIELDS(stream, &port->queued_at, &port->first_read, &port->vectors_read);
}

void vpm_port_fields(struct state_stream *stream, struct vpm_port *port)
{
    window_fields(stream, &port->input);
    window_fields(stream, &port->output);
    STATE_FIELDS(stream, &port->shader, &port->qpu, &port->now, &port->pc, &port->read_setup_pc,
                 &port->executed, &port->rows_read, &port->rows_written, &port->reread,
                 &port->rewritten, &port->rows_loaded, &port->overfilled, &port->origin.first,
                 &port->origin.next, &port->write_ready, &port->write_setup);
    state_u64s(stream, port->write_done, VPM_WRITES);
    reads_fields(stream, port);
    STATE_FIELDS(stream, &port->store_setup, &port->store_stride, &port->load_setup,
                 &port->load_pitch);
    dma_fields(stream, &port->load);
    dma_fields(stream, &port->store);
    STATE_FIELDS(stream, &port->loaded, &port->stored);
}
