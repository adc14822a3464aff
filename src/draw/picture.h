/* SPDX-License-Identifier: MIT */
/* picture.h - the representation of a picture. */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <tessera/draw.h>

enum { DRAW_CHANNELS = 3 };

struct tess_picture {
    uint32_t width, height;
    uint8_t *pixels; /* DRAW_CHANNELS bytes per pixel */
    double *depth;
};

/* Converts a value from 0 to 1 to a byte from 0 to 255, rounded to nearest. Other values are
 * clamped to 0 or 255. NaN becomes 0. */
uint8_t draw_byte(double value);

#endif
