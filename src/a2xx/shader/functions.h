/* SPDX-License-Identifier: MIT */
/* functions.h - correctly rounded exponentials, logarithms, sines, cosines and 1/sqrt for the
 * scalar unit.
 *
 * In:      a float. Denormals must be flushed to 0 before the call.
 * Out:     the float that is nearest to the function's value, ties to even. Denormal results are
 *          not flushed.
 * Source:  a choice (docs/hardware/a2xx.md, section 27), because the precision of the hardware is
 *          unknown. */
#ifndef A2XX_SHADER_FUNCTIONS_H
#define A2XX_SHADER_FUNCTIONS_H

enum {
    A2XX_LOST_BITS = 29, /* bits of a double's significand that a float does not have */
    /* largest distance from the middle between two floats, in units of the double's last bit, at
     * which the error of the double can change which float is nearest */
    A2XX_DOUBTFUL = 4,
};

float a2xx_exp2(float x);
float a2xx_log2(float x);

/* Return the sine or cosine of x, which is in radians. */
float a2xx_sin(float x);
float a2xx_cos(float x);

/* Returns 1 / sqrt(x). */
float a2xx_rsqrt(float x);

#endif
