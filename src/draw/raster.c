/* SPDX-License-Identifier: MIT */
/* raster.c - see raster.h. */
#include "draw/raster.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

enum { HALF = DRAW_SUBPIXELS / 2 };

/* A position in subpixels. The guard band makes sure that it fits. */
struct place {
    int32_t x, y;
};

static struct place place_of(const struct draw_point *point)
{
    return (struct place){(int32_t)lrint(point->x * DRAW_SUBPIXELS),
                          (int32_t)lrint(point->y * DRAW_SUBPIXELS)};
}

/* The first pixel whose centre is not before a coordinate; limit if there is none. */
static uint32_t first_centre(int32_t coordinate, uint32_t limit)
{
    int32_t pixel = (coordinate + HALF - 1) >> 8; /* rounds up what lies behind a centre */
    return pixel < 0 ? 0 : least_u32((uint32_t)pixel, limit);
}

static int32_t centre_of(uint32_t pixel)
{
    return (int32_t)pixel * DRAW_SUBPIXELS + HALF;
}

/* --- pixels --- */

uint8_t draw_byte(double value)
{
    return value > 0 ? (uint8_t)(fmin(value, 1) * 255 + 0.5) : 0; /* NaN is 0 */
}

/* Puts a pixel whose quantities are the points' weighted sums. */
static void put_pixel(struct draw_target *target, uint32_t x, uint32_t y,
                      const struct draw_point *points, const double *weights, unsigned count)
{
    struct draw_point sum = {0};
    for (unsigned i = 0; i < count; i++) {
        sum.z += weights[i] * points[i].z;
        sum.inverse_w += weights[i] * points[i].inverse_w;
        for (unsigned c = 0; c < DRAW_CHANNELS; c++)
            sum.colour[c] += weights[i] * points[i].colour[c];
    }
    size_t at = (size_t)y * target->width + x;
    if (!target->no_depth && !(sum.z >= 0 && sum.z <= 1 && sum.z <= target->depth[at]))
        return;
    target->depth[at] = target->no_depth ? target->depth[at] : sum.z;
    for (unsigned c = 0; c < DRAW_CHANNELS; c++)
        target->pixels[at * DRAW_CHANNELS + c] = draw_byte(sum.colour[c] / sum.inverse_w);
    target->written++;
}

/* --- triangles --- */

/* Twice the area of a, b and p: positive if p lies on the right of the way from a to b. */
static int64_t edge(struct place a, struct place b, struct place p)
{
    return (int64_t)(b.x - a.x) * (p.y - a.y) - (int64_t)(b.y - a.y) * (p.x - a.x);
}

/* Whether the centres on the edge from a to b belong to the triangle on its right: it is a top or a left edge. */
static bool owns(struct place a, struct place b)
{
    return b.y < a.y || (b.y == a.y && b.x > a.x);
}

int64_t draw_area(const struct draw_point corners[3])
{
    return edge(place_of(&corners[0]), place_of(&corners[1]), place_of(&corners[2]));
}

/* Pixels whose centres may be covered. */
struct box {
    uint32_t left, top, right, bottom; /* without the last two */
};

static struct box box_of(const struct draw_target *target, const struct place places[3])
{
    int32_t left = places[0].x, right = left, top = places[0].y, bottom = top;
    for (unsigned i = 1; i < 3; i++) {
        left = least_i32(left, places[i].x);
        right = most_i32(right, places[i].x);
        top = least_i32(top, places[i].y);
        bottom = most_i32(bottom, places[i].y);
    }
    return (struct box){first_centre(left, target->width), first_centre(top, target->height),
                        first_centre(right + 1, target->width),
                        first_centre(bottom + 1, target->height)};
}

/* Puts the pixel if its centre lies in the triangle, whose double area is given. */
static void try_pixel(struct draw_target *target, uint32_t x, uint32_t y,
                      const struct draw_point corners[3], const struct place places[3],
                      int64_t area)
{
    const struct place centre = {centre_of(x), centre_of(y)};
    double weights[3];
    for (unsigned i = 0; i < 3; i++) {
        struct place from = places[(i + 1) % 3], to = places[(i + 2) % 3];
        int64_t inside = edge(from, to, centre);
        if (inside < 0 || (inside == 0 && !owns(from, to)))
            return;
        weights[i] = (double)inside / (double)area;
    }
    put_pixel(target, x, y, corners, weights, 3);
}

void draw_triangle(struct draw_target *target, const struct draw_point corners[3])
{
    int64_t area = draw_area(corners);
    bool turn = area < 0; /* look at it from behind */
    const struct draw_point ordered[3] = {corners[0], corners[turn ? 2 : 1], corners[turn ? 1 : 2]};
    struct place places[3];
    for (unsigned i = 0; i < 3; i++)
        places[i] = place_of(&ordered[i]);
    struct box box = box_of(target, places);
    for (uint32_t y = box.top; y < box.bottom && area; y++)
        for (uint32_t x = box.left; x < box.right; x++)
            try_pixel(target, x, y, ordered, places, turn ? -area : area);
}

/* --- lines --- */

static int64_t floor_division(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* A line that is at least as long in x as in y; transposed: x and y have been exchanged. */
static void draw_long(struct draw_target *target, const struct draw_point ends[2], struct place a,
                      struct place b, bool transposed)
{
    uint32_t width = transposed ? target->height : target->width;
    uint32_t height = transposed ? target->width : target->height;
    int64_t along = (int64_t)b.x - a.x, across = (int64_t)b.y - a.y;
    bool right = along > 0; /* the end's own centre is left out */
    uint32_t first = first_centre(right ? a.x : b.x + 1, width);
    uint32_t last = first_centre(right ? b.x : a.x + 1, width);
    for (uint32_t x = first; x < last; x++) {
        int64_t way = (int64_t)centre_of(x) - a.x;
        int64_t y = floor_division(a.y * along + across * way, along * DRAW_SUBPIXELS);
        double part = (double)way / (double)along;
        const double weights[2] = {1 - part, part};
        if (y >= 0 && y < height)
            put_pixel(target, transposed ? (uint32_t)y : x, transposed ? x : (uint32_t)y, ends,
                      weights, 2);
    }
}

void draw_line(struct draw_target *target, const struct draw_point ends[2])
{
    struct place a = place_of(&ends[0]), b = place_of(&ends[1]);
    bool transposed = labs((long)b.y - a.y) > labs((long)b.x - a.x);
    if (transposed) {
        a = (struct place){a.y, a.x};
        b = (struct place){b.y, b.x};
    }
    if (a.x != b.x)
        draw_long(target, ends, a, b, transposed);
}

/* --- points --- */

void draw_square(struct draw_target *target, const struct draw_point *centre, double side)
{
    static const double whole[1] = {1};
    struct draw_point least = *centre, most = *centre;
    least.x -= side / 2;
    least.y -= side / 2;
    most.x += side / 2;
    most.y += side / 2;
    struct place from = place_of(&least), to = place_of(&most);
    uint32_t right = first_centre(to.x, target->width), bottom = first_centre(to.y, target->height);
    for (uint32_t y = first_centre(from.y, target->height); y < bottom; y++)
        for (uint32_t x = first_centre(from.x, target->width); x < right; x++)
            put_pixel(target, x, y, centre, whole, 1);
}
