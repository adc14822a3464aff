/* SPDX-License-Identifier: MIT */
/* picture.h - a picture of the display. */
#ifndef CLI_PI_PICTURE_H
#define CLI_PI_PICTURE_H

#include <stdint.h>

/* Rows from the top; each pixel has red, green, blue and 255. rgba is NULL if there is no
 * picture. */
struct picture {
    uint32_t width, height;
    uint8_t *rgba;
};

#endif
