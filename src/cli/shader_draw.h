/* SPDX-License-Identifier: MIT */
/* shader_draw.h - a picture of what a vertex shader has written: positions, one varying as colour.
 *
 * In:  the varyings of all vertices, piece by piece, and a list of indices.
 * Out: a PNG file. Unlike tables, pictures need all vertices at once: 36 bytes for each. */
#ifndef CLI_SHADER_DRAW_H
#define CLI_SHADER_DRAW_H

#include <getopt.h>

#include <tessera/draw.h>

#include "shader_output.h"

/* Values of the long options. */
enum {
    DRAW_FILE = 768,
    DRAW_SIZE,
    DRAW_COLOUR,
    DRAW_POSITION,
    DRAW_PRIMITIVE,
    DRAW_INDICES,
    DRAW_BACKGROUND,
    DRAW_CULL,
    DRAW_CLIP_SPACE,
    DRAW_WINDOW_SPACE,
    DRAW_NO_DEPTH,
};

/* Rows of a getopt_long() table. */
/* clang-format off */
#define DRAW_OPTIONS                                             \
    {"draw",       required_argument, NULL, DRAW_FILE},          \
    {"size",       required_argument, NULL, DRAW_SIZE},          \
    {"draw-varying", required_argument, NULL, DRAW_COLOUR},      \
    {"position",   required_argument, NULL, DRAW_POSITION},      \
    {"primitive",  required_argument, NULL, DRAW_PRIMITIVE},     \
    {"indices",    required_argument, NULL, DRAW_INDICES},       \
    {"background", required_argument, NULL, DRAW_BACKGROUND},    \
    {"cull",       required_argument, NULL, DRAW_CULL},          \
    {"clip-space", no_argument,       NULL, DRAW_CLIP_SPACE},    \
    {"window-space", no_argument,     NULL, DRAW_WINDOW_SPACE},  \
    {"no-depth",   no_argument,       NULL, DRAW_NO_DEPTH}
/* clang-format on */

/* Their lines of --help. */
#define DRAW_HELP_TEXT                                                                             \
    "      --draw OUT.png[,WxH]        draw the vertices; without -o, no table is written then\n"   \
    "      --size WxH                  size of the picture, 640x480 by default\n"                   \
    "      --position VARYING          default is gl_Position\n"                                    \
    "      --draw-varying VARYING      red, green, blue; default is the first other varying\n"      \
    "      --primitive KIND            triangles (default), strip, fan, lines, line-strip, points\n" \
    "      --indices FILE.csv          numbers of vertices, from 0, in the order of drawing\n"      \
    "      --background R,G,B          from 0 to 1; default is 0,0,0\n"                             \
    "      --cull WAY                  leave out triangles that are seen clockwise or\n"            \
    "                                  counter-clockwise\n"                                         \
    "      --clip-space                positions are those before the division by w\n"              \
    "      --window-space              positions are window x, y, z, 1/w\n"                         \
    "      --no-depth                  later triangles hide earlier ones, however near\n"

/* What the options say. */
struct shader_draw_options {
    const char *title;
    char *path; /* NULL: nothing is drawn */
    const char *colour, *position, *indices;
    uint32_t width, height;
    bool has_size;
    float background[3];
    struct tess_draw draw;
};

/* Zero-initialise it. */
struct shader_draw {
    const struct shader_draw_options *options;
    struct tess_sink sink;
    uint32_t position, colour, point_size; /* numbers of varyings; SHADER_MOST_VARYINGS: none */
    struct tess_draw_vertex *vertices;
    size_t count, capacity;
    uint32_t *indices;
    size_t index_count, index_capacity;
    struct tess_draw_counts counts;
    struct output file;
    /* Set behind shader_draw_begin() for a program for pixels: it has the output's first so many varyings. */
    enum tess_status (*shade)(void *user, const struct tess_draw_pixels *pixels);
    void *user;
    uint32_t varying_count;
    float (*varyings)[SHADER_COMPONENTS];
    size_t varying_capacity;
};

void shader_draw_defaults(struct shader_draw_options *options, const char *title);
void shader_draw_options_free(struct shader_draw_options *options);

/* Takes an option, with optarg. False if its value is not understood; stderr has been told. */
bool shader_draw_take(struct shader_draw_options *options, int option);

/* Whether the option is one of these. */
bool shader_draw_is_option(int option);

/* Finds the varyings, reads the indices, and opens the file. False after a mistake, which the sink or stderr has been told. */
bool shader_draw_begin(struct shader_draw *draw, const struct shader_draw_options *options,
                       const struct shader_output *output, struct tess_sink sink);

/* Keeps the vertices of a piece. False if there is no memory; stderr has been told. */
bool shader_draw_add(struct shader_draw *draw, const struct shader_output *output, size_t count);

/* Draws and writes the file. Errors: TESS_IO, which stderr has been told; what .shade returns. */
enum tess_status shader_draw_end(struct shader_draw *draw);

void shader_draw_free(struct shader_draw *draw);

#endif
