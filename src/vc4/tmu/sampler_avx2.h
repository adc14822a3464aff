/* SPDX-License-Identifier: MIT */
/* sampler_avx2.h - values of eight lanes, for the files of the sampler's kernels with AVX2.
 * Included after exec/avx2_begin.h. */
#ifndef VC4_TMU_SAMPLER_AVX2_H
#define VC4_TMU_SAMPLER_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"

#define INLINE static inline __attribute__((always_inline))

/* Words of eight lanes. */
typedef uint32_t half __attribute__((vector_size(32), may_alias));
typedef int32_t half_int __attribute__((vector_size(32), may_alias));
typedef uint16_t half_shorts __attribute__((vector_size(32), may_alias));

enum { HALVES = 2 };

INLINE half all(uint32_t word)
{
    return (half)_mm256_set1_epi32((int)word);
}

INLINE half choose(half condition, half yes, half no)
{
    return (half)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)condition);
}

INLINE uint32_t signs(half value)
{
    return (uint32_t)_mm256_movemask_ps((__m256)value);
}

INLINE half get(const lanes *from, unsigned i)
{
    return ((const half *)from)[i];
}

INLINE void put(lanes *to, unsigned i, half value)
{
    ((half *)to)[i] = value;
}

/* Loads eight words that were stored in parts of 16 bytes. The processor forwards stores only to
 * loads that are not wider. */
INLINE __m256 load_parts(const lanes *from, unsigned i)
{
    const float *at = (const float *)from + 8 * i;
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(at)), _mm_load_ps(at + 4), 1);
}

#endif
