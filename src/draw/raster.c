/* SPDX-License-Identifier: MIT */
/* raster.c - see raster.h. */
#include "draw/raster.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

enum { HALF = DRAW_SUBPIXELS / 2 };

/* A position in subpixels. Positions are inside the guard band, so 32 bits are enough. */
struct place {
    int32_t x, y;
};

static struct place place_of(const struct draw_point *point)
{
    return (struct place){(int32_t)lrint(point->x * DRAW_SUBPIXELS),
                          (int32_t)lrint(point->y * DRAW_SUBPIXELS)};
}

/* Returns the first pixel whose centre is at or after a coordinate, at most limit. */
static uint32_t first_centre(int32_t coordinate, uint32_t limit)
{
    int32_t pixel = (coordinate + HALF - 1) >> 8; /* ceiling of (coordinate - HALF) / 256 */
    return pixel < 0 ? 0 : least_u32((uint32_t)pixel, limit);
}

static int32_t centre_of(uint32_t pixel)
{
    return (int32_t)pixel * DRAW_SUBPIXELS + HALF;
}

/* --- blocks --- */

/* Returns the weighted sum of points. */
static struct draw_point mix(const struct draw_point *points, const double *weights, unsigned count)
{
    struct draw_point sum = {0};
    for (unsigned i = 0; i < count; i++) {
        sum.z += weights[i] * points[i].z;
        sum.inverse_w += weights[i] * points[i].inverse_w;
        for (unsigned k = 0; k < DRAW_CORNERS; k++)
            sum.parts[k] += weights[i] * points[i].parts[k];
    }
    return sum;
}

static bool is_within(const struct draw_target *target, uint32_t x, uint32_t y)
{
    return x < target->width && y < target->height;
}

/* --- triangles --- */

/* Returns twice the signed area of the triangle a, b, p. The area is positive if p is to the right
 * of the line from a to b. */
static int64_t edge(struct place a, struct place b, struct place p)
{
    return (int64_t)(b.x - a.x) * (p.y - a.y) - (int64_t)(b.y - a.y) * (p.x - a.x);
}

/* True if the edge from a to b is a top or left edge of the triangle to its right. Pixel centres on
 * such an edge belong to this triangle. */
static bool owns(struct place a, struct place b)
{
    return b.y < a.y || (b.y == a.y && b.x > a.x);
}

int64_t draw_area(const struct draw_point corners[3])
{
    return edge(place_of(&corners[0]), place_of(&corners[1]), place_of(&corners[2]));
}

