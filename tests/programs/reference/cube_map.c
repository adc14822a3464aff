/* SPDX-License-Identifier: MIT */
/* cube_map.c - draws a mirror ball in a room of six walls, with linear filtering inside each
 * wall. */
#include <math.h>

#include "reference.h"

enum { FACE = 32 };

static const int colours[6][3] = {
    /* clang-format off */
    {255, 64,  64},
    {64,  255, 255},
    {96,  255, 64},
    {224, 64,  224},
    {255, 240, 64},
    {64,  96,  255},
    /* clang-format on */
};

static int clamp(int at)
{
    return at < 0 ? 0 : at >= FACE ? FACE - 1 : at;
}

static struct colour texel(const void *user, int x, int y)
{
    const int *rgb = user;
    x = clamp(x);
    y = clamp(y);
    int bright = (x / 4 + y / 4) % 2 ? 255 : 160;
    if (x < 8 && y < 8)
        return (struct colour){255, 255, 255, 255};
    return (struct colour){rgb[0] * bright / 255, rgb[1] * bright / 255, rgb[2] * bright / 255,
                           255};
}

/* OpenGL ES 2.0, table 3.10: the largest component selects the face. The table has the axes of
 * each face. */
static struct colour look_up(const double r[3], bool *edge)
{
    static const struct {
        int s, t; /* numbers of components, from 1; negative if the axis is reversed */
    } axes[6] = {{-3, -2}, {3, -2}, {1, 3}, {1, -3}, {1, -2}, {-1, -2}};
    int major = 0, face;
    for (int i = 1; i < 3; i++)
        if (fabs(r[i]) > fabs(r[major]))
            major = i;
    for (int i = 0; i < 3; i++)
        *edge = *edge || (i != major && fabs(fabs(r[i]) / fabs(r[major]) - 1) < 1e-3);
    face = 2 * major + (r[major] < 0);
    int s = axes[face].s, t = axes[face].t;
    double sc = s < 0 ? -r[-s - 1] : r[s - 1], tc = t < 0 ? -r[-t - 1] : r[t - 1];
    double size = fabs(r[major]);
    return linear_texel((sc / size + 1) / 2 * FACE, (tc / size + 1) / 2 * FACE, texel,
                        colours[face]);
}

void draw_cube_map(struct drawing *drawing)
{
    for (int row = 0; row < drawing->height; row++)
        for (int column = 0; column < drawing->width; column++) {
            double x = (column + 0.5) / 256 * 2.5 - 1.25, y = 1.25 - (row + 0.5) / 256 * 2.5;
            double square = 1 - x * x - y * y, z = sqrt(fmax(square, 0));
            double view[3] = {x, y, -1}, mirrored[3] = {2 * z * x, 2 * z * y, 2 * z * z - 1};
            bool edge = fabs(square) < 1e-5;
            struct colour colour = look_up(square < 0 ? view : mirrored, &edge);
            set_pixel(drawing, column, row, colour);
            pixel_at(drawing, column, row)->edge = edge;
        }
}
