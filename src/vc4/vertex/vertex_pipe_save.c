/* SPDX-License-Identifier: MIT */
/* vertex_pipe_save.c - lists the fields of the path of vertices for saved states (base/state.h).
 *
 * Left out: the QPU and its port, because each shader runs to its end; empty entries of the
 *           cache. */
#include "base/state.h"
#include "vc4/vertex/vertex_pipe.h"

static void vertex_fields(struct state_stream *stream, struct vertex *vertex)
{
    state_between(stream, &vertex->x, INT16_MIN, INT16_MAX);
    state_between(stream, &vertex->y, INT16_MIN, INT16_MAX);
    STATE_FIELDS(stream, &vertex->z, &vertex->inv_w, &vertex->point_size);
    state_f32s(stream, vertex->clip, 4);
    state_f32s(stream, vertex->varying, VERTEX_MAX_VARYINGS);
}

static void set_fields(struct state_stream *stream, struct vertex_cache *cache, unsigned set)
{
    state_u32s(stream, cache->index[set], VERTEX_WAYS);
    state_below(stream, &cache->next[set], VERTEX_WAYS);
    for (unsigned way = 0; way < VERTEX_WAYS; way++)
        if (cache->index[set][way] != UINT32_MAX)
            vertex_fields(stream, &cache->vertex[set][way]);
}

void vertex_pipe_fields(struct state_stream *stream, struct vertex_pipe *pipe)
{
    struct state_section section = state_open(stream, STATE_TAG('V', 'E', 'R', 'T'));
    state_u32s(stream, pipe->reserve, 2);
    STATE_FIELDS(stream, &pipe->allocation_limit, &pipe->executed, &pipe->shader_runs, &pipe->hung);
    tmu_fields(stream, &pipe->tmu);
    vpm_fields(stream, &pipe->vpm);
    state_below(stream, &pipe->next_qpu, QPU_COUNT);
    state_u32(stream, &pipe->record_address);
    state_enum(stream, &pipe->stage, SHADER_STAGES);
    for (unsigned set = 0; set < VERTEX_SETS; set++)
        set_fields(stream, &pipe->cache, set);
    state_close(stream, &section);
}
