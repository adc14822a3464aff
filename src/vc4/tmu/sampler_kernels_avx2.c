/* SPDX-License-Identifier: MIT */
/* sampler_kernels_avx2.c - the functions of sampler_kernels.h for x86-64 processors with AVX2.
 * Empty on other hosts.
 *
 * A request is processed in two halves of eight lanes. All steps from positions to the weighted sum
 * of a half stay in registers. Steps and names are those of sampler.c, filter.c and texel.c.
 *
 * All headers are included before the compiler's target changes to AVX2, so that functions in those
 * headers are compiled for baseline processors. */
#include "vc4/tmu/sampler_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "base/bits.h"
#include "vc4/memory/bus.h"
#include "vc4/memory/layout.h"
#include "vc4/tmu/filter.h"
#include "vc4/tmu/texel_channels.h"

#include "base/avx2_begin.h"

#define INLINE static inline __attribute__((always_inline))

/* Words of eight lanes. */
typedef uint32_t half __attribute__((vector_size(32), may_alias));
typedef int32_t half_int __attribute__((vector_size(32), may_alias));
typedef uint16_t half_shorts __attribute__((vector_size(32), may_alias));

enum { HALVES = 2 };

/* The parts of a texture's state that are constants of an instance of the kernel. */
struct shape {
    uint32_t number; /* of the type, manual table 18 */
    bool linear, bordered;
};

enum { ETC1 = 8, S16F = 9, RGBA64 = 15 };

INLINE bool is_etc1(struct shape shape)
{
    return shape.number == ETC1;
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

INLINE unsigned width_shift(struct shape shape)
{
    return is_etc1(shape) ? 2 : shape.number == 17;
}

INLINE unsigned height_shift(struct shape shape)
{
    return is_etc1(shape) ? 2 : 0;
}

INLINE half shift_left(half value, unsigned count)
{
    return (half)_mm256_sll_epi32((__m256i)value, _mm_cvtsi32_si128((int)count));
}

INLINE half shift_right(half value, unsigned count)
{
    return (half)_mm256_srl_epi32((__m256i)value, _mm_cvtsi32_si128((int)count));
}

INLINE half choose(half condition, half yes, half no)
{
    return (half)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)condition);
}

INLINE uint32_t signs(half value)
{
    return (uint32_t)_mm256_movemask_ps((__m256)value);
}

/* Loads eight words that were stored in parts of 16 bytes. The processor forwards stores only to
 * loads that are not wider. */
INLINE __m256 load_parts(const lanes *from, unsigned i)
{
    const float *at = (const float *)from + 8 * i;
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(at)), _mm_load_ps(at + 4), 1);
}

/* ---- positions ------------------------------------------------------------------------------- */

INLINE __m256d wrap_double(__m256d value, enum texture_wrap wrap)
{
    if (wrap == WRAP_REPEAT)
        return value - _mm256_floor_pd(value);
    if (wrap == WRAP_MIRROR)
        return value - 2 * _mm256_floor_pd(value * 0.5);
    return _mm256_min_pd(_mm256_max_pd(value, _mm256_set1_pd(-1)), _mm256_set1_pd(2));
}

/* Computes positions in float64, for four lanes. place has no NaN. */
INLINE __m128i exact_positions(__m128 place, int32_t size, bool centred, enum texture_wrap wrap)
{
    const double bias = 2048 * SUBTEXELS;
    __m256d at = _mm256_cvtps_pd(place);
    if (centred)
        at = (at + 1) * 0.5;
    at = wrap_double(at, wrap) * ((double)size * SUBTEXELS) + bias + 0.5;
    return _mm_sub_epi32(_mm256_cvttpd_epi32(at), _mm_set1_epi32(2048 * SUBTEXELS));
}

INLINE __m256 make_sane(__m256 place)
{
    const __m256 high = _mm256_set1_ps(0x1p30f), low = _mm256_set1_ps(-0x1p30f);
    __m256 number = _mm256_and_ps(place, _mm256_cmp_ps(place, place, _CMP_ORD_Q));
    return _mm256_min_ps(_mm256_max_ps(number, low), high);
}

