/* SPDX-License-Identifier: MIT */
/* decode_words.h - the decoder's additions to the tables of the manual: sizes of shader records
 * (tables 44 to 47, figure 12) and a sentence about the effect of each control record. */
#ifndef SCENE_DECODE_WORDS_H
#define SCENE_DECODE_WORDS_H

#include <stdint.h>

#include "isa/cl/cl.h"

enum {
    GL_RECORD_BYTES = 36, /* size without attribute arrays */
    GL_ATTRIBUTE_BYTES = 8,
    GL_ATTRIBUTES = 8,
    GL_EXTENDED_AT = 100, /* offset of the strides in extended records */
    NV_RECORD_BYTES = 16,
    CLIPPED_VERTEX_BYTES = 32,
};

/* Returns a sentence about the effect of a control record, or NULL. */
const char *control_record_note(uint8_t code);

#endif
