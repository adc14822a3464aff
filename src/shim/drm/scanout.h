/* SPDX-License-Identifier: MIT */
/* scanout.h - what the display's compositor makes of its planes: one picture.
 *
 * In:  planes, each a part of an image in memory with a place on the screen. Out: pixels.
 *
 * It knows neither files nor objects of the display; kms.h does. Sources: Linux, drivers/gpu/drm/vc4/vc4_plane.c (formats,
 * blending, scaling), include/uapi/drm/drm_fourcc.h (formats); docs/vc4/layout.md (T-format). */
#ifndef SHIM_DRM_SCANOUT_H
#define SHIM_DRM_SCANOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCANOUT_PARTS = 3 }; /* parts of an image: Y, U, V */

/* How the pixels of a format lie in memory. */
struct scanout_format {
    uint32_t fourcc;
    uint8_t parts;
    uint8_t bytes[SCANOUT_PARTS]; /* of a pixel, or of a sample of each part */
    uint8_t across, down;         /* pixels that share a sample of colour */
    uint8_t depth;                /* as GETFB gives it */
    bool alpha, tiled;            /* has alpha; can be in T-format */
    uint8_t order;                /* of enum scanout_order */
};

/* NULL: none that the display can show. */
const struct scanout_format *scanout_format(uint32_t fourcc);

/* All of them, in the order in which planes list them; NULL after the last. */
const struct scanout_format *scanout_format_at(uint32_t index);

/* An image in memory. Bytes beyond size read as 0. */
struct scanout_image {
    const struct scanout_format *format;
    bool tiled; /* in T-format; otherwise row by row */
    uint32_t width, height;
    struct {
        const uint8_t *bytes;
        size_t size;
        uint32_t pitch; /* bytes from row to row; in T-format, 32 of them are a row of tiles */
    } parts[SCANOUT_PARTS];
};

enum scanout_blend {
    SCANOUT_PREMULTIPLIED,
    SCANOUT_COVERAGE,
    SCANOUT_OPAQUE
}; /* as property "pixel blend mode" */
enum scanout_encoding {
    SCANOUT_BT601,
    SCANOUT_BT709,
    SCANOUT_BT2020
}; /* as property "COLOR_ENCODING" */

/* A part of an image, and where it is seen. */
struct scanout_plane {
    struct scanout_image image;
    uint32_t source_x, source_y, source_width, source_height; /* 16.16 */
    int32_t x, y;                                             /* on the screen */
    uint32_t width, height;
    uint8_t alpha; /* of the whole plane */
    enum scanout_blend blend;
    bool mirror_x, mirror_y;
    enum scanout_encoding encoding;
    bool full_range; /* of Y, U and V */
};

/* Puts the planes over each other, the first one at the bottom, on black. pixels: 0x00RRGGBB, row by row from the top. False:
 * no memory. */
bool scanout_compose(uint32_t *pixels, uint32_t width, uint32_t height,
                     const struct scanout_plane *planes, size_t count);

/* What follows the compositor, on all pixels. */
struct scanout_colour {
    bool has_matrix, has_curve;
    int32_t matrix[9];     /* 16.16, rows for red, green, blue */
    uint8_t curve[3][256]; /* for red, green, blue */
};

void scanout_correct(uint32_t *pixels, size_t count, const struct scanout_colour *colour);

#endif
