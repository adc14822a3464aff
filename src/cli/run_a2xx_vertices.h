/* SPDX-License-Identifier: MIT */
/* run_a2xx_vertices.h - vertices as a program fetches them: buffers behind vertex constants.
 *
 * In:  attributes of a piece of vertices, as floats or as bytes of the fetch's own format; whole buffers (--buffer).
 * Out: memory and vertex constants of the machine. Each fetch's format, stride and offset say where a value goes. */
#ifndef CLI_RUN_A2XX_VERTICES_H
#define CLI_RUN_A2XX_VERTICES_H

#include <tessera/a2xx.h>

#include "shader_arguments.h"
#include "shader_input.h"

enum {
    A2XX_VERTEX_BUFFERS = 96,
    A2XX_PLAIN_FORMAT = -1 /* code of floats, one for each component */
};

struct a2xx_buffer {
    uint8_t *bytes;
    size_t size, capacity;
    uint32_t address; /* where it is mapped; 0: nowhere */
    bool given;       /* by --buffer */
};

/* Zero-initialise it. */
struct a2xx_vertices {
    const char *title;
    struct tess_sink sink;
    struct tess_a2xx *a2xx;
    enum tess_a2xx_variant variant;
    const struct shader_names *names;
    const struct tess_a2xx_vertex_fetch *fetches[SHADER_MOST_ATTRIBUTES]; /* of the attributes */
    struct a2xx_buffer buffers[A2XX_VERTEX_BUFFERS];
    uint64_t window, span; /* the number of the buffers' first vertex, and how many they may hold */
};

/* Look up formats of raw buffers: f32, and those of fetches. */
bool a2xx_vertices_adreno_format(const char *name, struct shader_format *format);
bool a2xx_vertices_xenos_format(const char *name, struct shader_format *format);
const char *a2xx_vertices_adreno_name(uint32_t code);
const char *a2xx_vertices_xenos_name(uint32_t code);

/* Takes the files of --buffer CONSTANT=FILE. False after a mistake, which has been told. */
bool a2xx_vertices_buffers(struct a2xx_vertices *vertices, const struct shader_list *arguments);

/* Whether an attribute's values come from the data, not from --buffer. */
bool a2xx_vertices_wants(const struct a2xx_vertices *vertices, uint32_t attribute);

/* How many vertices the given buffers hold; 0 if there are none. */
uint64_t a2xx_vertices_count(const struct a2xx_vertices *vertices);

/* Warns of a table's column that no fetch reads. Attributes that the program declares are those of
 * tess_a2xx_program_check_attributes(). */
void a2xx_vertices_unread(const struct a2xx_vertices *vertices,
                          const struct tess_a2xx_program *program, const char *file,
                          const char *name);

/* Warns of attributes that are fetched from one place in one format, so that they have one value. */
void a2xx_vertices_check_shared(const struct a2xx_vertices *vertices,
                                const struct tess_a2xx_program *program);

/* Checks what has been opened. False after a mistake, which has been told. */
bool a2xx_vertices_begin(struct a2xx_vertices *vertices, const struct shader_input *input);

/* Puts count vertices from number first on into the buffers, where they are counted from .window on. */
enum tess_status a2xx_vertices_fill(struct a2xx_vertices *vertices,
                                    const struct shader_input *input, uint64_t first, size_t count);

void a2xx_vertices_free(struct a2xx_vertices *vertices);

#endif
