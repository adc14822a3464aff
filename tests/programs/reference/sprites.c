/* SPDX-License-Identifier: MIT */
/* sprites.c - draws 22 points with a texture of 16x16 texels, each of which is visible or not. */
#include <math.h>

#include "reference.h"

enum { POINTS = 21, TEXELS = 16 };

struct sprite {
    struct drawing *drawing;
    int rgb[3];
};

/* Returns the brightness of a texel, or -1 if the texel is not visible. Row 0 is at the bottom. */
static int ball(int x, int y)
{
    if ((2 * x - 15) * (2 * x - 15) + (2 * y - 15) * (2 * y - 15) >= 240)
        return -1;
    return 255 - 3 * ((x - 4) * (x - 4) + (y - 11) * (y - 11)) / 2;
}

static struct colour shade(const struct sprite *sprite, int light)
{
    const int *rgb = sprite->rgb;
    return (struct colour){byte_product(rgb[0], light), byte_product(rgb[1], light),
                           byte_product(rgb[2], light), 255};
}

/* Up to four texels are close to the coordinate. If one of them is not visible, the previous
 * colour of the pixel is also possible. */
static void pixel_of_sprite(void *user, const struct fragment *f)
{
    const struct sprite *sprite = user;
    struct pixel *pixel = pixel_at(sprite->drawing, f->x, f->y);
    int x[2], y[2], there = 0;
    unsigned across = nearest_texels(f->values[0] * TEXELS, TEXELS, x);
    unsigned down = nearest_texels(f->values[1] * TEXELS, TEXELS, y);
    for (unsigned i = 0; i < across * down; i++)
        there += ball(x[i % across], y[i / across]) >= 0;
    if (there == 0)
        return;
    unsigned all = across * down;
    pixel->edge = there < (int)all;
    if (ball(x[0], y[0]) < 0)
        return;
    pixel->count = 0;
    for (unsigned i = 0; i < all; i++)
        if (ball(x[i % across], y[i / across]) >= 0)
            pixel->want[pixel->count++] = shade(sprite, ball(x[i % across], y[i / across]));
}

static void draw_sprite(struct drawing *drawing, double x, double y, double size,
                        const double rgb[3])
{
    struct raster raster = centres(drawing);
    struct sprite sprite = {drawing, {0}};
    for (int i = 0; i < 3; i++)
        sprite.rgb[i] = (int)lround(255 * rgb[i]);
    rasterise_point(&raster, sixteenths(x), sixteenths(y), size, pixel_of_sprite, &sprite);
}

void draw_sprites(struct drawing *drawing)
{
    static const double turn = 6.28318530717958647693, white[3] = {1, 1, 1};
    fill(drawing, (struct colour){16, 32, 64, 255});
    draw_sprite(drawing, 128, 128, 96, white);
    for (int i = 0; i < POINTS; i++) {
        double angle = i * turn / POINTS, rgb[3];
        for (int channel = 0; channel < 3; channel++)
            rgb[channel] = 0.5 + 0.5 * cos(angle - channel * turn / 3);
        draw_sprite(drawing, 128 + 90 * cos(angle), 128 + 90 * sin(angle), 12 + i * 2.5, rgb);
    }
}
