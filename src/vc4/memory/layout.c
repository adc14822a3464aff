/* SPDX-License-Identifier: MIT */
/* layout.c - see layout.h.
 *
 * Source: manual section 11; Mesa vc4_tiling.c and the kernel's vc4_validate.c for the LT
 *         threshold. Padding is in isa/cl/image.c, the order of tiles in isa/cl/t_format.h. */
#include "vc4/memory/layout.h"

#include "isa/cl/image.h"

bool layout_is_lt(uint32_t width, uint32_t height, uint32_t bits_per_pixel)
{
    struct cl_image size;
    cl_image_size(&size, CL_IMAGE_LT, 0, 0, bits_per_pixel);
    return width <= 4 * size.utile_width || height <= 4 * size.utile_height;
}

void layout_init(struct image_layout *image, enum layout layout, uint32_t width, uint32_t height,
                 uint32_t bits_per_pixel)
{
    *image = (struct image_layout){.layout = layout, .bits_per_pixel = bits_per_pixel};
    struct cl_image size;
    cl_image_size(&size, (uint32_t)layout, width, height, bits_per_pixel);
    image->utile_width = size.utile_width;
    image->utile_height = size.utile_height;
    image->width_shift = (uint8_t)__builtin_ctz(image->utile_width);
    image->height_shift = (uint8_t)__builtin_ctz(image->utile_height);
    image->bits_shift = (uint8_t)__builtin_ctz(bits_per_pixel);
    image->size_bytes = size.bytes;
    if (layout == LAYOUT_RASTER)
        image->stride_bytes = size.row_bytes;
    else
        image->stride_px = size.width;
}

uint32_t layout_offset(const struct image_layout *image, uint32_t x, uint32_t y, uint32_t *bit)
{
    uint32_t bits;
    if (image->layout == LAYOUT_RASTER) {
        bits = x * image->bits_per_pixel;
        if (bit)
            *bit = bits % 8;
        return y * image->stride_bytes + bits / 8;
    }

    unsigned width_shift = image->width_shift, height_shift = image->height_shift;
    uint32_t utile_x = x >> width_shift, utile_y = y >> height_shift;
    uint32_t utiles_per_row = image->stride_px >> width_shift;
    uint32_t base = image->layout == LAYOUT_T
                        ? (uint32_t)t_format_offset(utiles_per_row, utile_x, utile_y)
                        : (utile_y * utiles_per_row + utile_x) * UTILE_BYTES;
    uint32_t column = x & (image->utile_width - 1), row = y & (image->utile_height - 1);
    bits = ((row << width_shift) + column) * image->bits_per_pixel;
    if (bit)
        *bit = bits % 8;
    return base + bits / 8;
}

/* In T-format, a subtile's position in the order of its tile is the exclusive-or of two numbers:
 * one depends only on the column and is 0 or 3, the other depends only on the row. In odd rows,
 * tiles are stored from right to left. `mix` therefore inverts the tile's column number in these
 * rows. */
void layout_columns(const struct image_layout *image, const lanes *x, lanes *column)
{
    unsigned shift = image->width_shift;
    if (image->layout == LAYOUT_RASTER) {
        *column = *x << image->bits_shift >> 3;
        return;
    }
    lanes inside = (*x & (image->utile_width - 1)) << image->bits_shift >> 3;
    if (image->layout == LAYOUT_LT)
        *column = (*x >> shift) * UTILE_BYTES | inside;
    else
        *column = (*x >> (shift + 3)) * TILE_BYTES | (*x >> (shift + 2) & 1) * (3 * SUBTILE_BYTES) |
                  (*x >> shift & 3) * UTILE_BYTES | inside;
}

void layout_rows(const struct image_layout *image, const lanes *y, struct layout_rows *rows)
{
    if (image->layout == LAYOUT_RASTER) {
        rows->base = *y * image->stride_bytes;
        rows->mix = (lanes){0};
        return;
    }
    unsigned shift = image->height_shift;
    unsigned row_shift = (unsigned)image->width_shift + image->bits_shift - 3;
    uint32_t utiles_per_row = image->stride_px >> image->width_shift;
    lanes inside = (*y & (image->utile_height - 1)) << row_shift;
    if (image->layout == LAYOUT_LT) {
        rows->base = (*y >> shift) * (utiles_per_row * UTILE_BYTES);
        rows->mix = inside;
        return;
    }
    lanes tile = *y >> (shift + 3), odd = tile & 1;
    rows->base = (tile + odd) * (utiles_per_row / TILE_UTILES * TILE_BYTES);
    rows->mix = odd * (0u - TILE_BYTES) | ((*y >> (shift + 2) & 1) | odd * 2) * SUBTILE_BYTES |
                (*y >> shift & 3) * (4 * UTILE_BYTES) | inside;
}
