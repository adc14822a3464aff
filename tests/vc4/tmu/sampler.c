/* SPDX-License-Identifier: MIT */
/* Tests of random requests of every type, size, filter, wrap mode and kind of image, against a
 * second sampler. The second sampler computes one texel at a time in float64. It follows
 * published sources, not the model's code: memory layouts from JayStation's "Texturing" and
 * Mesa's vc4_resource.c, coordinates, faces and filters from OpenGL ES 2.0 section 3.7, ETC1
 * from OES_compressed_ETC1_RGB8_texture, precision from docs/vc4/tmu.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "vc4/tmu/tmu.h"

enum {
    MEMORY = 0x00400000, /* bus address of the memory */
    MEMORY_SIZE = 0x01800000,
    ROUNDS = 18 * 500,
};

enum { ETC1 = 8, S16F = 9, S16 = 11, RGBA64 = 15, RGBA32R = 16, YUYV422R = 17, TYPES };
enum { REPEAT, CLAMP, MIRROR, BORDER };

/* The parameters of a request. */
struct request {
    uint32_t type, size[2], levels, base, border;
    uint32_t wrap[2], mag_nearest, min;
    uint32_t flip_y, etc_flip, swizzle, cube, stride, absolute;
    bool child, biased;
    uint32_t window[2], offset[2];
    float place[4][LANES]; /* coordinates s, t, r, b */
};

static uint8_t *memory;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Manual table 18: the bits of a unit in memory, and the columns and rows of texels in a unit. */
static const struct {
    uint32_t bits, across, down;
} units[TYPES] = {
    /* clang-format off */
    {32, 1, 1},
    {32, 1, 1},
    {16, 1, 1},
    {16, 1, 1},
    {16, 1, 1},
    {8,  1, 1},
    {8,  1, 1},
    {16, 1, 1},
    {64, 4, 4},
    {16, 1, 1},
    {8,  1, 1},
    {16, 1, 1},
    {1,  1, 1},
    {4,  1, 1},
    {1,  1, 1},
    {64, 1, 1},
    {32, 1, 1},
    {32, 2, 1},
    /* clang-format on */
};

/* Returns the size of a microtile. By JayStation, a microtile has 64 bytes: 2x4 units of 64
 * bits, 4x4 of 32, 8x4 of 16, 8x8 of 8, 16x8 of 4, 32x16 of 1. */
static void microtile(uint32_t bits, uint32_t *width, uint32_t *height)
{
    *width = bits == 64 ? 2 : bits == 32 ? 4 : bits >= 8 ? 8 : bits == 4 ? 16 : 32;
    *height = 64 * 8 / bits / *width;
}

