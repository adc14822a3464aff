/* SPDX-License-Identifier: MIT */
/* png.h - pictures as PNG files, fast rather than small. */
#ifndef SHIM_DRM_PNG_H
#define SHIM_DRM_PNG_H

#include <stddef.h>
#include <stdint.h>

/* A file with 8 bits each of red, green and blue. pixels: 0x00RRGGBB, row by row from the top. *bytes is to be freed. Error:
 * ENOMEM. Other errors: EINVAL (a size that PNG cannot hold). */
int png_encode(uint8_t **bytes, size_t *size, const uint32_t *pixels, uint32_t width,
               uint32_t height);

#endif
