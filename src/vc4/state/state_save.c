/* SPDX-License-Identifier: MIT */
/* state_save.c - lists the dynamic state and shader records for saved states (base/state.h). */
#include "base/state.h"

#include "vc4/state/state.h"

/* True if a code is 0 or that of a shader state record. */
static bool is_shader_code(uint8_t code)
{
    return code == 0 || (code >= CL_GL_SHADER_STATE && code <= CL_VG_INLINE_SHADER_RECORD);
}

void cl_state_fields(struct state_stream *stream, struct cl_state *state)
{
    state_u8(stream, &state->shader_code);
    state_require(stream, is_shader_code(state->shader_code));
    STATE_FIELDS(stream, &state->shader_word, &state->shader_word1);
    state_below(stream, &state->configuration, 1 << 24);
    STATE_FIELDS(stream, &state->configured, &state->flat_shade, &state->point_size,
                 &state->line_width, &state->rht_x, &state->depth_offset, &state->clip_left,
                 &state->clip_bottom, &state->clip_width, &state->clip_height, &state->viewport_x,
                 &state->viewport_y, &state->z_min, &state->z_max, &state->clipper_x,
                 &state->clipper_y, &state->clipper_z_scale, &state->clipper_z_offset,
                 &state->list_format, &state->recognised_format);
}

/* --- shader records --- */

static void program_fields(struct state_stream *stream, struct shader_program *program)
{
    STATE_FIELDS(stream, &program->code, &program->uniforms, &program->uniform_count);
    state_below(stream, &program->select, 256);
    state_below(stream, &program->bytes, 256);
}

static void attribute_fields(struct state_stream *stream, struct shader_attribute *attribute)
{
    state_u32(stream, &attribute->address);
    state_in(stream, &attribute->bytes, 1, 256);
    state_u32(stream, &attribute->stride);
    for (unsigned stage = 0; stage < SHADER_STAGES; stage++)
        state_below(stream, &attribute->offset[stage], 256);
    state_u32(stream, &attribute->extended);
}

void shader_record_fields(struct state_stream *stream, struct shader_record *record)
{
    state_u8(stream, &record->code);
    state_require(stream, is_shader_code(record->code));
    STATE_FIELDS(stream, &record->address, &record->flags, &record->varyings,
                 &record->fragment_code, &record->fragment_uniforms,
                 &record->fragment_uniform_count, &record->vertex_stride, &record->vertex_address);
    state_below(stream, &record->attributes, SHADER_ATTRIBUTES + 1);
    if (!record->attributes)
        return;
    for (unsigned stage = 0; stage < SHADER_STAGES; stage++)
        program_fields(stream, &record->program[stage]);
    for (unsigned i = 0; i < record->attributes; i++)
        attribute_fields(stream, &record->attribute[i]);
}
