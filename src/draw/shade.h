/* SPDX-License-Identifier: MIT */
/* shade.h - pixels get their colours, and go to the picture.
 *
 * In:  blocks of pixels, and which vertices the primitive has.
 * Out: pixels of the picture and their depth. With a program they are collected, shaded many at once, and put in their
 *      order. */
#ifndef DRAW_SHADE_H
#define DRAW_SHADE_H

#include "draw/picture.h"
#include "draw/raster.h"

struct shade {
    struct tess_picture *picture;
    const struct tess_draw *draw;
    struct tess_draw_counts *counts;
    enum tess_status status; /* of the program */
    /* The primitive. */
    size_t corners[DRAW_CORNERS]; /* vertices; those that it has not count nothing */
    bool clockwise;
    double point[2], side; /* of a point's square: upper left corner */
    /* Pixels that wait. */
    size_t count;
    struct tess_draw_pixel *pixels;
    double *depths;       /* as exact as without a program */
    float (*varyings)[4]; /* TESS_DRAW_BATCH of each */
    float (*colours)[4];
    float *new_depths;
    uint8_t *killed;
};

/* False if there is no memory; else end it with shade_end(). */
bool shade_begin(struct shade *shade, struct tess_picture *picture, const struct tess_draw *draw,
                 struct tess_draw_counts *counts);

/* Takes a block; user is the struct shade. */
void shade_quad(void *user, const struct draw_quad *quad);

/* Draws what waits, and frees everything. */
void shade_end(struct shade *shade);

#endif
