/* SPDX-License-Identifier: MIT */
/* tlb_kernels_parts.h - the functions of tlb_kernels.h, for one width of host vectors.
 *
 * A source file defines PART_BYTES (see base/f32_parts.h) and includes this header once. The header
 * then defines the static functions and the initialiser TLB_KERNELS. */
#include <string.h>

#include "base/f32_parts.h"
#include "vc4/lanes/quad.h"
#include "vc4/tile/tlb_kernels.h"

enum { PARTS = LANES * 4 / PART_BYTES, PART_LANES = PART_BYTES / 4 };

#define FOR_PARTS _Pragma("GCC unroll 4") for (unsigned i = 0; i < PARTS; i++)

/* load_part() and store_part() access part i of 16 samples. */
INLINE part load_part(const uint32_t *plane, const struct tlb_places *places, unsigned i)
{
#if PART_BYTES == 32
    __m128i low = _mm_loadu_si128((const __m128i *)&plane[places->index[2 * i]]);
    __m128i high = _mm_loadu_si128((const __m128i *)&plane[places->index[2 * i + 1]]);
    return (part)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
#else
    return (part)quad_load(&plane[places->index[i]]);
#endif
}

INLINE void store_part(uint32_t *plane, const struct tlb_places *places, unsigned i, part value)
{
#if PART_BYTES == 32
    __m128i *low = (__m128i *)&plane[places->index[2 * i]];
    __m128i *high = (__m128i *)&plane[places->index[2 * i + 1]];
    _mm_storeu_si128(low, _mm256_castsi256_si128((__m256i)value));
    _mm_storeu_si128(high, _mm256_extracti128_si256((__m256i)value, 1));
#else
    quad_store(&plane[places->index[i]], (quad_words)value);
#endif
}

/* True if a part has two places that are the same. Such parts cannot be written at once. */
INLINE bool has_twins(const struct tlb_places *places)
{
    const uint32_t *index = places->index;
    return PART_BYTES == 32 && (index[0] == index[1] || index[2] == index[3]);
}

/* Returns the elements that are 0 as bits. */
INLINE uint32_t zeros(part value)
{
    return signs((part)(value == 0));
}

static struct tlb_places places_of(const struct tlb_geometry *tile, const uint16_t x[4],
                                   const uint16_t y[4])
{
    quad_words column = {x[0], x[1], x[2], x[3]}, row = {y[0], y[1], y[2], y[3]};
    column &= (tile->width - 1) & ~1u;
    row &= (tile->height - 1) & ~1u;
    quad_words index = (row * tile->width + column * 2) * tile->samples + tile->first;
    struct tlb_places places;
    memcpy(places.index, &index, sizeof index);
    return places;
}

/* Selects the relations that pass a depth function, whose code has three bits: bit 0 passes less,
 * bit 1 passes equal, and bit 2 passes greater. */
struct relations {
    part greater, less_flip, equal_flip; /* the flips are the differences to `greater` */
};

INLINE struct relations relations_of(uint32_t function)
{
    return (struct relations){.greater = SPLAT(-(function >> 2 & 1)),
                              .less_flip = SPLAT(-((function ^ function >> 2) & 1)),
                              .equal_flip = SPLAT(-((function >> 1 ^ function >> 2) & 1))};
}

/* Compares values below 2^31. */
INLINE part compare(const struct relations *relations, part incoming, part stored)
{
    part less = (part)((part_int)incoming < (part_int)stored);
    part equal = (part)(incoming == stored);
    return relations->greater ^ (less & relations->less_flip) ^ (equal & relations->equal_flip);
}

static struct tlb_depth_result test_depth(uint32_t *zs, const struct tlb_places *places,
                                          const lanes *z, uint16_t tested,
                                          const struct tlb_depth *depth)
{
    if (has_twins(places))
        return tlb_kernels_portable.depth(zs, places, z, tested, depth);
    const struct relations relations = relations_of(depth->function);
    const part kept = SPLAT(depth->update ? UINT32_C(0xffffff00) : 0);
    uint32_t failed = 0, at_clear = 0, same = 0;
    FOR_PARTS
    {
        part incoming = ((const part *)z)[i] & 0xffffff, stored = load_part(zs, places, i);
        part chosen = spread(tested, i);
        part passes = compare(&relations, incoming, stored >> 8), fails = chosen & ~passes;
        part difference = (incoming << 8 ^ stored) & kept & chosen & passes;
        store_part(zs, places, i, stored ^ difference);
        failed |= signs(fails) << (PART_LANES * i);
        at_clear |= signs(fails & (part)(stored >> 8 == depth->clear_z)) << (PART_LANES * i);
        same |= zeros(difference) << (PART_LANES * i);
    }
    return (struct tlb_depth_result){
        .failed = (uint16_t)failed, .at_clear = (uint16_t)at_clear, .changed = (uint16_t)~same};
}

static uint16_t write_words(uint32_t *plane, const struct tlb_places *places, const lanes *value,
                            uint16_t written)
{
    if (has_twins(places))
        return tlb_kernels_portable.write(plane, places, value, written);
    uint32_t same = 0;
    FOR_PARTS
    {
        part before = load_part(plane, places, i);
        part difference = (before ^ ((const part *)value)[i]) & spread(written, i);
        store_part(plane, places, i, before ^ difference);
        same |= zeros(difference) << (PART_LANES * i);
    }
    return (uint16_t)~same;
}

static uint16_t zero_tops(const uint32_t *plane, const struct tlb_places *places)
{
    uint32_t set = 0;
    FOR_PARTS set |= zeros(load_part(plane, places, i) >> 24) << (PART_LANES * i);
    return (uint16_t)set;
}

static void read_words(const uint32_t *plane, const struct tlb_places *places, lanes *out)
{
    FOR_PARTS((part *)out)[i] = load_part(plane, places, i);
}

#define TLB_KERNELS                                                                             \
    {                                                                                           \
        .places = places_of, .depth = test_depth, .write = write_words, .zero_tops = zero_tops, \
        .read = read_words                                                                      \
    }
