/* SPDX-License-Identifier: MIT */
/* png.h - encodes pictures as PNG files. Encoding is fast, at the price of larger files. */
#ifndef SHIM_DRM_DISPLAY_PNG_H
#define SHIM_DRM_DISPLAY_PNG_H

#include <stddef.h>
#include <stdint.h>

/* Encodes a picture with 8 bits each of red, green and blue. `pixels` are 0x00RRGGBB values, row by
 * row from the top. The caller frees *bytes. Errors: ENOMEM, EINVAL (unsupported width or
 * height). */
int png_encode(uint8_t **bytes, size_t *size, const uint32_t *pixels, uint32_t width,
               uint32_t height);

#endif
