/* SPDX-License-Identifier: MIT */
/* raster.h - rasterises triangles, lines and points into blocks of 2 by 2 pixels.
 *
 * In:    points in window coordinates, inside the guard band.
 * Out:   blocks of 2 by 2 pixels with a coverage mask. For each pixel centre, a block has the
 *        depth, 1/w and the weights of the primitive's vertices.
 * Rules: positions are rounded to 1/256 of a pixel. Coverage is then computed exactly, in integers.
 *        A pixel belongs to a triangle if its centre is inside (OpenGL ES 2.0.25, section 3.5.1).
 *        If the centre is on an edge of a triangle, the pixel belongs to the triangle only if the
 *        edge is a top or left edge. A line covers one pixel in each column (or row, if the line
 *        is steep) whose centre the line crosses, except a centre at the line's end. Each pixel of
 *        a line is in a separate block. A point is a square. */
#ifndef DRAW_RASTER_H
#define DRAW_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_CORNERS = 3,
    DRAW_QUAD = 4,        /* pixels of a block: upper left, upper right, lower left, lower right */
    DRAW_SUBPIXELS = 256, /* positions per pixel along each axis */
    /* Coordinates of positions are from -2^20 to 2^20 pixels, so products fit into 64 bits. */
    DRAW_GUARD_BITS = 20,
};

/* A point of a primitive. All members are linear on the window. parts contains the weights of the
 * primitive's vertices, multiplied by 1/w. */
struct draw_point {
    double x, y, z, inverse_w;
    double parts[DRAW_CORNERS];
};

/* A block of 2 by 2 pixels. */
struct draw_quad {
    uint32_t x, y;                   /* coordinates of the upper left pixel, both even */
    unsigned covered;                /* coverage mask, bit n for pixel n */
    struct draw_point at[DRAW_QUAD]; /* values at the pixel centres, without x and y */
};

struct draw_target {
    uint32_t width, height;
    void (*put)(void *user, const struct draw_quad *quad);
    void *user;
};

/* Returns twice the triangle's area in square subpixels, positive if the corners are in clockwise
 * order. */
int64_t draw_area(const struct draw_point corners[DRAW_CORNERS]);

/* Rasterise a primitive and pass the primitive's blocks to target->put(). A triangle's corners may
 * be in clockwise or counter-clockwise order. side is the length of a square's side in pixels. */
void draw_triangle(const struct draw_target *target, const struct draw_point corners[DRAW_CORNERS]);
void draw_line(const struct draw_target *target, const struct draw_point ends[2]);
void draw_square(const struct draw_target *target, const struct draw_point *centre, double side);

#endif
