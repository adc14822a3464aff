/* SPDX-License-Identifier: MIT */
/* f32_parts.h - operations on host vectors of floats, one float per lane, for the models that run
 * shaders on many lanes at once.
 *
 * A file includes this header after it defines PART_BYTES, the size of a host vector: 16, which
 * every host supports, or 32 in code for x86-64 with AVX2.
 *
 * In:      the bits of floats.
 * Out:     the operations that all modelled machines share: types, selection, flushing and NaN
 *          handling of results, rounding.
 * Choices: results do not depend on the host's denormal mode or on the host's NaN payloads. The
 *          caller selects whether denormal results are flushed, as the modelled machine does. Every
 *          NaN becomes 0x7fc00000. Rounding is to nearest even, the default of C. */
#ifndef BASE_F32_PARTS_H
#define BASE_F32_PARTS_H

#include <stdint.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    F32_SIGN = INT32_MIN,
    F32_MAGNITUDE = 0x7fffffff,
    F32_INFINITE = 0x7f800000,
    F32_NAN = 0x7fc00000,
    F32_ONE = 0x3f800000,
    F32_LARGEST = 0x7f7fffff,
};

/* Vectors of the host's own width. Compilers generate poor code for wider vectors. */
typedef uint32_t part __attribute__((vector_size(PART_BYTES), may_alias));
typedef int32_t part_int __attribute__((vector_size(PART_BYTES), may_alias));
typedef float part_float __attribute__((vector_size(PART_BYTES), may_alias));

#define INLINE                     static inline __attribute__((always_inline, unused))

#define CHOOSE(condition, yes, no) (((part)(condition) & (yes)) | (~(part)(condition) & (no)))
#define SPLAT(value)               ((part){0} + (uint32_t)(value))
#define FLOAT(x)                   ((part_float)(x))
#define TRUTH(condition)           ((part)(condition)&F32_ONE)
#define IS_ZERO(x)                 (((x)&F32_MAGNITUDE) == 0)
#define SIGN_BIT                   ((uint32_t)F32_SIGN)
#define ZERO                       ((part_float){0})

/* Returns part i of a lane mask as a vector. An element is all ones if the lane's bit is set, else
 * 0. */
INLINE part spread(uint64_t mask, unsigned i)
{
#if PART_BYTES == 32
    const part bit = {1, 2, 4, 8, 16, 32, 64, 128};
#else
    const part bit = {1, 2, 4, 8};
#endif
    return (part)(((uint32_t)(mask >> (PART_BYTES / 4 * i)) & bit) == bit);
}

/* Returns the top bit of each element, element 0 in bit 0. */
INLINE uint32_t signs(part value)
{
#if defined(__x86_64__) && PART_BYTES == 32
    return (uint32_t)_mm256_movemask_ps((__m256)value);
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps((__m128)value);
#else
    part bits = (part)((part_int)value >> 31) & (part){1, 2, 4, 8};
    return bits[0] | bits[1] | bits[2] | bits[3];
#endif
}

/* Clears the bits `flush` in elements that are denormal or zero. `flush` is F32_MAGNITUDE to flush
 * denormals, 0 to keep them. */
INLINE part flushed(part value, uint32_t flush)
{
    return value & ~((part)((value & F32_INFINITE) == 0) & flush);
}

INLINE part is_nan(part value)
{
    return (part)((part_int)(value & F32_MAGNITUDE) > F32_INFINITE);
}

/* Returns a result as the machine stores it: NaN made canonical, denormals flushed. */
INLINE part finished(part value, uint32_t flush)
{
    return CHOOSE(is_nan(value), SPLAT(F32_NAN), flushed(value, flush));
}

/* Returns all ones in elements whose magnitude is below 2^23, else 0. Floats of 2^23 and above are
 * whole numbers, infinity or NaN, so rounding to an integer leaves them unchanged. */
INLINE part is_small(part x)
{
    return (part)((part_int)(x & F32_MAGNITUDE) < 0x4b000000);
}

INLINE part_float whole_part(part x)
{
    return __builtin_convertvector(__builtin_convertvector(FLOAT(x), part_int), part_float);
}

/* Rounds to an integer towards zero and keeps the sign. -0 stays -0, and -0.5 becomes -0. */
INLINE part truncated(part x)
{
    part small = is_small(x);
    return CHOOSE(small, (part)whole_part(x & small) | (x & SIGN_BIT), x);
}

/* Rounds to an integer towards minus infinity and keeps the sign of zero. -0 stays -0, and -0.5
 * becomes -1. */
INLINE part rounded_down(part x)
{
    part small = is_small(x);
    part_float down = whole_part(x & small);
    down -= (part_float)TRUTH(down > FLOAT(x & small));
    return CHOOSE(small, (part)down | (x & SIGN_BIT), x);
}

#endif
