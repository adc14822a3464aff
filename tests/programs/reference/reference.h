/* SPDX-License-Identifier: MIT */
/* reference.h - a small reference renderer for the scenes of examples/vc4. It shares no code with
 * the model: geometry and colours are computed in float64, from the numbers in the scenes' sources.
 * Each drawing is a file of this folder.
 *
 * Rules
 * - A sample is inside a triangle if it lies inside all three edges. A sample on an edge is inside
 *   if the edge is a left edge, or a horizontal edge with the triangle at larger rows
 *   (docs/vc4/fep.md). Without multisampling the sample is the pixel's centre. Coordinates of
 *   vertices are sixteenths of pixels, so the test is exact.
 * - Values are interpolated in perspective: sums of v_i * b_i / w_i, divided by the sum of b_i /
 *   w_i. Z is linear in the window.
 * - Operations that the hardware performs in 8 bits use integers: products are round(a * b / 255),
 *   sums and differences saturate.
 * - A pixel has one correct colour, or a few if a decision (which texel) is too close for float32.
 *   The pixel may be off by the scene's tolerance in each channel.
 * - At an edge pixel a float32 result decides which surface is visible. Only edge pixels may
 *   differ, and those that do are listed beside the example, in edges.txt. */
#ifndef PROGRAMS_REFERENCE_H
#define PROGRAMS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct colour {
    double r, g, b, a; /* from 0 to 255 */
};

enum { MAX_COLOURS = 4 };

struct pixel {
    struct colour want[MAX_COLOURS]; /* correct colours; the first is used in expected.png */
    unsigned count;                  /* number of colours in want */
    bool edge;
};

struct drawing {
    int width, height;
    struct pixel *pixels; /* pixels, in rows from the top */
};

struct pixel *pixel_at(const struct drawing *drawing, int x, int y);
void fill(struct drawing *drawing, struct colour colour);
void set_pixel(struct drawing *drawing, int x, int y, struct colour colour);

/* The type of the function that draws a scene. The drawing already has its size. */
typedef void draw_function(struct drawing *drawing);

/* Writes the values that a scene dumps, as text, to a buffer of "size" bytes. Returns the number of
 * bytes written. */
typedef size_t values_function(char *text, size_t size);

/* --- geometry: raster.c --- */

enum { MAX_VALUES = 8 };

struct corner {
    double x, y; /* in pixels */
    double z, inverse_w;
    double values[MAX_VALUES];
};

struct fragment {
    int x, y;
    bool covered; /* true if covered; false if the pixel is only close to an edge */
    bool edge;    /* true if float32 errors may change the coverage */
    bool forward; /* true if counter-clockwise, as seen with row 0 at the bottom */
    double z;
    double inverse_w;
    double weights[3];         /* perspective-correct weights of the corners */
    double values[MAX_VALUES]; /* the corners' values, interpolated */
};

typedef void fragment_function(void *user, const struct fragment *fragment);

struct raster {
    int width, height;
    double sample_x, sample_y; /* the sample's position in the pixel; the centre is 0.5, 0.5 */
    double doubt;              /* distance from an edge, in pixels, below which a float32 result
                                  may be on either side */
    unsigned sure_edges; /* edges without this doubt: bit i is the edge from corner i to the next */
};

struct raster centres(const struct drawing *drawing);
void rasterise(const struct raster *raster, const struct corner corners[3],
               fragment_function *function, void *user);
void rasterise_quad(const struct raster *raster, const struct corner corners[4], /* as a strip */
                    fragment_function *function, void *user);

/* Draws a square around a position. Values 0 and 1 are the position in the square. x increases
 * to the right, and y from the last row to the first. */
void rasterise_point(const struct raster *raster, double x, double y, double size,
                     fragment_function *function, void *user);

/* Rounds to the nearest sixteenth of a pixel, as the assembler rounds coordinates. */
double sixteenths(double value);

/* Computes the values at a position in the window, which may be outside of the triangle. */
void interpolate(const struct corner corners[3], double x, double y, struct fragment *out);

/* --- textures: texture.c --- */

/* Returns the texels that a coordinate may select, from "size" texels in a row. The coordinate
 * is in texels. The result has one texel, or the two texels beside a border. */
unsigned nearest_texels(double u, int size, int out[2]);

/* Returns the mean of four texels, weighted by their distance from the position, which is in
 * texels. The texel function must accept positions beyond the borders. */
typedef struct colour texel_function(const void *user, int x, int y);
struct colour linear_texel(double u, double v, texel_function *texel, const void *user);

/* Interpolates from a (if share is 0) to b (if share is 1). */
struct colour mix(struct colour a, struct colour b, double share);

/* --- colours in bytes --- */

int byte_product(int a, int b); /* converts 1.0 to 255, rounded to nearest */
int byte_sum(int a, int b);
int byte_difference(int a, int b);

/* --- the scenes --- */

draw_function draw_first_triangle, draw_uniform_colour, draw_varying_colour, draw_nv_triangle,
    draw_textured_triangle, draw_textured_triangle_lt, draw_textured_triangle_raster,
    draw_blend_modes, draw_sprites, draw_stencil_shadow, draw_mip_maps, draw_cube_map, draw_yuv,
    draw_mandelbrot, draw_msaa_triangle, draw_hdr, draw_spinning_teapot_0, draw_spinning_teapot_1,
    draw_spinning_teapot_2, draw_vg_tiger;
values_function list_coordinate_shader_test, list_compute_dot_product;

#endif
