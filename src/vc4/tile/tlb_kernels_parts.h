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

/* --- depth --- */

/* Selects the relations that pass a depth function, whose code has three bits: bit 0 passes less,
 * bit 1 passes equal, and bit 2 passes greater. */
struct relations {
    part greater, less_flip, equal_flip; /* the flips are the differences to `greater` */
};

INLINE struct relations relations_of(uint32_t function)
{
    enum { NO, YES = -1 };
    static const int32_t rows[8][3] = {
        {NO, NO, NO},    {NO, YES, NO},  {NO, NO, YES},  {NO, YES, YES},
        {YES, YES, YES}, {YES, NO, YES}, {YES, YES, NO}, {YES, NO, NO},
    };
    const int32_t *row = rows[function];
    return (struct relations){
        .greater = SPLAT(row[0]), .less_flip = SPLAT(row[1]), .equal_flip = SPLAT(row[2])};
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
    part stored[PARTS], fails[PARTS];
    FOR_PARTS
    {
        part incoming = ((const part *)z)[i] & 0xffffff, before = load_part(zs, places, i);
        part chosen = spread(tested, i);
        part passes = chosen & compare(&relations, incoming, before >> 8);
        part difference = (incoming << 8 ^ before) & kept & passes;
        store_part(zs, places, i, before ^ difference);
        stored[i] = before;
        fails[i] = chosen ^ passes;
        failed |= signs(fails[i]) << (PART_LANES * i);
        same |= zeros(difference) << (PART_LANES * i);
    }
    if (failed)
        FOR_PARTS
        {
            part clear = (part)(stored[i] >> 8 == depth->clear_z);
            at_clear |= signs(fails[i] & clear) << (PART_LANES * i);
        }
    return (struct tlb_depth_result){
        .failed = failed, .at_clear = at_clear, .changed = ~same & ALL_LANES};
}

/* --- multisample tiles --- */

/* Returns a quad's words for each sample of a part. */
INLINE part for_samples(quad_words quad)
{
#if PART_BYTES == 32
    return (part)_mm256_broadcastsi128_si256((__m128i)quad);
#else
    return (part)quad;
#endif
}

/* Returns the multisample flag of each element of part i of a quad's samples. */
INLINE part sample_flags(unsigned i)
{
#if PART_BYTES == 32
    return (part){1, 1, 1, 1, 2, 2, 2, 2} << 2 * i;
#else
    return (part){1, 1, 1, 1} << i;
#endif
}

typedef uint8_t flag_bytes __attribute__((vector_size(4)));

/* Returns four bytes as words, for each sample of a part. */
INLINE part load_bytes(const uint8_t bytes[4])
{
#if PART_BYTES == 32
    int32_t word;
    memcpy(&word, bytes, sizeof word);
    return (part)_mm256_cvtepu8_epi32(_mm_set1_epi32(word));
#else
    flag_bytes value;
    memcpy(&value, bytes, sizeof value);
    return for_samples(__builtin_convertvector(value, quad_words));
#endif
}

/* Combines the words of all samples of a part. */
INLINE quad_words any_sample(part value)
{
#if PART_BYTES == 32
    return (quad_words)_mm256_castsi256_si128((__m256i)value) |
           (quad_words)_mm256_extracti128_si256((__m256i)value, 1);
#else
    return (quad_words)value;
#endif
}

INLINE quad_words sum_of_samples(part value)
{
#if PART_BYTES == 32
    return (quad_words)_mm256_castsi256_si128((__m256i)value) +
           (quad_words)_mm256_extracti128_si256((__m256i)value, 1);
#else
    return (quad_words)value;
#endif
}

/* Stores four words below 128 as bytes. Returns the bytes as a word. */
INLINE uint32_t store_bytes(uint8_t bytes[4], quad_words value)
{
    uint32_t word;
#ifdef __x86_64__
    __m128i shorts = _mm_packs_epi32((__m128i)value, (__m128i)value);
    word = (uint32_t)_mm_cvtsi128_si32(_mm_packs_epi16(shorts, shorts));
#else
    flag_bytes narrow = __builtin_convertvector(value, flag_bytes);
    memcpy(&word, &narrow, sizeof word);
#endif
    memcpy(bytes, &word, sizeof word);
    return word;
}

/* Returns the lanes of quad q that have a difference in any sample. */
INLINE uint32_t changed_lanes(part difference, unsigned q)
{
    quad_words same = (quad_words)(any_sample(difference) == 0);
#ifdef __x86_64__
    return (~(uint32_t)_mm_movemask_ps((__m128)same) & 0xf) << 4 * q;
#else
    return quad_mask(~same) << 4 * q;
#endif
}

#define FOR_QUADS _Pragma("GCC unroll 1") for (unsigned q = 0; q < LANES / 4; q++)

