/* SPDX-License-Identifier: MIT */
/* limits.h - limits of the values that tessera's options and environment variables set for the
 * shims.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_kms.c (sizes of modes). */
#ifndef FRONT_LIMITS_H
#define FRONT_LIMITS_H

enum {
    LIMIT_MEBIBYTES = 960, /* maximum GPU memory in MiB; the minimum is 1 */
    LIMIT_SECONDS = 1000000,
    LIMIT_LEAST_PIXELS = 16, /* minimum width and height of a mode */
    LIMIT_PIXELS = 2048,
    LIMIT_HERTZ = 240,
    LIMIT_RATE = 100000, /* maximum number of pictures per second */
};

#endif
