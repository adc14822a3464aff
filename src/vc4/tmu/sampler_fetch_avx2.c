/* SPDX-License-Identifier: MIT */
/* sampler_fetch_avx2.c - the second half of the sampler's kernel for x86-64 processors with AVX2:
 * loads, decodes and filters the texels at the addresses that sampler_locate_avx2() found. Empty on
 * other hosts. Steps and names are those of sampler_plain.c, filter.c and texel.c. */
#include "vc4/tmu/sampler_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "base/bits.h"
#include "vc4/tmu/filter.h"
#include "vc4/tmu/texel.h"

#include "exec/avx2_begin.h"

#include "vc4/tmu/sampler_avx2.h"

/* The parts of a texture's state that are constants of an instance of the kernel. */
struct shape {
    uint32_t number; /* of the type, manual table 18 */
    bool linear, bordered;
};

enum { ETC1 = 8, S16F = 9, BW1 = 12, A4 = 13, A1 = 14, RGBA64 = 15, YUYV422R = 17 };

INLINE bool is_etc1(struct shape shape)
{
    return shape.number == ETC1;
}

/* True if a cell or a byte contains several texels. */
INLINE bool has_cells(struct shape shape)
{
    const uint32_t types = 1u << ETC1 | 1u << BW1 | 1u << A4 | 1u << A1 | 1u << YUYV422R;
    return types >> shape.number & 1;
}

INLINE bool has_halves(struct shape shape)
{
    return shape.number == S16F || shape.number == RGBA64;
}

/* Returns the number of bits that are loaded for a cell of at most 32 bits. */
INLINE unsigned cell_bits(struct shape shape)
{
    const uint32_t words = 1u << 0 | 1u << 1 | 1u << 16 | 1u << 17;
    const uint32_t shorts = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 7 | 1u << 9 | 1u << 11;
    return words >> shape.number & 1 ? 32 : shorts >> shape.number & 1 ? 16 : 8;
}

/* ---- texels ---------------------------------------------------------------------------------- */

INLINE int load(const uint8_t *host, uint32_t address)
{
    return (int)load_le32(host + address);
}

/* Loads the word at each of eight addresses, whose bits in clear count as 0. The addresses are
 * loaded from memory one by one. On the processor where all ways were measured (AMD Zen 3), this is
 * faster than taking them from a vector, and than the gather instruction. */
INLINE half gather_at(const uint8_t *host, const uint32_t *at, uint32_t clear)
{
    return (half)_mm256_setr_epi32(load(host, at[0] & ~clear), load(host, at[1] & ~clear),
                                   load(host, at[2] & ~clear), load(host, at[3] & ~clear),
                                   load(host, at[4] & ~clear), load(host, at[5] & ~clear),
                                   load(host, at[6] & ~clear), load(host, at[7] & ~clear));
}

INLINE half gather(const uint8_t *host, const uint32_t *at)
{
    return gather_at(host, at, 0);
}

/* Loads cells of at most 16 bits from the aligned words that contain them. A level is a whole
 * number of words, and begins at a multiple of four. */
INLINE half gather_narrow(const uint8_t *host, const uint32_t *at, uint32_t mask)
{
    const half address = *(const half *)(const void *)at;
    return gather_at(host, at, 3) >> (address & 3) * 8 & mask;
}

/* Returns one texel of each ETC1 block. low and high are the block's bytes, x and y the texel in
 * the block. base/etc1.c describes the fields. The three channels are processed as bytes. */
INLINE half decode_etc1(half low, half high, half x, half y)
{
    const __m256i swap = _mm256_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203,
                                           0x0c0d0e0f08090a0b, 0x0405060700010203);
    /* eight small changes, then eight large ones */
    const __m128i magnitude = _mm_setr_epi8(2, 5, 9, 13, 18, 24, 33, 47, 8, 17, 29, 42, 60, 80, 106,
                                            (char)183);
    half number = x * 4 + y;
    half codes = (half)_mm256_shuffle_epi8((__m256i)high, swap);
    half least = codes >> number & 1, most = 0 - (codes >> (number + 16) & 1);
    half flags = low >> 24, stacked = 0 - (flags & 1), difference = 0 - (flags >> 1 & 1);
    half second = 0 - (choose(stacked, y, x) >> 1);
    half single = choose(second, low, low >> 4) & 0x0f0f0f;
    half wide = low >> 3 & 0x1f1f1f;
    half delta = (half)_mm256_sub_epi8((__m256i)((low & 0x070707) ^ 0x040404),
                                       _mm256_set1_epi32(0x040404));
    wide = (half)_mm256_add_epi8((__m256i)wide, (__m256i)(delta & second)) & 0x1f1f1f;
    half base = choose(difference, wide << 3 | (wide >> 2 & 0x070707), single * 17);
    half table = choose(second, flags >> 2, flags >> 5) & 7;
    half index = (table | least << 3) * 0x010101 | 0x80000000;
    __m256i change = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(magnitude), (__m256i)index);
    half more = (half)_mm256_adds_epu8((__m256i)base, change);
    half less = (half)_mm256_subs_epu8((__m256i)base, change);
    return choose(most, less, more) | TEXEL_OPAQUE;
}

