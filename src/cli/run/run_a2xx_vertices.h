/* SPDX-License-Identifier: MIT */
/* run_a2xx_vertices.h - the vertex buffers that a program fetches from.
 *
 * In:  attributes of a piece of vertices, as floats or as bytes in the format of the fetch; whole
 *      buffers (--buffer).
 * Out: memory and vertex constants of the modelled A2xx. The format, stride and offset of a fetch
 *      determine where in the buffer a value is stored. */
#ifndef CLI_RUN_RUN_A2XX_VERTICES_H
#define CLI_RUN_RUN_A2XX_VERTICES_H

#include <tessera/a2xx.h>

#include "cli/run/shader_arguments.h"
#include "cli/run/shader_input.h"

enum {
    A2XX_VERTEX_BUFFERS = 96,
    A2XX_PLAIN_FORMAT = -1 /* code of the format f32, one float per component */
};

struct a2xx_buffer {
    uint8_t *bytes;
    size_t size, capacity;
    uint32_t address; /* GPU address, or 0 if the buffer is not used */
    bool given;       /* true if --buffer gives the contents */
};

/* The caller sets the members up to .fetches, and sets the others to 0. */
struct a2xx_vertices {
    const char *title;
    struct tess_sink sink;
    struct tess_a2xx *a2xx;
    enum tess_a2xx_variant variant;
    const struct shader_names *names;
    /* Fetch of each attribute, by attribute number. */
    const struct tess_a2xx_vertex_fetch *fetches[SHADER_MOST_ATTRIBUTES];
    struct a2xx_buffer buffers[A2XX_VERTEX_BUFFERS];
    /* window: number of the first vertex in the buffers. span: capacity of the buffers, in
     * vertices. */
    uint64_t window, span;
};

/* Functions for the formats of raw buffers, which are f32 and the formats of fetches. The first two
 * find a format by name and return false if the name is unknown. The other two return the name of a
 * fetch format. */
bool a2xx_vertices_adreno_format(const char *name, struct shader_format *format);
bool a2xx_vertices_xenos_format(const char *name, struct shader_format *format);
const char *a2xx_vertices_adreno_name(uint32_t code);
const char *a2xx_vertices_xenos_name(uint32_t code);

/* Reads the files of --buffer CONSTANT=FILE. Returns false after reporting an error. */
bool a2xx_vertices_buffers(struct a2xx_vertices *vertices, const struct option_list *arguments);

/* True if a table or an attribute buffer must provide the attribute's values. False if --buffer
 * gives the buffer from which the attribute is fetched. */
bool a2xx_vertices_wants(const struct a2xx_vertices *vertices, uint32_t attribute);

/* Returns the number of complete vertices in the buffers of --buffer, or 0 without --buffer. */
uint64_t a2xx_vertices_count(const struct a2xx_vertices *vertices);

/* Warns that no fetch reads a table's column, unless the program declares the attribute. For a
 * declared attribute, tess_a2xx_program_check_attributes() warns. */
void a2xx_vertices_unread(const struct a2xx_vertices *vertices,
                          const struct tess_a2xx_program *program, const char *file,
                          const char *name);

/* Warns about attributes with different names that are fetched from the same bytes in the same
 * format. Such attributes always have the same value. */
void a2xx_vertices_check_shared(const struct a2xx_vertices *vertices,
                                const struct tess_a2xx_program *program);

/* Checks the formats of the attributes, assigns addresses to the buffers, and maps the buffers of
 * --buffer. Returns false after reporting an error. */
bool a2xx_vertices_begin(struct a2xx_vertices *vertices, const struct shader_input *input);

/* Stores the values of count vertices in the buffers and maps the buffers. `first` is the number of
 * the first of these vertices, counted over the whole run. If the vertices do not fit into the
 * window, moves the window. */
enum tess_status a2xx_vertices_fill(struct a2xx_vertices *vertices,
                                    const struct shader_input *input, uint64_t first, size_t count);

void a2xx_vertices_free(struct a2xx_vertices *vertices);

#endif
