/* SPDX-License-Identifier: MIT */
/* shader_picture.h - what the picture of an example must be: its vertices, from float64, drawn by the reference renderer
 * (reference/raster.c), which shares no code with src/draw.
 *
 * A pixel may be off by the tolerance in a channel. Edge pixels may differ: those where a centre is so near to an edge that the
 * rounding of positions decides; and those whose colour would be another one if their centre were a little elsewhere, as at the
 * rim of a texel or where a pixel program decides something. They are at most 5% of a picture. */
#ifndef PROGRAMS_SHADER_PICTURE_H
#define PROGRAMS_SHADER_PICTURE_H

#include "reference/reference.h"
#include "shader_data.h"

#define PICTURE_DOUBT (1.0 / 128) /* positions are rounded to 1/256 pixel */

/* A picture as far as it is drawn. */
struct shader_canvas {
    struct drawing drawing;
    double *depth;
};

/* A black one. */
void shader_canvas_open(struct shader_canvas *canvas, int width, int height);
void shader_canvas_close(struct shader_canvas *canvas);

/* A pixel program: red, green and blue, 0 to 1, of interpolated values. False if the pixel is killed. */
typedef bool shader_pixel(const void *user, const double values[MAX_VALUES], double colour[3]);

/* Puts a pixel unless a nearer one is there. */
void shader_put(struct shader_canvas *canvas, int x, int y, double z, const double colour[3]);

/* Draws triangles, three corners each. Without a program the first three values are the colour. */
void shader_draw_triangles(struct shader_canvas *canvas, const struct corner *corners, size_t count,
                           shader_pixel *pixel, const void *user);

/* The picture beside the example is the reference's, whatever the PNG library makes of it. */
void shader_check_picture(const struct shader_example *example, const struct shader_canvas *canvas);

/* The picture that was made is right. */
void shader_compare_picture(const struct shader_example *example,
                            const struct shader_canvas *canvas, double tolerance);

#endif