static void test_samples(uint32_t *zs, const struct tlb_places *places, const lanes *z,
                         const uint8_t tested[LANES], const struct tlb_depth *depth,
                         struct tlb_samples_result *result)
{
    const struct relations relations = relations_of(depth->function);
    const part kept = SPLAT(depth->update ? UINT32_C(0xffffff00) : 0);
    uint32_t changed = 0;
    memset(result->at_clear, 0, sizeof result->at_clear);
    FOR_QUADS
    {
        const part incoming = for_samples(quad_load((const uint32_t *)z + 4 * q)) & 0xffffff;
        const part flags = load_bytes(&tested[4 * q]);
        part failed = {0}, differences = {0}, stored[PARTS], fails[PARTS];
        FOR_PARTS
        {
            uint32_t *to = &zs[places->index[q] + PART_LANES * i];
            const part bit = sample_flags(i), chosen = (part)((flags & bit) == bit);
            memcpy(&stored[i], to, sizeof stored[i]);
            part passes = chosen & compare(&relations, incoming, stored[i] >> 8);
            part difference = (incoming << 8 ^ stored[i]) & kept & passes;
            part after = stored[i] ^ difference;
            memcpy(to, &after, sizeof after);
            fails[i] = (chosen ^ passes) & bit;
            failed |= fails[i];
            differences |= difference;
        }
        if (store_bytes(&result->failed[4 * q], any_sample(failed))) {
            part at_clear = {0};
            FOR_PARTS at_clear |= fails[i] & (part)(stored[i] >> 8 == depth->clear_z);
            store_bytes(&result->at_clear[4 * q], any_sample(at_clear));
        }
        changed |= changed_lanes(differences, q);
    }
    result->changed = (lane_mask)changed;
}

static lane_mask write_samples(uint32_t *plane, const struct tlb_places *places, const lanes *value,
                               const uint8_t written[LANES])
{
    uint32_t changed = 0;
    FOR_QUADS
    {
        const part word = for_samples(quad_load((const uint32_t *)value + 4 * q));
        const part flags = load_bytes(&written[4 * q]);
        part differences = {0};
        FOR_PARTS
        {
            uint32_t *to = &plane[places->index[q] + PART_LANES * i];
            part before;
            memcpy(&before, to, sizeof before);
            const part bit = sample_flags(i);
            part difference = (before ^ word) & (part)((flags & bit) == bit);
            before ^= difference;
            memcpy(to, &before, sizeof before);
            differences |= difference;
        }
        changed |= changed_lanes(differences, q);
    }
    return (lane_mask)changed;
}

/* --- stencil --- */

INLINE part stencil_result(enum stencil_op op, part stored, uint32_t reference)
{
    switch (op) {
    case STENCIL_ZERO: return (part){0};
    case STENCIL_KEEP: return stored;
    case STENCIL_REPLACE: return SPLAT(reference);
    case STENCIL_INC_SATURATE: return stored + 1 + (part)(stored == 0xff);
    case STENCIL_DEC_SATURATE: return stored - 1 - (part)(stored == 0);
    case STENCIL_INVERT: return ~stored;
    case STENCIL_INC: return stored + 1;
    case STENCIL_DEC: return stored - 1;
    }
    return stored;
}

/* Returns the stencils after an operation. Only the bits of the write mask change. */
INLINE part updated(const struct tlb_stencil *face, uint8_t op, part stored)
{
    part result = stencil_result((enum stencil_op)op, stored, face->reference);
    return stored ^ ((stored ^ result) & face->write_mask);
}

/* The samples that pass a face's stencil test, and their stencils after the tests. */
struct face_result {
    part passes, stencil;
};

INLINE struct face_result test_face(const struct tlb_stencil *face, part stored, part depth_passes)
{
    if (!face->enabled)
        return (struct face_result){SPLAT(UINT32_MAX), stored};
    const struct relations relations = relations_of(face->function);
    part passes = compare(&relations, SPLAT(face->reference & face->compare_mask),
                          stored & face->compare_mask);
    part passed = CHOOSE(depth_passes, updated(face, face->z_pass_op, stored),
                         updated(face, face->z_fail_op, stored));
    part failed = updated(face, face->stencil_fail_op, stored);
    return (struct face_result){passes, CHOOSE(passes, passed, failed)};
}

