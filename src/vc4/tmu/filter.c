/* SPDX-License-Identifier: MIT */
/* filter.c - see filter.h.
 *
 * Source:   manual section 4 for the formats that can be blended; appendix A for errata HW-2619 and
 *           HW-2645, which are modelled.
 * Choices:  8-bit weights, rounding; see docs/vc4/tmu.md. All sums are exact before the rounding:
 *           sums of bytes fit into the 24 bits of a float, sums of halves into 64 bits. */
#include "vc4/tmu/filter.h"

typedef uint32_t part __attribute__((vector_size(16), may_alias));
typedef uint16_t part_halves __attribute__((vector_size(16), may_alias));
typedef float part_float __attribute__((vector_size(16), may_alias));
typedef int32_t part_int __attribute__((vector_size(16), may_alias));

enum { PARTS = LANES / 4 };

/* even() and odd() return two channels of a texel, each in a 16-bit half of the word. */
static inline part even(part word)
{
    return word & 0x00ff00ff;
}

static inline part odd(part word)
{
    return word >> 8 & 0x00ff00ff;
}

/* Returns a * (FILTER_ONE - x) + b * x for both halves of each word. */
static inline part mix(part a, part b, part x)
{
    part_halves weight = (part_halves)(x | x << 16);
    return (part)((part_halves)a * (FILTER_ONE - weight) + (part_halves)b * weight);
}

static inline part_float to_float(part word)
{
    return __builtin_convertvector((part_int)word, part_float);
}

/* Blends one channel of an upper and a lower row with the weights first and second. The channel has
 * 16 bits in each row. Rounds the sum to 8 bits. */
static inline part settle(part upper, part lower, part_float first, part_float second)
{
    part_float sum = to_float(upper) * first + to_float(lower) * second + 32768.0f;
    return (part) __builtin_convertvector(sum, part_int) >> 16;
}

void filter_quad(const lanes texel[4], const lanes *x, const lanes *y, lanes *result)
{
    const part *a = (const part *)&texel[0], *b = (const part *)&texel[1];
    const part *c = (const part *)&texel[2], *d = (const part *)&texel[3];
    const part *column = (const part *)x, *row = (const part *)y;
    for (unsigned i = 0; i < PARTS; i++) {
        part_float second = to_float(row[i]), first = (float)FILTER_ONE - second;
        part upper = mix(even(a[i]), even(b[i]), column[i]);
        part lower = mix(even(c[i]), even(d[i]), column[i]);
        part sum = settle(upper & 0xffff, lower & 0xffff, first, second) |
                   settle(upper >> 16, lower >> 16, first, second) << 16;
        upper = mix(odd(a[i]), odd(b[i]), column[i]);
        lower = mix(odd(c[i]), odd(d[i]), column[i]);
        sum |= settle(upper & 0xffff, lower & 0xffff, first, second) << 8 |
               settle(upper >> 16, lower >> 16, first, second) << 24;
        ((part *)result)[i] = sum;
    }
}

void filter_pair(const lanes *first, const lanes *second, const lanes *weight, lanes *result)
{
    const part *a = (const part *)first, *b = (const part *)second, *x = (const part *)weight;
    for (unsigned i = 0; i < PARTS; i++) {
        part low = mix(even(a[i]), even(b[i]), x[i]) + 0x00800080;
        part high = mix(odd(a[i]), odd(b[i]), x[i]) + 0x00800080;
        ((part *)result)[i] = (low >> 8 & 0x00ff00ff) | (high & 0xff00ff00);
    }
}

enum {
    HALF_SIGN = 0x8000,
    HALF_INFINITY = 0x7c00,
    HALF_NAN = 0x7e00,
    HALF_FRACTION = 0x3ff,
};

/* Converts a finite half to units of 2^-24. */
static int64_t half_units(uint32_t half)
{
    uint32_t exponent = half >> 10 & 31, fraction = half & HALF_FRACTION;
    int64_t units = exponent ? (int64_t)(fraction | 0x400) << (exponent - 1) : fraction;
    return half & HALF_SIGN ? -units : units;
}

