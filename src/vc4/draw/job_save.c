/* SPDX-License-Identifier: MIT */
/* job_save.c - the fields of tile jobs for saved states. */
#include <stdlib.h>

#include "base/state.h"
#include "vc4/draw/job.h"

enum {
    LEAST_OPERATION = 7, /* least number of bytes of an operation in a state */
    LEAST_STATE = 80,    /* least number of bytes of a state of primitives */
    LEAST_SLOTS = 2,     /* least number of jobs of a window */
};

/* Returns the place of the job being filled (0), or of the job after it (1). */
static struct job **place_of(const struct job_window *window, uint32_t position)
{
    return &window->slot[(window->first + window->pending + position) % window->slots];
}

void job_window_swap(struct job_window *one, struct job_window *other)
{
    for (uint32_t i = 0; i < LEAST_SLOTS; i++) {
        struct job **a = place_of(one, i), **b = place_of(other, i), *job = *a;
        *a = *b;
        *b = job;
    }
}

static void start_fields(struct state_stream *stream, struct job_start *start)
{
    state_in(stream, &start->cleared, 0, TLB_ALL_HALVES);
    state_below(stream, &start->half, TLB_HALVES);
    STATE_FIELDS(stream, &start->frame_known, &start->clear_known);
    state_bytes(stream, start->frame, sizeof start->frame);
    state_bytes(stream, start->clear, sizeof start->clear);
}

/* True if a record can be the record of an operation of a kind. */
static bool fits_kind(uint8_t record, uint8_t kind)
{
    switch ((enum cl_code)record) {
    case CL_TILE_RENDERING_MODE:
    case CL_CLEAR_COLORS:
    case CL_TILE_COORDINATES:
    case CL_LOAD_FULL_RES_TILE_BUFFER:
    case CL_LOAD_TILE_BUFFER_GENERAL: return kind == OPERATION_RECORD;
    case CL_STORE_MS_TILE_BUFFER:
    case CL_STORE_MS_TILE_BUFFER_AND_EOF:
    case CL_STORE_FULL_RES_TILE_BUFFER:
    case CL_STORE_TILE_BUFFER_GENERAL: return kind == OPERATION_STORE;
    default: return (kind == OPERATION_STATE || kind == OPERATION_DRAW) && cl_packet(record);
    }
}

static void primitive_fields(struct state_stream *stream, struct render_primitive *primitive)
{
    state_in(stream, &primitive->type, PRIMITIVE_POINT, PRIMITIVE_RHT);
    state_in(stream, &primitive->vertices, 0, 3);
    state_below(stream, &primitive->clipped_flags, 8);
    STATE_FIELDS(stream, &primitive->coordinates, &primitive->draw, &primitive->counted);
    state_u32s(stream, primitive->index, 3);
    state_u32(stream, &primitive->clipped_address);
}

/* True if a primitive has the vertices of its type. */
static bool is_whole(const struct render_primitive *primitive)
{
    static const uint8_t vertices[] = {1, 2, 3, 2};
    return primitive->coordinates ? primitive->type >= PRIMITIVE_TRIANGLE
                                  : primitive->vertices == vertices[primitive->type];
}

static void data_fields(struct state_stream *stream, struct operation *operation)
{
    const struct cl_packet *packet = cl_packet(operation->record);
    size_t bytes = packet ? packet->bytes - 1u : 0;
    STATE_FIELDS(stream, &operation->has_data, &operation->writes);
    state_require(stream, operation->has_data == (bytes > 0));
    if (operation->has_data && bytes <= sizeof operation->data)
        state_bytes(stream, operation->data, bytes);
}

static void operation_fields(struct state_stream *stream, struct operation *operation,
                             uint32_t states)
{
    STATE_FIELDS(stream, &operation->record_address, &operation->record, &operation->kind);
    if (!state_require(stream, fits_kind(operation->record, operation->kind)))
        return;
    if (operation->kind == OPERATION_STATE) {
        state_u32(stream, &operation->state);
        state_require(stream, operation->state < states);
    } else if (operation->kind == OPERATION_DRAW) {
        primitive_fields(stream, &operation->primitive);
        state_require(stream, is_whole(&operation->primitive));
    } else {
        data_fields(stream, operation);
    }
}