static uint32_t power_above(uint32_t value)
{
    uint32_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

static uint32_t divide_up(uint32_t value, uint32_t by)
{
    return (value + by - 1) / by;
}

/* Returns the size of a level on one axis. By the manual, levels above 0 have the sizes of an
 * image of powers of two. */
static uint32_t size_of(const struct request *r, uint32_t level, unsigned axis)
{
    uint32_t size = power_above(r->size[axis]);
    for (uint32_t i = 0; i < level && size > 1; i++)
        size /= 2;
    return level ? size : r->size[axis];
}

/* A level as a two-dimensional array of units in memory. */
struct array {
    bool raster, linear_tiles;
    uint32_t bits, width, height, tile_width, tile_height, bytes;
};

static struct array array_of(const struct request *r, uint32_t level)
{
    struct array a = {.raster = r->type >= RGBA32R, .bits = units[r->type].bits};
    a.width = divide_up(size_of(r, level, 0), units[r->type].across);
    a.height = divide_up(size_of(r, level, 1), units[r->type].down);
    if (a.raster) { /* erratum HW-2898: the row pitch is a power of two */
        uint32_t row = power_above(size_of(r, level, 0)) * 4 / units[r->type].across;
        a.tile_width = row < 16 ? 16 : row;
        a.bytes = a.tile_width * a.height;
        return a;
    }
    microtile(a.bits, &a.tile_width, &a.tile_height);
    a.linear_tiles = a.width <= 4 * a.tile_width || a.height <= 4 * a.tile_height;
    uint32_t grain = a.linear_tiles ? 1 : 8;
    a.bytes = divide_up(a.width, grain * a.tile_width) *
              divide_up(a.height, grain * a.tile_height) * grain * grain * 64;
    return a;
}

/* Order of the four subtiles of a 4 KB tile in JayStation's article, for even and odd rows of
 * tiles. */
static const struct {
    uint8_t right, upper;
} winding[2][4] = {
    {{0, 0}, {0, 1}, {1, 1}, {1, 0}},
    {{1, 1}, {1, 0}, {0, 0}, {0, 1}},
};

/* Returns the index of a microtile in memory order. */
static uint32_t microtile_number(const struct array *a, uint32_t x, uint32_t y)
{
    if (a->linear_tiles)
        return y * divide_up(a->width, a->tile_width) + x;
    uint32_t tiles = divide_up(a->width, 8 * a->tile_width), row = y / 8, column = x / 8,
             quarter = 0;
    while (winding[row % 2][quarter].right != x / 4 % 2 ||
           winding[row % 2][quarter].upper != y / 4 % 2)
        quarter++;
    uint32_t before = row * tiles + (row % 2 ? tiles - 1 - column : column);
    return before * 64 + quarter * 16 + y % 4 * 4 + x % 4;
}

static uint64_t bit_address(const struct array *a, uint32_t x, uint32_t y)
{
    if (a->raster)
        return ((uint64_t)y * a->tile_width + x * 4) * 8;
    uint32_t inside = y % a->tile_height * a->tile_width + x % a->tile_width;
    return (uint64_t)microtile_number(a, x / a->tile_width, y / a->tile_height) * 512 +
           inside * a->bits;
}

/* Returns the bits of the unit at (x, y). In units of less than a byte, the lowest bits come
 * first. */
static uint64_t load_unit(const struct request *r, uint32_t face, uint32_t level, uint32_t x,
                          uint32_t y)
{
    struct array a = array_of(r, level);
    uint32_t at = r->base - MEMORY + face * r->stride;
    for (uint32_t i = 1; i <= level; i++)
        at -= array_of(r, i).bytes;
    uint64_t bit = bit_address(&a, x, y), value = 0;
    const uint8_t *byte = memory + at + bit / 8;
    for (uint32_t i = 0; i < (a.bits + 7) / 8; i++)
        value |= (uint64_t)byte[i] << 8 * i;
    return a.bits < 8 ? value >> bit % 8 & ((1u << a.bits) - 1) : value;
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* Expands bits `high` to `low` of a word to a byte, by repeating them. */
static uint32_t channel(uint64_t word, unsigned high, unsigned low)
{
    unsigned width = high - low + 1;
    uint32_t value = (uint32_t)(word >> low) & ((1u << width) - 1), filled = 0;
    for (unsigned have = 0; have < 24; have += width)
        filled = filled << width | value;
    return filled >> (divide_up(24, width) * width - 8) & 0xff;
}

static uint32_t rgba(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    return red | green << 8 | blue << 16 | alpha << 24;
}

/* Decodes one texel by OES_compressed_ETC1_RGB8_texture. The extension numbers the block's bytes
 * from the start of the block. */
static uint32_t etc1_texel(uint64_t block, uint32_t x, uint32_t y)
{
    static const int modifier[8][2] = {
        /* clang-format off */
        {2,  8},
        {5,  17},
        {9,  29},
        {13, 42},
        {18, 60},
        {24, 80},
        {33, 106},
        {47, 183},
        /* clang-format on */
    };
    uint8_t byte[8];
    for (unsigned i = 0; i < 8; i++)
        byte[i] = (uint8_t)(block >> 8 * i);
    bool second = (byte[3] & 1 ? y : x) >= 2;
    unsigned pixel = x * 4 + y;
    bool most = byte[pixel < 8 ? 5 : 4] >> pixel % 8 & 1,
         least = byte[pixel < 8 ? 7 : 6] >> pixel % 8 & 1;
    int change = modifier[byte[3] >> (second ? 2 : 5) & 7][least];
    uint32_t colour[3];
    for (unsigned i = 0; i < 3; i++) {
        int base = byte[i] >> (second ? 0 : 4) & 15, delta = byte[i] & 7;
        base *= 17;
        if (byte[3] & 2) {
            base = ((byte[i] >> 3) + (second ? delta < 4 ? delta : delta - 8 : 0)) & 31;
            base = base * 8 + base / 4;
        }
        base += most ? -change : change;
        colour[i] = (uint32_t)(base < 0 ? 0 : base > 255 ? 255 : base);
    }
    return rgba(colour[0], colour[1], colour[2], 255);
}

/* Decodes a texel to one or two result words, by manual table 18. */
static uint64_t result_of(uint32_t type, uint64_t v, uint32_t x, uint32_t y)
{
    uint32_t luminance = channel(v, 7, 0);
    switch (type) {
    case 1: return rgba(channel(v, 7, 0), channel(v, 15, 8), channel(v, 23, 16), 255);
    case 2: return rgba(channel(v, 15, 12), channel(v, 11, 8), channel(v, 7, 4), channel(v, 3, 0));
    case 3: return rgba(channel(v, 15, 11), channel(v, 10, 6), channel(v, 5, 1), channel(v, 0, 0));
    case 4: return rgba(channel(v, 15, 11), channel(v, 10, 5), channel(v, 4, 0), 255);
    case 5: return rgba(luminance, luminance, luminance, 255);
    case 6: return rgba(0, 0, 0, luminance);
    case 7: return rgba(luminance, luminance, luminance, channel(v, 15, 8));
    case ETC1: return etc1_texel(v, x % 4, y % 4);
    case 12: return v ? UINT32_MAX : 0xff000000;
    case 13: return rgba(0, 0, 0, channel(v, 3, 0));
    case 14: return rgba(0, 0, 0, channel(v, 0, 0));
    case YUYV422R:
        return rgba(channel(v >> x % 2 * 16, 7, 0), channel(v, 15, 8), channel(v, 31, 24), 255);
    default: return v; /* RGBA8888, RGBA32R, and other types that need no conversion */
    }
}

/* Returns the index of the texel at an integer position on an axis, by OpenGL's wrap modes. The
 * border is -1. */
static int64_t wrapped(int64_t at, int64_t size, uint32_t wrap)
{
    int64_t period = (at % (2 * size) + 2 * size) % (2 * size);
    switch (wrap) {
    case REPEAT: return period % size;
    case CLAMP: return at < 0 ? 0 : at >= size ? size - 1 : at;
    case MIRROR: return period < size ? period : 2 * size - 1 - period;
    default: return at < 0 || at >= size ? -1 : at;
    }
}

/* Computes the number of texels of a level that coordinates 0 to 1 span, and the index of the
 * first of these texels. */
static void span(const struct request *r, uint32_t level, unsigned axis, int64_t *size,
                 int64_t *start)
{
    int64_t halved = (r->child ? r->window[axis] : r->size[axis]) >> level;
    *size = halved ? halved : 1;
    *start = r->child ? r->offset[axis] >> level : 0;
}

static uint64_t texel_at(const struct request *r, uint32_t face, uint32_t level, int64_t x,
                         int64_t y)
{
    int64_t size[2], start[2], at[2] = {x, y};
    for (unsigned axis = 0; axis < 2; axis++) {
        span(r, level, axis, &size[axis], &start[axis]);
        at[axis] = wrapped(at[axis], size[axis], r->wrap[axis]);
    }
    if (at[0] < 0 || at[1] < 0)
        return r->type == RGBA64 ? r->border | (uint64_t)r->border << 32 : r->border;
    if (r->flip_y)
        at[1] = size[1] - 1 - at[1];
    uint32_t column = (uint32_t)(at[0] + start[0]), row = (uint32_t)(at[1] + start[1]);
    uint64_t unit = load_unit(r, face, level, column / units[r->type].across,
                              row / units[r->type].down);
    return result_of(r->type, unit, column, r->type == ETC1 && !r->etc_flip ? 3 - row % 4 : row);
}

/* ---- filters --------------------------------------------------------------------------------- */

static double half_value(uint32_t half)
{
    return ldexp((double)(half % 1024 + 1024),
                 (int)(half / 1024) - 25); /* the half is positive and normal here */
}

static uint32_t nearest_half(double value)
{
    int exponent;
    double fraction = floor(frexp(value, &exponent) * 2048 + 0.5);
    return (uint32_t)(exponent + 14) * 1024 + (uint32_t)fraction - 1024;
}

/* Returns the weighted sum of texels, for each channel. The sum is rounded once. */
static uint64_t weighted(uint32_t type, const uint64_t *texel, const double *weight, unsigned count)
{
    bool halves = type == S16F || type == RGBA64;
    unsigned width = halves ? 16 : 8;
    uint64_t result = 0, mask = (1u << width) - 1;
    for (unsigned shift = 0; shift < (type == RGBA64 ? 64
                                      : type == S16F ? 16
                                                     : 32);
         shift += width) {
        double sum = 0;
        for (unsigned i = 0; i < count; i++) {
            uint32_t value = (uint32_t)(texel[i] >> shift & mask);
            sum += weight[i] * (halves ? half_value(value) : value);
        }
        result |= (uint64_t)(halves ? nearest_half(sum) : (uint32_t)floor(sum + 0.5)) << shift;
    }
    return result;
}

/* A point on a face of the image. */
struct point {
    uint32_t face;
    double s, t;
};

static uint64_t level_sample(const struct request *r, struct point at, uint32_t level, bool linear)
{
    int64_t width, height, ignored;
    span(r, level, 0, &width, &ignored);
    span(r, level, 1, &height, &ignored);
    double x = floor(at.s * (double)width * 4096 + 0.5) / 4096;
    double y = floor(at.t * (double)height * 4096 + 0.5) / 4096;
    if (!linear)
        return texel_at(r, at.face, level, (int64_t)floor(x), (int64_t)floor(y));
    int64_t left = (int64_t)floor(x - 0.5), first = (int64_t)floor(y - 0.5);
    double right = floor((x - 0.5 - (double)left) * 256 + 0.5) / 256;
    double second = floor((y - 0.5 - (double)first) * 256 + 0.5) / 256;
    const double weight[4] = {(1 - right) * (1 - second), right * (1 - second),
                              (1 - right) * second, right * second};
    uint64_t texel[4];
    for (unsigned i = 0; i < 4; i++)
        texel[i] = texel_at(r, at.face, level, left + i % 2, first + i / 2);
    return weighted(r->type, texel, weight, 4);
}

/* ---- faces and levels ------------------------------------------------------------------------ */

/* Projects a direction on a face by OpenGL ES 2.0 table 3.10. The leader selects the face; if
 * several of its components are equally large, the first counts. Directions are already divided
 * by their largest components. A direction on another face is also divided by its component
 * along the leader's face. */
static struct point on_face(const double v[3], const double leader[3])
{
    double x = fabs(leader[0]), y = fabs(leader[1]), z = fabs(leader[2]);
    unsigned major = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    double depth = v == leader ? 1 : fmax(copysign(1, leader[major]) * v[major], 1.0 / 64);
    struct point p;
    if (x >= y && x >= z) {
        p.face = leader[0] < 0;
        p.s = leader[0] < 0 ? v[2] : -v[2];
        p.t = -v[1];
    } else if (y >= z) {
        p.face = 2 + (leader[1] < 0);
        p.s = v[0];
        p.t = leader[1] < 0 ? -v[2] : v[2];
    } else {
        p.face = 4 + (leader[2] < 0);
        p.s = leader[2] < 0 ? -v[0] : v[0];
        p.t = -v[1];
    }
    p.s = (p.s / depth + 1) / 2;
    p.t = (p.t / depth + 1) / 2;
    return p;
}

static struct point point_of(const struct request *r, unsigned lane, unsigned leader)
{
    double v[2][3];
    for (unsigned i = 0; i < 3; i++) {
        v[0][i] = (double)r->place[i][lane];
        v[1][i] = (double)r->place[i][leader];
    }
    return r->cube ? on_face(v[0], lane == leader ? v[0] : v[1])
                   : (struct point){.s = v[0][0], .t = v[0][1]};
}

/* Returns the distance of two lanes in texels of level 0. Both are projected on the face of a
 * third lane, the leader. */
static double texels_between(const struct request *r, unsigned from, unsigned to, unsigned leader)
{
    struct point a = point_of(r, from, leader), b = point_of(r, to, leader);
    double width = r->child ? r->window[0] : r->size[0],
           height = r->child ? r->window[1] : r->size[1];
    return hypot((b.s - a.s) * width, (b.t - a.t) * height);
}

/* Computes the level of detail in steps of 1/256. Returns false if the precision of float64 is
 * not sufficient to determine the step. */
static bool detail_of(const struct request *r, unsigned lane, double *detail)
{
    unsigned first = lane / 4 * 4;
    double rho = fmax(texels_between(r, first, first + 1, lane),
                      texels_between(r, first, first + 2, lane));
    double steps = 256 * log2(fmax(rho, 0x1p-32)), whole = floor(steps + 0.5);
    double bias = r->biased ? floor((double)r->place[3][lane] * 256 + 0.5) : 0;
    bool close = fabs(steps - whole) < 1e-6;
    *detail = r->absolute ? bias : (close ? whole : floor(steps)) + bias;
    return r->absolute || !close || steps == whole;
}

/* Returns the filtered texel, by manual table 19. */
static uint64_t filtered(const struct request *r, struct point at, double detail)
{
    static const bool linear[] = {true, false, false, false, true, true};
    double last = r->levels - 1, level = fmin(detail / 256, last);
    if (detail <= 0)
        return level_sample(r, at, 0, !r->mag_nearest);
    if (r->min < 2 || r->levels == 1)
        return level_sample(r, at, 0, linear[r->min]);
    if (r->min == 2 || r->min == 4)
        return level_sample(r, at, (uint32_t)floor(level + 0.5), linear[r->min]);
    double part = level - floor(level);
    uint64_t texel[2] = {level_sample(r, at, (uint32_t)level, linear[r->min])};
    if (part <= 0)
        return texel[0];
    texel[1] = level_sample(r, at, (uint32_t)level + 1, linear[r->min]);
    return weighted(r->type, texel, (const double[]){1 - part, part}, 2);
}

/* ---- random requests ------------------------------------------------------------------------- */

static uint32_t below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)(next_random64(seed) % limit);
}

