/* SPDX-License-Identifier: MIT */
/* palette.h - chooses up to 256 colours for a picture. */
#ifndef CLI_PI_PALETTE_H
#define CLI_PI_PALETTE_H

#include <stdbool.h>

#include "cli/pi/picture.h"

enum { PALETTE_COLOURS = 256, PALETTE_BINS = 1 << 15 };

struct palette {
    uint8_t colours[PALETTE_COLOURS][3]; /* red, green, blue */
    unsigned count;
    uint8_t of_bin[PALETTE_BINS]; /* number of the colour for the top 5 bits of each component */
};

/* Chooses the colours of a picture. Returns false if the host is out of memory. */
bool palette_choose(struct palette *palette, const struct picture *picture);

/* Returns the number of the colour for a pixel. */
unsigned palette_find(const struct palette *palette, const uint8_t *rgb);

#endif
