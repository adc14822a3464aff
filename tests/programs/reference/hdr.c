/* SPDX-License-Identifier: MIT */
/* hdr.c - adds up lights of up to twelve times full brightness. The left half limits the sum c
 * to 1.0, and the right half shows c / (1 + c). The sums are not rounded to 16 bits here. The
 * rounding would change less than a step of the picture. */
#include <math.h>

#include "reference.h"

enum { LIGHTS = 6 };

static const struct light {
    double x, y, radius, rgb[3];
} lights[LIGHTS] = {
    /* clang-format off */
    {64,  72,  60, {0.5, 2,    8}},
    {192, 72,  60, {0.5, 2,    8}},
    {128, 56,  48, {4,   4,    4}},
    {56,  176, 72, {3,   0.75, 0.25}},
    {200, 176, 72, {3,   0.75, 0.25}},
    {128, 160, 88, {12,  6,    1}},
    /* clang-format on */
};

static double brightness(const struct light *light, double x, double y)
{
    double distance = hypot(x - light->x, y - light->y) / light->radius;
    double one = fmax(1 - distance * distance, 0);
    return one * one;
}

void draw_hdr(struct drawing *drawing)
{
    for (int y = 0; y < drawing->height; y++)
        for (int x = 0; x < drawing->width; x++) {
            double rgb[3] = {1.0 / 32, 1.0 / 16, 1.0 / 8};
            for (int i = 0; i < LIGHTS; i++)
                for (int channel = 0; channel < 3; channel++)
                    rgb[channel] += lights[i].rgb[channel] *
                                    brightness(&lights[i], x + 0.5, y + 0.5);
            for (int channel = 0; channel < 3; channel++)
                rgb[channel] = x < 128 ? fmin(rgb[channel], 1) : rgb[channel] / (1 + rgb[channel]);
            set_pixel(drawing, x, y,
                      (struct colour){255 * rgb[0], 255 * rgb[1], 255 * rgb[2], 255});
        }
}
