/* SPDX-License-Identifier: MIT */
/* limits.h - the bounds of what is asked of the shims: by the options of tessera, by environment variables without it.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_kms.c (sizes of modes). */
#ifndef FRONT_LIMITS_H
#define FRONT_LIMITS_H

enum {
    LIMIT_MEBIBYTES = 960, /* of GPU memory, of which there is at least 1 */
    LIMIT_SECONDS = 1000000,
    LIMIT_LEAST_PIXELS = 16, /* of a mode's width and height */
    LIMIT_PIXELS = 2048,
    LIMIT_HERTZ = 240,
    LIMIT_RATE = 100000, /* pictures a second */
};

#endif
