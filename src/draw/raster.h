/* SPDX-License-Identifier: MIT */
/* raster.h - rasterises triangles, lines and points into blocks of 2 by 2 pixels.
 *
 * In:   points in window coordinates, within the guard band.
 * Out:  blocks of 2 by 2 pixels with a coverage mask; at every centre the depth, 1/w and the
 *       weights of the primitive's vertices.
 * Rules: positions are rounded to 1/256 of a pixel. Coverage is then decided exactly, in integers.
 *        Triangles: OpenGL ES 2.0.25, section 3.5.1; a centre on an edge belongs to the triangle
 *        whose top or left edge it is. Lines: one pixel for each column (or row) whose centre the
 *        line passes, except a centre at the line's end; each pixel in its own block. Points: a
 *        square. */
#ifndef DRAW_RASTER_H
#define DRAW_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_CORNERS = 3,
    DRAW_QUAD = 4,        /* pixels of a block: upper left, upper right, lower left, lower right */
    DRAW_SUBPIXELS = 256, /* positions per pixel along each axis */
    DRAW_GUARD_BITS = 20, /* positions lie within 2^20 pixels, so products fit into 64 bits */
};

/* A point whose members are all linear on the window. parts holds the weights of the primitive's
 * vertices, multiplied by 1/w. */
struct draw_point {
    double x, y, z, inverse_w;
    double parts[DRAW_CORNERS];
};

/* A block of 2 by 2 pixels. */
struct draw_quad {
    uint32_t x, y;                   /* of the upper left pixel; both are even */
    unsigned covered;                /* coverage mask, bit n for pixel n */
    struct draw_point at[DRAW_QUAD]; /* values at the centres; x and y are not set */
};

struct draw_target {
    uint32_t width, height;
    void (*put)(void *user, const struct draw_quad *quad);
    void *user;
};

/* Returns twice the triangle's area in square subpixels, positive if the corners are in clockwise
 * order. */
int64_t draw_area(const struct draw_point corners[DRAW_CORNERS]);

/* Rasterise a primitive and pass its blocks to target->put(). A triangle's corners may be in either
 * order. The side of a square is in pixels. */
void draw_triangle(const struct draw_target *target, const struct draw_point corners[DRAW_CORNERS]);
void draw_line(const struct draw_target *target, const struct draw_point ends[2]);
void draw_square(const struct draw_target *target, const struct draw_point *centre, double side);

#endif
