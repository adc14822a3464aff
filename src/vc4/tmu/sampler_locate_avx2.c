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

#include "exec/avx2_begin.h"

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

INLINE half move_part(const struct moves *moves, unsigned i, half n)
{
    return (half)_mm256_sllv_epi32((__m256i)(n & moves->mask[i]), (__m256i)moves->shift[i]);
}

INLINE half move_bits(const struct moves *moves, half n)
{
    return move_part(moves, 0, n) | move_part(moves, 1, n) | move_part(moves, 2, n);
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
INLINE __m128i exact_positions(__m128 place, double scale, bool centred, enum texture_wrap wrap)
{
    const double bias = 2048 * SUBTEXELS;
    __m256d at = _mm256_cvtps_pd(place);
    if (centred)
        at = (at + 1) * 0.5;
    return _mm256_cvttpd_epi32(wrap_double(at, wrap) * scale + bias + 0.5);
}

/* Replaces NaN by 0. Clamps numbers to -2^30..2^30 if wrap_double() does not clamp them. */
INLINE __m256 make_sane(__m256 place, enum texture_wrap wrap)
{
    const __m256 high = _mm256_set1_ps(0x1p30f), low = _mm256_set1_ps(-0x1p30f);
    __m256 number = _mm256_and_ps(place, _mm256_cmp_ps(place, place, _CMP_ORD_Q));
    if (wrap == WRAP_CLAMP)
        return number;
    return _mm256_min_ps(_mm256_max_ps(number, low), high);
}

INLINE void find_exact_as(const lanes *place, int32_t size, bool centred, enum texture_wrap wrap,
                          half_int position[HALVES])
{
    const double scale = (double)size * SUBTEXELS;
    for (unsigned i = 0; i < HALVES; i++) {
        __m256 at = make_sane(load_parts(place, i), wrap);
        __m128i low = exact_positions(_mm256_castps256_ps128(at), scale, centred, wrap);
        __m128i high = exact_positions(_mm256_extractf128_ps(at, 1), scale, centred, wrap);
        position[i] = (half_int)_mm256_set_m128i(high, low) - all_int(2048 * SUBTEXELS);
    }
}

INLINE void find_exact(const struct sampler_job *job, unsigned number, half_int position[HALVES])
{
    const enum texture_wrap wrap = job->texture->axis[number].wrap;
    const int32_t size = job->level->window[number];
    const lanes *place = &job->place[number];
    if (wrap == WRAP_REPEAT)
        find_exact_as(place, size, job->centred, WRAP_REPEAT, position);
    else if (wrap == WRAP_MIRROR)
        find_exact_as(place, size, job->centred, WRAP_MIRROR, position);
    else
        find_exact_as(place, size, job->centred, WRAP_CLAMP, position);
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
    position[0] = find_binary(&axis, load_parts(&job->place[number], 0), &least) & mask;
    position[1] = find_binary(&axis, load_parts(&job->place[number], 1), &least) & mask;
    if (!are_near(least))
        find_exact(job, number, position);
}

/* Returns the texel that a texel number selects under the wrap mode. `at` is at most one texel
 * outside the wrap mode's period. */
INLINE half_int wrap_texel(half_int at, int32_t size, enum texture_wrap wrap)
{
    const half_int end = all_int(size);
    if (wrap == WRAP_REPEAT)
        return at + ((at < 0) & end) - ((at >= end) & end);
    if (wrap == WRAP_MIRROR)
        at = min_int(at, 2 * end - 1 - at);
    return min_int(max_int(at, (half_int){0}), end - 1);
}

/* Texels that all lanes select on one axis. As in find_offsets(), the lanes of half i use entries i
 * and HALVES + i. */
struct footprint {
    half texel[4], outside[4];
};

/* Finds the texels on an axis, and the weights for a linear filter. */
INLINE void find_texels(const struct sampler_job *job, unsigned number, bool linear,
                        struct footprint *found, lanes *weight)
{
    const struct texture_axis *axis = &job->texture->axis[number];
    const int32_t size = job->level->window[number];
    const half_int offset = all_int(job->level->offset[number]);
    half_int position[HALVES];
    find_positions(job, number, position);
    for (unsigned i = 0; i < HALVES; i++) {
        half_int at = position[i] - (linear ? SUBTEXELS / 2 : 0);
        if (linear)
            put(weight, i, weight_of(at));
        position[i] = at >> SUBTEXEL_BITS;
    }
    for (unsigned k = 0; k < (linear ? 4u : 2u); k++) {
        const half_int first = position[k % HALVES] + (int32_t)(k / HALVES);
        half_int at = wrap_texel(first, size, axis->wrap);
        if (axis->flip)
            at = size - 1 - at;
        found->texel[k] = (half)(at + offset);
        if (axis->wrap == WRAP_BORDER)
            found->outside[k] = (half)((first < 0) | (first >= size));
        else
            found->outside[k] = (half){0};
    }
}

/* Computes the offsets of rows: the offset of a texel is base + (column ^ mix). */
INLINE void find_rows(const struct texture_bits *bits, const half *y, unsigned count, half *base,
                      half *mix)
{
    const struct moves moves = moves_of(&bits->row);
    const half odd_rows = all(bits->odd_rows), odd_mask = all(bits->odd_mask);
    const half tile_row = all(bits->tile_row);
    for (unsigned k = 0; k < count; k++) {
        const half n = move_right(y[k], bits->row.cell), tile = move_right(n, bits->tile_shift);
        const half odd = tile & 1;
        base[k] = (tile + (odd & odd_rows)) * tile_row;
        mix[k] = ((0 - odd) & odd_mask) | move_part(&moves, 0, n) | move_part(&moves, 1, n);
    }
}

INLINE void find_columns(const struct texture_bits *bits, const half *x, unsigned count,
                         half *column)
{
    const struct moves moves = moves_of(&bits->column);
    const half twin = all(bits->twin);
    for (unsigned k = 0; k < count; k++) {
        column[k] = move_bits(&moves, move_right(x[k], bits->column.cell));
        column[k] |= (column[k] & twin) >> 1;
    }
}

/* Notes the lanes in the border. */
INLINE void note_border(const struct footprint *x, const struct footprint *y, bool linear,
                        struct sampler_taps *taps)
{
    for (unsigned k = 0; k < (linear ? 4u : 1u); k++)
        for (unsigned i = 0; i < HALVES; i++) {
            half outside = x->outside[(k & 1) * HALVES + i] | y->outside[(k >> 1) * HALVES + i];
            put(&taps->outside[k], i, outside);
            taps->inside[k] = (lane_mask)(taps->inside[k] & ~(signs(outside) << 8 * i));
        }
}

INLINE void locate_any(const struct sampler_job *job, bool linear, struct sampler_taps *taps)
{
    const struct texture_bits *bits = &job->level->bits;
    const unsigned count = linear ? 4 : 2;
    const half start = all(job->address);
    struct footprint x, y;
    half column[4], base[4], mix[4];
    find_texels(job, 0, linear, &x, &taps->x);
    find_texels(job, 1, linear, &y, &taps->y);
    if (job->bordered)
        note_border(&x, &y, linear, taps);
    for (unsigned k = 0; bits->cells && k < count; k++) {
        put(&taps->column[k / HALVES], k % HALVES, x.texel[k]);
        put(&taps->row[k / HALVES], k % HALVES, y.texel[k]);
    }
    find_columns(bits, x.texel, count, column);
    find_rows(bits, y.texel, count, base, mix);
    for (unsigned k = 0; k < (linear ? 4u : 1u); k++)
        for (unsigned i = 0; i < HALVES; i++) {
            const unsigned c = (k & 1) * HALVES + i, r = (k >> 1) * HALVES + i;
            put(&taps->address[k], i, base[r] + (column[c] ^ mix[r]) + start);
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

#include "exec/avx2_end.h"

#endif
