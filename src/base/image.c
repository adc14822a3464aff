/* SPDX-License-Identifier: MIT */
/* image.c - see image.h. Encoding is tuned for speed: rows are not filtered and zlib runs at level
 * 1. */
#include "base/image.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

enum { FASTEST = 1 };

/* Images with more bytes are rejected as damaged files. */
static const uint64_t most_bytes = UINT64_C(1) << 30;

struct encoder {
    struct buffer *out;
    uint32_t width, height, channels;
    void (*fill)(void *user, uint32_t y, uint8_t *row);
    void *user;
    uint8_t *row;
};

static void append(png_structp png, png_bytep bytes, size_t size)
{
    buffer_append(png_get_io_ptr(png), bytes, size);
}

static void flush(png_structp png)
{
    (void)png;
}

static _Noreturn void give_up(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Writes the file. If libpng reports an error, longjmp() leaves this function, so the function must
 * not allocate memory. */
static void encode(png_structp png, png_infop info, const struct encoder *encoder)
{
    png_set_write_fn(png, encoder->out, append, flush);
    png_set_compression_level(png, FASTEST);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(png, info, encoder->width, encoder->height, 8,
                 encoder->channels == IMAGE_RGBA ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < encoder->height; y++) {
        encoder->fill(encoder->user, y, encoder->row);
        png_write_row(png, encoder->row);
    }
    png_write_end(png, info);
}

static enum tess_status encode_guarded(png_structp png, png_infop info,
                                       const struct encoder *encoder)
{
    if (setjmp(png_jmpbuf(png)))
        return TESS_INVALID;
    encode(png, info, encoder);
    return TESS_OK;
}

/* Allocator for libpng. libpng reports a lack of memory like other errors, so the allocator records
 * a failed allocation in *lacked. */
static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    bool *lacked = png_get_mem_ptr(png);
    void *memory = malloc(size);
    *lacked |= !memory;
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static enum tess_status encode_with_row(const struct encoder *encoder)
{
    bool lacked = false;
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, give_up,
                                                ignore_warning, &lacked, allocate, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    enum tess_status status = info ? encode_guarded(png, info, encoder) : TESS_NO_MEMORY;
    png_destroy_write_struct(&png, &info);
    return lacked || encoder->out->failed ? TESS_NO_MEMORY : status;
}

enum tess_status image_encode(struct buffer *out, uint32_t width, uint32_t height,
                              uint32_t channels, void (*fill)(void *user, uint32_t y, uint8_t *row),
                              void *user)
{
    if (width == 0 || height == 0 || (uint64_t)width * channels > most_bytes)
        return TESS_INVALID;
    struct encoder encoder = {out, width, height, channels, fill, user, NULL};
    encoder.row = malloc((size_t)width * channels);
    if (!encoder.row)
        return TESS_NO_MEMORY;
    enum tess_status status = encode_with_row(&encoder);
    free(encoder.row);
    return status;
}

static enum tess_status decode_pixels(struct image *image, png_image *png)
{
    uint64_t bytes = (uint64_t)png->width * png->height * image->channels;
    if (bytes > most_bytes)
        return TESS_BAD_INPUT;
    uint8_t *pixels = malloc((size_t)bytes);
    if (!pixels)
        return TESS_NO_MEMORY;
    if (!png_image_finish_read(png, NULL, pixels, 0, NULL)) {
        free(pixels);
        return TESS_BAD_INPUT;
    }
    *image = (struct image){png->width, png->height, image->channels, pixels};
    return TESS_OK;
}

enum tess_status image_decode(struct image *image, uint32_t channels, const void *bytes,
                              size_t size)
{
    *image = (struct image){.channels = channels};
    png_image png = {.version = PNG_IMAGE_VERSION};
    enum tess_status status = TESS_BAD_INPUT;
    if (png_image_begin_read_from_memory(&png, bytes, size)) {
        png.format = channels == IMAGE_RGBA ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
        status = decode_pixels(image, &png);
    }
    png_image_free(&png);
    return status;
}

void image_free(struct image *image)
{
    free(image->pixels);
    *image = (struct image){0};
}
