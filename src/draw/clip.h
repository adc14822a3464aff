/* SPDX-License-Identifier: MIT */
/* clip.h - clips lines and triangles at planes. The caller removes the parts that are behind the
 * eye, and the parts that are too far outside of the window for exact arithmetic.
 *
 * In:  the corners of a primitive. Each of a corner's numbers is linear over the primitive.
 * Out: the corners of the part that is on the good side of all planes.
 * Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping (1974). */
#ifndef DRAW_CLIP_H
#define DRAW_CLIP_H

#include <stddef.h>

enum {
    CLIP_NUMBERS = 7,  /* numbers per corner: x, y, z, w or 1/w, weights of the three vertices */
    CLIP_CORNERS = 16, /* more corners than a triangle has after clipping at all planes */
};

struct clip_corner {
    double at[CLIP_NUMBERS];
};

/* A plane. A point is on the plane's good side if by[0]*x + by[1]*y + by[2]*z + by[3]*w + plus is
 * at least 0. */
struct clip_plane {
    double by[4], plus;
};

/* Clips a convex polygon, or a line (count 2), in place. corners has room for CLIP_CORNERS. Returns
 * the number of corners of the remaining part, or 0 or 1 if nothing remains. */
size_t clip_cut(struct clip_corner *corners, size_t count, const struct clip_plane *planes,
                size_t plane_count);

#endif
