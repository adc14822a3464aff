/* SPDX-License-Identifier: MIT */
/* triangles_mesa.h - a peer for bench/triangles.c. */
#ifndef BENCH_TRIANGLES_MESA_H
#define BENCH_TRIANGLES_MESA_H

#include <stdbool.h>

/* Returns the processor time of a frame with a driver of Mesa, "softpipe" or "llvmpipe", on one
 * thread, or 0 if the driver is not available. */
double mesa_seconds(const char *driver);

#endif
