/* SPDX-License-Identifier: MIT */
/* outline.c - see outline.h.
 *
 * Source: OpenGL ES 2.0 sections 3.3 and 3.4, because the manual does not define shapes. Points are
 *         squares. Lines are parallelograms whose width is measured along the minor axis. */
#include "vc4/raster/outline.h"

#include <string.h>

enum { UNITS_PER_12_4 = 1 << (OUTLINE_SUBPIXEL_BITS - 4) };

struct corner outline_position(const struct cl_state *state, int32_t x, int32_t y)
{
    return (struct corner){
        .x = ((int64_t)state->viewport_x + x) * UNITS_PER_12_4,
        .y = ((int64_t)state->viewport_y + y) * UNITS_PER_12_4,
    };
}

/* Clamps value to low..limit. NaN becomes low. */
static float clamp_float(float value, float low, float limit)
{
    if (!(value > low))
        return low;
    return value < limit ? value : limit;
}

/* Returns half of a size. The size is in pixels, the result in raster units. */
static int64_t half_size(float size)
{
    return (int64_t)((double)size * OUTLINE_HALF + 0.5);
}

static void set_point(struct outline *outline, struct corner centre, float size)
{
    int64_t half = half_size(clamp_float(size, OUTLINE_MIN_POINT_SIZE, OUTLINE_MAX_POINT_SIZE));
    outline->half = half;
    outline->corner[0] = (struct corner){centre.x - half, centre.y - half};
    outline->corner[1] = (struct corner){centre.x + half, centre.y - half};
    outline->corner[2] = (struct corner){centre.x + half, centre.y + half};
    outline->corner[3] = (struct corner){centre.x - half, centre.y + half};
    outline->count = 4;
}

static void set_line(struct outline *outline, const struct corner end[2], float width)
{
    int64_t half = half_size(clamp_float(width, 0, OUTLINE_MAX_LINE_WIDTH));
    int64_t dx = end[0].x - end[1].x, dy = end[0].y - end[1].y;
    outline->half = half;
    outline->x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
    int64_t x = outline->x_major ? 0 : half, y = outline->x_major ? half : 0;
    outline->corner[0] = (struct corner){end[0].x - x, end[0].y - y};
    outline->corner[1] = (struct corner){end[1].x - x, end[1].y - y};
    outline->corner[2] = (struct corner){end[1].x + x, end[1].y + y};
    outline->corner[3] = (struct corner){end[0].x + x, end[0].y + y};
    outline->count = 4;
}

static int64_t twice_area(const struct outline *outline)
{
    const struct corner *p = outline->corner;
    int64_t area = 0;
    for (uint32_t i = 1; i + 1 < outline->count; i++)
        area += (p[i].x - p[0].x) * (p[i + 1].y - p[0].y) -
                (p[i + 1].x - p[0].x) * (p[i].y - p[0].y);
    return area;
}

bool outline_set(struct outline *outline, const struct cl_state *state, enum primitive_type type,
                 const struct corner position[3], float point_size)
{
    switch (type) {
    case PRIMITIVE_POINT: set_point(outline, position[0], point_size); break;
    case PRIMITIVE_LINE: set_line(outline, position, state->line_width); break;
    case PRIMITIVE_TRIANGLE:
        memcpy(outline->corner, position, 3 * sizeof *position);
        outline->count = 3;
        break;
    default: return false;
    }
    outline->area = twice_area(outline);
    return outline->area != 0;
}

void outline_bounds(const struct outline *outline, struct corner *low, struct corner *high)
{
    *low = *high = outline->corner[0];
    for (uint32_t i = 1; i < outline->count; i++) {
        struct corner corner = outline->corner[i];
        low->x = corner.x < low->x ? corner.x : low->x;
        low->y = corner.y < low->y ? corner.y : low->y;
        high->x = corner.x > high->x ? corner.x : high->x;
        high->y = corner.y > high->y ? corner.y : high->y;
    }
}

struct edge outline_edge(const struct outline *outline, uint32_t i)
{
    uint32_t next = (i + 1) % outline->count;
    bool forward = outline->area > 0;
    struct corner from = outline->corner[forward ? i : next];
    struct corner to = outline->corner[forward ? next : i];
    struct edge edge = {.a = from.y - to.y, .b = to.x - from.x};
    edge.c = -(edge.a * from.x + edge.b * from.y);
    return edge;
}
