/* SPDX-License-Identifier: MIT */
/* decode_shaders.h - lists shader records, programs and uniforms. */
#ifndef SCENE_DECODE_SHADERS_H
#define SCENE_DECODE_SHADERS_H

#include "scene/decoder.h"

/* Shows the program at an address as a section with a title, unless it has been shown. */
void decode_program(struct decoder *decoder, uint32_t address, const char *title);

/* Shows a program up to the two instructions after the program-end signal. Ignores a program-end
 * signal if an earlier branch jumps past it. */
void decode_instructions(struct decoder *decoder, uint32_t address);

/* Shows the uniforms that a program reads, in the order of the reads. If `count` is larger than the
 * number of reads, shows `count` uniforms, but at most 64. */
void decode_uniforms(struct decoder *decoder, uint32_t code, uint32_t address, uint32_t count,
                     const char *title);

/* Shows the shader record to which a control record points. code: id of the control record, 64 to
 * 66. data: bytes after the id. */
void decode_shader_record(struct decoder *decoder, uint8_t code, const uint8_t *data);

#endif
