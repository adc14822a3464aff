/* SPDX-License-Identifier: MIT */
/* shade.h - computes the colours of pixels and writes the pixels to the picture.
 *
 * In:  blocks of pixels, and the vertices of the primitive of each block.
 * Out: pixels of the picture and their depths. If the draw has a shader program, pixels are
 *      collected, shaded in batches, and written in the order in which they were collected. */
#ifndef DRAW_SHADE_H
#define DRAW_SHADE_H

#include "draw/picture.h"
#include "draw/raster.h"

struct shade {
    struct tess_picture *picture;
    const struct tess_draw *draw;
    struct tess_draw_counts *counts;
    enum tess_status status; /* TESS_OK, or the error that draw->shade() returned */
    /* The current primitive. */
    size_t corners[DRAW_CORNERS]; /* vertex numbers; the weights of unused corners are 0 */
    bool clockwise;
    double point[2], side; /* upper left corner and side length of a point's square, in pixels */
    /* Pixels that are collected for the next batch. */
    size_t count;
    struct tess_draw_pixel *pixels;
    double *depths;       /* interpolated depths in double precision */
    float (*varyings)[4]; /* TESS_DRAW_BATCH entries per varying */
    float (*colours)[4];
    float *new_depths;
    uint8_t *killed;
};

/* Prepares to shade one draw. Returns false if the host is out of memory. Otherwise the caller must
 * call shade_end(). */
bool shade_begin(struct shade *shade, struct tess_picture *picture, const struct tess_draw *draw,
                 struct tess_draw_counts *counts);

/* Shades a block, or collects the block for the next batch if the draw has a shader program. user
 * is a struct shade. */
void shade_quad(void *user, const struct draw_quad *quad);

/* Shades the collected pixels, writes them to the picture, and frees all memory. */
void shade_end(struct shade *shade);

#endif