/* Returns a size from 1 to 2048. Half of the sizes are a random power of two. The other sizes
 * lie between that power and half of it. */
static uint32_t random_size(uint64_t *seed)
{
    uint32_t power = 1u << below(seed, 12);
    return below(seed, 2) ? power : 1 + power / 2 + below(seed, power) / 2;
}

static float random_float(uint64_t *seed, float low, float high)
{
    return low + (high - low) * (float)below(seed, 1 << 24) / (float)(1 << 24);
}

static uint32_t below_base(const struct request *r)
{
    uint32_t bytes = 0;
    for (uint32_t i = 1; i < r->levels; i++)
        bytes += array_of(r, i).bytes;
    return (bytes + 0xfff) & ~0xfffu;
}

/* Places the image at a random address, and shrinks the image until it fits into memory. */
static void random_image(struct request *r, uint64_t *seed)
{
    uint32_t face, faces = r->cube ? 6 : 1;
    for (unsigned axis = 0; axis < 2; axis++)
        r->size[axis] = random_size(seed);
    for (;;) {
        uint32_t longest = r->size[r->size[1] > r->size[0]], chain = 1;
        while (power_above(longest) >> chain)
            chain++;
        r->levels = below(seed, 2) ? chain : 1 + below(seed, chain);
        face = (below_base(r) + array_of(r, 0).bytes + 0xfff) & ~0xfffu;
        if (face * faces <= MEMORY_SIZE)
            break;
        r->size[r->size[1] > r->size[0]] /= 2;
    }
    r->stride = r->cube ? face : 0;
    uint32_t spare = (MEMORY_SIZE - face * faces) / 0x1000;
    r->base = MEMORY + below_base(r) + (spare ? below(seed, spare) * 0x1000 : 0);
}

