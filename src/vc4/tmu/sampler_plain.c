/* SPDX-License-Identifier: MIT */
/* sampler_plain.c - see sampler.h.
 *
 * Modelled: all wrap modes, 2D images, faces of cubes and child images.
 * Choices:  the precision (see SUBTEXELS); docs/vc4/tmu.md lists the others. Only exactly rounded
 *           operations are used, so results do not depend on the host.
 *
 * All lanes are processed together in each step: positions, texel numbers, offsets in memory, bits
 * of the texels, decoded texels, weighted sum. */
#include "vc4/tmu/sampler.h"

#include "base/bits.h"
#include "vc4/memory/layout.h"
#include "vc4/tmu/filter.h"

enum { WEIGHTS = FILTER_ONE }; /* steps of a filter weight */

/* Values of two lanes. */
typedef double pair __attribute__((vector_size(16), may_alias));
typedef int64_t pair_int __attribute__((vector_size(16), may_alias));
/* Words of four lanes. Operations that combine all lanes with one number work on four lanes at a
 * time, because compilers generate slow code for copying one number to all words of a 64-byte
 * vector. */
typedef uint32_t part __attribute__((vector_size(16), may_alias));
typedef int32_t part_int __attribute__((vector_size(16), may_alias));
typedef float part_float __attribute__((vector_size(16), may_alias));

enum { PARTS = LANES / 4 };

/* The sampler and its job. */
struct run {
    struct sampler *sampler;
    const struct sampler_job *job;
};

/* ---- texels of a level ----------------------------------------------------------------------- */

/* Texel numbers of the lanes. */
struct texels {
    const lanes *x, *y;
    lanes outside; /* all ones in lanes whose texel is in the border; valid if job->bordered is
                      true */
};

static void note_outside(struct run *run, const struct texels *texels, unsigned lane,
                         uint32_t address)
{
    struct sampler_outside *outside = &run->sampler->outside;
    if (outside->texels++)
        return;
    outside->address = address;
    outside->level = run->job->number;
    outside->x = (*texels->x)[lane];
    outside->y = (*texels->y)[lane];
    outside->start = run->job->address;
    outside->size_bytes = run->job->level->image.size_bytes;
}

/* Reads up to eight bytes, which may be in several adjoining regions. Returns false if a byte is
 * not mapped. */
static bool read_bytes(struct bus *bus, uint32_t address, uint32_t count, uint64_t *raw)
{
    *raw = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *byte = bus_peek(bus, address + i, 1);
        if (!byte)
            return false;
        *raw |= (uint64_t)*byte << (8 * i);
    }
    return true;
}

/* Loads the texels' bits like gather(), but slower, from a level that is not completely mapped. */
static void gather_apart(struct run *run, const struct texels *texels, const lanes *offset,
                         lanes raw[2])
{
    uint32_t bytes = (run->job->texture->format->bits + 7u) / 8;
    raw[0] = raw[1] = (lanes){0};
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t bits;
        uint32_t address = run->job->address + (*offset)[lane];
        if (!(run->job->mask >> lane & 1) || (run->job->bordered && texels->outside[lane]))
            continue;
        if (!read_bytes(run->sampler->bus, address, bytes, &bits)) {
            note_outside(run, texels, lane, address);
            continue;
        }
        raw[0][lane] = (uint32_t)bits;
        raw[1][lane] = (uint32_t)(bits >> 32);
    }
}

/* Loads one word for each lane, four lanes at a time. The words are loaded directly into vectors.
 * Storing single words and loading them as a vector would stall the host's processor. */
#define GATHER(load)                                                                       \
    for (unsigned i = 0; i < PARTS; i++) {                                                 \
        const uint32_t *at = (const uint32_t *)offset + 4 * i;                             \
        *word++ = (part){(load(host + at[0])), (load(host + at[1])), (load(host + at[2])), \
                         (load(host + at[3]))};                                            \
    }

#define LOAD_BYTE(at) (*(at))

/* Loads the texels' bits. All offsets must be inside the level, including the offsets of lanes that
 * are not sampled. */
