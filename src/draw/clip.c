/* SPDX-License-Identifier: MIT */
/* clip.c - see clip.h. */
#include "draw/clip.h"

#include <string.h>

static double distance(const struct clip_plane *plane, const struct clip_corner *corner)
{
    double sum = plane->plus;
    for (unsigned i = 0; i < 4; i++)
        sum += plane->by[i] * corner->at[i];
    return sum;
}

/* Returns the point where the line from good, which is on the plane's good side, to bad crosses the
 * plane. The caller passes an edge's ends in this order whatever the direction of the edge is. Two
 * primitives that share an edge therefore also share the point. */
static struct clip_corner meet(const struct clip_corner *good, double good_distance,
                               const struct clip_corner *bad, double bad_distance)
{
    double part = good_distance / (good_distance - bad_distance);
    struct clip_corner out;
    for (unsigned i = 0; i < CLIP_NUMBERS; i++)
        out.at[i] = good->at[i] + part * (bad->at[i] - good->at[i]);
    return out;
}

static size_t cut(struct clip_corner *corners, size_t count, const struct clip_plane *plane)
{
    struct clip_corner out[CLIP_CORNERS];
    /* last is the number of edges. A line has two corners but only one edge. */
    size_t left = 0, last = count == 2 ? 1 : count;
    for (size_t i = 0; i < count; i++) {
        const struct clip_corner *here = &corners[i], *next = &corners[(i + 1) % count];
        double a = distance(plane, here), b = distance(plane, next);
        if (a >= 0)
            out[left++] = *here;
        if (i < last && (a >= 0) != (b >= 0))
            out[left++] = a >= 0 ? meet(here, a, next, b) : meet(next, b, here, a);
    }
    memcpy(corners, out, left * sizeof *out);
    return left;
}

size_t clip_cut(struct clip_corner *corners, size_t count, const struct clip_plane *planes,
                size_t plane_count)
{
    for (size_t i = 0; i < plane_count && count > 1; i++)
        count = cut(corners, count, &planes[i]);
    return count;
}
