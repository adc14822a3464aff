/* SPDX-License-Identifier: MIT */
/* blend_modes.c - draws twelve diamonds over a background of gradients, each with another blend
 * mode. All arithmetic is in bytes. */
#include "reference.h"

enum { CELL = 64, ACROSS = 4, MODES = 12 };

static const int source[4] = {255, 128, 64, 160};

/* Blends one channel by the mode. s is the source, d the destination, and a the source's alpha. */
static int blend(int mode, int s, int d, int a)
{
    switch (mode) {
    case 0: return s;
    case 1: return byte_sum(byte_product(s, a), byte_product(d, 255 - a));
    case 2: return byte_sum(d, s);
    case 3: return byte_difference(d, s);
    case 4: return byte_product(s, d);
    case 5: return 255 - byte_product(255 - s, 255 - d);
    case 6: return s < d ? s : d;
    case 7: return s > d ? s : d;
    case 8: return s > d ? s - d : d - s;
    case 9: return s / 2 + d / 2;
    case 10: return s ^ d;
    default: return 255 - d;
    }
}

static int cell_of(const struct fragment *f)
{
    return f->y / CELL * ACROSS + f->x / CELL;
}

static void diamond(void *user, const struct fragment *f)
{
    struct colour *under = &pixel_at(user, f->x, f->y)->want[0];
    int mode = cell_of(f), alpha = source[3];
    set_pixel(user, f->x, f->y,
              (struct colour){blend(mode, source[0], (int)under->r, alpha),
                              blend(mode, source[1], (int)under->g, alpha),
                              blend(mode, source[2], (int)under->b, alpha), 255});
}

void draw_blend_modes(struct drawing *drawing)
{
    struct raster raster = centres(drawing);
    for (int y = 0; y < drawing->height; y++)
        for (int x = 0; x < drawing->width; x++)
            set_pixel(drawing, x, y, (struct colour){x % CELL * 4, y % CELL * 4, 96, 255});
    for (int mode = 0; mode < MODES; mode++) {
        double x = mode % ACROSS * CELL + 32, y = mode / ACROSS * CELL + 32;
        struct corner corners[4] = {{x, y - 28, 1, 1, {0}},
                                    {x - 28, y, 1, 1, {0}},
                                    {x + 28, y, 1, 1, {0}},
                                    {x, y + 28, 1, 1, {0}}};
        rasterise_quad(&raster, corners, diamond, drawing);
    }
}
