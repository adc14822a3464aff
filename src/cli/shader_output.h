/* SPDX-License-Identifier: MIT */
/* shader_output.h - what a shader has written: a table of text, and raw buffers.
 *
 * In:  buffers of varyings, piece by piece.
 * Out: one row a vertex, under a header NAME.x,NAME.y...; files of elements without gaps. */
#ifndef CLI_SHADER_OUTPUT_H
#define CLI_SHADER_OUTPUT_H

#include <tessera/tessera.h>

#include "output.h"
#include "shader_names.h"

enum { SHADER_MOST_VARYINGS = 32 /* that any machine has */ };

/* A varying's buffer: elements without gaps between them. */
struct shader_varying {
    uint8_t *data;       /* NULL: the varying is not looked at */
    uint32_t components; /* in the buffer */
    uint32_t shown;      /* bits of the components that the table shows */
    bool half;           /* 16 bits a component; else 32 */
    struct output raw;   /* where it also goes; .path NULL: nowhere */
    char *path;
};

struct shader_output_options {
    const char *title;
    const char *path;            /* of the table; NULL: standard output */
    const char *const *varyings; /* --varying */
    size_t varying_count;
    struct shader_names names;
    uint32_t (*components)(const void *user, uint32_t varying); /* bits of those worth showing */
    const void *user;
    bool no_table;
    size_t piece; /* vertices that are written at once, at most */
};

/* Zero-initialise it. */
struct shader_output {
    const struct shader_output_options *options;
    struct output table;
    struct shader_varying varyings[SHADER_MOST_VARYINGS];
    uint32_t order[SHADER_MOST_VARYINGS]; /* of the table's columns */
    size_t order_count;
    char *text;
    bool open;
};

/* Opens the files and writes the header. False after a mistake, which standard error has been told. */
bool shader_output_open(struct shader_output *output, const struct shader_output_options *options);

/* Bytes of a vertex in a varying's buffer. */
size_t shader_output_stride(const struct shader_varying *varying);

/* Sets all buffers to zero: what the shader does not write. */
void shader_output_clear(struct shader_output *output, size_t count);

/* A varying's values for a vertex of the piece; what it has not is 0, 0, 0, 1. */
void shader_output_values(const struct shader_varying *varying, size_t vertex,
                          float values[SHADER_COMPONENTS]);

/* Sets a varying's values for a vertex of the piece, as far as its buffer has components. */
void shader_output_set(const struct shader_varying *varying, size_t vertex,
                       const float values[SHADER_COMPONENTS]);

/* Writes the piece. False if that fails: closing says why. */
bool shader_output_write(struct shader_output *output, size_t count);

/* False, and standard error has been told, if anything that was written got lost. */
bool shader_output_close(struct shader_output *output);

#endif