/* Converts the bits of cells of at most 32 bits to results. number is the type's number. */
INLINE half decode(uint32_t number, half raw, half x)
{
    switch (number) {
    case 1: return raw | TEXEL_OPAQUE;
    case 2:
        return TEXEL_WIDEN4(TEXEL_RGBA(TEXEL_BITS(raw, 15, 12), TEXEL_BITS(raw, 11, 8),
                                       TEXEL_BITS(raw, 7, 4), TEXEL_BITS(raw, 3, 0)));
    case 3:
        return TEXEL_RGBA(TEXEL_WIDEN5(TEXEL_BITS(raw, 15, 11)),
                          TEXEL_WIDEN5(TEXEL_BITS(raw, 10, 6)), TEXEL_WIDEN5(TEXEL_BITS(raw, 5, 1)),
                          0 - TEXEL_BITS(raw, 0, 0));
    case 4:
        return TEXEL_RGBA(TEXEL_WIDEN5(TEXEL_BITS(raw, 15, 11)),
                          TEXEL_WIDEN6(TEXEL_BITS(raw, 10, 5)), TEXEL_WIDEN5(TEXEL_BITS(raw, 4, 0)),
                          TEXEL_OPAQUE >> 24);
    case 5: return raw * 0x010101 | TEXEL_OPAQUE;
    case 6: return raw << 24;
    case 7: return TEXEL_BITS(raw, 7, 0) * 0x010101 | TEXEL_BITS(raw, 15, 8) << 24;
    case 12: return (0 - (raw >> (x & 7) & 1)) | TEXEL_OPAQUE;
    case 13: return TEXEL_WIDEN4(raw >> (x << 2 & 7) & 15) << 24;
    case 14: return (0 - (raw >> (x & 7) & 1)) & TEXEL_OPAQUE;
    case 17:
        return TEXEL_RGBA(raw >> (x & 1) * 16 & 0xff, TEXEL_BITS(raw, 15, 8),
                          TEXEL_BITS(raw, 31, 24), TEXEL_OPAQUE >> 24);
    default: return raw;
    }
}

/* The texels of a tap that half i of the lanes read. */
struct tap {
    const uint8_t *host;     /* host address of bus address 0 */
    const uint32_t *address; /* of eight lanes */
    half x, y;               /* texel numbers, if a cell has several texels */
};

/* Returns the host address that bus address 0 would have in the region of the level. */
INLINE const uint8_t *origin_of(const struct sampler_job *job)
{
    return (const uint8_t *)((uintptr_t)job->host - job->address);
}

INLINE half fetch_word(const struct sampler_job *job, struct shape shape, const struct tap *tap)
{
    if (is_etc1(shape))
        return decode_etc1(gather(tap->host, tap->address), gather(tap->host + 4, tap->address),
                           tap->x & 3, (tap->y & 3) ^ job->texture->block_flip);
    if (cell_bits(shape) == 32)
        return decode(shape.number, gather(tap->host, tap->address), tap->x);
    uint32_t mask = cell_bits(shape) == 16 ? 0xffff : 0xff;
    return decode(shape.number, gather_narrow(tap->host, tap->address, mask), tap->x);
}

/* Result words of a tap's texels. */
struct words {
    half word[2];
};

INLINE struct words fetch(const struct sampler_job *job, struct shape shape,
                          const struct sampler_taps *taps, const uint8_t *host,
                          const lanes *address, unsigned number, unsigned i)
{
    struct words got = {{{0}, {0}}};
    struct tap tap = {.host = host, .address = (const uint32_t *)&address[number] + 8 * i};
    if (has_cells(shape)) {
        tap.x = get(&taps->column[number & 1], i);
        tap.y = get(&taps->row[number >> 1], i);
    }
    if (shape.number == RGBA64) {
        got.word[0] = gather(tap.host, tap.address);
        got.word[1] = gather(tap.host + 4, tap.address);
    } else {
        got.word[0] = fetch_word(job, shape, &tap);
    }
    for (unsigned k = 0; shape.bordered && k < 2; k++)
        got.word[k] = choose(get(&taps->outside[number], i), all(job->border), got.word[k]);
    return got;
}

/* ---- filters --------------------------------------------------------------------------------- */

/* Returns a * (FILTER_ONE - x) + b * x for both 16-bit halves of each word. */
INLINE half mix(half a, half b, half x)
{
    half_shorts change = ((half_shorts)b - (half_shorts)a) * (half_shorts)x;
    return (half)(((half_shorts)a << 8) + change);
}

