/* SPDX-License-Identifier: MIT */
/* triangles.c - the triangles of the articles: (320,32) (32,448) (608,448) on yellow, and the NV
 * demo's. */
#include "reference.h"

static const struct colour yellow = {255, 255, 0, 255};

static const struct corner triangle[3] = {
    /* clang-format off */
    {320, 32,  1, 1, {1, 0, 0}},
    {32,  448, 1, 1, {0, 1, 0}},
    {608, 448, 1, 1, {0, 0, 1}},
    /* clang-format on */
};

/* Triangle of the NV demo. Its coordinates are 12.4 numbers relative to the viewport's centre
 * (320, 240). */
static const struct corner nv_triangle[3] = {
    {320, 240 - 3193 / 16.0, 0.94, 0.25, {1, 0, 0}},
    {320 - 3195 / 16.0, 240 + 3193 / 16.0, 0.94, 0.25, {0, 1, 0}},
    {320 + 3195 / 16.0, 240 + 3193 / 16.0, 0.94, 0.25, {0, 0, 1}}};

static void white(void *user, const struct fragment *f)
{
    set_pixel(user, f->x, f->y, (struct colour){255, 255, 255, 255});
}

static void green(void *user, const struct fragment *f)
{
    set_pixel(user, f->x, f->y, (struct colour){0, 255, 0, 255});
}

static void red_green_blue(void *user, const struct fragment *f)
{
    const double *w = f->weights;
    set_pixel(user, f->x, f->y, (struct colour){255 * w[0], 255 * w[1], 255 * w[2], 255});
}

static void draw(struct drawing *drawing, const struct corner corners[3], fragment_function *shade)
{
    struct raster raster = centres(drawing);
    fill(drawing, yellow);
    rasterise(&raster, corners, shade, drawing);
}

void draw_first_triangle(struct drawing *drawing)
{
    draw(drawing, triangle, white);
}

void draw_uniform_colour(struct drawing *drawing)
{
    draw(drawing, triangle, green);
}

void draw_varying_colour(struct drawing *drawing)
{
    draw(drawing, triangle, red_green_blue);
}

void draw_nv_triangle(struct drawing *drawing)
{
    draw(drawing, nv_triangle, red_green_blue);
}

/* --- with a texture --- */

/* Texture coordinates of the corners are (0.5, 0), (0, 1), (1, 1). The colour of texel (x, y)
 * contains 2x, 2y and a checker-board. */
static void textured(void *user, const struct fragment *f, int width, int height)
{
    const double *w = f->weights;
    struct pixel *pixel = pixel_at(user, f->x, f->y);
    int x[2], y[2];
    unsigned across = nearest_texels((0.5 * w[0] + w[2]) * width, width, x);
    unsigned down = nearest_texels((w[1] + w[2]) * height, height, y);
    pixel->count = across * down;
    for (unsigned i = 0; i < pixel->count; i++) {
        int tx = x[i % across], ty = y[i / across];
        pixel->want[i] = (struct colour){2 * tx, 2 * ty, (tx ^ ty) & 1 ? 0x40 : 0xc0, 255};
    }
}

static void texture_t(void *user, const struct fragment *f)
{
    textured(user, f, 96, 64);
}

static void texture_lt(void *user, const struct fragment *f)
{
    textured(user, f, 16, 16);
}

static void texture_raster(void *user, const struct fragment *f)
{
    textured(user, f, 64, 64);
}

void draw_textured_triangle(struct drawing *drawing)
{
    draw(drawing, triangle, texture_t);
}

void draw_textured_triangle_lt(struct drawing *drawing)
{
    draw(drawing, triangle, texture_lt);
}

void draw_textured_triangle_raster(struct drawing *drawing)
{
    draw(drawing, triangle, texture_raster);
}
