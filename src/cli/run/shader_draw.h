/* SPDX-License-Identifier: MIT */
/* shader_draw.h - draws a picture from the varyings of a vertex shader. The positions and one
 * varying, used as colour, are drawn.
 *
 * In:  the varyings of all vertices, piece by piece; a list of indices.
 * Out: a PNG file. All vertices are kept in memory, 36 bytes each. */
#ifndef CLI_RUN_SHADER_DRAW_H
#define CLI_RUN_SHADER_DRAW_H

#include <tessera/draw.h>

#include "cli/options.h"
#include "cli/run/shader_output.h"

/* The options. The target is a struct shader_draw_options. */
extern const struct option_row draw_rows[];

/* The values of the options. */
struct shader_draw_options {
    const char *title;
    char *path; /* path of the picture, or NULL without --draw */
    const char *colour, *position, *indices;
    uint32_t width, height;
    bool has_size;
    float background[3];
    struct tess_draw draw;
};

/* State of a drawing. The caller sets the structure to zero first. */
struct shader_draw {
    const struct shader_draw_options *options;
    struct tess_sink sink;
    /* Numbers of the varyings that give the position, colour and point size. SHADER_MOST_VARYINGS
     * for a colour or point size without a varying. */
    uint32_t position, colour, point_size;
    struct tess_draw_vertex *vertices;
    size_t count, capacity;
    uint32_t *indices;
    size_t index_count, index_capacity;
    struct tess_draw_counts counts;
    struct output file;
    /* The caller sets shade, user and varying_count after shader_draw_begin() if a pixel program
     * shades the pixels. The pixel program receives varyings 0 to varying_count - 1. */
    enum tess_status (*shade)(void *user, const struct tess_draw_pixels *pixels);
    void *user;
    uint32_t varying_count;
    float (*varyings)[SHADER_COMPONENTS];
    size_t varying_capacity;
};

void shader_draw_defaults(struct shader_draw_options *options, const char *title);
void shader_draw_options_free(struct shader_draw_options *options);

/* Finds the varyings, reads the indices, and opens the file. Returns false after reporting an
 * error. */
bool shader_draw_begin(struct shader_draw *draw, const struct shader_draw_options *options,
                       const struct shader_output *output, struct tess_sink sink);

/* Stores the vertices of a piece. Returns false after an error message if the host is out of
 * memory. */
bool shader_draw_add(struct shader_draw *draw, const struct shader_output *output, size_t count);

/* Draws the picture and writes the file. Returns TESS_IO after an error message, TESS_NO_MEMORY, or
 * an error of .shade. */
enum tess_status shader_draw_end(struct shader_draw *draw);

void shader_draw_free(struct shader_draw *draw);

#endif
