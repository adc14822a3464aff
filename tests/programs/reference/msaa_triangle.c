/* SPDX-License-Identifier: MIT */
/* msaa_triangle.c - draws rays and a triangle with four samples per pixel. A covered sample has
 * the colour of the pixel's centre. The picture contains the means, rounded to nearest, halves
 * up. */
#include <math.h>

#include "reference.h"

enum { SIZE = 160, RAYS = 24, SAMPLES = 4 };

/* Positions of samples in a pixel (docs/vc4/fep.md). */
static const double places[SAMPLES][2] = {
    /* clang-format off */
    {0.625, 0.125},
    {0.125, 0.375},
    {0.875, 0.625},
    {0.375, 0.875},
    /* clang-format on */
};

struct canvas {
    double rgb[SAMPLES][SIZE][SIZE][3];
    int sample;                   /* index of the sample that is being drawn */
    const struct corner *corners; /* corners of the triangle that is being drawn */
};

static void black(void *user, const struct fragment *f)
{
    struct canvas *canvas = user;
    for (int channel = 0; channel < 3; channel++)
        canvas->rgb[canvas->sample][f->y][f->x][channel] = 0;
}

static void coloured(void *user, const struct fragment *f)
{
    struct canvas *canvas = user;
    struct fragment centre;
    interpolate(canvas->corners, f->x + 0.5, f->y + 0.5, &centre);
    for (int channel = 0; channel < 3; channel++)
        canvas->rgb[canvas->sample][f->y][f->x][channel] = round(
            255 * fmin(fmax(centre.values[channel], 0), 1));
}

static void draw(struct canvas *canvas, const struct corner corners[3], fragment_function *shade)
{
    canvas->corners = corners;
    for (int i = 0; i < SAMPLES; i++) {
        struct raster raster = {SIZE, SIZE, places[i][0], places[i][1], 0, 0};
        canvas->sample = i;
        rasterise(&raster, corners, shade, canvas);
    }
}

static void draw_ray(struct canvas *canvas, double angle)
{
    double c = cos(angle), s = sin(angle);
    struct corner corners[3] = {
        {sixteenths(80 + 8 * c), sixteenths(80 + 8 * s), 1, 1, {0}},
        {sixteenths(80 + 76 * c - s), sixteenths(80 + 76 * s + c), 1, 1, {0}},
        {sixteenths(80 + 76 * c + s), sixteenths(80 + 76 * s - c), 1, 1, {0}}};
    draw(canvas, corners, black);
}

static double mean(const struct canvas *canvas, int x, int y, int channel)
{
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum += canvas->rgb[i][y][x][channel];
    return floor(sum / SAMPLES + 0.5);
}

void draw_msaa_triangle(struct drawing *drawing)
{
    static const double turn = 6.28318530717958647693;
    static const struct corner triangle[3] = {
        /* clang-format off */
        {77,    31,     1, 1, {1, 0, 0}},
        {33,    112,    1, 1, {0, 1, 0}},
        {130.5, 102.25, 1, 1, {0, 0, 1}},
        /* clang-format on */
    };
    static struct canvas canvas;
    for (int i = 0; i < SAMPLES * SIZE * SIZE; i++) {
        double *rgb = canvas.rgb[i / SIZE / SIZE][i / SIZE % SIZE][i % SIZE];
        rgb[0] = rgb[1] = 255;
        rgb[2] = 0;
    }
    for (int ray = 0; ray < RAYS; ray++)
        draw_ray(&canvas, (ray + 0.3) * turn / RAYS);
    draw(&canvas, triangle, coloured);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            set_pixel(drawing, x, y,
                      (struct colour){mean(&canvas, x, y, 0), mean(&canvas, x, y, 1),
                                      mean(&canvas, x, y, 2), 255});
}
