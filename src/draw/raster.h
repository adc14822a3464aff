/* SPDX-License-Identifier: MIT */
/* raster.h - triangles, lines and points in window coordinates, onto pixels.
 *
 * In:   vertices in window coordinates, within the guard band.
 * Out:  colour and depth of the pixels whose centres are covered.
 * Rules: positions are rounded to 1/256 of a pixel; which centres lie inside is then decided in whole numbers, and exactly.
 *       Triangles: OpenGL ES 2.0.25, section 3.5.1; a centre on an edge belongs to the triangle whose top or left edge it is.
 *       Lines: one pixel for each column (or row) whose centre they pass, without that at their end. Points: a square. */
#ifndef DRAW_RASTER_H
#define DRAW_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DRAW_CHANNELS = 3,
    DRAW_SUBPIXELS = 256, /* a pixel has so many positions in a row */
    DRAW_GUARD_BITS = 20, /* positions lie within 2^20 pixels, so that no product leaves 64 bits */
};

/* Everything is linear on the window: colour is already multiplied by 1/w. */
struct draw_point {
    double x, y, z, inverse_w;
    double colour[DRAW_CHANNELS];
};

struct draw_target {
    uint32_t width, height;
    uint8_t *pixels; /* DRAW_CHANNELS bytes each */
    double *depth;
    bool no_depth;
    uint64_t written; /* pixels */
};

/* 0 to 1 as 0 to 255, rounded; what is outside is cut, NaN is 0. */
uint8_t draw_byte(double value);

/* Twice the triangle's area in subpixels, positive if it is seen clockwise. */
int64_t draw_area(const struct draw_point corners[3]);

/* Any way round. */
void draw_triangle(struct draw_target *target, const struct draw_point corners[3]);
void draw_line(struct draw_target *target, const struct draw_point ends[2]);
void draw_square(struct draw_target *target, const struct draw_point *centre, double side);

#endif
