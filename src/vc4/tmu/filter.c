/* SPDX-License-Identifier: MIT */
/* filter.c - see filter.h.
 *
 * Source:   manual section 4 for the formats that can be blended; appendix A for errata HW-2619 and
 *           HW-2645, which are modelled.
 * Choices:  8-bit weights, rounding; see docs/vc4/tmu.md. All sums are exact before the rounding:
 *           sums of bytes fit into the 24 bits of a float, sums of halves into 64 bits, and sums of
 *           halves below 4096 into the 53 bits of a double. */
#include "vc4/tmu/filter.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "vc4/lanes/quad.h"

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

/* ---- four lanes of halves ---- */

typedef double pair_double __attribute__((vector_size(16), may_alias));
typedef int64_t pair_long __attribute__((vector_size(16), may_alias));
typedef uint64_t pair_ulong __attribute__((vector_size(16), may_alias));

/* Four texels of two words, or two texels, for four lanes, and their weights in 1 / (FILTER_ONE *
 * FILTER_ONE). */
struct quad_halves {
    part texel[4][2];
    pair_double weight[4][2];
    unsigned count;
};

/* True if all texels are less than 4096. Then doubles hold each sum of weighted texels exactly,
 * because the sum is a multiple of 2^-40 and less than 2^13. */
static inline bool are_exact(const struct quad_halves *quad)
{
    enum { LARGE = (15 + 12) << 10 };
    typedef int16_t part_shorts __attribute__((vector_size(16), may_alias));
    part_shorts large = {0};
    for (unsigned i = 0; i < quad->count; i++)
        for (unsigned word = 0; word < 2; word++)
            large |= ((part_shorts)quad->texel[i][word] & HALF_INFINITY) >= LARGE;
    return quad_mask((quad_words)((part)large != 0)) == 0;
}

/* Converts finite halves, in the low 16 bits of each word, to floats. The smallest normal half is
 * added to a denormal and subtracted again. */
static inline part_float half_floats(part half)
{
    const part size = half & 0x7fff, small = (part)(size < 0x400);
    const part bits = ((size + (small & 0x400)) << 13) + ((127 - 15) << 23);
    const part least = small & (part)((part_float){0} + 0x1p-14f);
    return (part_float)((part)((part_float)bits - (part_float)least) | (half & HALF_SIGN) << 16);
}

/* Rounds sums to the nearest halves, ties away from zero. */
static inline pair_long nearest_halves(pair_double sum)
{
    const pair_long negative = sum < 0.0;
    pair_double size = (pair_double)((pair_long)sum & INT64_MAX);
    const pair_long small = size < 0x1p-14;
    size += (pair_double)(small & (pair_long)((pair_double){0} + 0x1p-14));
    const pair_long rounded = (pair_long)(((pair_ulong)size + (UINT64_C(1) << 41)) >> 42);
    return (rounded - ((1023 - 15) << 10) - (small & 0x400)) | (negative & HALF_SIGN);
}

/* Converts four floats to doubles. Compilers convert two of four elements one by one. */
static inline void widen(part_float value, pair_double wide[2])
{
#ifdef __SSE2__
    wide[0] = (pair_double)_mm_cvtps_pd((__m128)value);
    wide[1] = (pair_double)_mm_cvtps_pd(_mm_movehl_ps((__m128)value, (__m128)value));
#else
    typedef float pair_float __attribute__((vector_size(8)));
    wide[0] = __builtin_convertvector((pair_float)__builtin_shufflevector(value, value, 0, 1),
                                      pair_double);
    wide[1] = __builtin_convertvector((pair_float)__builtin_shufflevector(value, value, 2, 3),
                                      pair_double);
#endif
}

/* Blends the channel that is in bits shift to shift + 15 of a word. */
static inline part blend_channel(const struct quad_halves *quad, unsigned word, unsigned shift)
{
    pair_double low = {0}, high = {0};
    for (unsigned i = 0; i < quad->count; i++) {
        pair_double value[2];
        widen(half_floats(quad->texel[i][word] >> shift & 0xffff), value);
        low += value[0] * quad->weight[i][0];
        high += value[1] * quad->weight[i][1];
    }
    const part first = (part)nearest_halves(low), second = (part)nearest_halves(high);
    return __builtin_shufflevector(first, second, 0, 2, 4, 6) << shift;
}

/* Stores the blended texels of four lanes in part `number` of *result, except for lanes that have a
 * bit in `kept`. */
static void blend_quad(const struct quad_halves *quad, unsigned number, part kept, lanes result[2])
{
    for (unsigned word = 0; word < 2; word++) {
        part *to = (part *)&result[word] + number;
        const part sum = blend_channel(quad, word, 0) | blend_channel(quad, word, 16);
        *to = (*to & kept) | (sum & ~kept);
    }
}