/* Bounding box of the pixels whose centres may be covered. */
struct box {
    uint32_t left, top, right, bottom; /* right and bottom are exclusive */
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

/* A triangle whose corners are in clockwise order. */
struct triangle {
    struct draw_point corners[DRAW_CORNERS];
    struct place places[DRAW_CORNERS];
    int64_t area;
};

/* Computes each corner's weight at a pixel's centre. Returns true if the centre lies inside. */
static bool weigh(const struct triangle *triangle, uint32_t x, uint32_t y,
                  double weights[DRAW_CORNERS])
{
    const struct place centre = {centre_of(x), centre_of(y)};
    bool inside = true;
    for (unsigned i = 0; i < DRAW_CORNERS; i++) {
        struct place from = triangle->places[(i + 1) % 3], to = triangle->places[(i + 2) % 3];
        int64_t side = edge(from, to, centre);
        inside &= side > 0 || (side == 0 && owns(from, to));
        weights[i] = (double)side / (double)triangle->area;
    }
    return inside;
}

static void try_quad(const struct draw_target *target, const struct triangle *triangle, uint32_t x,
                     uint32_t y)
{
    double weights[DRAW_QUAD][DRAW_CORNERS];
    struct draw_quad quad = {.x = x, .y = y};
    for (unsigned i = 0; i < DRAW_QUAD; i++) {
        bool inside = weigh(triangle, x + i % 2, y + i / 2, weights[i]);
        if (inside && is_within(target, x + i % 2, y + i / 2))
            quad.covered |= 1U << i;
    }
    if (!quad.covered)
        return;
    for (unsigned i = 0; i < DRAW_QUAD; i++)
        quad.at[i] = mix(triangle->corners, weights[i], DRAW_CORNERS);
    target->put(target->user, &quad);
}

void draw_triangle(const struct draw_target *target, const struct draw_point corners[DRAW_CORNERS])
{
    int64_t area = draw_area(corners);
    bool turn = area < 0; /* true if two corners are swapped to make the order clockwise */
    struct triangle triangle = {
        .corners = {corners[0], corners[turn ? 2 : 1], corners[turn ? 1 : 2]},
        .area = turn ? -area : area,
    };
    for (unsigned i = 0; i < DRAW_CORNERS; i++)
        triangle.places[i] = place_of(&triangle.corners[i]);
    struct box box = box_of(target, triangle.places);
    for (uint32_t y = box.top & ~1U; y < box.bottom && area; y += 2)
        for (uint32_t x = box.left & ~1U; x < box.right; x += 2)
            try_quad(target, &triangle, x, y);
}

/* --- lines --- */

static int64_t floor_division(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* A line that is at least as long in x as in y. transposed is true if x and y were exchanged in
 * both `from` and `to`. */
struct line {
    const struct draw_point *ends;
    struct place from, to;
    bool transposed;
};

static void put_line_pixel(const struct draw_target *target, const struct line *line, uint32_t x,
                           uint32_t y)
{
    struct draw_quad quad = {.x = x & ~1U, .y = y & ~1U, .covered = 1U << (x % 2 + y % 2 * 2)};
    for (unsigned i = 0; i < DRAW_QUAD; i++) {
        uint32_t along = line->transposed ? quad.y + i / 2 : quad.x + i % 2;
        double part = ((double)centre_of(along) - line->from.x) /
                      ((double)line->to.x - line->from.x);
        const double weights[2] = {1 - part, part};
        quad.at[i] = mix(line->ends, weights, 2);
    }
    target->put(target->user, &quad);
}

static void draw_long(const struct draw_target *target, const struct line *line)
{
    struct place a = line->from, b = line->to;
    uint32_t width = line->transposed ? target->height : target->width;
    uint32_t height = line->transposed ? target->width : target->height;
    int64_t along = (int64_t)b.x - a.x, across = (int64_t)b.y - a.y;
    bool right = along > 0;
    /* A centre at the line's start is included. A centre at the line's end is not. */
    uint32_t first = first_centre(right ? a.x : b.x + 1, width);
    uint32_t last = first_centre(right ? b.x : a.x + 1, width);
    for (uint32_t x = first; x < last; x++) {
        int64_t way = (int64_t)centre_of(x) - a.x;
        int64_t y = floor_division(a.y * along + across * way, along * DRAW_SUBPIXELS);
        if (y >= 0 && y < height)
            put_line_pixel(target, line, line->transposed ? (uint32_t)y : x,
                           line->transposed ? x : (uint32_t)y);
    }
}

void draw_line(const struct draw_target *target, const struct draw_point ends[2])
{
    struct place a = place_of(&ends[0]), b = place_of(&ends[1]);
    struct line line = {ends, a, b, labs((long)b.y - a.y) > labs((long)b.x - a.x)};
    if (line.transposed) {
        line.from = (struct place){a.y, a.x};
        line.to = (struct place){b.y, b.x};
    }
    if (line.from.x != line.to.x)
        draw_long(target, &line);
}

/* --- points --- */

void draw_square(const struct draw_target *target, const struct draw_point *centre, double side)
{
    struct draw_point least = *centre, most = *centre;
    least.x -= side / 2;
    least.y -= side / 2;
    most.x += side / 2;
    most.y += side / 2;
    struct place from = place_of(&least), to = place_of(&most);
    uint32_t left = first_centre(from.x, target->width), top = first_centre(from.y, target->height);
    uint32_t right = first_centre(to.x, target->width), bottom = first_centre(to.y, target->height);
    for (uint32_t y = top & ~1U; y < bottom; y += 2) {
        for (uint32_t x = left & ~1U; x < right; x += 2) {
            struct draw_quad quad = {x, y, 0, {*centre, *centre, *centre, *centre}};
            for (unsigned i = 0; i < DRAW_QUAD; i++) {
                uint32_t column = x + i % 2, row = y + i / 2;
                if (column >= left && column < right && row >= top && row < bottom)
                    quad.covered |= 1U << i;
            }
            if (quad.covered)
                target->put(target->user, &quad);
        }
    }
}
