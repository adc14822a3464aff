/* SPDX-License-Identifier: MIT */
/* render_save.c - lists the fields of a drawing context for saved states (base/state.h).
 *
 * Left out: the QPU, because each shader runs to its end; counts of the work, which have been added
 *           to the sums of all jobs. */
#include "base/state.h"
#include "vc4/draw/render.h"

static void sound_fields(struct state_stream *stream, struct render_sound *sound)
{
    STATE_FIELDS(stream, &sound->known, &sound->code, &sound->uniform_count);
}

void render_fields(struct state_stream *stream, struct render *render)
{
    struct state_section section = state_open(stream, STATE_TAG('R', 'E', 'N', 'D'));
    tlb_fields(stream, &render->tlb);
    fep_fields(stream, &render->fep);
    tmu_fields(stream, &render->tmu);
    state_below(stream, &render->next_qpu, QPU_COUNT);
    state_u32s(stream, render->reserve, 2);
    cl_state_fields(stream, &render->state);
    shader_record_fields(stream, &render->shader);
    sound_fields(stream, &render->sound);
    state_bool(stream, &render->hung);
    vertex_pipe_fields(stream, &render->vertices);
    for (unsigned half = 0; half < TLB_HALVES; half++)
        cap_fields(stream, &render->cap[half]);
    shared_units_fields(stream, &render->slices);
    state_close(stream, &section);
}
