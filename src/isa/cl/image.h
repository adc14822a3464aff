/* SPDX-License-Identifier: MIT */
/* image.h - how many bytes an image takes in each memory format: raster, T-format and
 * LT-format (manual section 11). */
#ifndef ISA_CL_IMAGE_H
#define ISA_CL_IMAGE_H

#include <stdint.h>

/* Memory formats, in the numbering of records 28, 29 and 113. */
enum { CL_IMAGE_RASTER, CL_IMAGE_T, CL_IMAGE_LT, CL_IMAGE_FORMATS };

/* An image as it is stored: padded to 16 bytes a row (raster), to microtiles (LT) or to tiles
 * of 8 x 8 microtiles (T). */
struct cl_image {
    uint32_t utile_width, utile_height; /* in pixels */
    uint32_t width, height;             /* stored pixels */
    uint32_t row_bytes;                 /* from row to row; raster only */
    uint32_t bytes;
};

/* bits: of a pixel. 64, 32, 16, 8, 4 or 1. */
void cl_image_size(struct cl_image *image, uint32_t format, uint32_t width, uint32_t height,
                   uint32_t bits);

#endif