static void find_positions(const struct sampler_job *job, unsigned axis, int32_t size,
                           half_int position[HALVES])
{
    const enum texture_wrap wrap = job->texture->axis[axis].wrap;
    for (unsigned i = 0; i < HALVES; i++) {
        __m256 at = make_sane(load_parts(&job->place[axis], i));
        __m128i low = exact_positions(_mm256_castps256_ps128(at), size, job->centred, wrap);
        __m128i high = exact_positions(_mm256_extractf128_ps(at, 1), size, job->centred, wrap);
        position[i] = (half_int)_mm256_set_m128i(high, low);
    }
}

/* Rounds numbers below 2^30 to integers. Halves are rounded up. */
INLINE half_int round_half(__m256 value)
{
    __m256 whole = _mm256_floor_ps(value);
    __m256 up = _mm256_cmp_ps(value - whole, _mm256_set1_ps(0.5f), _CMP_GE_OQ);
    return (half_int)_mm256_cvttps_epi32(whole) - (half_int)up;
}

/* Like find_positions(), but only for sizes that are powers of two. Returns false if a position is
 * too large. */
INLINE bool find_positions_fast(const struct sampler_job *job, unsigned axis, int32_t size,
                                half_int position[HALVES])
{
    const __m256 limit = _mm256_set1_ps(0x1p30f), sign = _mm256_set1_ps(-0.0f);
    const int32_t period = size * SUBTEXELS, shift = job->centred ? period / 2 : 0;
    const __m256 scale = _mm256_set1_ps((float)(period - shift));
    const __m256 scaled[HALVES] = {load_parts(&job->place[axis], 0) * scale,
                                   load_parts(&job->place[axis], 1) * scale};
    const enum texture_wrap wrap = job->texture->axis[axis].wrap;
    const int32_t mask = wrap == WRAP_REPEAT   ? period - 1
                         : wrap == WRAP_MIRROR ? 2 * period - 1
                                               : -1;
    __m256 near = _mm256_and_ps(
        _mm256_cmp_ps(_mm256_andnot_ps(sign, scaled[0]), limit, _CMP_LT_OQ),
        _mm256_cmp_ps(_mm256_andnot_ps(sign, scaled[1]), limit, _CMP_LT_OQ));
    if (_mm256_movemask_ps(near) != 0xff)
        return false;
    for (unsigned i = 0; i < HALVES; i++)
        position[i] = (round_half(scaled[i]) + shift) & mask;
    return true;
}

INLINE void locate(const struct sampler_job *job, unsigned axis, half_int position[HALVES])
{
    int32_t size = job->level->window[axis];
    if (size & (size - 1) || !find_positions_fast(job, axis, size, position))
        find_positions(job, axis, size, position);
}

/* ---- texel numbers and offsets --------------------------------------------------------------- */

INLINE half_int confine(half_int at, int32_t size)
{
    __m256i low = _mm256_max_epi32((__m256i)at, _mm256_setzero_si256());
    return (half_int)_mm256_min_epi32(low, _mm256_set1_epi32(size - 1));
}

INLINE half_int wrap_texel(half_int at, int32_t size, enum texture_wrap wrap)
{
    if (wrap == WRAP_REPEAT && !(size & (size - 1)))
        return at & (size - 1);
    if (wrap == WRAP_REPEAT)
        return at + ((at < 0) & size) - ((at >= size) & size);
    if (wrap == WRAP_MIRROR)
        at = (half_int)choose((half)(at >= size), (half)(2 * size - 1 - at), (half)at);
    return confine(at, size);
}

/* Texels that the lanes of a half select on one axis: two for a linear filter, otherwise one. */
struct footprint {
    half texel[2], outside[2], weight;
};

INLINE void place_texel(const struct sampler_job *job, unsigned number, half_int at,
                        struct footprint *found, unsigned which)
{
    const struct texture_axis *axis = &job->texture->axis[number];
    int32_t size = job->level->window[number];
    half_int wrapped = wrap_texel(at, size, axis->wrap);
    if (axis->flip)
        wrapped = size - 1 - wrapped;
    found->texel[which] = (half)(wrapped + job->level->offset[number]);
    found->outside[which] = (half){0};
    if (axis->wrap == WRAP_BORDER)
        found->outside[which] = (half)((at < 0) | (at >= size));
}

INLINE void place_texels(const struct sampler_job *job, unsigned axis, half_int position,
                         bool linear, struct footprint *found)
{
    if (linear)
        position -= SUBTEXELS / 2;
    half_int first = position >> 12;
    place_texel(job, axis, first, found, 0);
    if (!linear)
        return;
    place_texel(job, axis, first + 1, found, 1);
    found->weight = (((half)position & (SUBTEXELS - 1)) + 8) >> 4;
}

