/* SPDX-License-Identifier: MIT */
/* shader_draw.h - draws a picture from the varyings of a vertex shader. The positions and one
 * varying, used as colour, are drawn.
 *
 * In:  the varyings of all vertices, piece by piece; a list of indices.
 * Out: a PNG file. All vertices are kept in memory, 36 bytes each. */
#ifndef CLI_RUN_SHADER_DRAW_H
#define CLI_RUN_SHADER_DRAW_H

#include <getopt.h>

#include <tessera/draw.h>

#include "cli/run/shader_output.h"

/* Values of the long options for getopt_long(). */
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

/* The lines of --help for DRAW_OPTIONS. */
#define DRAW_HELP_TEXT                                                                             \
    "      --draw OUT.png[,WxH]        draw the vertices to OUT.png; without -o, write no table\n" \
    "      --size WxH                  set the size of the picture (default 640x480)\n"            \
    "      --position VARYING          use VARYING as position (default gl_Position)\n"            \
    "      --draw-varying VARYING      use VARYING as colour (default: the first other varying)\n" \
    "      --primitive KIND            draw triangles (default), strip, fan, lines, line-strip\n"  \
    "                                  or points\n"                                                \
    "      --indices FILE.csv          draw the vertices in FILE.csv, numbers counted from 0\n"    \
    "      --background R,G,B          set the background, each 0 to 1 (default 0,0,0)\n"          \
    "      --cull WINDING              omit triangles seen clockwise or counter-clockwise\n"       \
    "      --clip-space                treat positions as clip coordinates, not divided by w\n"    \
    "      --window-space              treat positions as window x, y, z, 1/w\n"                   \
    "      --no-depth                  draw in order, without a depth test\n"

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

/* Applies an option, whose value is optarg. Returns false after an error message if the value is
 * invalid. */
bool shader_draw_take(struct shader_draw_options *options, int option);

/* True if a value returned by getopt_long() is an option of this header. */
bool shader_draw_is_option(int option);

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