static struct tlb_stencil_result test_stencil(uint32_t *zs, const struct tlb_places *places,
                                              const lanes *z, uint16_t tested,
                                              const struct tlb_depth *depth,
                                              const struct tlb_stencil_test *stencil)
{
    if (has_twins(places))
        return tlb_kernels_portable.stencil(zs, places, z, tested, depth, stencil);
    const struct relations relations = relations_of(depth->function);
    const part kept = SPLAT(depth->update ? UINT32_C(0xffffff00) : 0);
    uint32_t stencil_failed = 0, depth_failed = 0, at_clear = 0, same = 0;
    FOR_PARTS
    {
        part incoming = ((const part *)z)[i] & 0xffffff, before = load_part(zs, places, i);
        part chosen = spread(tested, i), reverse = spread(stencil->reverse, i);
        part depth_passes = compare(&relations, incoming, before >> 8);
        struct face_result front = test_face(stencil->front, before & 0xff, depth_passes);
        struct face_result back = test_face(stencil->back, before & 0xff, depth_passes);
        part passes = CHOOSE(reverse, back.passes, front.passes) & chosen;
        part fails = passes & ~depth_passes;
        part difference = ((incoming << 8 ^ before) & kept & passes & depth_passes) |
                          ((CHOOSE(reverse, back.stencil, front.stencil) ^ before) & 0xff & chosen);
        store_part(zs, places, i, before ^ difference);
        stencil_failed |= signs(chosen & ~passes) << (PART_LANES * i);
        depth_failed |= signs(fails) << (PART_LANES * i);
        at_clear |= signs(fails & (part)(before >> 8 == depth->clear_z)) << (PART_LANES * i);
        same |= zeros(difference) << (PART_LANES * i);
    }
    return (struct tlb_stencil_result){.stencil_failed = stencil_failed,
                                       .depth_failed = depth_failed,
                                       .at_clear = at_clear,
                                       .changed = ~same & ALL_LANES};
}

/* --- words --- */

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

/* --- rows of pixels --- */

/* Stores the rows of the quads of a part. */
INLINE void store_halves(uint32_t *low, uint32_t *high, quad_words first, quad_words second)
{
    quad_store(low, __builtin_shufflevector(first, second, 0, 1, 4, 5));
    quad_store(high, __builtin_shufflevector(first, second, 2, 3, 6, 7));
}

INLINE void split_quads(const uint32_t *quads, uint32_t stride, uint32_t count, uint32_t *low,
                        uint32_t *high)
{
    for (uint32_t x = 0; x < count; x += 4, quads += 2 * stride)
        store_halves(low + x, high + x, quad_load(quads), quad_load(quads + stride));
}

static void split(const uint32_t *quads, uint32_t samples, uint32_t count, uint32_t *low,
                  uint32_t *high)
{
    if (samples == 1)
        split_quads(quads, 4, count, low, high);
    else
        split_quads(quads, 16, count, low, high);
}

/* Returns the rounded means of each pixel's four samples. Two channels are summed in one word. */
INLINE quad_words means_of_quad(const uint32_t *quad)
{
    const uint32_t channels = 0x00ff00ff, half = 0x00020002;
    part even = {0}, odd = {0};
    FOR_PARTS
    {
        part samples;
        memcpy(&samples, &quad[PART_LANES * i], sizeof samples);
        even += samples & channels;
        odd += samples >> 8 & channels;
    }
    quad_words evens = sum_of_samples(even) + half, odds = sum_of_samples(odd) + half;
    return (evens >> 2 & channels) | (odds >> 2 & channels) << 8;
}

static void split_means(const uint32_t *quads, uint32_t count, uint32_t *low, uint32_t *high)
{
    for (uint32_t x = 0; x < count; x += 4, quads += 32)
        store_halves(low + x, high + x, means_of_quad(quads), means_of_quad(quads + 16));
}

/* Adds 8-bit channels, which are 16 bits apart, and limits the sums to 255. */
INLINE part raise_channels(part channels, part by)
{
    part sum = channels + by, carry = sum & 0x01000100;
    return sum | (carry - (carry >> 8));
}

static void pack_565(const uint32_t *words, const uint8_t thresholds[4], uint32_t count,
                     uint16_t *pixels)
{
    typedef uint16_t half_shorts __attribute__((vector_size(PART_BYTES / 2)));
    const part threshold = load_bytes(thresholds);
    const part red_blue = (threshold >> 1) * 0x00010001, green = threshold >> 2;
    for (uint32_t x = 0; x < count; x += PART_LANES) {
        part word;
        memcpy(&word, &words[x], sizeof word);
        part rb = raise_channels(word & 0x00ff00ff, red_blue);
        part g = raise_channels(word >> 8 & 0xff, green);
        half_shorts pixel = __builtin_convertvector(
            (rb & 0xf8) << 8 | (g & 0xfc) << 3 | (rb >> 19 & 0x1f), half_shorts);
        memcpy(&pixels[x], &pixel, sizeof pixel);
    }
}

#define TLB_KERNELS                                                                             \
    {                                                                                           \
        .places = places_of, .depth = test_depth, .depth_samples = test_samples,                \
        .stencil = test_stencil, .write = write_words, .write_samples = write_samples,          \
        .zero_tops = zero_tops, .read = read_words, .split = split, .split_means = split_means, \
        .pack_565 = pack_565                                                                    \
    }
