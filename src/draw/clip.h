/* SPDX-License-Identifier: MIT */
/* clip.h - clips lines and triangles at planes. Callers remove the parts that are not in front of
 * the eye, and the parts too far outside the window for exact arithmetic.
 *
 * In:  corners, as numbers that are linear over the primitive.
 * Out: the corners of the part on the good side of all planes.
 * Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping (1974). */
#ifndef DRAW_CLIP_H
#define DRAW_CLIP_H

#include <stddef.h>

enum {
    CLIP_NUMBERS = 7,  /* of a corner: x, y, z, w or 1/w, weights of three vertices */
    CLIP_CORNERS = 16, /* room for a triangle clipped at all planes */
};

struct clip_corner {
    double at[CLIP_NUMBERS];
};

/* A plane. Its good side is where by[0]*x + by[1]*y + by[2]*z + by[3]*w + plus is at least 0. */
struct clip_plane {
    double by[4], plus;
};

/* Clips a polygon (or a line, which has two corners) in place. corners has room for CLIP_CORNERS.
 * Returns the number of corners left, 0 or 1 if nothing is left. */
size_t clip_cut(struct clip_corner *corners, size_t count, const struct clip_plane *planes,
                size_t plane_count);

#endif
