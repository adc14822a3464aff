/* SPDX-License-Identifier: MIT */
/* sampler.c - see sampler.h.
 *
 * Source:   manual section 4; the OpenGL ES 2.0 specification, section 3.7, for level of detail,
 *           cube faces and filters, which the manual does not define.
 * Modelled: 2D, cube and child images, all wrap modes, all filters, level of detail by quads, bias
 *           and absolute level.
 * Choices:  the precision (see SUBTEXELS); docs/vc4/tmu.md lists the others. Only exactly rounded
 *           operations are used, so results do not depend on the host.
 *
 * Lanes that sample the same level of the same face with the same filter form a group. All lanes of
 * a group are processed together in each step: positions, texel numbers, offsets in memory, bits of
 * the texels, decoded texels, weighted sum. */
#include "vc4/tmu/sampler.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/memory/layout.h"
#include "vc4/tmu/filter.h"
#include "vc4/tmu/sampler_kernels.h"

enum { WEIGHTS = FILTER_ONE }; /* steps of a filter weight and of a level of detail */

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

/* State of a request that all lanes share. */
struct run {
    struct sampler *sampler;
    struct texture *texture;
    uint32_t border;
    const lanes *coordinate; /* coordinates s, t, r and b */
    lanes place[2];          /* s and t on the cube face or image, as float32 bits */
    bool centred;            /* true if positions run from -1 to 1, as on a cube's faces, instead of
                                from 0 to 1 */
    bool bordered;           /* true if texels can be outside the image, in the border */
    uint8_t face[LANES];
};

/* Lanes that have the same face, level and filter. */
struct group {
    lane_mask mask;
    uint32_t face, level;
    bool linear;
    unsigned tap; /* index of the first tap in sampler->address[]: 0 for a lane's first level, 4 for
                     the second */
};

static void put_lanes(lanes *to, const lanes *from, lane_mask mask)
{
    if (mask == ALL_LANES) {
        *to = *from;
        return;
    }
    static const lanes bit = {1,     2,     4,     8,     0x10,   0x20,   0x40,   0x80,
                              0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000};
    lanes chosen = (lanes)((bit & mask) != 0);
    *to = (*from & chosen) | (*to & ~chosen);
}

/* ---- texels of a level ----------------------------------------------------------------------- */

/* One level of one face, in memory. */
struct source {
    const struct texture_level *level;
    const struct texel_format *format;
    uint32_t address;
    const uint8_t *host; /* host address of the level; NULL unless the whole level is mapped */
};

static void find_source(const struct run *run, const struct group *group, struct source *source)
{
    struct texture *texture = run->texture;
    source->level = texture_level(texture, group->level);
    source->format = texture->format;
    source->address = texture->base + group->face * texture->cube_stride - source->level->below;
    source->host = bus_peek(run->sampler->bus, source->address, source->level->image.size_bytes);
}

/* Texel numbers of the lanes. */
struct texels {
    const lanes *x, *y;
    lanes outside; /* all ones in lanes whose texel is in the border; valid if run->bordered is
                      true */
};

