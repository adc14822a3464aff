/* SPDX-License-Identifier: MIT */
/* triangles_mesa.h - a peer for bench/triangles.c. */
#ifndef BENCH_TRIANGLES_MESA_H
#define BENCH_TRIANGLES_MESA_H

#include <stdbool.h>

/* Processor time of a frame by a driver of Mesa, "softpipe" or "llvmpipe", on one thread; 0 if it cannot be had. */
double mesa_seconds(const char *driver);

#endif
