/* SPDX-License-Identifier: MIT */
/* layout.h - where a pixel lies in memory: raster, T-format and LT-format (manual section 11,
 * docs/vc4/layout.md). The texture units read through these functions, the tile buffer stores through
 * them. Row 0 is first in memory. */
#ifndef VC4_LAYOUT_H
#define VC4_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

enum layout { LAYOUT_RASTER, LAYOUT_T, LAYOUT_LT };

/* An image level: everything address computation needs. */
struct image_layout {
    enum layout layout;
    uint32_t
        bits_per_pixel;    /* 64, 32, 16, 8, 4 or 1; ETC1 counts as 64 on the grid of its blocks */
    uint32_t stride_px;    /* padded width in pixels (T, LT) */
    uint32_t stride_bytes; /* bytes from row to row (raster) */
    uint32_t utile_width, utile_height;            /* in pixels */
    uint8_t width_shift, height_shift, bits_shift; /* log2 of utile size and of bits_per_pixel */
    uint32_t size_bytes;                           /* of the padded image */
};

/* Whether the hardware takes a texture level of this size for LT-format: width or height at most four
 * microtiles (Mesa vc4_size_is_lt, kernel size_is_lt; the manual's text is twice too large). */
bool layout_is_lt(uint32_t width, uint32_t height, uint32_t bits_per_pixel);

/* Fills *image for a surface of width x height pixels. Raster rows are padded to 16 bytes. */
void layout_init(struct image_layout *image, enum layout layout, uint32_t width, uint32_t height,
                 uint32_t bits_per_pixel);

/* Byte offset of the pixel at x, y. For formats below 8 bits, *bit (may be NULL) is the position of its
 * lowest bit in that byte. */
uint32_t layout_offset(const struct image_layout *image, uint32_t x, uint32_t y, uint32_t *bit);

/* The same for 16 pixels at once, by axes, so that pixels of a column or row share the work:
 * layout_offset(x, y) is row(y).base + (column(x) ^ row(y).mix). */
struct layout_rows {
    lanes base, mix;
};
void layout_columns(const struct image_layout *image, const lanes *x, lanes *column);
void layout_rows(const struct image_layout *image, const lanes *y, struct layout_rows *rows);

#endif
