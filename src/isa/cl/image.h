/* SPDX-License-Identifier: MIT */
/* image.h - size of an image in each memory format: raster, T-format and LT-format
 * (manual section 11). */
#ifndef ISA_CL_IMAGE_H
#define ISA_CL_IMAGE_H

#include <stdint.h>

/* Memory formats, numbered as in the records that load and store tiles (28 and 29) and in the tile
 * rendering mode (113). */
enum { CL_IMAGE_RASTER, CL_IMAGE_T, CL_IMAGE_LT, CL_IMAGE_FORMATS };

/* An image as stored. Rows of raster images are padded to 16 bytes. LT-format is padded to
 * microtiles, T-format to tiles of 8 x 8 microtiles. */
struct cl_image {
    uint32_t utile_width, utile_height; /* in pixels */
    uint32_t width, height;             /* in pixels, with padding */
    uint32_t row_bytes;                 /* distance of rows in bytes; 0 if the format is not
                                         * raster */
    uint32_t bytes;
};

/* Computes the size of an image. bits is the size of a pixel: 64, 32, 16, 8, 4 or 1. */
void cl_image_size(struct cl_image *image, uint32_t format, uint32_t width, uint32_t height,
                   uint32_t bits);

#endif
