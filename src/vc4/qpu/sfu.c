/* SPDX-License-Identifier: MIT */
/* sfu.c - see sfu.h.
 *
 * Source:   the manual names the four functions but not their values. Tables and steps follow the
 *           arithmetic of Broadcom's released model of the unit (simjhall/challenge,
 *           brcm_usrlib/dag/vmcsx/middleware/khronos/glsl/2708/glsl_fpu_4.c), which yields every
 *           value measured on silicon in doe300/VC4C, doc/sfu_accuracy.txt.
 * Differs:  from that model, as measured by doe300/VC4C and nineties/py-videocore: reciprocals of 1
 *           and -1 are exact, and the root and the logarithm use |x|.
 *
 * Every function is approximated by parabolas on 16 segments of the fraction: C0 +- C1 d - C2 b(d).
 * d is the distance from the segment's start. b(d) is a parabola that is 0 at both ends of the
 * segment (`bend` in evaluate()). */
#include "vc4/qpu/sfu.h"

#include <stdbool.h>

enum {
    SIGN = INT32_MIN,
    INFINITE = 0x7f800000,
    MAGNITUDE = 0x7fffffff,
    FRACTION = 0x7fffff,
    ONE = 0x3f800000,
    SEGMENTS = 16,
};

struct curve {
    uint16_t c0[SEGMENTS], c1[SEGMENTS];
    uint8_t c2[SEGMENTS];
};

/* clang-format off */
static const struct curve recip_curve = {
    {0x7ffc, 0x70ee, 0x638c, 0x5792, 0x4ccb, 0x430b, 0x3a2e, 0x3215,
     0x2aaa, 0x23d6, 0x1d8a, 0x17b4, 0x1249, 0x0d3e, 0x0889, 0x0421},
    {0xf0b, 0xd60, 0xbf8, 0xac5, 0x9bf, 0x8dc, 0x818, 0x76a,
     0x6d3, 0x64c, 0x5d6, 0x56b, 0x50b, 0x4b5, 0x468, 0x421},
    {0x1d, 0x18, 0x15, 0x12, 0x0f, 0x0d, 0x0c, 0x0a,
     0x09, 0x08, 0x07, 0x06, 0x06, 0x05, 0x05, 0x04},
};

static const struct curve recipsqrt_curve = {
    {0x7ffb, 0x7158, 0x64f6, 0x5a4f, 0x5104, 0x48d2, 0x4184, 0x3af4,
     0x3501, 0x2aa8, 0x21e7, 0x1a5f, 0x13cc, 0x0e00, 0x08d5, 0x0433},
    {0xe9e, 0xc5f, 0xaa5, 0x949, 0x831, 0x74d, 0x68f, 0x5ef,
     0xa56, 0x8bf, 0x787, 0x692, 0x5cb, 0x52a, 0x4a2, 0x433},
    {0x29, 0x1f, 0x18, 0x13, 0x10, 0x0d, 0x0b, 0x09,
     0x1d, 0x16, 0x11, 0x0e, 0x0b, 0x09, 0x08, 0x07},
};

static const struct curve log_curve = {
    {0x7fff, 0x74cd, 0x6a3f, 0x6043, 0x56cb, 0x4dc9, 0x4531, 0x3cfc,
     0x3520, 0x2d96, 0x2658, 0x1f60, 0x18a9, 0x122e, 0x0beb, 0x05dd},
    {0xb31, 0xa8d, 0x9fb, 0x978, 0x902, 0x898, 0x835, 0x7dc,
     0x78a, 0x73e, 0x6f8, 0x6b7, 0x67b, 0x643, 0x60e, 0x5dd},
    {0x0b, 0x0a, 0x09, 0x08, 0x07, 0x06, 0x06, 0x05,
     0x05, 0x05, 0x04, 0x04, 0x04, 0x03, 0x03, 0x03},
};

static const struct curve exp_curve = {
    {0x0000, 0x05ab, 0x0b96, 0x11c4, 0x1838, 0x1ef5, 0x25ff, 0x2d58,
     0x3505, 0x3d09, 0x4567, 0x4e25, 0x5745, 0x60cd, 0x6ac1, 0x7524},
    {0x5ab, 0x5eb, 0x62e, 0x674, 0x6bd, 0x70a, 0x759, 0x7ad,
     0x804, 0x85e, 0x8be, 0x920, 0x988, 0x9f4, 0xa64, 0xadc},
    {0x04, 0x04, 0x04, 0x04, 0x05, 0x05, 0x05, 0x05,
     0x06, 0x06, 0x06, 0x06, 0x07, 0x07, 0x07, 0x08},
};
/* clang-format on */

