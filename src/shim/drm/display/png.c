/* SPDX-License-Identifier: MIT */
/* png.c - see png.h.
 *
 * In:  pixels.
 * Out: the bytes of a file.
 *
 * Choices: each row contains the differences from the row above. In the pictures of most programs,
 *          most differences are zero.
 * Source: the PNG specification (W3C, 2003). */
#include "shim/drm/display/png.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum {
    CHANNELS = 3,
    LEVEL = 1,
    WINDOW_BITS = 15,
    MEMORY_LEVEL = 9,
    FILTER_UP = 2,
    MOST_PIXELS = 1 << 15
};
enum { SIGNATURE = 8, CHUNK = 12, HEADER = 13 }; /* sizes in bytes */

static uint8_t *put(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    return to + 4;
}

/* Writes the chunk's length, type and checksum. The chunk's data is already in place. */
static uint8_t *put_chunk(uint8_t *to, const char *kind, uint32_t length)
{
    put(to, length);
    memcpy(to + 4, kind, 4);
    return put(to + 8 + length, (uint32_t)crc32(0, to + 4, 4 + length));
}

static uint8_t *put_head(uint8_t *to, uint32_t width, uint32_t height)
{
    static const uint8_t signature[SIGNATURE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    /* 8 bits per channel; RGB; compression, filter and interlace methods 0 */
    static const uint8_t kind[5] = {8, 2, 0, 0, 0};
    memcpy(to, signature, SIGNATURE);
    to += SIGNATURE;
    memcpy(put(put(to + 8, width), height), kind, sizeof kind);
    return put_chunk(to, "IHDR", HEADER);
}

/* Writes the filter type, then the difference between each pixel and the pixel above. `above` is
 * NULL for the first row. */
static void fill_row(uint8_t *row, const uint32_t *pixels, const uint32_t *above, uint32_t width)
{
    *row++ = FILTER_UP;
    for (uint32_t x = 0; x < width; x++, row += CHANNELS) {
        uint32_t here = pixels[x], there = above ? above[x] : 0;
        row[0] = (uint8_t)((here >> 16) - (there >> 16));
        row[1] = (uint8_t)((here >> 8) - (there >> 8));
        row[2] = (uint8_t)(here - there);
    }
}

/* Allocation functions for zlib. By default, zlib would use those of the C library, which the
 * program may replace. */
static void *allocate(void *user, unsigned count, unsigned size)
{
    (void)user;
    return calloc(count, size);
}

static void release(void *user, void *block)
{
    (void)user;
    free(block);
}

/* Compresses the rows into the `room` bytes at `to`. Returns the number of bytes, or 0 on
 * failure. */
static size_t compress_rows(uint8_t *to, size_t room, const uint32_t *pixels, uint32_t width,
                            uint32_t height, uint8_t *row)
{
    z_stream stream = {
        .next_out = to, .avail_out = (uInt)room, .zalloc = allocate, .zfree = release};
    int status = deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_RLE);
    if (status != Z_OK)
        return 0;
    for (uint32_t y = 0; y < height && status == Z_OK; y++) {
        fill_row(row, pixels + (size_t)y * width, y ? pixels + (size_t)(y - 1) * width : NULL,
                 width);
        stream.next_in = row;
        stream.avail_in = 1 + CHANNELS * width;
        status = deflate(&stream, y + 1 == height ? Z_FINISH : Z_NO_FLUSH);
    }
    size_t size = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? size : 0;
}

int png_encode(uint8_t **bytes, size_t *size, const uint32_t *pixels, uint32_t width,
               uint32_t height)
{
    if (!width || !height || width > MOST_PIXELS || height > MOST_PIXELS / CHANNELS)
        return EINVAL;
    size_t room = compressBound((1 + CHANNELS * (uLong)width) * height);
    uint8_t *file = malloc(SIGNATURE + CHUNK + HEADER + CHUNK + room + CHUNK),
            *row = malloc(1 + CHANNELS * (size_t)width);
    uint8_t *data = file ? put_head(file, width, height) : NULL;
    size_t length = data && row ? compress_rows(data + 8, room, pixels, width, height, row) : 0;
    free(row);
    if (!length) {
        free(file);
        return ENOMEM;
    }
    *bytes = file;
    *size = (size_t)(put_chunk(put_chunk(data, "IDAT", (uint32_t)length), "IEND", 0) - file);
    return 0;
}