static void gather(const struct sampler_job *job, const lanes *offset, lanes raw[2])
{
    const uint8_t *host = job->host;
    part *word = (part *)raw;
    switch (job->texture->format->bits) {
    case 64:
        GATHER(load_le32)
        host += 4;
        GATHER(load_le32)
        break;
    case 32: GATHER(load_le32) break;
    case 16: GATHER(load_le16) break;
    default: GATHER(LOAD_BYTE) break;
    }
}

static void decode_etc1(struct run *run, const struct texels *texels, lanes raw[2])
{
    lanes inside = (((*texels->y & 3) ^ run->job->texture->block_flip) << 2) | (*texels->x & 3);
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t block = raw[0][i] | (uint64_t)raw[1][i] << 32;
        raw[0][i] = etc1_texels(&run->sampler->etc1, block)[inside[i]];
    }
    raw[1] = (lanes){0};
}

static void decode(struct run *run, const struct texel_format *format, const struct texels *texels,
                   lanes raw[2])
{
    if (format->width_shift && format->height_shift) {
        decode_etc1(run, texels, raw);
        return;
    }
    if (format->bits < 8)
        raw[0] >>= *texels->x << __builtin_ctz(format->bits) & 7;
    if (format->decode)
        format->decode(&raw[0], texels->x);
}

static void trace(struct run *run, unsigned tap, const struct texels *texels, const lanes *offset)
{
    struct sampler *sampler = run->sampler;
    lanes address;
    lane_mask read = run->job->mask;
    for (unsigned i = 0; i < PARTS; i++)
        ((part *)&address)[i] = ((const part *)offset)[i] + run->job->address;
    for (unsigned lane = 0; run->job->bordered && lane < LANES; lane++)
        if (texels->outside[lane])
            read &= (lane_mask) ~(1u << lane);
    put_lanes(&sampler->address[tap], &address, read);
    sampler->used[tap] |= read;
    if (sampler->taps <= tap)
        sampler->taps = tap + 1;
}

