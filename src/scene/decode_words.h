/* SPDX-License-Identifier: MIT */
/* decode_words.h - what the decoder adds to the tables of the manual: field lists of shader records
 * (tables 44 to 47, figure 12) and sentences about what a control record does to the picture. */
#ifndef SCENE_DECODE_WORDS_H
#define SCENE_DECODE_WORDS_H

#include <stdint.h>

#include "isa/cl/cl.h"

struct field_list {
    const struct cl_field *fields;
    uint32_t count;
};

enum {
    GL_RECORD_BYTES = 36, /* without attribute arrays */
    GL_ATTRIBUTE_BYTES = 8,
    GL_ATTRIBUTES = 8,
    GL_EXTENDED_AT = 100, /* strides of extended records */
    NV_RECORD_BYTES = 16,
    VG_RECORD_BYTES = 12,
    CLIPPED_VERTEX_BYTES = 32,
};

extern const struct field_list gl_record_fields, gl_attribute_fields, nv_record_fields,
    vg_record_fields, clipped_vertex_fields;

/* One word of an attribute's extended stride, a shaded vertex, a uniform stream. */
extern const struct cl_field extended_stride_field, vg_coordinate_fields[2];

/* The words of a shaded vertex, in order: clip header (4 fields), position (2 fields in one word),
 * Zs and 1/Wc, point size. Varyings follow. */
extern const struct cl_field vertex_clip_fields[4], vertex_position_fields[4], vertex_point_field,
    vertex_varying_field;

/* What a control record does, or NULL. */
const char *control_record_note(uint8_t code);

#endif
