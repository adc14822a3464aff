/* SPDX-License-Identifier: MIT */
/* outline.h - the shape of a primitive in the window: what the binner and the rasteriser must agree on.
 *
 * In:  window positions, point size, line width.
 * Out: a convex polygon of three or four corners: a triangle, a point's square, a line's parallelogram. */
#ifndef VC4_OUTLINE_H
#define VC4_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/state.h"

enum {
    OUTLINE_SUBPIXEL_BITS =
        8, /* raster coordinates are 1/256 pixel, so that 12.4 positions are exact
                                  and half widths of points and lines are fine enough */
    OUTLINE_UNIT = 1 << OUTLINE_SUBPIXEL_BITS, /* raster units in a pixel */
    OUTLINE_HALF = OUTLINE_UNIT / 2,           /* from a pixel's corner to its centre */
    OUTLINE_MAX_CORNERS = 4,
};

/* Limits on guest values, pixels: the least point that silicon survives (errata HW-2726 and HW-2903), and
 * the sizes that Mesa and Broadcom's drivers advertise. */
#define OUTLINE_MIN_POINT_SIZE 0.125f
#define OUTLINE_MAX_POINT_SIZE 512.0f
#define OUTLINE_MAX_LINE_WIDTH 32.0f

/* A position in raster units. |x|, |y| stay below 2^21: two int16 in 12.4, and half of the largest point. */
struct corner {
    int64_t x, y;
};

/* a*x + b*y + c is positive inside of the edge and 0 on it. */
struct edge {
    int64_t a, b, c;
};

struct outline {
    uint32_t count;
    struct corner corner[OUTLINE_MAX_CORNERS];
    int64_t
        area; /* twice; positive where the corners go round clockwise as displayed, row 0 on top */
    int64_t half; /* of a point's size or a line's width, raster units */
    bool x_major; /* lines: widened along y */
};

/* Where a position in 12.4, relative to the viewport centre, lies in the window. */
struct corner outline_position(const struct cl_state *state, int32_t x, int32_t y);

/* Sets the outline of a primitive; point_size is in pixels and matters to points only. False when it has no
 * area, or for PRIMITIVE_RHT. */
bool outline_set(struct outline *outline, const struct cl_state *state, enum primitive_type type,
                 const struct corner position[3], float point_size);

/* The smallest and the largest coordinates of its corners. */
void outline_bounds(const struct outline *outline, struct corner *low, struct corner *high);

/* The edge from corner i to the next. */
struct edge outline_edge(const struct outline *outline, uint32_t i);

#endif
