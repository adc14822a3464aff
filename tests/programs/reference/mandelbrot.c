/* SPDX-License-Identifier: MIT */
/* mandelbrot.c - computes 48 steps of z = z * z + c in float64, with a bound of the float32
 * error. If |z| = 2 is within the error, both results are possible, and the pixel is an edge
 * pixel. */
#include <math.h>

#include "reference.h"

enum { STEPS = 48 };

/* Largest relative error of one float32 operation that rounds toward zero. */
static const double unit = 1.0 / (1 << 23);

/* Bound of the error of c, which is the result of 20 additions (one per vector) and of a few
 * earlier operations. */
static const double error_of_c = 24 * 2.5 / (1 << 23);

/* Counts the steps for which |z| < 2. */
static int count_steps(double cr, double ci, bool *edge)
{
    double zr = 0, zi = 0, error = 0;
    int count = 0;
    *edge = false;
    for (int step = 0; step < STEPS; step++) {
        double square = zr * zr + zi * zi, size = sqrt(square);
        double doubt = 2 * size * error + error * error + 3 * unit * square;
        *edge = *edge || fabs(square - 4) <= doubt;
        if (square >= 4)
            break;
        count++;
        double next = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = next;
        error = doubt + error_of_c + unit * (square + 5);
    }
    return count;
}

static double byte(int value)
{
    return value > 255 ? 255 : value;
}

void draw_mandelbrot(struct drawing *drawing)
{
    for (int y = 0; y < drawing->height; y++)
        for (int x = 0; x < drawing->width; x++) {
            bool edge;
            int n = count_steps(-2.25 + (x + 0.5) / 96, 1.25 - (y + 0.5) / 96, &edge);
            struct colour colour = {byte(2 * n), byte(4 * n), byte(8 * n), 255};
            set_pixel(drawing, x, y, n == STEPS ? (struct colour){0, 0, 0, 255} : colour);
            pixel_at(drawing, x, y)->edge = edge;
        }
}