static inline part part_of(const lanes *value, unsigned number)
{
    return ((const part *)value)[number];
}

/* Returns words of all ones for the lanes of part `number` that are not in the mask. */
static inline part outside(lane_mask mask, unsigned number)
{
    const part bit = {1, 2, 4, 8};
    return (part)(((uint32_t)mask >> (4 * number) & bit) == 0);
}

/* Blends four texels of one lane. */
static void blend_one(lanes texel[4][2], const lanes *x, const lanes *y, unsigned lane,
                      lanes result[2], uint32_t *errata)
{
    const uint32_t right = (*x)[lane], lower = (*y)[lane];
    const uint32_t left = FILTER_ONE - right, upper = FILTER_ONE - lower;
    const uint64_t bits[4] = {join(texel[0], lane), join(texel[1], lane), join(texel[2], lane),
                              join(texel[3], lane)};
    const uint32_t weight[4] = {left * upper, right * upper, left * lower, right * lower};
    split(filter_halves(bits, weight, 4, false, errata), lane, result);
}

/* Blends the lanes of part `number` that need no rule for special numbers. Returns the bits of the
 * other lanes. A lane whose weights select a single texel needs such rules. */
static uint32_t blend_plain(lanes texel[4][2], const lanes *x, const lanes *y, lane_mask mask,
                            unsigned number, lanes result[2])
{
    const part right = part_of(x, number), lower = part_of(y, number);
    const part_float column = to_float(right) * (1.0f / FILTER_ONE), before = 1.0f - column;
    const part_float row = to_float(lower) * (1.0f / FILTER_ONE), above = 1.0f - row;
    const part single = (part)(((right | lower) & (FILTER_ONE - 1)) == 0);
    const part unused = outside(mask, number);
    const part_float weight[4] = {before * above, column * above, before * row, column * row};
    struct quad_halves quad = {.count = 4};
    for (unsigned i = 0; i < 4; i++) {
        widen(weight[i], quad.weight[i]);
        for (unsigned word = 0; word < 2; word++)
            quad.texel[i][word] = part_of(&texel[i][word], number);
    }
    if (!are_exact(&quad))
        return quad_mask((quad_words)~unused);
    blend_quad(&quad, number, single | unused, result);
    return quad_mask((quad_words)(single & ~unused));
}

void filter_quad_halves(lanes texel[4][2], const lanes *x, const lanes *y, lane_mask mask,
                        lanes result[2], uint32_t *errata)
{
    for (unsigned i = 0; i < PARTS; i++)
        for (uint32_t left = blend_plain(texel, x, y, mask, i, result); left; left &= left - 1)
            blend_one(texel, x, y, 4 * i + (unsigned)__builtin_ctz(left), result, errata);
}

/* Blends texels of two levels of one lane. */
static void blend_levels(const lanes second[2], uint32_t far, unsigned lane, lanes result[2],
                         uint32_t *errata)
{
    const uint64_t bits[2] = {join(result, lane), join(second, lane)};
    const uint32_t weights[2] = {(FILTER_ONE - far) * FILTER_ONE, far * FILTER_ONE};
    split(filter_halves(bits, weights, 2, true, errata), lane, result);
}

/* Does the same as blend_plain() for texels of two levels. */
static uint32_t blend_plain_levels(const lanes second[2], const lanes *weight, lane_mask mask,
                                   unsigned number, lanes result[2])
{
    const part far = part_of(weight, number), unused = outside(mask, number);
    const part_float share = to_float(far) * (1.0f / FILTER_ONE);
    const part single = (part)((far & (FILTER_ONE - 1)) == 0);
    struct quad_halves quad = {.count = 2};
    widen(1.0f - share, quad.weight[0]);
    widen(share, quad.weight[1]);
    for (unsigned word = 0; word < 2; word++) {
        quad.texel[0][word] = part_of(&result[word], number);
        quad.texel[1][word] = part_of(&second[word], number);
    }
    if (!are_exact(&quad))
        return quad_mask((quad_words)~unused);
    blend_quad(&quad, number, single | unused, result);
    return quad_mask((quad_words)(single & ~unused));
}

void filter_pair_halves(const lanes second[2], const lanes *weight, lane_mask mask, lanes result[2],
                        uint32_t *errata)
{
    for (unsigned i = 0; i < PARTS; i++)
        for (uint32_t left = blend_plain_levels(second, weight, mask, i, result); left;
             left &= left - 1) {
            const unsigned lane = 4 * i + (unsigned)__builtin_ctz(left);
            blend_levels(second, (*weight)[lane], lane, result, errata);
        }
}
