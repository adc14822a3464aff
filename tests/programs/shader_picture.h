/* SPDX-License-Identifier: MIT */
/* shader_picture.h - draws the expected picture of an example. The vertices come from a computation
 * in float64, and are drawn by the reference renderer (reference/raster.c), which shares no code
 * with src/draw.
 *
 * A pixel may be off by the tolerance in a channel. Edge pixels may differ. A pixel is an edge
 * pixel if its centre is so close to an edge that the rounding of positions decides, or if its
 * colour would differ if its centre were moved slightly, for example at the border of a texel or
 * where a pixel program has a condition. Edge pixels are at most 5% of a picture. */
#ifndef PROGRAMS_SHADER_PICTURE_H
#define PROGRAMS_SHADER_PICTURE_H

#include "reference/reference.h"
#include "shader_data.h"

#define PICTURE_DOUBT (1.0 / 128) /* positions are rounded to 1/256 pixel */

/* A picture that is being drawn. */
struct shader_canvas {
    struct drawing drawing;
    double *depth;
};

/* Opens a black canvas. */
void shader_canvas_open(struct shader_canvas *canvas, int width, int height);
void shader_canvas_close(struct shader_canvas *canvas);

/* A pixel program. Computes red, green and blue, from 0 to 1, from interpolated values. Returns
 * false if the pixel is killed. */
typedef bool shader_pixel(const void *user, const double values[MAX_VALUES], double colour[3]);

/* Draws a pixel unless a nearer pixel is already there. */
void shader_put(struct shader_canvas *canvas, int x, int y, double z, const double colour[3]);

/* Draws triangles with three corners each. If pixel is NULL, the first three values are the
 * colour. */
void shader_draw_triangles(struct shader_canvas *canvas, const struct corner *corners, size_t count,
                           shader_pixel *pixel, const void *user);

/* Compares the picture beside the example with the reference's picture. Compares pixels instead
 * of bytes, because PNG libraries compress differently. */
void shader_check_picture(const struct shader_example *example, const struct shader_canvas *canvas);

/* Compares the picture of "tessera run" with the reference's picture. */
void shader_compare_picture(const struct shader_example *example,
                            const struct shader_canvas *canvas, double tolerance);

#endif
