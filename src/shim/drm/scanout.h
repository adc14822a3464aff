/* SPDX-License-Identifier: MIT */
/* scanout.h - the display's compositor: combines planes into one picture.
 *
 * In:  planes; each shows a part of an image in memory at a place on the screen.
 * Out: pixels.
 *
 * The compositor does not depend on files or mode-setting objects (kms.h).
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_plane.c (formats, blending, scaling),
 *         include/uapi/drm/drm_fourcc.h (formats); docs/vc4/layout.md (T-format). */
#ifndef SHIM_DRM_SCANOUT_H
#define SHIM_DRM_SCANOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCANOUT_PARTS = 3 }; /* maximum number of parts of an image: Y, U, V */

/* Layout of a format's pixels in memory. */
struct scanout_format {
    uint32_t fourcc;
    uint8_t parts;
    uint8_t bytes[SCANOUT_PARTS]; /* bytes of a pixel, or of a sample in each part */
    /* number of pixels that share a colour sample, in each direction */
    uint8_t across, down;
    uint8_t depth; /* depth as returned by GETFB */
    /* true if the format has an alpha channel, and if its images may be in T-format */
    bool alpha, tiled;
    uint8_t order; /* value of enum scanout_order */
};

/* Returns the format, or NULL if the display does not support it. */
const struct scanout_format *scanout_format(uint32_t fourcc);

/* Returns a format by index, in the order in which planes list them, or NULL after the last one. */
const struct scanout_format *scanout_format_at(uint32_t index);

/* An image in memory. Bytes beyond size read as 0. */
struct scanout_image {
    const struct scanout_format *format;
    bool tiled; /* true for T-format, false for raster order */
    uint32_t width, height;
    struct {
        const uint8_t *bytes;
        size_t size;
        uint32_t pitch; /* bytes between rows; in T-format, 32 rows are a row of tiles */
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

/* A part of an image, and its place on the screen. */
struct scanout_plane {
    struct scanout_image image;
    uint32_t source_x, source_y, source_width, source_height; /* 16.16 fixed point */
    int32_t x, y;                                             /* position on the screen */
    uint32_t width, height;
    uint8_t alpha; /* alpha of the whole plane */
    enum scanout_blend blend;
    bool mirror_x, mirror_y;
    enum scanout_encoding encoding;
    bool full_range; /* true if Y, U and V have full range */
};

/* Stacks the planes on black, the first one at the bottom. `pixels` are 0x00RRGGBB, row by row from
 * the top. Returns false if there is no memory. */
bool scanout_compose(uint32_t *pixels, uint32_t width, uint32_t height,
                     const struct scanout_plane *planes, size_t count);

/* Colour corrections of the finished picture. */
struct scanout_colour {
    bool has_matrix, has_curve;
    int32_t matrix[9];     /* 16.16 fixed point; a row each for red, green and blue */
    uint8_t curve[3][256]; /* tables for red, green and blue */
};

void scanout_correct(uint32_t *pixels, size_t count, const struct scanout_colour *colour);

#endif