/* Like layout_columns() of memory/layout.h. */
INLINE half find_column(const struct image_layout *image, half x)
{
    unsigned shift = image->width_shift;
    if (image->layout == LAYOUT_RASTER)
        return shift_left(x, image->bits_shift) >> 3;
    half inside = shift_left(x & (image->utile_width - 1), image->bits_shift) >> 3;
    half utile = shift_right(x, shift);
    if (image->layout == LAYOUT_LT)
        return utile * UTILE_BYTES | inside;
    half subtile = utile << 8 & SUBTILE_BYTES;
    return (utile >> 3) * TILE_BYTES | subtile | subtile << 1 | (utile & 3) * UTILE_BYTES | inside;
}

/* Like struct layout_rows of memory/layout.h. */
struct rows {
    half base, mix;
};

INLINE struct rows find_row(const struct image_layout *image, half y)
{
    if (image->layout == LAYOUT_RASTER)
        return (struct rows){y * image->stride_bytes, {0}};
    unsigned row_shift = (unsigned)image->width_shift + image->bits_shift - 3;
    uint32_t utiles_per_row = image->stride_px >> image->width_shift;
    half inside = shift_left(y & (image->utile_height - 1), row_shift);
    half utile = shift_right(y, image->height_shift);
    if (image->layout == LAYOUT_LT)
        return (struct rows){utile * (utiles_per_row * UTILE_BYTES), inside};
    half tile = utile >> 3, odd = tile & 1;
    return (struct rows){
        (tile + odd) * (utiles_per_row / TILE_UTILES * TILE_BYTES),
        ((0 - odd) & (0u - TILE_BYTES)) | ((utile >> 2 & 1) | odd * 2) * SUBTILE_BYTES |
            (utile & 3) * (4 * UTILE_BYTES) | inside,
    };
}

/* ---- texels ---------------------------------------------------------------------------------- */

INLINE int load(const uint8_t *host, half offset, unsigned lane)
{
    return (int)load_le32(host + offset[lane]);
}

/* Loads one word for each lane. On the processor where both ways were measured (AMD Zen 3), single
 * loads are faster than the gather instruction. */
INLINE half gather(const uint8_t *host, half offset)
{
    return (half)_mm256_setr_epi32(
        load(host, offset, 0), load(host, offset, 1), load(host, offset, 2), load(host, offset, 3),
        load(host, offset, 4), load(host, offset, 5), load(host, offset, 6), load(host, offset, 7));
}

/* Loads cells of at most 16 bits from the aligned words that contain them. A level is a whole
 * number of words. */
INLINE half gather_narrow(const uint8_t *host, half offset, uint32_t mask)
{
    return gather(host, offset & ~3u) >> (offset & 3) * 8 & mask;
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
    return choose(most, less, more) | OPAQUE;
}

/* Converts the bits of cells of at most 32 bits to results. number is the type's number. */
INLINE half decode(uint32_t number, half raw, half x)
{
    switch (number) {
    case 1: return raw | OPAQUE;
    case 2:
        return WIDEN4(
            RGBA(FIELD(raw, 15, 12), FIELD(raw, 11, 8), FIELD(raw, 7, 4), FIELD(raw, 3, 0)));
    case 3:
        return RGBA(WIDEN5(FIELD(raw, 15, 11)), WIDEN5(FIELD(raw, 10, 6)), WIDEN5(FIELD(raw, 5, 1)),
                    0 - FIELD(raw, 0, 0));
    case 4:
        return RGBA(WIDEN5(FIELD(raw, 15, 11)), WIDEN6(FIELD(raw, 10, 5)), WIDEN5(FIELD(raw, 4, 0)),
                    OPAQUE >> 24);
    case 5: return raw * 0x010101 | OPAQUE;
    case 6: return raw << 24;
    case 7: return FIELD(raw, 7, 0) * 0x010101 | FIELD(raw, 15, 8) << 24;
    case 12: return (0 - (raw >> (x & 7) & 1)) | OPAQUE;
    case 13: return WIDEN4(raw >> (x << 2 & 7) & 15) << 24;
    case 14: return (0 - (raw >> (x & 7) & 1)) & OPAQUE;
    case 17:
        return RGBA(raw >> (x & 1) * 16 & 0xff, FIELD(raw, 15, 8), FIELD(raw, 31, 24),
                    OPAQUE >> 24);
    default: return raw;
    }
}

