/* SPDX-License-Identifier: MIT */
/* functions.h - exponentials, logarithms, sines: what the scalar unit has tables for, correctly rounded.
 *
 * In:      a float, denormals flushed.
 * Out:     the float nearest to the function's value, of two the even one; denormals are kept.
 * Source:  a choice (digest a2xx.md, section 27): the precision of the hardware is not known. */
#ifndef A2XX_FUNCTIONS_H
#define A2XX_FUNCTIONS_H

float a2xx_exp2(float x);
float a2xx_log2(float x);

/* Of radians. */
float a2xx_sin(float x);
float a2xx_cos(float x);

/* 1 / sqrt(x) */
float a2xx_rsqrt(float x);

#endif
