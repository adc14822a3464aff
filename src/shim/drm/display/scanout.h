/* SPDX-License-Identifier: MIT */
/* scanout.h - the display's compositor: combines planes into one picture.
 *
 * In:  planes. Each plane shows a part of an image in memory at a position on the screen.
 * Out: pixels.
 *
 * The compositor does not depend on files or mode-setting objects (kms.h).
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_plane.c (formats, blending, scaling),
 *         include/uapi/drm/drm_fourcc.h (formats); docs/vc4/layout.md (T-format). */
#ifndef SHIM_DRM_DISPLAY_SCANOUT_H
#define SHIM_DRM_DISPLAY_SCANOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCANOUT_PARTS = 3 }; /* maximum number of parts of an image: Y, U, V */

/* Layout of a format's pixels in memory. */
struct scanout_format {
    uint32_t fourcc;
    uint8_t parts;
    /* number of bytes of a pixel (RGB), or of a sample in each part (YUV) */
    uint8_t bytes[SCANOUT_PARTS];
    /* number of pixels that share a colour sample, horizontally and vertically */
    uint8_t across, down;
    uint8_t depth; /* depth as returned by GETFB */
    /* alpha: true if the format has an alpha channel; tiled: true if images may be in T-format */
    bool alpha, tiled;
    uint8_t order; /* value of enum scanout_order */
};

/* Returns the format, or NULL if the display does not support it. */
const struct scanout_format *scanout_format(uint32_t fourcc);

/* Returns the format at an index, in the order in which a plane lists its formats, or NULL after
 * the last one. */
const struct scanout_format *scanout_format_at(uint32_t index);

/* An image in memory. Bytes after the end of a part read as 0. */
struct scanout_image {
    const struct scanout_format *format;
    bool tiled; /* true for T-format, false for raster order */
    uint32_t width, height;
    struct {
        const uint8_t *bytes;
        size_t size;
        /* distance between two rows in bytes; in T-format, a row of tiles (32 rows) has 32 * pitch
         * bytes */
        uint32_t pitch;
    } parts[SCANOUT_PARTS];
};

enum scanout_blend {
    SCANOUT_PREMULTIPLIED,
    SCANOUT_COVERAGE,
    SCANOUT_OPAQUE
}; /* values of property "pixel blend mode" */
enum scanout_encoding {
    SCANOUT_BT601,
    SCANOUT_BT709,
    SCANOUT_BT2020
}; /* values of property "COLOR_ENCODING" */

/* A part of an image, and its position on the screen. */
struct scanout_plane {
    struct scanout_image image;
    uint32_t source_x, source_y, source_width, source_height; /* 16.16 fixed point */
    int32_t x, y;                                             /* position on the screen */
    uint32_t width, height;
    uint8_t alpha; /* alpha of the whole plane */
    enum scanout_blend blend;
    bool mirror_x, mirror_y;
    enum scanout_encoding encoding;
    bool full_range; /* true if Y, U and V use the full range 0 to 255 */
};

/* Draws the planes on a black background. The first plane is at the bottom. `pixels` are 0x00RRGGBB
 * values, row by row from the top. Returns false if there is no memory. */
bool scanout_compose(uint32_t *pixels, uint32_t width, uint32_t height,
                     const struct scanout_plane *planes, size_t count);

/* Colour corrections of the finished picture. */
struct scanout_colour {
    bool has_matrix, has_curve;
    int32_t matrix[9];     /* 16.16 fixed point; one row each for red, green and blue */
    uint8_t curve[3][256]; /* tables for red, green and blue */
};

void scanout_correct(uint32_t *pixels, size_t count, const struct scanout_colour *colour);

#endif
