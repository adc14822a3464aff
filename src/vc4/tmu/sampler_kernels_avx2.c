/* SPDX-License-Identifier: MIT */
/* sampler_kernels_avx2.c - the functions of sampler_kernels.h for x86-64 processors with AVX2,
 * except for the two halves of sample(), which are in sampler_locate_avx2.c and
 * sampler_fetch_avx2.c. Empty on other hosts.
 *
 * All headers are included before the compiler's target changes to AVX2, so that functions in those
 * headers are compiled for baseline processors. */
#include "vc4/tmu/sampler_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "base/bits.h"
#include "vc4/memory/bus.h"
#include "vc4/time/tmu_sizes.h"
#include "vc4/tmu/detail.h"

#include "exec/avx2_begin.h"

#include "vc4/tmu/sampler_avx2.h"

static void sample(const struct sampler_job *job, struct sampler_taps *taps, lanes result[2])
{
    sampler_locate_avx2(job, taps);
    if (job->bordered)
        sampler_fetch_bordered_avx2(job, taps, result);
    else
        sampler_fetches_avx2[job->texture->format->number][job->linear](job, taps, result);
}

/* ---- level of detail ------------------------------------------------------------------------- */

/* Like places_number(), for four lanes. */
INLINE __m256d place_numbers(__m128 place)
{
    const __m128 high = _mm_set1_ps(0x1p30f), low = _mm_set1_ps(-0x1p30f);
    __m128 number = _mm_and_ps(place, _mm_cmpord_ps(place, place));
    return _mm256_cvtps_pd(_mm_min_ps(_mm_max_ps(number, low), high));
}

/* The squared distances of lanes 1 and 2 of each quad from lane 0, on one axis. */
struct distances {
    __m256d across, down;
};

INLINE struct distances find_distances(const lanes *place, double window)
{
    const __m128 *quad = (const __m128 *)place;
    const __m128 low[2] = {_mm_unpacklo_ps(quad[0], quad[1]), _mm_unpacklo_ps(quad[2], quad[3])};
    const __m128 high[2] = {_mm_unpackhi_ps(quad[0], quad[1]), _mm_unpackhi_ps(quad[2], quad[3])};
    const __m256d origin = place_numbers(_mm_movelh_ps(low[0], low[1]));
    const __m256d right = place_numbers(_mm_movehl_ps(low[1], low[0]));
    const __m256d below = place_numbers(_mm_movelh_ps(high[0], high[1]));
    const __m256d size = _mm256_set1_pd(window);
    const __m256d across = (right - origin) * size, down = (below - origin) * size;
    return (struct distances){across * across, down * down};
}

/* Returns the squared number of texels per pixel of each quad, like quad_square() in detail.c. */
INLINE __m256d quad_squares(const lanes place[2], const double window[2])
{
    const struct distances s = find_distances(&place[0], window[0]);
    const struct distances t = find_distances(&place[1], window[1]);
    __m256d square = _mm256_max_pd(s.across + t.across, s.down + t.down);
    return _mm256_max_pd(square, _mm256_set1_pd(DETAIL_LEAST_SQUARE));
}

INLINE __m256i exponents(__m256d value)
{
    return _mm256_sub_epi64(_mm256_srli_epi64(_mm256_castpd_si256(value), 52),
                            _mm256_set1_epi64x(1023));
}

INLINE void store_numbers(__m256i numbers, int32_t to[4])
{
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    __m256i words = _mm256_permutevar8x32_epi32(numbers, even);
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(words));
}

/* Computes log2(square) / 2 in steps of 1/256, like half_log2() in detail.c. */
static void details(const lanes place[2], const double window[2], int32_t detail[4])
{
    const __m256i fraction = _mm256_set1_epi64x(0xfffffffffffff);
    __m256d value = quad_squares(place, window), one = _mm256_set1_pd(1);
    __m256i steps = exponents(value);
    __m256i bits = _mm256_and_si256(_mm256_castpd_si256(value), fraction);
    __m256d mantissa = _mm256_or_pd(_mm256_castsi256_pd(bits), one);
    for (unsigned digit = 0; digit < 7; digit++) {
        mantissa = mantissa * mantissa;
        __m256d carry = _mm256_cmp_pd(mantissa, _mm256_set1_pd(2), _CMP_GE_OQ);
        steps = _mm256_sub_epi64(_mm256_add_epi64(steps, steps), _mm256_castpd_si256(carry));
        mantissa = _mm256_blendv_pd(mantissa, mantissa * 0.5, carry);
    }
    store_numbers(steps, detail);
}

