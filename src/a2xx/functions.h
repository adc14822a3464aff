/* SPDX-License-Identifier: MIT */
/* functions.h - exponentials, logarithms, sines, cosines and 1/sqrt of the scalar unit, correctly
 * rounded.
 *
 * In:      a float, denormals flushed.
 * Out:     the float nearest to the function's value, ties to even; denormals are kept.
 * Source:  a choice (docs/hardware/a2xx.md, section 27): the precision of the hardware is
 *          unknown. */
#ifndef A2XX_FUNCTIONS_H
#define A2XX_FUNCTIONS_H

float a2xx_exp2(float x);
float a2xx_log2(float x);

/* Sine and cosine of x in radians. */
float a2xx_sin(float x);
float a2xx_cos(float x);

/* Returns 1 / sqrt(x). */
float a2xx_rsqrt(float x);

#endif
