/* SPDX-License-Identifier: MIT */
/* shader_output.h - writes the varyings of a shader to a text table and to raw buffers.
 *
 * In:  buffers of varyings, piece by piece.
 * Out: a table with a header NAME.x,NAME.y... and one row per vertex; files with one element per
 *      vertex, without gaps. */
#ifndef CLI_RUN_SHADER_OUTPUT_H
#define CLI_RUN_SHADER_OUTPUT_H

#include <tessera/tessera.h>

#include "cli/output.h"
#include "cli/run/shader_names.h"

enum { SHADER_MOST_VARYINGS = 32 /* greatest number of varyings of any machine */ };

/* The buffer of a varying, with one element per vertex and no gaps. */
struct shader_varying {
    uint8_t *data;       /* the buffer, or NULL if the varying is not used */
    uint32_t components; /* number of components in the buffer */
    uint32_t shown;      /* mask of the components in the table */
    bool half;           /* true for 16 bits per component, false for 32 bits */
    struct output raw;   /* file of --varying; raw.stream is NULL without --varying */
    char *path;
};

struct shader_output_options {
    const char *title;
    const char *path;            /* path of the table, or NULL for standard output */
    const char *const *varyings; /* arguments of --varying */
    size_t varying_count;
    struct shader_names names;
    /* Returns a mask of the varying's components that the table shows. */
    uint32_t (*components)(const void *user, uint32_t varying);
    const void *user;
    bool no_table;
    size_t piece; /* greatest number of vertices per write */
};

/* State of the output. shader_output_open() initialises the structure. */
struct shader_output {
    const struct shader_output_options *options;
    struct output table;
    struct shader_varying varyings[SHADER_MOST_VARYINGS];
    /* Numbers of the varyings, in the order of the table's columns. */
    uint32_t order[SHADER_MOST_VARYINGS];
    size_t order_count;
    char *text;
    bool open;
};

/* Opens the files and writes the header. Returns false after an error message. */
bool shader_output_open(struct shader_output *output, const struct shader_output_options *options);

/* Returns the number of bytes per vertex in a varying's buffer. */
size_t shader_output_stride(const struct shader_varying *varying);

/* Sets the first count elements of all buffers to 0. Components that the shader does not write are
 * then 0. */
void shader_output_clear(struct shader_output *output, size_t count);

/* Reads a varying's values for a vertex of the piece. A component that is not in the buffer is 0
 * for x, y and z, and 1 for w. */
void shader_output_values(const struct shader_varying *varying, size_t vertex,
                          float values[SHADER_COMPONENTS]);

/* Sets a varying's values for a vertex of the piece. Ignores components that are not in the
 * buffer. */
void shader_output_set(const struct shader_varying *varying, size_t vertex,
                       const float values[SHADER_COMPONENTS]);

/* Writes the values of count vertices. Returns false on an error. shader_output_close() reports the
 * error. */
bool shader_output_write(struct shader_output *output, size_t count);

/* Closes the files. Returns false after an error message if any data could not be written. */
bool shader_output_close(struct shader_output *output);

#endif
