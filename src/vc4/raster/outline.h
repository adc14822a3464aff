/* SPDX-License-Identifier: MIT */
/* outline.h - the shape of a primitive in the window. The binner and the rasteriser use the same
 * shape.
 *
 * In:  window positions, point size, line width.
 * Out: a convex polygon of three or four corners: a triangle, the square of a point, the
 *      parallelogram of a line. */
#ifndef VC4_RASTER_OUTLINE_H
#define VC4_RASTER_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/state/state.h"

enum {
    /* A raster unit is 1/256 pixel. Positions in signed 12.4 format are exact in raster units. Half
     * sizes of points and half widths of lines are rounded to raster units. */
    OUTLINE_SUBPIXEL_BITS = 8,
    OUTLINE_UNIT = 1 << OUTLINE_SUBPIXEL_BITS, /* raster units per pixel */
    OUTLINE_HALF = OUTLINE_UNIT / 2,           /* raster units per half pixel */
    OUTLINE_MAX_CORNERS = 4,
};

/* Limits to which guest values are clamped, in pixels. The smallest point size is that of the
 * silicon (errata HW-2726 and HW-2903). The largest sizes are those that Mesa's and Broadcom's
 * drivers advertise. */
#define OUTLINE_MIN_POINT_SIZE 0.125f
#define OUTLINE_MAX_POINT_SIZE 512.0f
#define OUTLINE_MAX_LINE_WIDTH 32.0f

/* A position in raster units. |x| and |y| are below 2^21: the largest values are the sum of two
 * signed 12.4 numbers and half of the largest point size. */
struct corner {
    int64_t x, y;
};

/* An edge in raster units. a*x + b*y + c is positive inside the edge and 0 on the edge. */
struct edge {
    int64_t a, b, c;
};

struct outline {
    uint32_t count;
    struct corner corner[OUTLINE_MAX_CORNERS];
    /* Twice the area. Positive if the corners are clockwise as displayed, with row 0 at the top. */
    int64_t area;
    int64_t half; /* half of a point's size or a line's width, in raster units */
    bool x_major; /* true for a line whose major axis is x; its width is measured along y */
};

/* Converts a position in signed 12.4 format, relative to the viewport centre, to raster units
 * relative to pixel (0, 0) of the frame. */
struct corner outline_position(const struct cl_state *state, int32_t x, int32_t y);

/* Sets the outline of a primitive. point_size is in pixels and used for points only. Returns false
 * if the outline has no area, or for PRIMITIVE_RHT. */
bool outline_set(struct outline *outline, const struct cl_state *state, enum primitive_type type,
                 const struct corner position[3], float point_size);

/* Computes the smallest and the largest coordinates of the corners. */
void outline_bounds(const struct outline *outline, struct corner *low, struct corner *high);

/* Returns the edge from corner i to the next. */
struct edge outline_edge(const struct outline *outline, uint32_t i);

#endif
