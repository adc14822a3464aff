/* SPDX-License-Identifier: MIT */
/* image_none.c - tests PNG files that are written without libpng. Reading them with libpng must
 * return the pixels that were written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "../register.h"

/* Other names, because the program also contains the functions of image.c. */
#define image_encode image_encode_none
#define image_decode image_decode_none
#define image_free   image_free_none
#include "../../src/base/image_none.c"
#undef image_encode
#undef image_decode
#undef image_free

enum tess_status image_decode(struct image *image, uint32_t channels, const void *bytes,
                              size_t size);
void image_free(struct image *image);

static uint8_t sample(uint32_t x, uint32_t y, uint32_t channel)
{
    return (uint8_t)(x * 7 + y * 13 + channel * 50);
}

struct pattern {
    uint32_t width, channels;
};

static void fill(void *user, uint32_t y, uint8_t *row)
{
    const struct pattern *pattern = user;
    for (uint32_t x = 0; x < pattern->width; x++)
        for (uint32_t c = 0; c < pattern->channels; c++)
            *row++ = sample(x, y, c);
}

static void round_trip(uint32_t width, uint32_t height, uint32_t channels)
{
    struct pattern pattern = {width, channels};
    struct buffer png = {0};
    struct image image;
    assert_int_equal(image_encode_none(&png, width, height, channels, fill, &pattern), TESS_OK);
    assert_int_equal(image_decode(&image, channels, png.data, png.size), TESS_OK);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    const uint8_t *at = image.pixels;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t c = 0; c < channels; c++)
                assert_int_equal(*at++, sample(x, y, c));
    image_free(&image);
    buffer_free(&png);
}

/* A row of 85 RGB pixels takes 256 bytes with the byte before it. 255 rows of 257 bytes fill a block
 * of 65535 bytes exactly; 256 rows of 256 bytes need one byte of a second block. */
TEST(pixels_survive)
{
    round_trip(1, 1, IMAGE_RGB);
    round_trip(37, 21, IMAGE_RGBA);
    round_trip(64, 255, IMAGE_RGBA);
    round_trip(85, 256, IMAGE_RGB);
    round_trip(300, 200, IMAGE_RGBA);
}

TEST(sizes_are_checked)
{
    struct pattern pattern = {1, IMAGE_RGB};
    struct buffer png = {0};
    assert_int_equal(image_encode_none(&png, 0, 1, IMAGE_RGB, fill, &pattern), TESS_INVALID);
    assert_int_equal(image_encode_none(&png, 1, 0, IMAGE_RGB, fill, &pattern), TESS_INVALID);
    assert_int_equal(image_encode_none(&png, UINT32_MAX, 1, IMAGE_RGBA, fill, &pattern),
                     TESS_INVALID);
    assert_int_equal(png.size, 0);
}
