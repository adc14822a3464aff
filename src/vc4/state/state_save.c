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
    state_u32(stream, &state->shader_word);
    state_u32(stream, &state->shader_word1);
    state_below(stream, &state->configuration, 1 << 24);
    state_bool(stream, &state->configured);
    state_u32(stream, &state->flat_shade);
    state_f32(stream, &state->point_size);
    state_f32(stream, &state->line_width);
    state_i16(stream, &state->rht_x);
    state_u32(stream, &state->depth_offset);
    state_u16(stream, &state->clip_left);
    state_u16(stream, &state->clip_bottom);
    state_u16(stream, &state->clip_width);
    state_u16(stream, &state->clip_height);
    state_i16(stream, &state->viewport_x);
    state_i16(stream, &state->viewport_y);
    state_f32(stream, &state->z_min);
    state_f32(stream, &state->z_max);
    state_f32(stream, &state->clipper_x);
    state_f32(stream, &state->clipper_y);
    state_f32(stream, &state->clipper_z_scale);
    state_f32(stream, &state->clipper_z_offset);
    state_u8(stream, &state->list_format);
    state_u8(stream, &state->recognised_format);
}

/* --- shader records --- */

static void program_fields(struct state_stream *stream, struct shader_program *program)
{
    state_u32(stream, &program->code);
    state_u32(stream, &program->uniforms);
    state_u16(stream, &program->uniform_count);
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
    state_u32(stream, &record->address);
    state_u16(stream, &record->flags);
    state_u8(stream, &record->varyings);
    state_u32(stream, &record->fragment_code);
    state_u32(stream, &record->fragment_uniforms);
    state_u8(stream, &record->fragment_uniform_count);
    state_u8(stream, &record->vertex_stride);
    state_u32(stream, &record->vertex_address);
    state_below(stream, &record->attributes, SHADER_ATTRIBUTES + 1);
    if (!record->attributes)
        return;
    for (unsigned stage = 0; stage < SHADER_STAGES; stage++)
        program_fields(stream, &record->program[stage]);
    for (unsigned i = 0; i < record->attributes; i++)
        attribute_fields(stream, &record->attribute[i]);
}
