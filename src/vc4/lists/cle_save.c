/* SPDX-License-Identifier: MIT */
/* cle_save.c - lists the fields of the control list executor for saved states (base/state.h). */
#include "base/state.h"

#include "isa/cl/cl.h"
#include "vc4/lists/cle.h"

enum { WORKS = CLE_STARTING + 1 };

/* --- the work that a thread continues --- */

static void primitives_fields(struct state_stream *stream, struct cle_thread *t)
{
    state_u32(stream, &t->mode); /* a record in error may have had a reserved mode */
    STATE_FIELDS(stream, &t->length, &t->position, &t->first, &t->index_address);
    state_in(stream, &t->index_bytes, 0, 2);
    state_u32(stream, &t->maximum_index);
}

static void compressed_fields(struct state_stream *stream, struct cle_thread *t)
{
    state_in(stream, &t->format.type, PRIMITIVE_POINT, PRIMITIVE_RHT);
    state_in(stream, &t->format.index_bytes, 0, 4);
    state_u32s(stream, t->previous.vertex, 3);
    STATE_FIELDS(stream, &t->previous.valid, &t->clipped_address);
    state_below(stream, &t->clipped_flags, 8);
}

static void coordinates_fields(struct state_stream *stream, struct cle_thread *t)
{
    struct vg_list *list = &t->vg;
    state_below(stream, &list->type, 16);
    STATE_FIELDS(stream, &list->counted, &list->flip, &list->first);
    state_in(stream, &list->held, 0, 2);
    state_in(stream, &list->replaced, 0, 2);
    STATE_FIELDS(stream, &list->address, &list->left, &list->end);
    state_u32s(stream, list->vertex, 3);
    state_u32s(stream, t->xy, 3);
    state_bool(stream, &t->xy_waiting);
}

/* True if the fields of the thread's work have values that the work can continue with. */
static bool can_continue(const struct cle_thread *t)
{
    uint8_t bytes = t->format.index_bytes;
    if (t->work == CLE_COMPRESSED)
        return (bytes == 2 && t->format.type <= PRIMITIVE_RHT) ||
               (bytes == 4 && t->format.type >= PRIMITIVE_TRIANGLE);
    if (t->work != CLE_PRIMITIVES)
        return true;
    return t->mode < MODE_COUNT &&
           (t->record != CL_INDEXED_PRIMITIVE_LIST || t->index_bytes == 1 || t->index_bytes == 2);
}

static void work_fields(struct state_stream *stream, struct cle_thread *t)
{
    state_enum(stream, &t->work, WORKS);
    STATE_FIELDS(stream, &t->record_address, &t->record, &t->remaining);
    primitives_fields(stream, t);
    compressed_fields(stream, t);
    coordinates_fields(stream, t);
    state_bool(stream, &t->flush_all_state);
    state_require(stream, can_continue(t));
}

/* --- threads --- */

static void registers_fields(struct state_stream *stream, struct cle_thread *t)
{
    STATE_FIELDS(stream, &t->ca, &t->ea, &t->running, &t->unseen, &t->list_start, &t->halted,
                 &t->error, &t->waiting, &t->given, &t->taken, &t->pending_increments);
    state_u32s(stream, t->stack, CLE_STACK);
    state_in(stream, &t->depth, 0, CLE_STACK);
    state_below(stream, &t->flushes, 1 << 16);
    state_below(stream, &t->returns, 1 << 16);
    state_u32(stream, &t->markers);
}

static void tile_fields(struct state_stream *stream, struct cle_thread *t,
                        const struct draws *draws)
{
    STATE_FIELDS(stream, &t->frame_configured, &t->in_tile);
    state_below(stream, &t->tile_column, 256);
    state_below(stream, &t->tile_row, 256);
    state_bool(stream, &t->state_sent);
    draws_cursor_fields(stream, &t->list, draws);
    state_in(stream, &t->list_depth, 0, CLE_STACK);
    STATE_FIELDS(stream, &t->list_reported, &t->history.vg, &t->history.varyings);
}

static void thread_fields(struct state_stream *stream, struct cle_thread *t,
                          const struct draws *draws)
{
    cl_state_fields(stream, &t->state);
    registers_fields(stream, t);
    state_u64(stream, &t->flushed);
    state_u64s(stream, t->given_at, CLE_SEMAPHORE_MAX + 1);
    state_u64(stream, &t->flush_known);
    work_fields(stream, t);
    shader_record_fields(stream, &t->shader);
    state_bool(stream, &t->shader_read);
    tile_fields(stream, t, draws);
}

void cle_fields(struct state_stream *stream, struct cle *cle, const struct draws *draws)
{
    struct state_section section = state_open(stream, STATE_TAG('C', 'L', 'E', ' '));
    for (unsigned thread = 0; thread < CLE_THREADS; thread++)
        thread_fields(stream, &cle->thread[thread], draws);
    state_u64(stream, &cle->records);
    state_close(stream, &section);
}