/* Fetches the texels' result words from memory, or from the border colour. */
static void fetch(struct run *run, unsigned tap, const struct texels *texels, const lanes *offset,
                  lanes result[2])
{
    if (run->sampler->traced)
        trace(run, tap, texels, offset);
    if (run->job->host)
        gather(run->job, offset, result);
    else
        gather_apart(run, texels, offset, result);
    decode(run, run->job->texture->format, texels, result);
    for (unsigned word = 0; run->job->bordered && word < run->job->texture->format->words; word++)
        result[word] = (result[word] & ~texels->outside) | (run->job->border & texels->outside);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Texels that the lanes' coordinates select on one axis. */
struct footprint {
    lanes texel[2];
    lanes outside[2]; /* all ones in lanes whose texel is outside the image on this axis */
    lanes weight;     /* weight of the second texel, 0..WEIGHTS */
};

/* The sum of this number and a number below 2^51 is rounded to an integer. The low bits of the sum
 * contain that integer. */
#define ROUNDER 0x1.8p52

static pair floor_pair(pair value)
{
    pair whole = (value + ROUNDER) - ROUNDER;
    return whole + (pair)((pair_int)(whole > value) & (pair_int)(pair){-1, -1});
}

static pair choose(pair_int condition, pair yes, pair no)
{
    return (pair)(((pair_int)yes & condition) | ((pair_int)no & ~condition));
}

/* Moves coordinates into one period of the wrap mode. For modes without a period, clamps the
 * coordinates to the image and one more image on each side. */
static pair wrap_pair(pair value, enum texture_wrap wrap)
{
    const pair low = {-1, -1}, high = {2, 2};
    if (wrap == WRAP_REPEAT)
        return value - floor_pair(value);
    if (wrap == WRAP_MIRROR)
        return value - 2 * floor_pair(value / 2);
    value = choose(value < low, low, value);
    return choose(value > high, high, value);
}

/* Clamps texel numbers to 0..size-1. */
static part_int confine(part_int at, int32_t size)
{
    part_int beyond = at >= size;
    return (at & ~(at < 0) & ~beyond) | (beyond & (size - 1));
}

/* Returns the texel that a texel number selects under the wrap mode. `at` is at most one texel
 * outside the wrap mode's period. */
static part_int wrap_texel(part_int at, int32_t size, enum texture_wrap wrap)
{
    if (wrap == WRAP_REPEAT && !(size & (size - 1)))
        return at & (size - 1);
    if (wrap == WRAP_REPEAT)
        return at + ((at < 0) & size) - ((at >= size) & size);
    if (wrap == WRAP_MIRROR) {
        part_int turned = at >= size;
        at = (at & ~turned) | ((2 * size - 1 - at) & turned);
    }
    return confine(at, size);
}

static void place_texel(const struct texture_axis *axis, const lanes_int *at, int32_t size,
                        int32_t offset, lanes *texel, lanes *outside)
{
    for (unsigned i = 0; i < PARTS; i++) {
        part_int number = ((const part_int *)at)[i];
        part_int wrapped = wrap_texel(number, size, axis->wrap);
        if (axis->flip)
            wrapped = size - 1 - wrapped;
        ((part_int *)texel)[i] = wrapped + offset;
        if (axis->wrap == WRAP_BORDER)
            ((part_int *)outside)[i] = (number < 0) | (number >= size);
        else
            ((part_int *)outside)[i] = (part_int){0};
    }
}

/* Like places_number(), but converts all lanes, and returns floats. */
static void make_sane(const lanes *bits, part_float value[PARTS])
{
    const part_float high = (part_float){0} + 0x1p30f, low = -high;
    for (unsigned i = 0; i < PARTS; i++) {
        const part_float at = ((const part_float *)bits)[i];
        const part above = (part)(at > high), below = (part)(at < low), within = (part)(at == at);
        value[i] = (part_float)(((part)at & within & ~above & ~below) | ((part)high & above) |
                                ((part)low & below));
    }
}

/* Computes the lanes' positions on an axis of size texels, in steps of 1 / SUBTEXELS. Positions are
 * rounded to nearest, and halves are rounded up. The positions are within one period of the wrap
 * mode, or at most one image outside the image. */
static void find_positions(const struct sampler_job *job, unsigned axis, int32_t size,
                           lanes_int *position)
{
    const double bias = 2048 * SUBTEXELS; /* keeps the converted number positive, because the
                                             conversion truncates */
    const double scale = (double)size * SUBTEXELS;
    part_float place[PARTS];
    make_sane(&job->place[axis], place);
    for (unsigned lane = 0; lane < LANES; lane += 2) {
        const unsigned first = lane % (LANES / PARTS);
        const part_float *from = &place[lane / (LANES / PARTS)];
        pair at = {(double)(*from)[first], (double)(*from)[first + 1]};
        if (job->centred)
            at = (at + 1) / 2;
        at = wrap_pair(at, job->texture->axis[axis].wrap);
        pair_int whole = (pair_int)(floor_pair(at * scale + bias + 0.5) + ROUNDER);
        (*position)[lane] = (int32_t)whole[0];
        (*position)[lane + 1] = (int32_t)whole[1];
    }
    *position -= 2048 * SUBTEXELS;
}

/* Rounds numbers below 2^30 to integers. Halves are rounded up. */
static part_int round_part(part_float value)
{
    part_int whole = __builtin_convertvector(value, part_int);
    whole += (part_int)(__builtin_convertvector(whole, part_float) > value);
    return whole - (part_int)(value - __builtin_convertvector(whole, part_float) >= 0.5f);
}

/* Like find_positions(), but only for sizes that are powers of two. For such sizes, float32
 * products are exact and a mask reduces positions to a period. Returns false if a position is too
 * large. */
static bool find_positions_fast(const struct sampler_job *job, unsigned axis, int32_t size,
                                lanes_int *position)
{
    const float limit = 0x1p30f;
    const int32_t period = size * SUBTEXELS, shift = job->centred ? period / 2 : 0;
    const part_float *place = (const part_float *)&job->place[axis];
    part_float scaled[PARTS];
    part near = ~(part){0};
    for (unsigned i = 0; i < PARTS; i++) {
        scaled[i] = place[i] * (float)(period - shift);
        near &= (part)(scaled[i] > -limit) & (part)(scaled[i] < limit);
    }
    if (!(near[0] & near[1] & near[2] & near[3]))
        return false;
    const enum texture_wrap wrap = job->texture->axis[axis].wrap;
    const int32_t mask = wrap == WRAP_REPEAT   ? period - 1
                         : wrap == WRAP_MIRROR ? 2 * period - 1
                                               : -1;
    for (unsigned i = 0; i < PARTS; i++)
        ((part_int *)position)[i] = (round_part(scaled[i]) + shift) & mask;
    return true;
}

static void locate(const struct sampler_job *job, unsigned number, struct footprint *found)
{
    const struct texture_axis *axis = &job->texture->axis[number];
    int32_t size = job->level->window[number], offset = job->level->offset[number];
    lanes_int position;
    if (size & (size - 1) || !find_positions_fast(job, number, size, &position))
        find_positions(job, number, size, &position);
    if (job->linear)
        position -= SUBTEXELS / 2;
    lanes_int first = position >> 12;
    place_texel(axis, &first, size, offset, &found->texel[0], &found->outside[0]);
    if (!job->linear)
        return;
    first += 1;
    place_texel(axis, &first, size, offset, &found->texel[1], &found->outside[1]);
    found->weight = (((lanes)position & (SUBTEXELS - 1)) + 8) >> 4;
}

/* ---- one level ------------------------------------------------------------------------------- */

static void take_texels(const struct run *run, const struct footprint *x, unsigned column,
                        const struct footprint *y, unsigned row, struct texels *texels)
{
    texels->x = &x->texel[column];
    texels->y = &y->texel[row];
    if (run->job->bordered)
        texels->outside = x->outside[column] | y->outside[row];
}

static void sample_linear(struct run *run, const struct footprint *x, const struct footprint *y,
                          lanes result[2])
{
    const struct texel_format *format = run->job->texture->format;
    const struct image_layout *image = &run->job->level->image;
    lanes column[2], texel[4][2], offset;
    struct layout_rows row[2];
    for (unsigned i = 0; i < 2; i++) {
        lanes cell = x->texel[i] >> format->width_shift;
        layout_columns(image, &cell, &column[i]);
        cell = y->texel[i] >> format->height_shift;
        layout_rows(image, &cell, &row[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        unsigned right = i & 1, lower = i >> 1;
        struct texels texels;
        take_texels(run, x, right, y, lower, &texels);
        offset = row[lower].base + (column[right] ^ row[lower].mix);
        texel[i][1] = (lanes){0};
        fetch(run, run->job->tap + i, &texels, &offset, texel[i]);
    }
    if (format->blend == TEXEL_BLEND_HALVES) {
        filter_quad_halves(texel, &x->weight, &y->weight, run->job->mask, result,
                           &run->sampler->errata);
        return;
    }
    const lanes words[4] = {texel[0][0], texel[1][0], texel[2][0], texel[3][0]};
    filter_quad(words, &x->weight, &y->weight, &result[0]);
}

static void sample_nearest(struct run *run, const struct footprint *x, const struct footprint *y,
                           lanes result[2])
{
    const struct texel_format *format = run->job->texture->format;
    struct texels texels;
    take_texels(run, x, 0, y, 0, &texels);
    struct layout_rows row;
    lanes cell = *texels.x >> format->width_shift, column;
    layout_columns(&run->job->level->image, &cell, &column);
    cell = *texels.y >> format->height_shift;
    layout_rows(&run->job->level->image, &cell, &row);
    lanes offset = row.base + (column ^ row.mix);
    fetch(run, run->job->tap, &texels, &offset, result);
}

void sampler_plain(struct sampler *sampler, const struct sampler_job *job, lanes result[2])
{
    struct run run = {sampler, job};
    struct footprint x, y;
    locate(job, 0, &x);
    locate(job, 1, &y);
    if (job->linear)
        sample_linear(&run, &x, &y, result);
    else
        sample_nearest(&run, &x, &y, result);
}
