/* SPDX-License-Identifier: MIT */
/* gl_values.h - what options of tessera gl, and the environment variables that stand for them, have as values: numbers, and
 * texts that several are in. */
#ifndef FRONT_GL_VALUES_H
#define FRONT_GL_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Jobs, counted from 1. */
struct gl_jobs {
    uint32_t first, last;
};

struct gl_mode {
    uint32_t width, height; /* pixels */
    uint32_t hertz;
};

/* The values are decimal numbers; false, and nothing is changed: the text is not one. */
bool gl_read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number);

/* "N" or "N-M". */
bool gl_read_jobs(const char *text, struct gl_jobs *jobs);

/* "WIDTHxHEIGHT" or "WIDTHxHEIGHT@HERTZ", within the bounds of limits.h; without HERTZ that of *mode stays. */
bool gl_read_mode(const char *text, struct gl_mode *mode);

#endif