static void note_outside(struct run *run, const struct group *group, const struct source *source,
                         const struct texels *texels, unsigned lane, uint32_t address)
{
    struct sampler_outside *outside = &run->sampler->outside;
    if (outside->texels++)
        return;
    outside->address = address;
    outside->level = group->level;
    outside->x = (*texels->x)[lane];
    outside->y = (*texels->y)[lane];
    outside->start = source->address;
    outside->size_bytes = source->level->image.size_bytes;
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
static void gather_apart(struct run *run, const struct group *group, const struct source *source,
                         const struct texels *texels, const lanes *offset, lanes raw[2])
{
    uint32_t bytes = (source->format->bits + 7u) / 8;
    raw[0] = raw[1] = (lanes){0};
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t bits;
        uint32_t address = source->address + (*offset)[lane];
        if (!(group->mask >> lane & 1) || (run->bordered && texels->outside[lane]))
            continue;
        if (!read_bytes(run->sampler->bus, address, bytes, &bits)) {
            note_outside(run, group, source, texels, lane, address);
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
 * are not in the group. */
static void gather(const struct source *source, const lanes *offset, lanes raw[2])
{
    const uint8_t *host = source->host;
    part *word = (part *)raw;
    switch (source->format->bits) {
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
    lanes inside = (((*texels->y & 3) ^ run->texture->block_flip) << 2) | (*texels->x & 3);
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

static void trace(struct run *run, const struct group *group, unsigned tap,
                  const struct source *source, const struct texels *texels, const lanes *offset)
{
    struct sampler *sampler = run->sampler;
    lanes address;
    lane_mask read = group->mask;
    for (unsigned i = 0; i < PARTS; i++)
        ((part *)&address)[i] = ((const part *)offset)[i] + source->address;
    for (unsigned lane = 0; run->bordered && lane < LANES; lane++)
        if (texels->outside[lane])
            read &= (lane_mask) ~(1u << lane);
    put_lanes(&sampler->address[tap], &address, read);
    sampler->used[tap] |= read;
    if (sampler->taps <= tap)
        sampler->taps = tap + 1;
}

/* Fetches the texels' result words from memory, or from the border colour. */
static void fetch(struct run *run, const struct group *group, unsigned tap,
                  const struct source *source, const struct texels *texels, const lanes *offset,
                  lanes result[2])
{
    if (run->sampler->traced)
        trace(run, group, tap, source, texels, offset);
    if (source->host)
        gather(source, offset, result);
    else
        gather_apart(run, group, source, texels, offset, result);
    decode(run, source->format, texels, result);
    for (unsigned word = 0; run->bordered && word < source->format->words; word++)
        result[word] = (result[word] & ~texels->outside) | (run->border & texels->outside);
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

/* Converts a float32 to a number that the following steps can handle. NaN becomes 0. Numbers are
 * clamped to -2^30..2^30. All floats outside that range are even integers, so clamping does not
 * change the result of repeat and mirror. */
static double sane(uint32_t bits)
{
    const float limit = 0x1p30f;
    float value = bits_float(bits);
    if (value >= -limit && value <= limit)
        return (double)value;
    return value > limit ? limit : value < -limit ? -limit : 0;
}

/* Like sane(), but converts all lanes, and returns floats. */
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
static void find_positions(const struct run *run, unsigned axis, int32_t size, lanes_int *position)
{
    const double bias = 2048 * SUBTEXELS; /* keeps the converted number positive, because the
                                             conversion truncates */
    const double scale = (double)size * SUBTEXELS;
    part_float place[PARTS];
    make_sane(&run->place[axis], place);
    for (unsigned lane = 0; lane < LANES; lane += 2) {
        const unsigned first = lane % (LANES / PARTS);
        const part_float *from = &place[lane / (LANES / PARTS)];
        pair at = {(double)(*from)[first], (double)(*from)[first + 1]};
        if (run->centred)
            at = (at + 1) / 2;
        at = wrap_pair(at, run->texture->axis[axis].wrap);
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
static bool find_positions_fast(const struct run *run, unsigned axis, int32_t size,
                                lanes_int *position)
{
    const float limit = 0x1p30f;
    const int32_t period = size * SUBTEXELS, shift = run->centred ? period / 2 : 0;
    const part_float *place = (const part_float *)&run->place[axis];
    part_float scaled[PARTS];
    part near = ~(part){0};
    for (unsigned i = 0; i < PARTS; i++) {
        scaled[i] = place[i] * (float)(period - shift);
        near &= (part)(scaled[i] > -limit) & (part)(scaled[i] < limit);
    }
    if (!(near[0] & near[1] & near[2] & near[3]))
        return false;
    const enum texture_wrap wrap = run->texture->axis[axis].wrap;
    const int32_t mask = wrap == WRAP_REPEAT   ? period - 1
                         : wrap == WRAP_MIRROR ? 2 * period - 1
                                               : -1;
    for (unsigned i = 0; i < PARTS; i++)
        ((part_int *)position)[i] = (round_part(scaled[i]) + shift) & mask;
    return true;
}

static void locate(const struct run *run, unsigned number, const struct texture_level *level,
                   bool linear, struct footprint *found)
{
    const struct texture_axis *axis = &run->texture->axis[number];
    int32_t size = level->window[number], offset = level->offset[number];
    lanes_int position;
    if (size & (size - 1) || !find_positions_fast(run, number, size, &position))
        find_positions(run, number, size, &position);
    if (linear)
        position -= SUBTEXELS / 2;
    lanes_int first = position >> 12;
    place_texel(axis, &first, size, offset, &found->texel[0], &found->outside[0]);
    if (!linear)
        return;
    first += 1;
    place_texel(axis, &first, size, offset, &found->texel[1], &found->outside[1]);
    found->weight = (((lanes)position & (SUBTEXELS - 1)) + 8) >> 4;
}

/* ---- one level ------------------------------------------------------------------------------- */

static void blend_halves(struct run *run, lane_mask mask, lanes texel[4][2], const lanes *x,
                         const lanes *y, lanes result[2])
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint64_t bits[4];
        uint32_t weight[4];
        for (unsigned i = 0; i < 4; i++) {
            bits[i] = texel[i][0][lane] | (uint64_t)texel[i][1][lane] << 32;
            weight[i] = (i & 1 ? (*x)[lane] : WEIGHTS - (*x)[lane]) *
                        (i >> 1 ? (*y)[lane] : WEIGHTS - (*y)[lane]);
        }
        uint64_t sum = filter_halves(bits, weight, 4, false, &run->sampler->errata);
        result[0][lane] = (uint32_t)sum;
        result[1][lane] = (uint32_t)(sum >> 32);
    }
}

static void take_texels(const struct run *run, const struct footprint *x, unsigned column,
                        const struct footprint *y, unsigned row, struct texels *texels)
{
    texels->x = &x->texel[column];
    texels->y = &y->texel[row];
    if (run->bordered)
        texels->outside = x->outside[column] | y->outside[row];
}

static void sample_linear(struct run *run, const struct group *group, const struct source *source,
                          const struct footprint *x, const struct footprint *y, lanes result[2])
{
    const struct texel_format *format = source->format;
    const struct image_layout *image = &source->level->image;
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
        fetch(run, group, group->tap + i, source, &texels, &offset, texel[i]);
    }
    if (format->blend == TEXEL_BLEND_HALVES) {
        blend_halves(run, group->mask, texel, &x->weight, &y->weight, result);
        return;
    }
    const lanes words[4] = {texel[0][0], texel[1][0], texel[2][0], texel[3][0]};
    filter_quad(words, &x->weight, &y->weight, &result[0]);
}

static void sample_nearest(struct run *run, const struct group *group, const struct source *source,
                           const struct footprint *x, const struct footprint *y, lanes result[2])
{
    const struct texel_format *format = source->format;
    struct texels texels;
    take_texels(run, x, 0, y, 0, &texels);
    struct layout_rows row;
    lanes cell = *texels.x >> format->width_shift, column;
    layout_columns(&source->level->image, &cell, &column);
    cell = *texels.y >> format->height_shift;
    layout_rows(&source->level->image, &cell, &row);
    lanes offset = row.base + (column ^ row.mix);
    fetch(run, group, group->tap, source, &texels, &offset, result);
}

/* Notes the cells that a kernel read. */
static void trace_taps(struct sampler *sampler, const struct group *group,
                       const struct sampler_taps *taps)
{
    unsigned count = group->linear ? 4 : 1;
    for (unsigned i = 0; i < count; i++) {
        lane_mask read = group->mask & taps->inside[i];
        put_lanes(&sampler->address[group->tap + i], &taps->address[i], read);
        sampler->used[group->tap + i] |= read;
    }
    if (sampler->taps < group->tap + count)
        sampler->taps = group->tap + count;
}

/* Samples all lanes with a kernel. */
static void sample_fast(struct run *run, const struct group *group, const struct source *source,
                        lanes result[2])
{
    struct sampler_taps taps;
    const struct sampler_job job = {.texture = run->texture,
                                    .level = source->level,
                                    .host = source->host,
                                    .address = source->address,
                                    .border = run->border,
                                    .place = run->place,
                                    .centred = run->centred,
                                    .bordered = run->bordered,
                                    .linear = group->linear};
    run->sampler->kernels->sample(&job, &taps, result);
    if (group->linear && source->format->blend == TEXEL_BLEND_HALVES)
        blend_halves(run, group->mask, taps.word, &taps.x, &taps.y, result);
    if (run->sampler->traced)
        trace_taps(run->sampler, group, &taps);
}

static void sample_plain(struct run *run, const struct group *group, const struct source *source,
                         lanes result[2])
{
    struct footprint x, y;
    locate(run, 0, source->level, group->linear, &x);
    locate(run, 1, source->level, group->linear, &y);
    if (group->linear)
        sample_linear(run, group, source, &x, &y, result);
    else
        sample_nearest(run, group, source, &x, &y, result);
}

/* Samples the lanes of a group. Other lanes keep their results. */
static void sample_group(struct run *run, const struct group *group, lanes result[2])
{
    struct source source;
    find_source(run, group, &source);
    if (run->sampler->kernels && source.host && group->mask == ALL_LANES) {
        sample_fast(run, group, &source, result);
        return;
    }
    lanes words[2] = {{0}, {0}};
    if (run->sampler->kernels && source.host)
        sample_fast(run, group, &source, words);
    else
        sample_plain(run, group, &source, words);
    for (unsigned i = 0; i < source.format->words; i++)
        put_lanes(&result[i], &words[i], group->mask);
}

/* ---- level of detail ------------------------------------------------------------------------- */

/* Smaller squares have the same level of detail. */
#define LEAST_SQUARE 0x1p-64

/* Returns log2(square) / 2 in steps of 1 / WEIGHTS, rounded down. square is at least LEAST_SQUARE.
 * This is the level of detail if
 * square is the squared number of texels per pixel. Each squaring of the mantissa yields one more
 * binary digit of the logarithm. */
static int32_t half_log2(double square)
{
    int exponent;
    double mantissa = 2 * frexp(square, &exponent);
    int32_t log = exponent - 1;
    for (unsigned digit = 0; digit < 7; digit++) {
        mantissa *= mantissa;
        bool carry = mantissa >= 2;
        log = log * 2 + carry;
        mantissa = carry ? mantissa / 2 : mantissa;
    }
    return log;
}

/* A lane's position on the texture. */
struct point {
    double s, t;
};

/* For each cube face (+X -X +Y -Y +Z -Z): which component of the direction (s, t, r) becomes the
 * face's own s and t, and with which sign (OpenGL ES 2.0, table 3.10). */
static const struct {
    uint8_t s, t;
    int8_t s_sign, t_sign;
} cube_faces[TEXTURE_FACES] = {
    /* clang-format off */
    {2, 1, -1, -1},
    {2, 1, 1,  -1},
    {0, 2, 1,  1},
    {0, 2, 1,  -1},
    {0, 1, 1,  -1},
    {0, 1, -1, -1},
    /* clang-format on */
};

/* Returns the face to which the largest component of the direction points. If components are
 * equally large, the first of s, t, r counts. */
static uint32_t find_face(const struct run *run, unsigned lane)
{
    uint32_t major = 0;
    double direction[3];
    for (uint32_t i = 0; i < 3; i++) {
        direction[i] = sane(run->coordinate[i][lane]);
        if (fabs(direction[i]) > fabs(direction[major]))
            major = i;
    }
    return major * 2 + (direction[major] < 0);
}

/* Returns a lane's position on a face. The program must have divided the direction by its largest
 * component. */
static struct point project(const struct run *run, unsigned lane, uint32_t face)
{
    return (struct point){
        .s = cube_faces[face].s_sign * sane(run->coordinate[cube_faces[face].s][lane]),
        .t = cube_faces[face].t_sign * sane(run->coordinate[cube_faces[face].t][lane]),
    };
}

/* Returns a lane's position on a face that may differ from the lane's own face. If the lane's own
 * face belongs to another axis, the program divided the direction by the component of that axis. A
 * direction that is parallel to the face, or points away from the face, results in a position far
 * away. */
static struct point project_beyond(const struct run *run, unsigned lane, uint32_t face)
{
    const double least = 0x1p-6;
    double depth = sane(run->coordinate[face / 2][lane]) * (face & 1 ? -1 : 1);
    struct point point = project(run, lane, face);
    depth = depth > least ? depth : least;
    return (struct point){.s = point.s / depth, .t = point.t / depth};
}

static struct point find_point(const struct run *run, unsigned lane, uint32_t face)
{
    if (run->texture->cube)
        return project_beyond(run, lane, face);
    return (struct point){.s = sane(run->place[0][lane]), .t = sane(run->place[1][lane])};
}

/* Returns the squared distance of two points, in texels of level 0. */
static double distance(const struct run *run, const struct point *a, const struct point *b)
{
    double scale = run->centred ? 0.5 : 1;
    double s = (b->s - a->s) * scale * run->texture->axis[0].window;
    double t = (b->t - a->t) * scale * run->texture->axis[1].window;
    return s * s + t * t;
}

/* Returns the squared number of texels per pixel in the quad of lanes that begins at `first`, or
 * LEAST_SQUARE if the number is smaller.
 * Positions are computed on the given face. Lane 1 of a quad is to the right of lane 0, and lane 2
 * is in the next row. */
static double quad_square(const struct run *run, unsigned first, uint32_t face)
{
    struct point origin = find_point(run, first, face);
    struct point right = find_point(run, first + 1, face);
    struct point below = find_point(run, first + 2, face);
    double across = distance(run, &origin, &right);
    double down = distance(run, &origin, &below);
    double square = across > down ? across : down;
    return square > LEAST_SQUARE ? square : LEAST_SQUARE;
}

static int32_t quad_detail(const struct run *run, unsigned first, uint32_t face)
{
    return half_log2(quad_square(run, first, face));
}

static int32_t bias_steps(uint32_t bits)
{
    if (bits == 0)
        return 0;
    double bias = sane(bits);
    bias = bias < -64 ? -64 : bias > 64 ? 64 : bias;
    return (int32_t)((bias + 64) * WEIGHTS + 0.5) - 64 * WEIGHTS;
}

/* Levels and filters of all lanes. */
struct plan {
    uint32_t key[LANES]; /* face, level and filter of each lane; lanes of a group have equal keys */
    lanes fraction;      /* weight of the lane's second level */
    bool blended;        /* true if the fraction of any lane is not 0 */
};

enum {
    KEY_LINEAR = 1,
    KEY_FACE = 1,
    KEY_LEVEL = 4
}; /* bit mask of the filter; bit positions of the face and the level */

/* Returns the level and the weight of the next level as one number, in steps of 1 / WEIGHTS, under
 * the minification filter. */
static uint32_t minify(const struct texture *texture, int32_t detail)
{
    int32_t last = ((int32_t)texture->levels - 1) * WEIGHTS;
    if (!texture->mip)
        return 0;
    uint32_t steps = (uint32_t)(detail < last ? detail : last);
    return texture->mip_blend ? steps : (steps + WEIGHTS / 2) / WEIGHTS * WEIGHTS;
}

static void plan_lane(const struct run *run, struct plan *plan, unsigned lane, int32_t detail)
{
    const struct texture *texture = run->texture;
    uint32_t steps = detail > 0 ? minify(texture, detail) : 0;
    bool linear = detail > 0 ? texture->min_linear : texture->mag_linear;
    plan->key[lane] = (uint32_t)linear * KEY_LINEAR | (uint32_t)run->face[lane] << KEY_FACE |
                      steps / WEIGHTS << KEY_LEVEL;
    plan->fraction[lane] = steps % WEIGHTS;
    plan->blended |= steps % WEIGHTS != 0;
}

/* Like plan_lanes() for an image whose levels of detail differ only between quads. */
static void plan_quads(const struct run *run, struct plan *plan)
{
    double square[LANES / 4];
    int32_t detail[LANES / 4];
    for (unsigned i = 0; i < LANES / 4; i++)
        square[i] = quad_square(run, i * 4, 0);
    run->sampler->kernels->half_logs(square, detail);
    for (unsigned i = 0; i < LANES; i += 4) {
        plan_lane(run, plan, i, detail[i / 4]);
        for (unsigned k = 1; k < 4; k++) {
            plan->key[i + k] = plan->key[i];
            plan->fraction[i + k] = plan->fraction[i];
        }
    }
}

static bool is_zero(const lanes *value)
{
    static const lanes zero = {0};
    return memcmp(value, &zero, sizeof zero) == 0;
}

static void plan_lanes(const struct run *run, const lanes *bias, struct plan *plan)
{
    const struct texture *texture = run->texture;
    int32_t quad = 0;
    plan->blended = false;
    if (run->sampler->kernels && texture->detailed && !texture->cube && !texture->absolute_lod &&
        is_zero(bias)) {
        plan_quads(run, plan);
        return;
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        bool other = lane % 4 == 0 || run->face[lane] != run->face[lane - 1];
        if (texture->detailed && !texture->absolute_lod && other)
            quad = quad_detail(run, lane & ~3u, run->face[lane]);
        plan_lane(run, plan, lane, texture->detailed ? quad + bias_steps((*bias)[lane]) : 0);
    }
}

/* Samples the lanes in mask, group by group. next is 0 to sample the first level of each lane, and
 * 1 to sample the second level. */
static void sample_lanes(struct run *run, const struct plan *plan, lane_mask mask, uint32_t next,
                         lanes result[2])
{
    while (mask) {
        uint32_t key = plan->key[__builtin_ctz(mask)];
        struct group group = {.face = key >> KEY_FACE & 7,
                              .level = (key >> KEY_LEVEL) + next,
                              .linear = key & KEY_LINEAR,
                              .tap = next * (SAMPLER_TAPS / 2)};
        for (unsigned lane = 0; lane < LANES; lane++)
            if (mask >> lane & 1 && plan->key[lane] == key)
                group.mask |= (lane_mask)(1u << lane);
        sample_group(run, &group, result);
        mask &= (lane_mask)~group.mask;
    }
}

static void blend_levels(struct run *run, const struct plan *plan, lane_mask mask,
                         const lanes far[2], lanes result[2])
{
    if (run->texture->format->blend != TEXEL_BLEND_HALVES) {
        filter_pair(&result[0], &far[0], &plan->fraction, &result[0]);
        return;
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t fraction = plan->fraction[lane];
        const uint64_t texel[2] = {result[0][lane] | (uint64_t)result[1][lane] << 32,
                                   far[0][lane] | (uint64_t)far[1][lane] << 32};
        const uint32_t weight[2] = {(WEIGHTS - fraction) * WEIGHTS, fraction * WEIGHTS};
        uint64_t sum = filter_halves(texel, weight, 2, true, &run->sampler->errata);
        result[0][lane] = (uint32_t)sum;
        result[1][lane] = (uint32_t)(sum >> 32);
    }
}

/* Samples the second level of lanes whose level of detail is between two levels, and blends both
 * levels. */
static void add_next_level(struct run *run, const struct plan *plan, lanes result[2])
{
    lanes far[2] = {{0}, {0}};
    lane_mask mask = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        mask |= (lane_mask)((plan->fraction[lane] != 0) << lane);
    sample_lanes(run, plan, mask, 1, far);
    blend_levels(run, plan, mask, far, result);
}

/* ---- requests -------------------------------------------------------------------------------- */

static void take_faces(struct run *run)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        run->face[lane] = (uint8_t)find_face(run, lane);
        struct point point = project(run, lane, run->face[lane]);
        run->place[0][lane] = float_bits((float)point.s);
        run->place[1][lane] = float_bits((float)point.t);
    }
}

static void take_places(struct run *run)
{
    run->centred = run->texture->cube;
    if (run->texture->cube) {
        take_faces(run);
        return;
    }
    memcpy(run->place, run->coordinate, sizeof run->place);
    memset(run->face, 0, sizeof run->face);
}

void sampler_run(struct sampler *sampler, struct texture *texture, const lanes coordinate[4],
                 uint32_t border, lanes result[2])
{
    struct run run;
    sampler->kernels = sampler->plain ? NULL : sampler_kernels_native();
    run.sampler = sampler;
    run.texture = texture;
    run.border = border;
    run.coordinate = coordinate;
    run.bordered = texture->axis[0].wrap == WRAP_BORDER || texture->axis[1].wrap == WRAP_BORDER;
    sampler->taps = 0;
    memset(sampler->used, 0, sizeof sampler->used);
    sampler->outside.texels = 0;
    sampler->errata = 0;
    result[0] = result[1] = (lanes){0};
    take_places(&run);
    if (!texture->detailed && !texture->cube) {
        struct group all = {.mask = ALL_LANES, .linear = texture->mag_linear};
        sample_group(&run, &all, result);
        return;
    }
    struct plan plan;
    plan_lanes(&run, &coordinate[3], &plan);
    sample_lanes(&run, &plan, ALL_LANES, 0, result);
    if (plan.blended)
        add_next_level(&run, &plan, result);
}
