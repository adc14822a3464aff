/* SPDX-License-Identifier: MIT */
/* triangles_mesa.h - measures Mesa's software drivers, with which bench/triangles.c compares the
 * model. */
#ifndef BENCH_TRIANGLES_MESA_H
#define BENCH_TRIANGLES_MESA_H

#include <stdbool.h>

/* Returns the processor time, in seconds, in which a driver of Mesa ("softpipe" or "llvmpipe")
 * draws a frame on one thread. Returns 0 if the driver is not available. */
double mesa_seconds(const char *driver);

#endif