/* Makes the request a child image in one of four cases. A cube map cannot be a child image,
 * because its stride occupies the parameter of the dimensions or of the offset. */
static void random_child(struct request *r, uint64_t *seed)
{
    r->child = !r->cube && below(seed, 4) == 0;
    for (unsigned axis = 0; axis < 2; axis++) {
        r->window[axis] = 1 + below(seed, r->size[axis]);
        r->offset[axis] = below(seed, r->size[axis] - r->window[axis] + 1);
        if (r->window[axis] == 2048 || r->offset[axis] == 2048) /* avoids erratum HW-2753 */
            r->child = false;
    }
}

/* Chooses the lanes' coordinates: random positions, quads of pixels with random steps, positions
 * on the edges of texels, or positions far away. */
static void random_places(struct request *r, uint64_t *seed)
{
    uint32_t style = below(seed, 5);
    for (unsigned axis = 0; axis < 2; axis++) {
        float step[2];
        for (unsigned i = 0; i < 2; i++)
            step[i] = exp2f(random_float(seed, -4, 8)) / (float)r->size[axis];
        for (unsigned lane = 0; lane < LANES; lane++) {
            float *place = &r->place[axis][lane], unit = 1 / (float)r->size[axis];
            if (style == 0 || (style < 3 && lane % 4 == 0))
                *place = random_float(seed, -2.5f, 2.5f);
            else if (style == 3)
                *place = (float)below(seed, 3 * r->size[axis]) * unit - 1;
            else if (style == 4)
                *place = ldexpf(random_float(seed, -1, 1), (int)below(seed, 24));
            else
                *place = r->place[axis][lane / 4 * 4] + (float)(lane % 2) * step[0] +
                         (float)(lane / 2 % 2) * step[1];
        }
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        r->place[3][lane] = random_float(seed, -6, 6);
}

/* Chooses random directions, each divided by its largest component. The lanes of a quad are
 * close to each other. */
static void random_directions(struct request *r, uint64_t *seed)
{
    float spread = exp2f(random_float(seed, -8, 0));
    for (unsigned lane = 0; lane < LANES; lane++) {
        float direction[3], largest = 0;
        for (unsigned i = 0; i < 3; i++) {
            float near = lane % 4 ? r->place[i][lane / 4 * 4] : 0;
            direction[i] = near + random_float(seed, -1, 1) * (lane % 4 ? spread : 1);
            largest = fmaxf(largest, fabsf(direction[i]));
        }
        for (unsigned i = 0; i < 3; i++)
            r->place[i][lane] = largest > 0 ? direction[i] / largest : 1;
    }
}

static struct request random_request(uint32_t type, uint64_t *seed)
{
    struct request r = {.type = type,
                        .border = type == S16F || type == RGBA64 ? 0x38003400
                                                                 : below(seed, UINT32_MAX),
                        .wrap = {below(seed, 4), below(seed, 4)},
                        .mag_nearest = type == S16 || below(seed, 2),
                        .min = type == S16 ? 1 + below(seed, 2) : below(seed, 6),
                        .flip_y = below(seed, 2),
                        .etc_flip = below(seed, 2),
                        .swizzle = below(seed, 4),
                        .cube = below(seed, 4) == 0,
                        .absolute = below(seed, 4) == 0,
                        .biased = below(seed, 2)};
    if (type == S16F)
        r.border &= 0xffff;
    for (unsigned i = 0; r.cube && i < 2; i++)
        r.wrap[i] = r.wrap[i] == BORDER ? CLAMP : r.wrap[i];
    random_image(&r, seed);
    random_child(&r, seed);
    r.absolute &= !r.child; /* a child image leaves no parameter for this mode */
    r.biased |= r.child || r.absolute;
    random_places(&r, seed);
    if (r.cube)
        random_directions(&r, seed);
    return r;
}

/* ---- the same requests with the model
 * ---------------------------------------------------------- */

static void model_parameters(const struct request *r, uint32_t parameter[4])
{
    parameter[0] = r->base | r->swizzle << 10 | r->cube << 9 | r->flip_y << 8 |
                   (r->type & 15) << 4 | (r->levels - 1);
    parameter[1] = r->type >> 4 << 31 | (r->size[1] & 2047) << 20 | r->etc_flip << 19 |
                   (r->size[0] & 2047) << 8 | r->mag_nearest << 7 | r->min << 4 | r->wrap[1] << 2 |
                   r->wrap[0];
    parameter[2] = UINT32_C(1) << 30 | r->stride | r->absolute;
    parameter[3] = 0;
}

static void model_request(struct tmu *tmu, const struct tmu_ports *ports, const struct request *r)
{
    uint32_t parameter[4], next = 0;
    lanes value[4];
    model_parameters(r, parameter);
    if (r->child) {
        parameter[2] = UINT32_C(2) << 30 | r->window[1] << 12 | r->window[0];
        parameter[3] = UINT32_C(3) << 30 | r->offset[1] << 12 | r->offset[0];
    }
    memcpy(value, r->place, sizeof value);
    if (!r->cube)
        for (unsigned lane = 0; lane < LANES; lane++)
            value[TMU_R][lane] = r->border;
    tmu_write(tmu, ports, 0, TMU_R, &value[TMU_R], parameter[next++]);
    if (r->biased)
        tmu_write(tmu, ports, 0, TMU_B, &value[TMU_B], parameter[next++]);
    tmu_write(tmu, ports, 0, TMU_T, &value[TMU_T], parameter[next++]);
    tmu_write(tmu, ports, 0, TMU_S, &value[TMU_S], parameter[next]);
}

static void compare(struct tmu *tmu, const struct tmu_ports *ports, const struct request *r,
                    unsigned round)
{
    lanes word[2] = {{0}, {0}};
    model_request(tmu, ports, r);
    for (unsigned i = 0; i < (r->type == RGBA64 ? 2 : 1); i++)
        assert_true(tmu_read(tmu, 0, &word[i]));
    for (unsigned lane = 0; lane < LANES; lane++) {
        double detail;
        uint64_t found = word[0][lane] | (uint64_t)word[1][lane] << 32;
        if (!detail_of(r, lane, &detail))
            continue;
        uint64_t expected = filtered(r, point_of(r, lane, lane), detail);
        if (found != expected)
            fail_msg(
                "request %u, type %u, %ux%u, %u levels, filters %u %u, wrap %u %u, cube %u, child "
                "%d, lane %u at (%.9g, %.9g), detail %g: %016llx, expected %016llx",
                round, r->type, r->size[0], r->size[1], r->levels, r->mag_nearest, r->min,
                r->wrap[0], r->wrap[1], r->cube, r->child, lane, (double)r->place[0][lane],
                (double)r->place[1][lane], detail / 256, (unsigned long long)found,
                (unsigned long long)expected);
    }
}

/* Fills memory with random bytes. If halves is true, fills it with positive 16-bit floats from
 * 2^-6 to 4, whose sums are exact in float64. */
static void fill_memory(bool halves)
{
    uint64_t seed = 5;
    for (uint32_t i = 0; i < MEMORY_SIZE; i += 8) {
        uint64_t word = next_random64(&seed);
        if (halves)
            word = (word & UINT64_C(0x1fff1fff1fff1fff)) + UINT64_C(0x2400240024002400);
        store_le32(memory + i, (uint32_t)word);
        store_le32(memory + i + 4, (uint32_t)(word >> 32));
    }
}

static void run_types(bool halves)
{
    struct fault_log log = {0};
    struct bus bus = {.log = &log};
    static struct tmu tmu;
    static struct tmu_textures textures;
    const struct tmu_ports ports = {.bus = &bus, .log = &log, .textures = &textures};
    uint64_t seed = 1;
    memory = malloc(MEMORY_SIZE);
    assert_non_null(memory);
    assert_int_equal(bus_map(&bus, MEMORY, MEMORY_SIZE, memory), TESS_OK);
    memset(&tmu, 0, sizeof tmu);
    memset(&textures, 0, sizeof textures);
    fill_memory(halves);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t type = round % TYPES;
        if ((type == S16F || type == RGBA64) != halves)
            continue;
        struct request request = random_request(type, &seed);
        compare(&tmu, &ports, &request, round);
    }
    assert_int_equal(log.errors, 0);
    bus_free(&bus);
    free(memory);
}

TEST(types_of_bytes)
{
    run_types(false);
}

TEST(types_of_halves)
{
    run_types(true);
}
