/* SPDX-License-Identifier: MIT */
/* raster.h - triangles, lines and points in window coordinates, as pixels in fours.
 *
 * In:   points in window coordinates, within the guard band.
 * Out:  blocks of two by two pixels, some of whose centres are covered, with depth and how much each has of the points.
 * Rules: positions are rounded to 1/256 of a pixel; which centres lie inside is then decided in whole numbers, and exactly.
 *       Triangles: OpenGL ES 2.0.25, section 3.5.1; a centre on an edge belongs to the triangle whose top or left edge it is.
 *       Lines: one pixel for each column (or row) whose centre they pass, without that at their end, each in a block of its own.
 *       Points: a square. */
#ifndef DRAW_RASTER_H
#define DRAW_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_CORNERS = 3,
    DRAW_QUAD = 4,        /* pixels of a block: upper left, upper right, lower left, lower right */
    DRAW_SUBPIXELS = 256, /* a pixel has so many positions in a row */
    DRAW_GUARD_BITS = 20, /* positions lie within 2^20 pixels, so that no product leaves 64 bits */
};

/* Everything is linear on the window: parts, of the vertices of a primitive, are already multiplied by 1/w. */
struct draw_point {
    double x, y, z, inverse_w;
    double parts[DRAW_CORNERS];
};

/* A block. */
struct draw_quad {
    uint32_t x, y;                   /* of the upper left pixel: both even */
    unsigned covered;                /* bits of pixels */
    struct draw_point at[DRAW_QUAD]; /* values at the centres, without .x and .y */
};

struct draw_target {
    uint32_t width, height;
    void (*put)(void *user, const struct draw_quad *quad);
    void *user;
};

/* Twice the triangle's area in subpixels, positive if it is seen clockwise. */
int64_t draw_area(const struct draw_point corners[DRAW_CORNERS]);

/* Any way round. */
void draw_triangle(const struct draw_target *target, const struct draw_point corners[DRAW_CORNERS]);
void draw_line(const struct draw_target *target, const struct draw_point ends[2]);
void draw_square(const struct draw_target *target, const struct draw_point *centre, double side);

#endif
