/* SPDX-License-Identifier: MIT */
/* image.c - tests writing and reading of PNG files. The signature and IHDR bytes are those of
 * the PNG specification (third edition, sections 5.2 and 11.2.1). Reading must return the pixels
 * that were written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../register.h"
#include "base/image.h"

struct pattern {
    uint32_t width, channels, rows;
};

static uint8_t sample(uint32_t x, uint32_t y, uint32_t channel)
{
    return (uint8_t)(x * 7 + y * 13 + channel * 50);
}

static void fill(void *user, uint32_t y, uint8_t *row)
{
    struct pattern *pattern = user;
    assert_int_equal(y, pattern->rows++);
    for (uint32_t x = 0; x < pattern->width; x++)
        for (uint32_t c = 0; c < pattern->channels; c++)
            *row++ = sample(x, y, c);
}

static void round_trip(uint32_t width, uint32_t height, uint32_t channels)
{
    struct buffer png = {0};
    struct pattern pattern = {width, channels, 0};
    struct image image;
    assert_int_equal(image_encode(&png, width, height, channels, fill, &pattern), TESS_OK);
    assert_int_equal(pattern.rows, height);
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

TEST(pixels_survive)
{
    round_trip(1, 1, IMAGE_RGB);
    round_trip(37, 21, IMAGE_RGB);
    round_trip(37, 21, IMAGE_RGBA);
}

TEST(header_is_plain)
{
    static const uint8_t start[] = {
        0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13,
        'I',  'H', 'D', 'R', 0,  0,  1,  2,  0, 0, 0, 3, /* ends with the width and the height */
        8,    2,   0,   0,   0, /* bit depth 8, RGB, deflate, adaptive filters, no interlace */
    };
    struct buffer png = {0};
    struct pattern pattern = {0x102, IMAGE_RGB, 0};
    assert_int_equal(image_encode(&png, 0x102, 3, IMAGE_RGB, fill, &pattern), TESS_OK);
    assert_memory_equal(png.data, start, sizeof start);
    buffer_free(&png);
}

TEST(bad_sizes_are_refused)
{
    struct buffer png = {0};
    struct pattern pattern = {0};
    assert_int_equal(image_encode(&png, 0, 1, IMAGE_RGB, fill, &pattern), TESS_INVALID);
    assert_int_equal(image_encode(&png, 1, 0, IMAGE_RGB, fill, &pattern), TESS_INVALID);
    assert_int_equal(image_encode(&png, UINT32_MAX, 1, IMAGE_RGBA, fill, &pattern), TESS_INVALID);
    buffer_free(&png);
}

/* A truncated file must be rejected, or read if all its pixels are present. No access may be
 * outside of the bytes. */
TEST(damaged_files_are_refused)
{
    struct buffer png = {0};
    struct pattern pattern = {5, IMAGE_RGB, 0};
    struct image image;
    assert_int_equal(image_encode(&png, 5, 4, IMAGE_RGB, fill, &pattern), TESS_OK);
    for (size_t size = 0; size < png.size; size++) {
        image_decode(&image, IMAGE_RGB, png.data, size);
        image_free(&image);
    }
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, 8), TESS_BAD_INPUT);
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size / 2), TESS_BAD_INPUT);
    png.data[0] = 0;
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size), TESS_BAD_INPUT);
    buffer_free(&png);
}
