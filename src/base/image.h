/* SPDX-License-Identifier: MIT */
/* image.h - reads and writes PNG files. Pixels are RGB or RGBA with 8 bits per channel. */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include <tessera/tessera.h>

#include "base/buffer.h"

enum { IMAGE_RGB = 3, IMAGE_RGBA = 4 }; /* number of channels, equal to the bytes per pixel */

/* Pixels are stored row by row from the top, without padding. */
struct image {
    uint32_t width, height, channels;
    uint8_t *pixels;
};

/* Appends a PNG file to *out. Calls fill once for each row from the top. fill sets all bytes of the
 * row, `channels` bytes per pixel. Errors: TESS_INVALID for a size that PNG cannot represent,
 * TESS_NO_MEMORY. */
enum tess_status image_encode(struct buffer *out, uint32_t width, uint32_t height,
                              uint32_t channels, void (*fill)(void *user, uint32_t y, uint8_t *row),
                              void *user);

/* Decodes a PNG file of any colour type to RGB or RGBA, as `channels` selects. The caller releases
 * the image with image_free(). Errors: TESS_BAD_INPUT, TESS_NO_MEMORY. */
enum tess_status image_decode(struct image *image, uint32_t channels, const void *bytes,
                              size_t size);

void image_free(struct image *image);

#endif