/* Blends one channel of two rows. pairs has the upper row's channel in the lower half of each word
 * and the lower row's channel in the upper half, both minus 2^15. Returns a byte in bits 16 to
 * 23. */
INLINE half settle(__m256i pairs, __m256i weights)
{
    return (half)_mm256_madd_epi16(pairs, weights) + ((32768 << 8) + 32768);
}

/* Blends two channels of two rows. The results are in bits 0 to 7 and 16 to 23. */
INLINE half blend_rows(half upper, half lower, __m256i weights)
{
    const half middle = (half){0} + 0x80008000;
    __m256i a = (__m256i)(upper ^ middle), b = (__m256i)(lower ^ middle);
    __m256i first = _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0xaa);
    __m256i second = _mm256_blend_epi16(_mm256_srli_epi32(a, 16), b, 0xaa);
    half low = settle(first, weights) >> 16, high = settle(second, weights);
    return (half)_mm256_blend_epi16((__m256i)low, (__m256i)high, 0xaa);
}

INLINE half odd(half word)
{
    return (half)((half_shorts)word >> 8);
}

/* Like filter_quad(). The sum is computed exactly, and rounded once. */
INLINE half blend_quad(const half texel[4], half column, half row)
{
    const half x = column | column << 16, even = (half){0} + 0x00ff00ff;
    const __m256i weights = (__m256i)((FILTER_ONE - row) | row << 16);
    half low = blend_rows(mix(texel[0] & even, texel[1] & even, x),
                          mix(texel[2] & even, texel[3] & even, x), weights);
    half high = blend_rows(mix(odd(texel[0]), odd(texel[1]), x),
                           mix(odd(texel[2]), odd(texel[3]), x), weights);
    return low | high << 8;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

INLINE void fetch_nearest(const struct sampler_job *job, struct shape shape,
                          struct sampler_taps *taps, lanes result[2])
{
    const uint8_t *host = origin_of(job);
    const lanes *address = taps->address;
    for (unsigned i = 0; i < HALVES; i++) {
        struct words got = fetch(job, shape, taps, host, address, 0, i);
        put(&result[0], i, got.word[0]);
        if (shape.number == RGBA64)
            put(&result[1], i, got.word[1]);
    }
}

INLINE void fetch_linear(const struct sampler_job *job, struct shape shape,
                         struct sampler_taps *taps, lanes result[2])
{
    const uint8_t *host = origin_of(job);
    const lanes *address = taps->address;
    for (unsigned i = 0; i < HALVES; i++) {
        half texel[LEVEL_TAPS];
        for (unsigned k = 0; k < LEVEL_TAPS; k++) {
            struct words got = fetch(job, shape, taps, host, address, k, i);
            texel[k] = got.word[0];
            if (has_halves(shape)) {
                put(&taps->word[k][0], i, got.word[0]);
                put(&taps->word[k][1], i, got.word[1]);
            }
        }
        if (!has_halves(shape))
            put(&result[0], i, blend_quad(texel, get(&taps->x, i), get(&taps->y, i)));
    }
}

INLINE void fetch_as(const struct sampler_job *job, struct shape shape, struct sampler_taps *taps,
                     lanes result[2])
{
    if (shape.linear)
        fetch_linear(job, shape, taps, result);
    else
        fetch_nearest(job, shape, taps, result);
}

/* Defines the instances for one type without border: nearest_N and linear_N. */
#define INSTANCES(number)                                                                  \
    static void nearest_##number(const struct sampler_job *job, struct sampler_taps *taps, \
                                 lanes result[2])                                          \
    {                                                                                      \
        fetch_as(job, (struct shape){number, false, false}, taps, result);                 \
    }                                                                                      \
    static void linear_##number(const struct sampler_job *job, struct sampler_taps *taps,  \
                                lanes result[2])                                           \
    {                                                                                      \
        fetch_as(job, (struct shape){number, true, false}, taps, result);                  \
    }

#define FOR_EACH_TYPE(DO) \
    DO(0)                 \
    DO(1)                 \
    DO(2)                 \
    DO(3)                 \
    DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17)

FOR_EACH_TYPE(INSTANCES)

#define ENTRY(number) {nearest_##number, linear_##number},

/* Instances by type and filter. */
sampler_fetch *const sampler_fetches_avx2[][2] = {FOR_EACH_TYPE(ENTRY)};

void sampler_fetch_bordered_avx2(const struct sampler_job *job, struct sampler_taps *taps,
                                 lanes result[2])
{
    struct shape shape = {job->texture->format->number, job->linear, true};
    fetch_as(job, shape, taps, result);
}

#include "exec/avx2_end.h"

#endif
