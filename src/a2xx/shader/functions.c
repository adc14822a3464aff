/* SPDX-License-Identifier: MIT */
/* functions.c - see functions.h.
 *
 * The host's double functions have errors below one unit in the last place. This precision is
 * sufficient unless the value is close to the middle between two floats. In that case the long
 * double functions are used, which have at least 11 more bits. */
#include "a2xx/shader/functions.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns true if the error of the double can change which float is nearest. */
static bool is_doubtful(double value)
{
    const uint64_t lost = (UINT64_C(1) << A2XX_LOST_BITS) - 1, middle = UINT64_C(1)
                                                                        << (A2XX_LOST_BITS - 1);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & lost) - middle + A2XX_DOUBTFUL <= 2 * A2XX_DOUBTFUL ||
           (fabs(value) < (double)FLT_MIN && value != 0);
}

static float rounded(double value, long double (*function)(long double), float x)
{
    if (!is_doubtful(value))
        return (float)value;
    return (float)function((long double)x);
}

float a2xx_exp2(float x)
{
    return rounded(exp2((double)x), exp2l, x);
}

float a2xx_log2(float x)
{
    return rounded(log2((double)x), log2l, x);
}

float a2xx_sin(float x)
{
    return rounded(sin((double)x), sinl, x);
}

float a2xx_cos(float x)
{
    return rounded(cos((double)x), cosl, x);
}

static long double one_by_root(long double x)
{
    return 1 / sqrtl(x);
}

float a2xx_rsqrt(float x)
{
    return rounded(1 / sqrt((double)x), one_by_root, x);
}
