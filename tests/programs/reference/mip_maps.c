/* SPDX-License-Identifier: MIT */
/* mip_maps.c - draws a floor in four stripes, each with another filter. The level of detail is
 * that of OpenGL ES 2.0, section 3.7.7: the larger of the differences from a quad's first pixel
 * to its right and its lower neighbour. A pixel is an edge pixel if its level is close to the
 * boundary of two levels, or its coordinate close to the border of two texels. */
#include <math.h>

#include "reference.h"

enum { LEVELS = 7, SIZE = 64 };

enum filter { NEAREST, NEAR_MIP_NEAR, LIN_MIP_NEAR, LIN_MIP_LIN };

struct stripe {
    struct drawing *drawing;
    struct corner corners[4];
    enum filter filter;
};

static const int colours[LEVELS][3] = {
    /* clang-format off */
    {255, 64,  48},
    {255, 160, 32},
    {240, 240, 64},
    {64,  224, 64},
    {64,  240, 240},
    {64,  96,  255},
    {224, 64,  255},
    /* clang-format on */
};

static int repeat(int at, int size)
{
    return (at % size + size) % size;
}

static struct colour texel(const void *user, int x, int y)
{
    const int *level = user, *rgb = colours[*level];
    int size = SIZE >> *level, field = size < 8 ? 1 : size / 8;
    int bright = (repeat(x, size) / field + repeat(y, size) / field) % 2 ? 255 : 120;
    return (struct colour){rgb[0] * bright / 255, rgb[1] * bright / 255, rgb[2] * bright / 255,
                           255};
}

static struct colour linear(int level, const double st[2])
{
    double size = SIZE >> level;
    return linear_texel(st[0] * size, st[1] * size, texel, &level);
}

static struct colour nearest(int level, const double st[2], bool *edge)
{
    static const double doubt = 2e-3;
    double at[2];
    for (int i = 0; i < 2; i++) {
        double u = st[i] * (SIZE >> level);
        at[i] = floor(u);
        *edge = *edge || fabs(u - round(u)) < doubt;
    }
    return texel(&level, (int)at[0], (int)at[1]);
}

/* Returns the base-2 logarithm of the distance between pixels, in texels of level 0. */
static double level_of_detail(const struct stripe *stripe, int x, int y)
{
    struct fragment first, right, below;
    double left = (x & ~1) + 0.5, top = (y & ~1) + 0.5;
    interpolate(stripe->corners, left, top, &first);
    interpolate(stripe->corners, left + 1, top, &right);
    interpolate(stripe->corners, left, top + 1, &below);
    const double *st = first.values;
    return log2(SIZE * fmax(hypot(right.values[0] - st[0], right.values[1] - st[1]),
                            hypot(below.values[0] - st[0], below.values[1] - st[1])));
}

static double limit(double level)
{
    return level < 0 ? 0 : level > LEVELS - 1 ? LEVELS - 1 : level;
}

/* Returns the nearest level, and marks an edge pixel if two levels are about equally near. */
static int nearest_level(double lod, bool *edge)
{
    static const double doubt = 0.006;
    double fraction = lod - floor(lod);
    *edge = *edge || (lod > 0 && fabs(fraction - 0.5) < doubt);
    return (int)limit(floor(lod + 0.5));
}

static void shade(void *user, const struct fragment *f)
{
    const struct stripe *stripe = user;
    const double *st = f->values;
    double lod = level_of_detail(stripe, f->x, f->y), low = floor(limit(lod));
    bool edge = false;
    struct colour colour;
    switch (stripe->filter) {
    case NEAREST: colour = nearest(0, st, &edge); break;
    case NEAR_MIP_NEAR: colour = nearest(nearest_level(lod, &edge), st, &edge); break;
    case LIN_MIP_NEAR: colour = linear(nearest_level(lod, &edge), st); break;
    default:
        colour = mix(linear((int)low, st), linear((int)limit(low + 1), st), limit(lod) - low);
        break;
    }
    set_pixel(stripe->drawing, f->x, f->y, colour);
    pixel_at(stripe->drawing, f->x, f->y)->edge = edge;
}

static struct corner floor_point(double x, double distance, double s)
{
    return (struct corner){sixteenths(128 + 44 * x / distance),
                           sixteenths(16 + 120 / distance),
                           1,
                           (float)(1 / distance),
                           {s, 3 * distance}};
}

void draw_mip_maps(struct drawing *drawing)
{
    struct raster raster = centres(drawing);
    fill(drawing, (struct colour){0x20, 0x40, 0x60, 255});
    for (int i = 0; i < 4; i++) {
        struct stripe stripe = {drawing,
                                {floor_point(i - 2, 8, 0), floor_point(i - 2, 0.5, 0),
                                 floor_point(i - 1, 8, 0.5), floor_point(i - 1, 0.5, 0.5)},
                                (enum filter)i};
        rasterise_quad(&raster, stripe.corners, shade, &stripe);
    }
}
