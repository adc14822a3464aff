/* SPDX-License-Identifier: MIT */
/* layout.h - address of a pixel in memory: raster, T-format and LT-format (manual section 11,
 * docs/vc4/layout.md).
 *
 * The texture units and the tile buffer use these functions. Row 0 is the first row in memory. */
#ifndef VC4_MEMORY_LAYOUT_H
#define VC4_MEMORY_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/cl/t_format.h"
#include "vc4/lanes/lanes.h"

enum layout { LAYOUT_RASTER, LAYOUT_T, LAYOUT_LT };

/* Parameters of an image level for address computation. */
struct image_layout {
    enum layout layout;
    uint32_t bits_per_pixel; /* 64, 32, 16, 8, 4 or 1; for ETC1, 64 bits of a 4 x 4 block */
    uint32_t stride_px;      /* padded width in pixels; T-format and LT-format only */
    uint32_t stride_bytes;   /* bytes from row to row; raster only */
    uint32_t utile_width, utile_height; /* microtile size in pixels */
    /* log2 of the microtile size and of bits_per_pixel */
    uint8_t width_shift, height_shift, bits_shift;
    uint32_t size_bytes; /* size of the padded image */
};

/* Returns true if the hardware uses LT-format for a texture level of this size: if its width or
 * height is at most four microtiles (Mesa vc4_size_is_lt, kernel size_is_lt). The limit in the
 * manual's text is twice this limit and wrong. */
bool layout_is_lt(uint32_t width, uint32_t height, uint32_t bits_per_pixel);

/* Sets *image for a surface of width x height pixels. Raster rows are padded to 16 bytes. */
void layout_init(struct image_layout *image, enum layout layout, uint32_t width, uint32_t height,
                 uint32_t bits_per_pixel);

/* Returns the byte offset of the pixel at x, y. For formats below 8 bits, sets *bit to the position
 * of the pixel's lowest bit in that byte. bit may be NULL. */
uint32_t layout_offset(const struct image_layout *image, uint32_t x, uint32_t y, uint32_t *bit);

/* Compute the offsets of 16 pixels at once, in two parts: layout_columns() computes `column` from
 * the x coordinates, and layout_rows() computes `base` and `mix` from the y coordinates. The offset
 * of a pixel is base + (column ^ mix). Pixels in one column have the same `column`, and pixels in
 * one row have the same `base` and `mix`. */
struct layout_rows {
    lanes base, mix;
};
void layout_columns(const struct image_layout *image, const lanes *x, lanes *column);
void layout_rows(const struct image_layout *image, const lanes *y, struct layout_rows *rows);

#endif
