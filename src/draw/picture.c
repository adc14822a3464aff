/* SPDX-License-Identifier: MIT */
/* picture.c - creates pictures (pixels and depths), and reads and writes PNG files. */
#include "draw/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/image.h"

uint8_t draw_byte(double value)
{
    return value > 0 ? (uint8_t)(fmin(value, 1) * 255 + 0.5) : 0; /* NaN becomes 0 */
}

enum tess_status tess_picture_create(uint32_t width, uint32_t height, const float background[3],
                                     struct tess_picture **picture)
{
    if (!picture)
        return TESS_INVALID;
    *picture = NULL;
    if (!background || width < 1 || height < 1 || width > TESS_PICTURE_MOST ||
        height > TESS_PICTURE_MOST)
        return TESS_INVALID;
    size_t pixels = (size_t)width * height;
    struct tess_picture *new = calloc(1, sizeof *new);
    if (!new)
        return TESS_NO_MEMORY;
    *new = (struct tess_picture){width, height, malloc(pixels * DRAW_CHANNELS),
                                 malloc(pixels * sizeof(double))};
    if (!new->pixels || !new->depth) {
        tess_picture_free(new);
        return TESS_NO_MEMORY;
    }
    for (size_t i = 0; i < pixels; i++) {
        new->depth[i] = 1;
        for (unsigned c = 0; c < DRAW_CHANNELS; c++)
            new->pixels[i * DRAW_CHANNELS + c] = draw_byte((double)background[c]);
    }
    *picture = new;
    return TESS_OK;
}

void tess_picture_free(struct tess_picture *picture)
{
    if (!picture)
        return;
    free(picture->pixels);
    free(picture->depth);
    free(picture);
}

const uint8_t *tess_picture_pixels(const struct tess_picture *picture)
{
    return picture ? picture->pixels : NULL;
}

static void copy_row(void *user, uint32_t y, uint8_t *row)
{
    const struct tess_picture *picture = user;
    size_t bytes = (size_t)picture->width * DRAW_CHANNELS;
    memcpy(row, picture->pixels + y * bytes, bytes);
}

enum tess_status tess_picture_png(const struct tess_picture *picture, uint8_t **bytes, size_t *size)
{
    struct buffer file = {0};
    if (!picture || !bytes || !size)
        return TESS_INVALID;
    enum tess_status status = image_encode(&file, picture->width, picture->height, IMAGE_RGB,
                                           copy_row, (void *)picture);
    if (status != TESS_OK)
        buffer_free(&file);
    *bytes = file.data;
    *size = file.size;
    return status;
}

static uint32_t read_big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Reads the size from the IHDR chunk, which is the first chunk. Source: Portable Network Graphics,
 * 5.2 and 11.2.2. */
enum tess_status tess_png_size(const void *bytes, size_t size, uint32_t *width, uint32_t *height)
{
    static const uint8_t beginning[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                        0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    const uint8_t *at = bytes;
    if (!bytes || !width || !height)
        return TESS_INVALID;
    if (size < sizeof beginning + 8 || memcmp(bytes, beginning, sizeof beginning) != 0)
        return TESS_BAD_INPUT;
    *width = read_big_endian(at + sizeof beginning);
    *height = read_big_endian(at + sizeof beginning + 4);
    return TESS_OK;
}

enum tess_status tess_png_read(const void *bytes, size_t size, uint32_t *width, uint32_t *height,
                               uint8_t **rgba)
{
    struct image image;
    if (!bytes || !width || !height || !rgba)
        return TESS_INVALID;
    enum tess_status status = image_decode(&image, IMAGE_RGBA, bytes, size);
    *width = image.width;
    *height = image.height;
    *rgba = image.pixels;
    return status;
}
