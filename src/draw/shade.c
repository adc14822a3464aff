/* SPDX-License-Identifier: MIT */
/* shade.c - see shade.h. */
#include "draw/shade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- onto the picture --- */

/* Tests a pixel's depth. If the pixel is visible, stores its depth and returns true. */
static bool test_depth(const struct shade *shade, size_t at, double depth)
{
    double *nearest = &shade->picture->depth[at];
    if (shade->draw->no_depth)
        return true;
    bool within = depth >= 0 && depth <= 1;
    shade->counts->beyond += !within;
    shade->counts->hidden += within && depth > *nearest;
    if (!within || depth > *nearest)
        return false;
    *nearest = depth;
    return true;
}

static void put_pixel(const struct shade *shade, uint32_t x, uint32_t y, double depth,
                      const double colour[DRAW_CHANNELS])
{
    size_t at = (size_t)y * shade->picture->width + x;
    if (!test_depth(shade, at, depth))
        return;
    uint8_t *pixel = &shade->picture->pixels[at * DRAW_CHANNELS], bytes[DRAW_CHANNELS];
    for (unsigned c = 0; c < DRAW_CHANNELS; c++)
        bytes[c] = draw_byte(colour[c]);
    shade->counts->unchanged += memcmp(pixel, bytes, sizeof bytes) == 0;
    memcpy(pixel, bytes, sizeof bytes);
    shade->counts->pixels++;
}

/* --- without a shader program --- */

static void put_plain(const struct shade *shade, uint32_t x, uint32_t y,
                      const struct draw_point *point)
{
    double colour[DRAW_CHANNELS] = {0};
    for (unsigned i = 0; i < DRAW_CORNERS; i++) {
        const float *of = shade->draw->vertices[shade->corners[i]].colour;
        for (unsigned c = 0; c < DRAW_CHANNELS && point->parts[i] != 0; c++)
            colour[c] += point->parts[i] * (double)of[c];
    }
    for (unsigned c = 0; c < DRAW_CHANNELS; c++)
        colour[c] /= point->inverse_w;
    put_pixel(shade, x, y, point->z, colour);
}

/* --- with a shader program --- */

/* Returns the pixel's final depth. If the program has changed the depth, the final depth is the
 * program's value, clamped to 0..1 as in OpenGL. Otherwise the final depth is the interpolated
 * depth in double precision. */
static double final_depth(const struct shade *shade, size_t i)
{
    float depth = shade->new_depths[i];
    if (depth == shade->pixels[i].depth)
        return shade->depths[i];
    return depth > 0 ? fmin((double)depth, 1) : 0;
}

static void put_shaded(const struct shade *shade, size_t i)
{
    const struct tess_draw_pixel *pixel = &shade->pixels[i];
    const float *from = shade->colours[i];
    const double colour[DRAW_CHANNELS] = {(double)from[0], (double)from[1], (double)from[2]};
    if (pixel->helper)
        return;
    shade->counts->shaded++;
    shade->counts->killed += shade->killed[i] != 0;
    if (!shade->killed[i])
        put_pixel(shade, pixel->x, pixel->y, final_depth(shade, i), colour);
}

/* Shades the collected pixels and writes them to the picture. */
static void flush(struct shade *shade)
{
    struct tess_draw_pixels pixels = {
        .count = shade->count,
        .pixels = shade->pixels,
        .colours = shade->colours,
        .depths = shade->new_depths,
        .killed = shade->killed,
    };
    if (shade->count == 0 || shade->status != TESS_OK)
        return;
    for (uint32_t i = 0; i < shade->draw->varying_count; i++)
        pixels.varyings[i] = (const float(*)[4])(shade->varyings + (size_t)i * TESS_DRAW_BATCH);
    memset(shade->colours, 0, shade->count * sizeof *shade->colours);
    memset(shade->killed, 0, shade->count);
    for (size_t i = 0; i < shade->count; i++)
        shade->new_depths[i] = shade->pixels[i].depth;
    shade->status = shade->draw->shade(shade->draw->user, &pixels);
    for (size_t i = 0; i < shade->count && shade->status == TESS_OK; i++)
        put_shaded(shade, i);
    shade->count = 0;
}

