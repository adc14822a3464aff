/* SPDX-License-Identifier: MIT */
/* shader_output.h - writes the varyings of a shader: a text table, and raw buffers.
 *
 * In:  buffers of varyings, piece by piece.
 * Out: one row per vertex, under a header NAME.x,NAME.y...; files of elements without gaps. */
#ifndef CLI_SHADER_OUTPUT_H
#define CLI_SHADER_OUTPUT_H

#include <tessera/tessera.h>

#include "output.h"
#include "shader_names.h"

enum { SHADER_MOST_VARYINGS = 32 /* greatest number of varyings of any machine */ };

/* The buffer of a varying, with elements without gaps. */
struct shader_varying {
    uint8_t *data;       /* NULL if the varying is not written anywhere */
    uint32_t components; /* components in the buffer */
    uint32_t shown;      /* mask of the components in the table */
    bool half;           /* 16 bits per component; else 32 */
    struct output raw;   /* file of --varying; .stream is NULL if there is none */
    char *path;
};

struct shader_output_options {
    const char *title;
    const char *path;            /* path of the table; NULL for standard output */
    const char *const *varyings; /* arguments of --varying */
    size_t varying_count;
    struct shader_names names;
    /* returns a mask of the components to show */
    uint32_t (*components)(const void *user, uint32_t varying);
    const void *user;
    bool no_table;
    size_t piece; /* greatest number of vertices per write */
};

/* State of the output. Zero-initialise. */
struct shader_output {
    const struct shader_output_options *options;
    struct output table;
    struct shader_varying varyings[SHADER_MOST_VARYINGS];
    /* numbers of the varyings in the order of the table's columns */
    uint32_t order[SHADER_MOST_VARYINGS];
    size_t order_count;
    char *text;
    bool open;
};

/* Opens the files and writes the header. Returns false after an error message. */
bool shader_output_open(struct shader_output *output, const struct shader_output_options *options);

/* Returns the bytes per vertex in a varying's buffer. */
size_t shader_output_stride(const struct shader_varying *varying);

/* Sets all buffers to zero, the value of components that the shader does not write. */
void shader_output_clear(struct shader_output *output, size_t count);

/* Returns a varying's values for a vertex of the piece. Components that are not in the buffer are
 * 0, 0, 0, 1. */
void shader_output_values(const struct shader_varying *varying, size_t vertex,
                          float values[SHADER_COMPONENTS]);

/* Sets a varying's values for a vertex of the piece. Ignores components that are not in the
 * buffer. */
void shader_output_set(const struct shader_varying *varying, size_t vertex,
                       const float values[SHADER_COMPONENTS]);

/* Writes the piece. Returns false on an error, which shader_output_close() reports. */
bool shader_output_write(struct shader_output *output, size_t count);

/* Closes the files. Returns false after an error message if any data could not be written. */
bool shader_output_close(struct shader_output *output);

#endif