/* The nearest level depends only on the exponent, because its limits are half way between two
 * levels, at odd powers of two. A level of detail is above 0 from the least square on whose
 * logarithm has a digit in steps of 1/128. */
static void rough_details(const lanes place[2], const double window[2], int32_t detail[4])
{
    const double least = 0x1.0163da9fb3336p+0; /* 2^(1/128), rounded as half_log2() squares it */
    __m256d value = quad_squares(place, window);
    __m256i steps = _mm256_slli_epi64(exponents(value), 7);
    __m256d above = _mm256_cmp_pd(value, _mm256_set1_pd(least), _CMP_GE_OQ);
    store_numbers(_mm256_sub_epi64(steps, _mm256_castpd_si256(above)), detail);
}

/* ---- caches ---------------------------------------------------------------------------------- */

enum { LINE_SHIFT = 6 };
_Static_assert(1 << LINE_SHIFT == TMU_CACHE_LINE, "");

/* Returns the value of the previous lane. Lane 0 keeps its value. */
INLINE half previous(half value)
{
    const __m256i order = _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6);
    return (half)_mm256_permutevar8x32_epi32((__m256i)value, order);
}

INLINE half equal(half a, half b)
{
    return (half)(a == b);
}

/* Packs the masks of four taps. Bit lane * 4 + tap of the result is the sign of lane of tap[]. */
INLINE uint32_t pack_taps(const half tap[LEVEL_TAPS])
{
    const __m256i by_lane = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
                                             0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m256i first = _mm256_packs_epi32((__m256i)tap[0], (__m256i)tap[1]);
    __m256i second = _mm256_packs_epi32((__m256i)tap[2], (__m256i)tap[3]);
    __m256i bytes = _mm256_shuffle_epi8(_mm256_packs_epi16(first, second), by_lane);
    return (uint32_t)_mm256_movemask_epi8(bytes);
}

/* Each access is compared with accesses of the same and of the previous lane. This finds most
 * repeated lines of adjacent pixels. */
INLINE uint32_t repeated_lines(const lanes *address, unsigned taps, unsigned i)
{
    const half later = {0, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u}, none = all(~0u);
    half line[LEVEL_TAPS], before[LEVEL_TAPS];
    for (unsigned k = 0; k < taps; k++) {
        line[k] = get(&address[k], i) >> LINE_SHIFT;
        before[k] = previous(line[k]);
    }
    if (taps == 1) {
        const half repeated[LEVEL_TAPS] = {equal(line[0], before[0]) & later, none, none, none};
        return pack_taps(repeated);
    }
    const half repeated[LEVEL_TAPS] = {
        (equal(line[0], before[0]) | equal(line[0], before[1])) & later,
        equal(line[1], line[0]) | (equal(line[1], before[1]) & later),
        equal(line[2], line[0]) | ((equal(line[2], before[2]) | equal(line[2], before[3])) & later),
        equal(line[3], line[2]) | equal(line[3], line[1]) | (equal(line[3], before[3]) & later),
    };
    return pack_taps(repeated);
}

INLINE uint64_t fresh_of(const lanes *address, unsigned taps)
{
    uint64_t low = repeated_lines(address, taps, 0), high = repeated_lines(address, taps, 1);
    return ~(low | high << 32);
}

static uint64_t fresh_lines(const lanes *address, unsigned taps)
{
    return taps == 1 ? fresh_of(address, 1) : fresh_of(address, LEVEL_TAPS);
}

INLINE uint64_t on_line(const lanes *address, unsigned taps, uint32_t line)
{
    const half at = all(line);
    uint64_t accesses = 0;
    for (unsigned i = 0; i < HALVES; i++) {
        half on[LEVEL_TAPS] = {{0}};
        for (unsigned k = 0; k < taps; k++)
            on[k] = equal((get(&address[k], i) & BUS_ADDRESS_MASK) >> LINE_SHIFT, at);
        accesses |= (uint64_t)pack_taps(on) << 32 * i;
    }
    return accesses;
}

/* The number of taps is constant in each instance. */
static uint64_t find_on_line(const lanes *address, unsigned taps, uint32_t line)
{
    return taps == 1 ? on_line(address, 1, line) : on_line(address, LEVEL_TAPS, line);
}

const struct sampler_kernels sampler_kernels_avx2 = {sample, details, rough_details, fresh_lines,
                                                     find_on_line};

#include "exec/avx2_end.h"

#endif