/* Interpolates the varyings at a pixel with perspective correction. The weights in point->parts are
 * multiplied by 1/w, and are therefore divided by the pixel's 1/w. */
static void interpolate(const struct shade *shade, size_t lane, const struct draw_point *point)
{
    const struct tess_draw *draw = shade->draw;
    double parts[DRAW_CORNERS];
    for (unsigned i = 0; i < DRAW_CORNERS; i++)
        parts[i] = point->parts[i] / point->inverse_w;
    for (uint32_t v = 0; v < draw->varying_count; v++) {
        double sum[4] = {0};
        for (unsigned i = 0; i < DRAW_CORNERS; i++) {
            const float *of = draw->varyings[shade->corners[i] * draw->varying_count + v];
            for (unsigned c = 0; c < 4 && parts[i] != 0; c++)
                sum[c] += parts[i] * (double)of[c];
        }
        for (unsigned c = 0; c < 4; c++)
            shade->varyings[(size_t)v * TESS_DRAW_BATCH + lane][c] = (float)sum[c];
    }
}

static void collect(struct shade *shade, const struct draw_quad *quad)
{
    if (shade->count == TESS_DRAW_BATCH)
        flush(shade);
    for (unsigned i = 0; i < DRAW_QUAD; i++) {
        size_t lane = shade->count++;
        const struct draw_point *point = &quad->at[i];
        uint32_t x = quad->x + i % 2, y = quad->y + i / 2;
        shade->depths[lane] = point->z;
        shade->pixels[lane] = (struct tess_draw_pixel){
            .x = x,
            .y = y,
            .helper = !(quad->covered >> i & 1),
            .clockwise = shade->clockwise,
            .depth = (float)point->z,
            .inverse_w = (float)point->inverse_w,
        };
        if (shade->draw->primitive == TESS_DRAW_POINTS) {
            shade->pixels[lane].point[0] = (float)((x + 0.5 - shade->point[0]) / shade->side);
            shade->pixels[lane].point[1] = (float)((y + 0.5 - shade->point[1]) / shade->side);
        }
        interpolate(shade, lane, point);
    }
}

/* --- blocks --- */

bool shade_begin(struct shade *shade, struct tess_picture *picture, const struct tess_draw *draw,
                 struct tess_draw_counts *counts)
{
    *shade = (struct shade){.picture = picture, .draw = draw, .counts = counts};
    if (!draw->shade)
        return true;
    size_t most = TESS_DRAW_BATCH, varyings = draw->varying_count ? draw->varying_count : 1;
    shade->pixels = calloc(most, sizeof *shade->pixels);
    shade->depths = calloc(most, sizeof *shade->depths);
    shade->varyings = calloc(most * varyings, sizeof *shade->varyings);
    shade->colours = calloc(most, sizeof *shade->colours);
    shade->new_depths = calloc(most, sizeof *shade->new_depths);
    shade->killed = calloc(most, sizeof *shade->killed);
    bool good = shade->pixels && shade->depths && shade->varyings && shade->colours &&
                shade->new_depths && shade->killed;
    if (!good)
        shade_end(shade);
    return good;
}

void shade_quad(void *user, const struct draw_quad *quad)
{
    struct shade *shade = user;
    if (shade->status != TESS_OK)
        return;
    shade->counts->covered += (uint64_t)__builtin_popcount(quad->covered);
    if (shade->draw->shade) {
        collect(shade, quad);
        return;
    }
    for (unsigned i = 0; i < DRAW_QUAD; i++)
        if (quad->covered >> i & 1)
            put_plain(shade, quad->x + i % 2, quad->y + i / 2, &quad->at[i]);
}

void shade_end(struct shade *shade)
{
    flush(shade);
    free(shade->pixels);
    free(shade->depths);
    free(shade->varyings);
    free(shade->colours);
    free(shade->new_depths);
    free(shade->killed);
}
