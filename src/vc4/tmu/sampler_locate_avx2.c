/* SPDX-License-Identifier: MIT */
/* sampler_locate_avx2.c - the first half of the sampler's kernel for x86-64 processors with AVX2:
 * converts coordinates to the addresses and the weights of texels. Empty on other hosts.
 *
 * There are two paths. If the level's sizes are powers of two (struct texture_bits, .binary),
 * float32 products are exact, masks wrap the texel numbers, and each bit of a texel number moves to
 * one bit of the address. Otherwise positions are computed in float64, as by the plain functions.
 */
#include "vc4/tmu/sampler_kernels.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "base/avx2_begin.h"

#include "vc4/tmu/sampler_avx2.h"

enum { SUBTEXEL_BITS = 12 };

INLINE half_int min_int(half_int a, half_int b)
{
    return (half_int)_mm256_min_epi32((__m256i)a, (__m256i)b);
}

INLINE half_int max_int(half_int a, half_int b)
{
    return (half_int)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

INLINE half_int all_int(int32_t number)
{
    return (half_int)_mm256_set1_epi32(number);
}

INLINE half move_left(half value, uint32_t count)
{
    return (half)_mm256_sllv_epi32((__m256i)value, _mm256_set1_epi32((int)count));
}

INLINE half move_right(half value, uint32_t count)
{
    return (half)_mm256_srlv_epi32((__m256i)value, _mm256_set1_epi32((int)count));
}

/* ---- sizes that are powers of two ------------------------------------------------------------ */

/* What the lanes' positions on an axis depend on. */
struct axis {
    const struct texture_spread *spread;
    enum texture_wrap wrap;
    int32_t window;
    bool cells; /* true if a cell contains several texels */
    float scale;
    int32_t shift;
};

INLINE struct axis axis_of(const struct sampler_job *job, unsigned number, bool linear)
{
    const struct texture_level *level = job->level;
    const int32_t period = level->window[number] * SUBTEXELS;
    return (struct axis){
        .spread = number ? &level->bits.row : &level->bits.column,
        .wrap = job->texture->axis[number].wrap,
        .window = level->window[number],
        .cells = level->bits.cells,
        .scale = (float)(job->centred ? period : 2 * period),
        .shift = (job->centred ? period / 2 : 0) - (linear ? SUBTEXELS / 2 : 0),
    };
}

/* Returns positions in steps of 1 / SUBTEXELS, rounded to nearest, halves up: twice the position is
 * rounded down, 1 is added, and the sum is halved. If a position is too large, a lane of *least
 * becomes INT32_MIN. */
INLINE half_int find_binary(const struct axis *axis, __m256 place, half_int *least)
{
    const __m256 twice = place * _mm256_set1_ps(axis->scale);
    const half_int whole = (half_int)_mm256_cvttps_epi32(_mm256_floor_ps(twice));
    *least = min_int(*least, whole);
    return ((whole + 1) >> 1) + all_int(axis->shift);
}

/* Returns the texel that a texel number selects under the wrap mode. For WRAP_REPEAT, bits above
 * the window remain. */
INLINE half_int wrap_binary(const struct axis *axis, half_int at)
{
    if (axis->wrap == WRAP_REPEAT)
        return at;
    const half_int last = all_int(axis->window - 1);
    if (axis->wrap == WRAP_CLAMP)
        return min_int(max_int(at, (half_int){0}), last);
    at &= all_int(2 * axis->window - 1);
    return min_int(at, last - at + all_int(axis->window));
}

INLINE half spread_bits(const struct texture_spread *spread, half n)
{
    return move_left(n & all(spread->mask[0]), spread->shift[0]) |
           move_left(n & all(spread->mask[1]), spread->shift[1]) |
           move_left(n & all(spread->mask[2]), spread->shift[2]);
}

/* True if no lane has a position that is too large. */
INLINE bool are_near(half_int least)
{
    const half far = (half)(least == all_int(INT32_MIN));
    return _mm256_testz_si256((__m256i)far, (__m256i)far);
}

INLINE half weight_of(half_int position)
{
    return (((half)position & (SUBTEXELS - 1)) + 8) >> 4;
}

/* The movements of struct texture_spread, for eight lanes. */
struct moves {
    half mask[3], shift[3];
};

INLINE struct moves moves_of(const struct texture_spread *spread)
{
    return (struct moves){
        {all(spread->mask[0]), all(spread->mask[1]), all(spread->mask[2])},
        {all(spread->shift[0]), all(spread->shift[1]), all(spread->shift[2])},
    };
}

INLINE half move_bits(const struct moves *moves, half n)
{
    return (half)_mm256_sllv_epi32((__m256i)(n & moves->mask[0]), (__m256i)moves->shift[0]) |
           (half)_mm256_sllv_epi32((__m256i)(n & moves->mask[1]), (__m256i)moves->shift[1]) |
           (half)_mm256_sllv_epi32((__m256i)(n & moves->mask[2]), (__m256i)moves->shift[2]);
}

/* Finds the offsets of the texels on an axis, and the weights. The lanes of half i use texel
 * `first` at offset[i], and for a linear filter the next texel at offset[HALVES + i]. texel
 * receives the texel numbers if cells contain several texels. Sets lanes of *far whose position is
 * too large. */
INLINE void find_offsets(const struct axis *axis, const lanes *place, bool linear, half *offset,
                         lanes texel[2], lanes *weight, half_int *least)
{
    const struct moves moves = moves_of(axis->spread);
    const half_int low = find_binary(axis, load_parts(place, 0), least);
    const half_int high = find_binary(axis, load_parts(place, 1), least);
    const half_int first[HALVES] = {low >> SUBTEXEL_BITS, high >> SUBTEXEL_BITS};
    if (linear) {
        put(weight, 0, weight_of(low));
        put(weight, 1, weight_of(high));
    }
    if (linear && axis->wrap == WRAP_REPEAT && !axis->cells) {
        /* the next number, in the bits of the mask */
        const half set = all(axis->spread->all);
        for (unsigned i = 0; i < HALVES; i++) {
            offset[i] = move_bits(&moves, (half)first[i]);
            offset[HALVES + i] = (offset[i] - set) & set;
        }
        return;
    }
    for (unsigned k = 0; k < (linear ? 4u : 2u); k++) {
        half at = (half)wrap_binary(axis, first[k % HALVES] + (int32_t)(k / HALVES));
        if (axis->cells) {
            at &= all((uint32_t)axis->window - 1);
            put(&texel[k / HALVES], k % HALVES, at);
            at = move_right(at, axis->spread->cell);
        }
        offset[k] = move_bits(&moves, at);
    }
}

INLINE bool locate_binary(const struct sampler_job *job, bool linear, struct sampler_taps *taps)
{
    const struct texture_bits *bits = &job->level->bits;
    const struct axis across = axis_of(job, 0, linear), down = axis_of(job, 1, linear);
    const lanes *place = job->place;
    lanes *address = taps->address;
    half_int least = {0};
    half column[4], row[4];
    const half base = all(job->address), twin = all(bits->twin);
    const half odd_mask = all(bits->odd_mask), odd_shift = all(bits->odd_shift);
    find_offsets(&across, &place[0], linear, column, taps->column, &taps->x, &least);
    find_offsets(&down, &place[1], linear, row, taps->row, &taps->y, &least);
    for (unsigned k = 0; k < (linear ? 4u : 2u); k++) {
        half_int odd = (half_int)_mm256_sllv_epi32((__m256i)row[k], (__m256i)odd_shift) >> 31;
        column[k] |= (column[k] & twin) >> 1;
        row[k] ^= (half)odd & odd_mask;
    }
    for (unsigned k = 0; k < (linear ? 4u : 1u); k++)
        for (unsigned i = 0; i < HALVES; i++)
            put(&address[k], i, (column[(k & 1) * HALVES + i] ^ row[(k >> 1) * HALVES + i]) + base);
    return are_near(least);
}

/* ---- any sizes ------------------------------------------------------------------------------- */

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

static void find_exact(const struct sampler_job *job, unsigned number, half_int position[HALVES])
{
    const enum texture_wrap wrap = job->texture->axis[number].wrap;
    const int32_t size = job->level->window[number];
    for (unsigned i = 0; i < HALVES; i++) {
        __m256 at = make_sane(load_parts(&job->place[number], i));
        __m128i low = exact_positions(_mm256_castps256_ps128(at), size, job->centred, wrap);
        __m128i high = exact_positions(_mm256_extractf128_ps(at, 1), size, job->centred, wrap);
        position[i] = (half_int)_mm256_set_m128i(high, low);
    }
}

/* Finds the positions on an axis, in steps of 1 / SUBTEXELS. Masks reduce positions to a period if
 * the size is a power of two; in float64 they are in a period already. */
INLINE void find_positions(const struct sampler_job *job, unsigned number,
                           half_int position[HALVES])
{
    const struct axis axis = axis_of(job, number, false);
    const int32_t period = axis.window * SUBTEXELS;
    const int32_t mask = axis.wrap == WRAP_REPEAT   ? period - 1
                         : axis.wrap == WRAP_MIRROR ? 2 * period - 1
                                                    : -1;
    half_int least = {0};
    if (axis.window & (axis.window - 1)) {
        find_exact(job, number, position);
        return;
    }
    for (unsigned i = 0; i < HALVES; i++)
        position[i] = find_binary(&axis, load_parts(&job->place[number], i), &least) & mask;
    if (!are_near(least))
        find_exact(job, number, position);
}

INLINE half_int wrap_texel(half_int at, int32_t size, enum texture_wrap wrap)
{
    if (wrap == WRAP_REPEAT)
        return at + ((at < 0) & size) - ((at >= size) & size);
    if (wrap == WRAP_MIRROR)
        at = (half_int)choose((half)(at >= size), (half)(2 * size - 1 - at), (half)at);
    return min_int(max_int(at, (half_int){0}), all_int(size - 1));
}

/* Texels that the lanes of a half select on one axis: two for a linear filter, otherwise one. */
struct footprint {
    half texel[2], outside[2];
};

INLINE void find_texels(const struct sampler_job *job, unsigned number, half_int first, bool linear,
                        struct footprint *found)
{
    const struct texture_axis *axis = &job->texture->axis[number];
    const int32_t size = job->level->window[number];
    for (unsigned k = 0; k < 1u + linear; k++, first += 1) {
        half_int at = wrap_texel(first, size, axis->wrap);
        if (axis->flip)
            at = size - 1 - at;
        found->texel[k] = (half)(at + job->level->offset[number]);
        found->outside[k] = (half){0};
        if (axis->wrap == WRAP_BORDER)
            found->outside[k] = (half)((first < 0) | (first >= size));
    }
}

/* Offsets of a row: the offset of a texel is base + (column ^ mix). */
struct rows {
    half base, mix;
};

INLINE struct rows find_row(const struct texture_bits *bits, half y)
{
    const struct texture_spread *spread = &bits->row;
    const half n = move_right(y, spread->cell), tile = move_right(n, bits->tile_shift);
    const half odd = tile & 1;
    return (struct rows){
        (tile + (odd & all(bits->odd_rows))) * bits->tile_row,
        ((0 - odd) & all(bits->odd_mask)) | move_left(n & all(spread->mask[0]), spread->shift[0]) |
            move_left(n & all(spread->mask[1]), spread->shift[1]),
    };
}

INLINE half find_column(const struct texture_bits *bits, half x)
{
    half column = spread_bits(&bits->column, move_right(x, bits->column.cell));
    return column | (column & all(bits->twin)) >> 1;
}

/* Sets what the lanes of half i share with other lanes of their texels: border and cells. */
INLINE void note_texels(const struct sampler_job *job, const struct footprint *x,
                        const struct footprint *y, bool linear, unsigned i,
                        struct sampler_taps *taps)
{
    for (unsigned k = 0; job->bordered && k < (linear ? 4u : 1u); k++) {
        half outside = x->outside[k & 1] | y->outside[k >> 1];
        put(&taps->outside[k], i, outside);
        taps->inside[k] = (lane_mask)(taps->inside[k] & ~(signs(outside) << 8 * i));
    }
    for (unsigned k = 0; job->level->bits.cells && k < 1u + linear; k++) {
        put(&taps->column[k], i, x->texel[k]);
        put(&taps->row[k], i, y->texel[k]);
    }
}

INLINE void locate_any(const struct sampler_job *job, bool linear, struct sampler_taps *taps)
{
    const struct texture_bits *bits = &job->level->bits;
    half_int s[HALVES], t[HALVES];
    find_positions(job, 0, s);
    find_positions(job, 1, t);
    for (unsigned i = 0; i < HALVES; i++) {
        const half_int x = s[i] - (linear ? SUBTEXELS / 2 : 0);
        const half_int y = t[i] - (linear ? SUBTEXELS / 2 : 0);
        struct footprint across, down;
        half column[2];
        struct rows row[2];
        find_texels(job, 0, x >> SUBTEXEL_BITS, linear, &across);
        find_texels(job, 1, y >> SUBTEXEL_BITS, linear, &down);
        note_texels(job, &across, &down, linear, i, taps);
        for (unsigned k = 0; k < 1u + linear; k++) {
            column[k] = find_column(bits, across.texel[k]);
            row[k] = find_row(bits, down.texel[k]);
        }
        for (unsigned k = 0; k < (linear ? 4u : 1u); k++)
            put(&taps->address[k], i,
                row[k >> 1].base + (column[k & 1] ^ row[k >> 1].mix) + all(job->address));
        if (linear) {
            put(&taps->x, i, weight_of(x));
            put(&taps->y, i, weight_of(y));
        }
    }
}

INLINE void locate(const struct sampler_job *job, bool linear, struct sampler_taps *taps)
{
    for (unsigned k = 0; k < LEVEL_TAPS; k++)
        taps->inside[k] = ALL_LANES;
    if (!job->level->bits.binary || job->bordered || job->texture->axis[1].flip ||
        !locate_binary(job, linear, taps))
        locate_any(job, linear, taps);
}

void sampler_locate_avx2(const struct sampler_job *job, struct sampler_taps *taps)
{
    if (job->linear)
        locate(job, true, taps);
    else
        locate(job, false, taps);
}

#include "base/avx2_end.h"

#endif
