/* SPDX-License-Identifier: MIT */
/* picture.h - what a picture consists of. */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <tessera/draw.h>

enum { DRAW_CHANNELS = 3 };

struct tess_picture {
    uint32_t width, height;
    uint8_t *pixels; /* DRAW_CHANNELS bytes each */
    double *depth;
};

/* 0 to 1 as 0 to 255, rounded; what is outside is cut, NaN is 0. */
uint8_t draw_byte(double value);

#endif
