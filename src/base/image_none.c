/* SPDX-License-Identifier: MIT */
/* image_none.c - image.h for builds without libpng. Encoding writes PNG files without compression.
 * Decoding fails.
 *
 * Source: Portable Network Graphics (PNG) Specification, second edition (chunks, CRC); RFC 1950
 *         (zlib header, Adler-32), RFC 1951 (stored blocks). */
#include "base/image.h"

#include <stdlib.h>

enum {
    BLOCK_BYTES = 0xffff, /* largest size of a stored block */
    COLOUR_RGB = 2,
    COLOUR_RGBA = 6,
};

/* The data of a picture are limited to a size that one chunk can have. */
static const uint64_t most_bytes = UINT64_C(1) << 30;

static void put_be32(struct buffer *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buffer_byte(out, (uint8_t)(value >> shift));
}

/* CRC-32 as in ISO 3309. */
static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static uint32_t adler_of(const uint8_t *bytes, size_t size)
{
    const uint32_t modulus = 65521;
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + bytes[i]) % modulus;
        high = (high + low) % modulus;
    }
    return high << 16 | low;
}

static void begin_chunk(struct buffer *out, size_t size, const char *name)
{
    put_be32(out, (uint32_t)size);
    buffer_append(out, name, 4);
}

/* Appends the CRC of a chunk of `size` bytes of data. */
static void end_chunk(struct buffer *out, size_t size)
{
    if (!out->failed)
        put_be32(out, crc_of(out->data + out->size - size - 4, size + 4));
}

static void put_header(struct buffer *out, uint32_t width, uint32_t height, uint32_t channels)
{
    const uint8_t kind[] = {8, channels == IMAGE_RGBA ? COLOUR_RGBA : COLOUR_RGB, 0, 0, 0};
    const size_t size = 8 + sizeof kind;
    buffer_append(out, "\211PNG\r\n\032\n", 8);
    begin_chunk(out, size, "IHDR");
    put_be32(out, width);
    put_be32(out, height);
    buffer_append(out, kind, sizeof kind);
    end_chunk(out, size);
}

static void put_block(struct buffer *out, const uint8_t *bytes, size_t size, bool last)
{
    const uint8_t head[] = {last, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size,
                            (uint8_t)(~size >> 8)};
    buffer_append(out, head, sizeof head);
    buffer_append(out, bytes, size);
}

/* Appends the rows as a zlib stream of stored blocks. */
static void put_data(struct buffer *out, const struct buffer *rows)
{
    const size_t blocks = (rows->size + BLOCK_BYTES - 1) / BLOCK_BYTES;
    const size_t size = 2 + 5 * blocks + rows->size + 4;
    begin_chunk(out, size, "IDAT");
    buffer_append(out, "\x78\x01", 2);
    for (size_t at = 0; at < rows->size; at += BLOCK_BYTES) {
        const size_t left = rows->size - at;
        put_block(out, rows->data + at, left < BLOCK_BYTES ? left : BLOCK_BYTES,
                  left <= BLOCK_BYTES);
    }
    put_be32(out, adler_of(rows->data, rows->size));
    end_chunk(out, size);
}

enum tess_status image_encode(struct buffer *out, uint32_t width, uint32_t height,
                              uint32_t channels, void (*fill)(void *user, uint32_t y, uint8_t *row),
                              void *user)
{
    const uint64_t row_bytes = (uint64_t)width * channels;
    struct buffer rows = {0};
    if (width == 0 || height == 0 || row_bytes > most_bytes ||
        (row_bytes + 1) * height > most_bytes)
        return TESS_INVALID;
    uint8_t *row = malloc((size_t)row_bytes);
    for (uint32_t y = 0; row && y < height; y++) {
        fill(user, y, row);
        buffer_byte(&rows, 0); /* the row is not filtered */
        buffer_append(&rows, row, (size_t)row_bytes);
    }
    const bool good = row && !rows.failed;
    if (good) {
        put_header(out, width, height, channels);
        put_data(out, &rows);
        begin_chunk(out, 0, "IEND");
        end_chunk(out, 0);
    }
    free(row);
    buffer_free(&rows);
    return good && !out->failed ? TESS_OK : TESS_NO_MEMORY;
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