INLINE half fetch_word(const struct sampler_job *job, struct shape shape, half offset, half x,
                       half y)
{
    if (is_etc1(shape))
        return decode_etc1(gather(job->host, offset), gather(job->host + 4, offset), x & 3,
                           (y & 3) ^ job->texture->block_flip);
    if (cell_bits(shape) == 32)
        return decode(shape.number, gather(job->host, offset), x);
    uint32_t mask = cell_bits(shape) == 16 ? 0xffff : 0xff;
    return decode(shape.number, gather_narrow(job->host, offset, mask), x);
}

/* Result words of a tap's texels. */
struct words {
    half word[2];
};

INLINE struct words fetch(const struct sampler_job *job, struct shape shape, half offset, half x,
                          half y, half outside)
{
    struct words got = {{{0}, {0}}};
    if (shape.number == RGBA64) {
        got.word[0] = gather(job->host, offset);
        got.word[1] = gather(job->host + 4, offset);
    } else {
        got.word[0] = fetch_word(job, shape, offset, x, y);
    }
    for (unsigned i = 0; shape.bordered && i < 2; i++)
        got.word[i] = choose(outside, (half){0} + job->border, got.word[i]);
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

/* ---- requests -------------------------------------------------------------------------------- */

INLINE void put(lanes *to, unsigned i, half value)
{
    ((half *)to)[i] = value;
}

/* Notes the tap's cells. */
INLINE void note(const struct sampler_job *job, struct shape shape, struct sampler_taps *taps,
                 unsigned tap, unsigned i, half offset, half outside)
{
    put(&taps->address[tap], i, offset + job->address);
    if (shape.bordered)
        taps->inside[tap] |= (lane_mask)((signs(outside) ^ 0xff) << 8 * i);
}

INLINE void sample_nearest(const struct sampler_job *job, struct shape shape, unsigned i,
                           const half_int position[2], struct sampler_taps *taps, lanes result[2])
{
    struct footprint x, y;
    place_texels(job, 0, position[0], false, &x);
    place_texels(job, 1, position[1], false, &y);
    half outside = x.outside[0] | y.outside[0];
    struct rows row = find_row(&job->level->image, y.texel[0] >> height_shift(shape));
    half column = find_column(&job->level->image, x.texel[0] >> width_shift(shape));
    half offset = row.base + (column ^ row.mix);
    struct words got = fetch(job, shape, offset, x.texel[0], y.texel[0], outside);
    note(job, shape, taps, 0, i, offset, outside);
    put(&result[0], i, got.word[0]);
    put(&result[1], i, got.word[1]);
}

INLINE half sample_tap(const struct sampler_job *job, struct shape shape, unsigned i, unsigned tap,
                       const struct footprint *x, const struct footprint *y, half offset,
                       struct sampler_taps *taps)
{
    unsigned right = tap & 1, lower = tap >> 1;
    half outside = x->outside[right] | y->outside[lower];
    struct words got = fetch(job, shape, offset, x->texel[right], y->texel[lower], outside);
    note(job, shape, taps, tap, i, offset, outside);
    if (has_halves(shape)) {
        put(&taps->word[tap][0], i, got.word[0]);
        put(&taps->word[tap][1], i, got.word[1]);
    }
    return got.word[0];
}

INLINE void sample_linear(const struct sampler_job *job, struct shape shape, unsigned i,
                          const half_int position[2], struct sampler_taps *taps, lanes result[2])
{
    const struct image_layout *image = &job->level->image;
    struct footprint x, y;
    place_texels(job, 0, position[0], true, &x);
    place_texels(job, 1, position[1], true, &y);
    half left = find_column(image, x.texel[0] >> width_shift(shape));
    half right = find_column(image, x.texel[1] >> width_shift(shape));
    struct rows upper = find_row(image, y.texel[0] >> height_shift(shape));
    struct rows lower = find_row(image, y.texel[1] >> height_shift(shape));
    const half texel[4] = {
        sample_tap(job, shape, i, 0, &x, &y, upper.base + (left ^ upper.mix), taps),
        sample_tap(job, shape, i, 1, &x, &y, upper.base + (right ^ upper.mix), taps),
        sample_tap(job, shape, i, 2, &x, &y, lower.base + (left ^ lower.mix), taps),
        sample_tap(job, shape, i, 3, &x, &y, lower.base + (right ^ lower.mix), taps),
    };
    if (has_halves(shape)) {
        put(&taps->x, i, x.weight);
        put(&taps->y, i, y.weight);
    } else {
        put(&result[0], i, blend_quad(texel, x.weight, y.weight));
    }
}

INLINE void sample_as(const struct sampler_job *job, struct shape shape, struct sampler_taps *taps,
                      lanes result[2])
{
    half_int s[HALVES], t[HALVES];
    locate(job, 0, s);
    locate(job, 1, t);
    for (unsigned k = 0; k < 4; k++)
        taps->inside[k] = shape.bordered ? 0 : ALL_LANES;
    for (unsigned i = 0; i < HALVES; i++) {
        const half_int position[2] = {s[i], t[i]};
        if (shape.linear)
            sample_linear(job, shape, i, position, taps, result);
        else
            sample_nearest(job, shape, i, position, taps, result);
    }
}

typedef void sample_function(const struct sampler_job *job, struct sampler_taps *taps,
                             lanes result[2]);

/* Defines the instances for one type without border: nearest_N and linear_N. */
#define INSTANCES(number)                                                                  \
    static void nearest_##number(const struct sampler_job *job, struct sampler_taps *taps, \
                                 lanes result[2])                                          \
    {                                                                                      \
        sample_as(job, (struct shape){number, false, false}, taps, result);                \
    }                                                                                      \
    static void linear_##number(const struct sampler_job *job, struct sampler_taps *taps,  \
                                lanes result[2])                                           \
    {                                                                                      \
        sample_as(job, (struct shape){number, true, false}, taps, result);                 \
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
static sample_function *const instances[][2] = {FOR_EACH_TYPE(ENTRY)};

static void sample_bordered(const struct sampler_job *job, struct sampler_taps *taps,
                            lanes result[2])
{
    struct shape shape = {job->texture->format->number, job->linear, true};
    sample_as(job, shape, taps, result);
}

static void sample(const struct sampler_job *job, struct sampler_taps *taps, lanes result[2])
{
    if (job->bordered)
        sample_bordered(job, taps, result);
    else
        instances[job->texture->format->number][job->linear](job, taps, result);
}

static void half_logs(const double square[4], int32_t log[4])
{
    const __m256i fraction = _mm256_set1_epi64x(0xfffffffffffff);
    __m256d value = _mm256_loadu_pd(square), one = _mm256_set1_pd(1);
    __m256i steps = _mm256_sub_epi64(_mm256_srli_epi64(_mm256_castpd_si256(value), 52),
                                     _mm256_set1_epi64x(1023));
    __m256i bits = _mm256_and_si256(_mm256_castpd_si256(value), fraction);
    __m256d mantissa = _mm256_or_pd(_mm256_castsi256_pd(bits), one);
    for (unsigned digit = 0; digit < 7; digit++) {
        mantissa = mantissa * mantissa;
        __m256d carry = _mm256_cmp_pd(mantissa, _mm256_set1_pd(2), _CMP_GE_OQ);
        steps = _mm256_sub_epi64(_mm256_add_epi64(steps, steps), _mm256_castpd_si256(carry));
        mantissa = _mm256_blendv_pd(mantissa, mantissa * 0.5, carry);
    }
    int64_t wide[4];
    _mm256_storeu_si256((__m256i *)(void *)wide, steps);
    for (unsigned i = 0; i < 4; i++)
        log[i] = (int32_t)wide[i];
}

static bool are_latest(const struct cache *cache, const lanes *address, lane_mask used)
{
    static const half bit = {1, 2, 4, 8, 16, 32, 64, 128};
    half other = {0};
    for (unsigned i = 0; i < HALVES; i++) {
        half number = shift_right(((const half *)address)[i] & BUS_ADDRESS_MASK, cache->line_shift);
        half tag = gather((const uint8_t *)cache->tag, (number & cache->set_mask) * 4);
        half uses = (half)((bit & (uint32_t)(used >> 8 * i)) != 0);
        other |= (tag ^ (number + 1)) & uses;
    }
    return _mm256_testz_si256((__m256i)other, (__m256i)other);
}

const struct sampler_kernels sampler_kernels_avx2 = {sample, half_logs, are_latest};

#include "base/avx2_end.h"

#endif
