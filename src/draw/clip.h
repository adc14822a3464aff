/* SPDX-License-Identifier: MIT */
/* clip.h - cuts lines and triangles at planes: what lies behind the eye, and what lies too far outside of the window for
 * exact arithmetic.
 *
 * In:  corners, as numbers that are linear over the primitive.
 * Out: the corners of the part on the good side.
 * Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping (1974). */
#ifndef DRAW_CLIP_H
#define DRAW_CLIP_H

#include <stddef.h>

enum {
    CLIP_NUMBERS = 7,  /* of a corner: x, y, z, w or 1/w, how much of three vertices */
    CLIP_CORNERS = 16, /* of a triangle behind all planes that there are */
};

struct clip_corner {
    double at[CLIP_NUMBERS];
};

/* Good is where the sum of products of .by with x, y, z, w, plus .plus, is at least 0. */
struct clip_plane {
    double by[4], plus;
};

/* Cuts a polygon (a line has two corners) in place; corners has room for CLIP_CORNERS. Returns how many are left. */
size_t clip_cut(struct clip_corner *corners, size_t count, const struct clip_plane *planes,
                size_t plane_count);

#endif
