/* SPDX-License-Identifier: MIT */
/* surface.h - how much memory pictures take: textures and what is drawn to.
 *
 * In:  a size in pixels, a format of memory. Out: bytes. */
#ifndef SHIM_DRM_SURFACE_H
#define SHIM_DRM_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "refusal.h"

/* Formats of memory, as control lists encode them. */
enum surface_format { SURFACE_RASTER, SURFACE_T, SURFACE_LT, SURFACE_FORMATS };

enum { SURFACE_MOST_PIXELS = 4096 }; /* in each direction */

struct bo;

/* Whether the TMU expects a texture level of this size in LT-format. pixel_bytes is 1, 2, 4 or 8. */
bool surface_is_lt(uint32_t width, uint32_t height, uint32_t pixel_bytes);

/* Bytes of a picture, padded as the format needs it. No more than SURFACE_MOST_PIXELS in each direction. */
uint32_t surface_bytes(enum surface_format format, uint32_t width, uint32_t height,
                       uint32_t pixel_bytes);

/* Whether a picture that begins at offset is in the buffer object: 0, or EINVAL and *why. */
int surface_check(const struct bo *bo, uint32_t offset, enum surface_format format, uint32_t width,
                  uint32_t height, uint32_t pixel_bytes, struct refusal *why);

#endif
