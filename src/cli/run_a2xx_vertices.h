/* SPDX-License-Identifier: MIT */
/* run_a2xx_vertices.h - the vertex buffers that a program fetches from.
 *
 * In:  attributes of a piece of vertices, as floats or as bytes in the format of the fetch; whole
 *      buffers (--buffer).
 * Out: memory and vertex constants of the machine. Format, stride and offset of each fetch
 *      determine the place of a value. */
#ifndef CLI_RUN_A2XX_VERTICES_H
#define CLI_RUN_A2XX_VERTICES_H

#include <tessera/a2xx.h>

#include "shader_arguments.h"
#include "shader_input.h"

enum {
    A2XX_VERTEX_BUFFERS = 96,
    A2XX_PLAIN_FORMAT = -1 /* code of a format of one float per component */
};

struct a2xx_buffer {
    uint8_t *bytes;
    size_t size, capacity;
    uint32_t address; /* address of the mapping; 0 if the buffer is not mapped */
    bool given;       /* given by --buffer */
};

/* Set the members up to .fetches; zero-initialise the rest. */
struct a2xx_vertices {
    const char *title;
    struct tess_sink sink;
    struct tess_a2xx *a2xx;
    enum tess_a2xx_variant variant;
    const struct shader_names *names;
    /* fetch of each attribute */
    const struct tess_a2xx_vertex_fetch *fetches[SHADER_MOST_ATTRIBUTES];
    struct a2xx_buffer buffers[A2XX_VERTEX_BUFFERS];
    uint64_t window, span; /* number of the first vertex in the buffers; capacity in vertices */
};

/* Look up a format of raw buffers: f32, or a format of fetches. */
bool a2xx_vertices_adreno_format(const char *name, struct shader_format *format);
bool a2xx_vertices_xenos_format(const char *name, struct shader_format *format);
const char *a2xx_vertices_adreno_name(uint32_t code);
const char *a2xx_vertices_xenos_name(uint32_t code);

/* Reads the files of --buffer CONSTANT=FILE. Returns false after reporting an error. */
bool a2xx_vertices_buffers(struct a2xx_vertices *vertices, const struct shader_list *arguments);

/* True if an attribute's values come from data, not from --buffer. */
bool a2xx_vertices_wants(const struct a2xx_vertices *vertices, uint32_t attribute);

/* Returns the number of complete vertices in the given buffers, or 0 if no buffer was given. */
uint64_t a2xx_vertices_count(const struct a2xx_vertices *vertices);

/* Warns about a table's column that no fetch reads. tess_a2xx_program_check_attributes() reports
 * the attributes that the program declares. */
void a2xx_vertices_unread(const struct a2xx_vertices *vertices,
                          const struct tess_a2xx_program *program, const char *file,
                          const char *name);

/* Warns about attributes that are fetched from the same bytes in the same format, which then always
 * have the same value. */
void a2xx_vertices_check_shared(const struct a2xx_vertices *vertices,
                                const struct tess_a2xx_program *program);

/* Checks the opened attributes, lays out the buffers and maps the given ones. Returns false after
 * reporting an error. */
bool a2xx_vertices_begin(struct a2xx_vertices *vertices, const struct shader_input *input);

/* Stores count vertices from number first on in the buffers, at positions relative to .window. */
enum tess_status a2xx_vertices_fill(struct a2xx_vertices *vertices,
                                    const struct shader_input *input, uint64_t first, size_t count);

void a2xx_vertices_free(struct a2xx_vertices *vertices);

#endif