/* Converts a number of units of 2^-40 to the nearest half. */
static uint32_t round_half(int64_t units)
{
    uint32_t sign = units < 0 ? HALF_SIGN : 0;
    uint64_t size = units < 0 ? 0 - (uint64_t)units : (uint64_t)units;
    if (size == 0)
        return 0;
    unsigned top = 63 - (unsigned)__builtin_clzll(size), shift = top > 26 ? top - 10 : 16;
    uint64_t kept = (size + (UINT64_C(1) << (shift - 1))) >> shift;
    /* A carry out of the fraction increments the exponent. */
    uint32_t exponent = kept < 0x400 ? 0 : shift - 16;
    return sign | (uint32_t)(kept + exponent * 0x400);
}

static bool negative_power_of_two(uint32_t half)
{
    uint32_t exponent = half & HALF_INFINITY;
    return half & HALF_SIGN && !(half & HALF_FRACTION) && exponent && exponent != HALF_INFINITY;
}

/* One channel of the texels whose weight is not 0. */
struct halves {
    bool nan, positive_infinity, negative_infinity, negative;
    unsigned count;
    uint32_t last;
    int64_t sum;
};

static void add_half(struct halves *all, uint32_t half, uint32_t weight)
{
    bool infinite = (half & HALF_INFINITY) == HALF_INFINITY;
    all->last = half;
    all->count++;
    all->negative |= half & HALF_SIGN && half != HALF_SIGN;
    if (infinite && half & HALF_FRACTION)
        all->nan = true;
    else if (infinite && half & HALF_SIGN)
        all->negative_infinity = true;
    else if (infinite)
        all->positive_infinity = true;
    else
        all->sum += half_units(half) * weight;
}

static uint32_t settle_half(const struct halves *all, bool levels, uint32_t *errata)
{
    if (all->count == 1 && negative_power_of_two(all->last)) {
        *errata |= FILTER_HW2619;
        return all->last & ~(uint32_t)HALF_SIGN;
    }
    if (all->count == 1)
        return all->last;
    if (levels && all->positive_infinity && all->negative && !all->nan) {
        *errata |= FILTER_HW2645;
        return HALF_SIGN | HALF_INFINITY;
    }
    if (all->nan || (all->positive_infinity && all->negative_infinity))
        return HALF_NAN;
    if (all->positive_infinity || all->negative_infinity)
        return HALF_INFINITY | (all->negative_infinity ? HALF_SIGN : 0);
    return round_half(all->sum);
}

uint64_t filter_halves(const uint64_t *texel, const uint32_t *weight, unsigned count, bool levels,
                       uint32_t *errata)
{
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 16) {
        struct halves all = {0};
        for (unsigned i = 0; i < count; i++)
            if (weight[i])
                add_half(&all, (uint32_t)(texel[i] >> shift) & 0xffff, weight[i]);
        result |= (uint64_t)settle_half(&all, levels, errata) << shift;
    }
    return result;
}

static uint64_t join(const lanes word[2], unsigned lane)
{
    return word[0][lane] | (uint64_t)word[1][lane] << 32;
}

static void split(uint64_t value, unsigned lane, lanes word[2])
{
    word[0][lane] = (uint32_t)value;
    word[1][lane] = (uint32_t)(value >> 32);
}

void filter_quad_halves(lanes texel[4][2], const lanes *x, const lanes *y, lane_mask mask,
                        lanes result[2], uint32_t *errata)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        const uint32_t right = (*x)[lane], lower = (*y)[lane];
        const uint32_t left = FILTER_ONE - right, upper = FILTER_ONE - lower;
        const uint64_t bits[4] = {join(texel[0], lane), join(texel[1], lane), join(texel[2], lane),
                                  join(texel[3], lane)};
        const uint32_t weight[4] = {left * upper, right * upper, left * lower, right * lower};
        split(filter_halves(bits, weight, 4, false, errata), lane, result);
    }
}

void filter_pair_halves(const lanes second[2], const lanes *weight, lane_mask mask, lanes result[2],
                        uint32_t *errata)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        const uint32_t far = (*weight)[lane];
        const uint64_t bits[2] = {join(result, lane), join(second, lane)};
        const uint32_t weights[2] = {(FILTER_ONE - far) * FILTER_ONE, far * FILTER_ONE};
        split(filter_halves(bits, weights, 2, true, errata), lane, result);
    }
}