/* Returns 15 bits of the curve's value at a 15-bit position. The upper 4 bits of the position
 * select the segment, and the lower 11 bits are the distance from the segment's start. */
static uint32_t evaluate(const struct curve *curve, bool rising, uint32_t position)
{
    uint32_t segment = position >> 11 & 15, distance = position & 0x7ff, k = position >> 5 & 0x3f;
    uint32_t bend = (k * (64 - k) + 8) / 16;
    if (bend > 63)
        bend = 63;
    uint32_t linear = curve->c1[segment] * distance >> 11 & 0xfff;
    uint32_t quadratic = curve->c2[segment] * bend >> 5 & 0x7f;
    uint32_t start = curve->c0[segment];
    return (rising ? start + linear + 1 - quadratic : start - linear - quadratic) & 0x7fff;
}

static unsigned exponent(uint32_t bits)
{
    return bits >> 23 & 0xff;
}

static uint32_t recip(uint32_t x)
{
    uint32_t sign = x & (uint32_t)SIGN, e = exponent(x);
    if ((x & MAGNITUDE) == ONE)
        return x;
    if (e == 0)
        return sign | INFINITE;
    if (e >= 253)
        return sign;
    return sign | (253 - e) << 23 | evaluate(&recip_curve, false, x >> 8 & 0x7fff) << 8;
}

static uint32_t recipsqrt(uint32_t x)
{
    uint32_t e = exponent(x);
    if (e == 0)
        return INFINITE;
    if (e == 255)
        return 0;
    uint32_t half = e & 1 ? 0 : 0x4000; /* for a mantissa in 1..2, or in 2..4 */
    uint32_t position = half | (x >> 9 & 0x3fff);
    return ((380 - e) >> 1) << 23 | evaluate(&recipsqrt_curve, false, position) << 8;
}

/* Computes the logarithm as a fixed-point number and converts the number to a float. The integer
 * part is from the exponent, and the fraction from the curve. */
static uint32_t logarithm(uint32_t x)
{
    uint32_t e = exponent(x), sign = 0;
    if (e == 0)
        return (uint32_t)SIGN | INFINITE;
    if (e == 255)
        return INFINITE;
    uint32_t fraction = ~(evaluate(&log_curve, false, x >> 8 & 0x7fff) << 8) & FRACTION;
    uint32_t fixed = (((e + 1) & 127) << 16 | fraction >> 7) & ~1u;
    if (e < 127) {
        sign = (uint32_t)SIGN;
        fixed = ~fixed & FRACTION;
    }
    if (fixed == 0)
        return 0;
    /* Moves the leading bit to bit 22; the leading bit is dropped when the result is shifted once
     * more. */
    unsigned shift = (unsigned)__builtin_clz(fixed) - 9;
    return sign | (133 - shift) << 23 | (fixed << (shift + 1) & FRACTION);
}

/* Converts |x| to a 22-bit fixed-point number with 15 fraction bits, truncated. Returns false if
 * |x| is too large. */
static bool fixed_point(uint32_t x, uint32_t *fixed)
{
    uint32_t e = exponent(x), mantissa = (x & FRACTION) | (FRACTION + 1);
    *fixed = 0;
    if (e >= 127 + 7)
        return false;
    int shift = 127 + 8 - (int)e; /* the mantissa 2^23 is 1.0 for e = 127; the result has 15
                                     fraction bits */
    if (e != 0 && shift < 24)
        *fixed = mantissa >> shift;
    return true;
}

static uint32_t exponential(uint32_t x)
{
    bool negative = x >> 31 && exponent(x) != 0; /* -0 and negative denormals count as +0 */
    uint32_t fixed;
    if (!fixed_point(x, &fixed))
        return negative ? 0 : INFINITE;
    if (negative)
        fixed = ~fixed & 0x3fffff;
    uint32_t whole = fixed >> 15 & 0x7f;
    uint32_t fraction = evaluate(&exp_curve, true, fixed & 0x7fff) << 8;
    if (!negative)
        return (whole + 127) << 23 | fraction;
    return whole < 2 ? 0 : (whole - 1) << 23 | fraction;
}

uint32_t sfu_element(enum sfu_function function, uint32_t value)
{
    switch (function) {
    case SFU_RECIP: return recip(value);
    case SFU_RECIPSQRT: return recipsqrt(value);
    case SFU_EXP: return exponential(value);
    case SFU_LOG: return logarithm(value);
    }
    return 0;
}

void sfu_lanes(lanes *result, enum sfu_function function, const lanes *value)
{
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = sfu_element(function, (*value)[i]);
}