static void extent_fields(struct state_stream *stream, struct extent *extent)
{
    STATE_FIELDS(stream, &extent->base, &extent->size, &extent->surface, &extent->column,
                 &extent->row, &extent->whole_tile);
    state_bytes(stream, extent->frame, sizeof extent->frame);
}

static void operations_fields(struct state_stream *stream, struct job *job)
{
    uint32_t states = state_count(stream, job->states, MAX_OPERATIONS, LEAST_STATE);
    uint32_t count = state_count(stream, job->operations, MAX_OPERATIONS, LEAST_OPERATION);
    if (state_is_reading(stream) && !stream->bad) {
        free(job->state);
        free(job->operation);
        job->state = NULL;
        job->operation = NULL;
    }
    if (!state_allocate(stream, &job->state, states, sizeof *job->state) ||
        !state_allocate(stream, &job->operation, count, sizeof *job->operation))
        return;
    if (state_is_reading(stream)) {
        job->states = job->state_capacity = states;
        job->operations = job->capacity = count;
    }
    for (uint32_t i = 0; i < states; i++) {
        cl_state_fields(stream, &job->state[i].state);
        shader_record_fields(stream, &job->state[i].shader);
    }
    for (uint32_t i = 0; i < count; i++)
        operation_fields(stream, &job->operation[i], states);
}

/* Lists the job being filled. Its drawing context has state if some of its operations have been
 * carried out. */
static void job_fields(struct state_stream *stream, struct job *job, const struct jobs_ports *ports)
{
    operations_fields(stream, job);
    state_in(stream, &job->stores, 0, MAX_STORES);
    for (uint32_t i = 0; i < job->stores; i++)
        extent_fields(stream, &job->store[i]);
    start_fields(stream, &job->start);
    fault_log_fields(stream, &job->list_log, &job->reported_kept);
    state_require(stream, job->list_log.kept && !job->list_log.holds);
    bool begun = job->begun;
    state_bool(stream, &begun);
    if (!begun || stream->bad)
        return;
    if (state_is_reading(stream))
        tile_job_begin(ports, job);
    render_fields(stream, &job->render);
}

/* Lists the time at which the next tile that uses the job's context begins. Traces show this time.
 * Traced devices have one thread and the least number of jobs. */
static void clock_fields(struct state_stream *stream, struct job *job)
{
    uint64_t clock = job->begun ? job->render.slices.end : job->clock;
    state_u64(stream, &clock);
    if (state_is_reading(stream))
        job->render.slices.end = job->clock = clock;
}

static void work_fields(struct state_stream *stream, struct render_work *work)
{
    STATE_FIELDS(stream, &work->instructions, &work->shader_runs, &work->primitives, &work->tiles,
                 &work->quads, &work->texture_lookups);
}

void jobs_fields(struct state_stream *stream, struct jobs *jobs, const struct jobs_ports *ports)
{
    struct state_section section = state_open(stream, STATE_TAG('J', 'O', 'B', 'S'));
    start_fields(stream, &jobs->setup);
    state_u8(stream, &jobs->load_record);
    state_require(stream, !jobs->load_record || jobs->load_record == CL_LOAD_FULL_RES_TILE_BUFFER ||
                              jobs->load_record == CL_LOAD_TILE_BUFFER_GENERAL);
    state_bytes(stream, jobs->load_data, sizeof jobs->load_data);
    STATE_FIELDS(stream, &jobs->no_memory, &jobs->hung);
    work_fields(stream, &jobs->work);
    for (unsigned i = 0; i < LEAST_SLOTS; i++)
        clock_fields(stream, *place_of(ports->window, i));
    job_fields(stream, *place_of(ports->window, 0), ports);
    state_close(stream, &section);
}
