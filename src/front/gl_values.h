/* SPDX-License-Identifier: MIT */
/* gl_values.h - parses values of tessera gl's options and of the corresponding environment
 * variables. */
#ifndef FRONT_GL_VALUES_H
#define FRONT_GL_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Range of jobs, counted from 1. */
struct gl_jobs {
    uint32_t first, last;
};

struct gl_mode {
    uint32_t width, height; /* size in pixels */
    uint32_t hertz;
};

/* A modelled GPU with a DRM device. */
struct gl_gpu {
    const char *name; /* name of the kernel's driver and of Mesa's driver */
};

/* Returns the GPU with a name, or NULL. */
const struct gl_gpu *gl_find_gpu(const char *name);

/* Returns the GPU at an index from 0. The first one is the default. Returns NULL after the last
 * one. */
const struct gl_gpu *gl_gpu_at(unsigned index);

/* Reads a decimal number from `least` to `most`. Like all functions here, returns false and
 * changes nothing if text is not valid. */
bool gl_read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number);

/* Reads "N" or "N-M". */
bool gl_read_jobs(const char *text, struct gl_jobs *jobs);

/* Reads "WIDTHxHEIGHT" or "WIDTHxHEIGHT@HERTZ", within the bounds of limits.h. Without HERTZ,
 * mode->hertz keeps its value. */
bool gl_read_mode(const char *text, struct gl_mode *mode);

#endif
