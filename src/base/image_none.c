/* SPDX-License-Identifier: MIT */
/* image_none.c - image.h for builds without libpng: encoding and decoding fail. */
#include "base/image.h"

enum tess_status image_encode(struct buffer *out, uint32_t width, uint32_t height,
                              uint32_t channels, void (*fill)(void *user, uint32_t y, uint8_t *row),
                              void *user)
{
    (void)out, (void)width, (void)height, (void)channels, (void)fill, (void)user;
    return TESS_INVALID;
}

enum tess_status image_decode(struct image *image, uint32_t channels, const void *bytes,
                              size_t size)
{
    (void)bytes, (void)size;
    *image = (struct image){.channels = channels};
    return TESS_BAD_INPUT;
}

void image_free(struct image *image)
{
    (void)image;
}
