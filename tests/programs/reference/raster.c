/* SPDX-License-Identifier: MIT */
/* raster.c - finds the pixels that a triangle covers, and the values at these pixels. Also
 * converts colours to bytes, and writes pixels of drawings. */
#include "reference.h"

#include <math.h>

struct pixel *pixel_at(const struct drawing *drawing, int x, int y)
{
    return &drawing->pixels[y * drawing->width + x];
}

void set_pixel(struct drawing *drawing, int x, int y, struct colour colour)
{
    struct pixel *pixel = pixel_at(drawing, x, y);
    pixel->want[0] = colour;
    pixel->count = 1;
}

void fill(struct drawing *drawing, struct colour colour)
{
    for (int y = 0; y < drawing->height; y++)
        for (int x = 0; x < drawing->width; x++)
            set_pixel(drawing, x, y, colour);
}

struct raster centres(const struct drawing *drawing)
{
    return (struct raster){drawing->width, drawing->height, 0.5, 0.5, 0, 0};
}

/* Returns twice the signed area of a, b and the point. The result is exact for coordinates in
 * sixteenths of pixels. */
static double area(const struct corner *a, const struct corner *b, double x, double y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

/* True if a point on edge a-b is inside the triangle. area() is positive on the triangle's side
 * of the edge. */
static bool owns_edge(const struct corner *a, const struct corner *b)
{
    bool top = a->y == b->y && b->x > a->x;
    bool left = b->y < a->y;
    return top || left;
}

void interpolate(const struct corner corners[3], double x, double y, struct fragment *out)
{
    double whole = area(&corners[0], &corners[1], corners[2].x, corners[2].y), sum = 0;
    out->z = 0;
    for (int i = 0; i < 3; i++) {
        double share = area(&corners[(i + 1) % 3], &corners[(i + 2) % 3], x, y) / whole;
        out->z += share * corners[i].z;
        out->weights[i] = share * corners[i].inverse_w;
        sum += out->weights[i];
    }
    out->inverse_w = sum;
    for (int i = 0; i < 3; i++)
        out->weights[i] /= sum;
    for (int value = 0; value < MAX_VALUES; value++) {
        out->values[value] = 0;
        for (int i = 0; i < 3; i++)
            out->values[value] += out->weights[i] * corners[i].values[value];
    }
}

/* Returns the distance in pixels of the point from the edge from a to b, positive inside. */
static double distance(const struct corner *a, const struct corner *b, double x, double y)
{
    return area(a, b, x, y) / hypot(b->x - a->x, b->y - a->y);
}

/* Returns true if the point is covered. Sets *edge if float32 errors may change the result. The
 * triangle must have a positive area. */
static bool inside(const struct corner *const corners[3], double x, double y,
                   const struct raster *raster, unsigned sure_edges, bool *edge)
{
    bool in = true, far = false;
    *edge = false;
    for (int i = 0; i < 3; i++) {
        const struct corner *a = corners[i], *b = corners[(i + 1) % 3];
        double e = area(a, b, x, y);
        in = in && (e > 0 || (e == 0 && owns_edge(a, b)));
        if (raster->doubt == 0)
            continue;
        bool sure = sure_edges >> i & 1;
        double d = distance(a, b, x, y);
        far = far || (sure ? d < 0 : d < -raster->doubt);
        *edge = *edge || (!sure && fabs(d) <= raster->doubt);
    }
    *edge = *edge && !far;
    return in;
}

static int clamp_to(double value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

static double least(const struct corner c[3], bool y)
{
    return y ? fmin(fmin(c[0].y, c[1].y), c[2].y) : fmin(fmin(c[0].x, c[1].x), c[2].x);
}

static double most(const struct corner c[3], bool y)
{
    return y ? fmax(fmax(c[0].y, c[1].y), c[2].y) : fmax(fmax(c[0].x, c[1].x), c[2].x);
}

void rasterise(const struct raster *raster, const struct corner corners[3],
               fragment_function *function, void *user)
{
    double whole = area(&corners[0], &corners[1], corners[2].x, corners[2].y);
    if (whole == 0)
        return;
    bool forward = whole > 0;
    const struct corner *turned[3] = {&corners[0], &corners[forward ? 1 : 2],
                                      &corners[forward ? 2 : 1]};
    /* If the corners are reversed, the edges are in the order 2, 1, 0. */
    unsigned sure = raster->sure_edges;
    if (!forward)
        sure = (sure & 1) << 2 | (sure & 2) | (sure >> 2 & 1);
    int x0 = clamp_to(floor(least(corners, false)) - 2, 0, raster->width);
    int y0 = clamp_to(floor(least(corners, true)) - 2, 0, raster->height);
    int x1 = clamp_to(ceil(most(corners, false)) + 2, 0, raster->width);
    int y1 = clamp_to(ceil(most(corners, true)) + 2, 0, raster->height);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            double px = x + raster->sample_x, py = y + raster->sample_y;
            struct fragment fragment = {.x = x, .y = y, .forward = forward};
            fragment.covered = inside(turned, px, py, raster, sure, &fragment.edge);
            if (!fragment.covered && !fragment.edge)
                continue;
            interpolate(corners, px, py, &fragment);
            function(user, &fragment);
        }
}

void rasterise_quad(const struct raster *raster, const struct corner corners[4],
                    fragment_function *function, void *user)
{
    const struct corner second[3] = {corners[2], corners[1], corners[3]};
    rasterise(raster, corners, function, user);
    rasterise(raster, second, function, user);
}

void rasterise_point(const struct raster *raster, double x, double y, double size,
                     fragment_function *function, void *user)
{
    double left = x - size / 2, top = y - size / 2;
    for (int row = 0; row < raster->height; row++)
        for (int column = 0; column < raster->width; column++) {
            double u = (column + raster->sample_x - left) / size;
            double v = (row + raster->sample_y - top) / size;
            struct fragment fragment = {.x = column, .y = row, .covered = true, .forward = true};
            fragment.values[0] = u;
            fragment.values[1] = 1 - v;
            if (u >= 0 && u < 1 && v >= 0 && v < 1)
                function(user, &fragment);
        }
}

double sixteenths(double value)
{
    return round(value * 16) / 16;
}

int byte_product(int a, int b)
{
    return (2 * a * b + 255) / 510;
}

int byte_sum(int a, int b)
{
    return a + b > 255 ? 255 : a + b;
}

int byte_difference(int a, int b)
{
    return a > b ? a - b : 0;
}
