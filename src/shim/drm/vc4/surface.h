/* SPDX-License-Identifier: MIT */
/* surface.h - memory sizes of textures and render targets.
 *
 * In:  a size in pixels, a memory format.
 * Out: a size in bytes. */
#ifndef SHIM_DRM_VC4_SURFACE_H
#define SHIM_DRM_VC4_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/drm/refusal.h"

/* Memory formats, with the values that control lists use. */
enum surface_format { SURFACE_RASTER, SURFACE_T, SURFACE_LT, SURFACE_FORMATS };

enum { SURFACE_MOST_PIXELS = 4096 }; /* largest width and height */

struct bo;

/* True if the TMU expects a texture level of this size in LT-format. width and height are in
 * pixels. pixel_bytes is 1, 2, 4 or 8. */
bool surface_is_lt(uint32_t width, uint32_t height, uint32_t pixel_bytes);

/* Returns the size of a picture in bytes. The picture is padded as the format requires. width and
 * height are at most SURFACE_MOST_PIXELS. */
uint32_t surface_bytes(enum surface_format format, uint32_t width, uint32_t height,
                       uint32_t pixel_bytes);

/* Checks that a picture at `offset` bytes is inside the buffer object. Returns 0, or EINVAL with
 * *why filled in. */
int surface_check(const struct bo *bo, uint32_t offset, enum surface_format format, uint32_t width,
                  uint32_t height, uint32_t pixel_bytes, struct refusal *why);

#endif
