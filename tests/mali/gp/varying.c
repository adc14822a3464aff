/* SPDX-License-Identifier: MIT */
/* varying.c - tests the conversion of varyings to 16-bit floats. Each result must be the nearest
 * half, which the test finds by a search among all halves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../register.h"
#include "base/bits.h"
#include "mali/gp/varying.h"

/* Returns the value of a finite half. For 0x7c00, the code after the last finite half, returns
 * 65536. */
static double value_of(uint32_t half)
{
    uint32_t exponent = half >> 10, fraction = half & 0x3ff;
    return exponent ? ldexp(0x400 + (double)fraction, (int)exponent - 25)
                    : ldexp((double)fraction, -24);
}

/* Converts each half, and the floats around the midpoint to the next half. */
TEST(test_all)
{
    for (uint32_t half = 0; half < 0x7c00; half++) {
        float middle = (float)((value_of(half) + value_of(half + 1)) / 2);
        uint32_t even = half + (half & 1);
        assert_int_equal(gp_half(float_bits((float)value_of(half))), half);
        assert_int_equal(gp_half(float_bits(middle)), even);
        assert_int_equal(gp_half(float_bits(nextafterf(middle, 0))), half);
        assert_int_equal(gp_half(float_bits(nextafterf(middle, 1e9f))), half + 1);
        assert_int_equal(gp_half(float_bits(-middle)), even | 0x8000);
    }
}

TEST(test_special)
{
    assert_int_equal(gp_half(0), 0);
    assert_int_equal(gp_half(0x80000000), 0x8000);
    assert_int_equal(gp_half(1), 0);
    assert_int_equal(gp_half(0x7f7fffff), 0x7c00);
    assert_int_equal(gp_half(0xff800000), 0xfc00);
    assert_int_equal(gp_half(0xffc00001), 0x7e00);
    assert_int_equal(gp_half(0x7f800001), 0x7e00);
}
