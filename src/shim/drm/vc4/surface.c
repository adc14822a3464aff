/* SPDX-License-Identifier: MIT */
/* surface.c - see surface.h.
 *
 * In:  sizes in pixels.
 * Out: sizes in bytes.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_validate.c (vc4_check_tex_size, size_is_lt); VideoCore IV
 *         3D Architecture Reference Guide, section 11. */
#include "shim/drm/vc4/surface.h"

#include "base/bits.h"
#include "shim/drm/gem/bo.h"

/* Returns the width of a microtile in pixels. A microtile has 64 bytes. */
static uint32_t microtile_width(uint32_t pixel_bytes)
{
    return pixel_bytes <= 2 ? 8 : 16 / pixel_bytes;
}

static uint32_t microtile_height(uint32_t pixel_bytes)
{
    return pixel_bytes == 1 ? 8 : 4;
}

bool surface_is_lt(uint32_t width, uint32_t height, uint32_t pixel_bytes)
{
    return width <= 4 * microtile_width(pixel_bytes) || height <= 4 * microtile_height(pixel_bytes);
}

uint32_t surface_bytes(enum surface_format format, uint32_t width, uint32_t height,
                       uint32_t pixel_bytes)
{
    /* unit of padding in microtiles: a T-format tile has 8 by 8 microtiles */
    const uint32_t unit = format == SURFACE_T ? 8 : 1;
    const uint32_t padded_width = round_up(width, unit * microtile_width(pixel_bytes));
    const uint32_t padded_height = format == SURFACE_RASTER
                                       ? height
                                       : round_up(height, unit * microtile_height(pixel_bytes));
    return padded_width * padded_height * pixel_bytes;
}

int surface_check(const struct bo *bo, uint32_t offset, enum surface_format format, uint32_t width,
                  uint32_t height, uint32_t pixel_bytes, struct refusal *why)
{
    if (width > SURFACE_MOST_PIXELS || height > SURFACE_MOST_PIXELS)
        return refuse(why, "use at most 4096 pixels in each direction",
                      "the picture is too large: %u x %u pixels", width, height);
    if (format >= SURFACE_FORMATS)
        return refuse(why, "use raster, T or LT format", "invalid memory format %u",
                      (unsigned)format);
    const uint32_t size = surface_bytes(format, width, height, pixel_bytes);
    if (size + offset < size || size + offset > bo->size)
        return refuse(
            why,
            "make the buffer object larger: pictures are padded to whole microtiles, and to tiles "
            "of 4 KiB in T-format",
            "a picture of %u x %u pixels needs %u bytes from byte %u on, but buffer object %u has "
            "only %u bytes",
            width, height, size, offset, bo->number, bo->size);
    return 0;
}
