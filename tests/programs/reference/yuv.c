/* SPDX-License-Identifier: MIT */
/* yuv.c - draws colour bars in the upper half, and all values of U and V in the lower half. A
 * texel covers 2x2 pixels of the screen. */
#include <math.h>

#include "reference.h"

static double to_byte(double value)
{
    value = floor(value + 0.5);
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static double clamp(double value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* Converts by ITU-R BT.601. All values are from 0 to 255. */
static struct colour from_yuv(double y, double u, double v)
{
    u -= 128;
    v -= 128;
    return (struct colour){clamp(y + 1.402 * v), clamp(y - 0.344136 * u - 0.714136 * v),
                           clamp(y + 1.772 * u), 255};
}

static struct colour bar(int number)
{
    double r = number & 2 ? 0 : 255, g = number & 4 ? 0 : 255, b = number & 1 ? 0 : 255;
    return from_yuv(to_byte(0.299 * r + 0.587 * g + 0.114 * b),
                    to_byte(128 - 0.168736 * r - 0.331264 * g + 0.5 * b),
                    to_byte(128 + 0.5 * r - 0.418688 * g - 0.081312 * b));
}

void draw_yuv(struct drawing *drawing)
{
    for (int y = 0; y < drawing->height; y++)
        for (int x = 0; x < drawing->width; x++) {
            int column = x / 2, row = y / 2;
            set_pixel(drawing, x, y,
                      row < 64 ? bar(column / 16) : from_yuv(160, column / 2 * 4, (row - 64) * 4));
        }
}
