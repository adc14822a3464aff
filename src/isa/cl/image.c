/* SPDX-License-Identifier: MIT */
/* image.c - see image.h.
 *
 * Source: manual section 11, "Micro-tiles" and figures 13 to 15; Mesa vc4_tiling.c and the kernel's
 *         vc4_validate.c for padding. */
#include "isa/cl/image.h"

#include <stddef.h>

enum { UTILE_BYTES = 64, TILE_UTILES = 8, ROW_ALIGNMENT = 16 };

static const struct {
    uint8_t bits, width, height;
} utiles[] = {
    /* clang-format off */
    {64, 2,  4},
    {32, 4,  4},
    {16, 8,  4},
    {8,  8,  8},
    {4,  16, 8},
    {1,  32, 16},
    /* clang-format on */
};

static void set_utile(struct cl_image *image, uint32_t bits)
{
    image->utile_width = 4;
    image->utile_height = 4;
    for (size_t i = 0; i < sizeof utiles / sizeof *utiles; i++)
        if (utiles[i].bits == bits) {
            image->utile_width = utiles[i].width;
            image->utile_height = utiles[i].height;
        }
}

static uint32_t align(uint32_t value, uint32_t to)
{
    return (value + to - 1) / to * to;
}

void cl_image_size(struct cl_image *image, uint32_t format, uint32_t width, uint32_t height,
                   uint32_t bits)
{
    *image = (struct cl_image){.height = height};
    set_utile(image, bits);
    if (format == CL_IMAGE_RASTER) {
        image->row_bytes = align((width * bits + 7) / 8, ROW_ALIGNMENT);
        image->width = image->row_bytes * 8 / bits;
        image->bytes = image->row_bytes * height;
        return;
    }
    uint32_t unit = format == CL_IMAGE_T ? TILE_UTILES : 1;
    image->width = align(width, unit * image->utile_width);
    image->height = align(height, unit * image->utile_height);
    image->bytes = image->width / image->utile_width * (image->height / image->utile_height) *
                   UTILE_BYTES;
}
