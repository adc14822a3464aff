/* SPDX-License-Identifier: MIT */
/* sampler.c - see sampler.h.
 *
 * Source:   manual section 4; Mesa vc4_resource.c (vc4_setup_slices) and the kernel's
 * vc4_validate.c for the chain of levels; the OpenGL ES 2.0 specification, section 3.7, for level
 * of detail, cube faces and filters, which the manual leaves to it. Modelled: 2D, cube and child
 * images, all wrap modes, all filters on 8-bit channels, level of detail by quads, bias and
 * absolute level. Left out: filters on 16-bit float channels, child images with levels or cube
 * faces (findings). Choices:  precision, see SUBTEXELS; the rest in docs/vc4/tmu.md. Only exactly
 * rounded operations are used, so results do not depend on the host. */
#include "vc4/sampler.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/layout.h"

enum {
    FACES = 6,
    LEVELS = 16,
    OUTSIDE = -1,     /* the texel is the border colour */
    SUBTEXELS = 4096, /* steps of a position inside a texel; k / width hits texel k for every k */
    WEIGHTS = 256,    /* steps of a filter weight and of a level of detail */
};

/* Config parameter fields, manual tables 15 to 17. */
enum { PTYPE_NONE, PTYPE_CUBE, PTYPE_CHILD_SIZE, PTYPE_CHILD_OFFSET };

/* Manual table 19, MINFILT. */
static const struct {
    bool linear, mip, mip_blend;
} min_filters[] = {
    {true,  false, false},
    {false, false, false},
    {false, true,  false},
    {false, true,  true },
    {true,  true,  false},
    {true,  true,  true },
};

static uint32_t field(uint32_t word, unsigned high, unsigned low)
{
    return (uint32_t)bits_get(word, high, low);
}

/* A size field: 0 stands for 2048. */
static uint32_t size_field(uint32_t word, unsigned high, unsigned low)
{
    uint32_t size = field(word, high, low);
    return size ? size : 2048;
}

static void take_base(struct sampler *sampler, uint32_t word)
{
    sampler->base = word & ~UINT32_C(0xfff);
    sampler->cube = field(word, 9, 9);
    sampler->axis[1].flip = field(word, 8, 8);
    sampler->levels = field(word, 3, 0) + 1;
}

static void take_size(struct sampler *sampler, uint32_t word)
{
    sampler->axis[0].size = sampler->axis[0].window = size_field(word, 18, 8);
    sampler->axis[1].size = sampler->axis[1].window = size_field(word, 30, 20);
    sampler->axis[0].wrap = field(word, 1, 0);
    sampler->axis[1].wrap = field(word, 3, 2);
    sampler->mag_linear = !field(word, 7, 7);
    sampler->block_flip = sampler->format->number == 8 && !field(word, 19, 19) ? 3 : 0;
}

/* Parameters 2 and 3 name themselves, so their order does not matter. */
static void take_extra(struct sampler *sampler, uint32_t word)
{
    switch (field(word, 31, 30)) {
    case PTYPE_CUBE:
        sampler->cube_stride = word & UINT32_C(0x3ffff000);
        sampler->absolute_lod = field(word, 0, 0);
        break;
    case PTYPE_CHILD_SIZE:
        sampler->child = true;
        sampler->axis[0].window = size_field(word, 10, 0);
        sampler->axis[1].window = size_field(word, 22, 12);
        break;
    case PTYPE_CHILD_OFFSET:
        sampler->child = true;
        sampler->axis[0].offset = field(word, 10, 0);
        sampler->axis[1].offset = field(word, 22, 12);
        break;
    default: break;
    }
}

static bool has_border(const struct sampler *sampler)
{
    return sampler->axis[0].wrap == WRAP_BORDER || sampler->axis[1].wrap == WRAP_BORDER;
}

static bool filters(const struct sampler *sampler)
{
    return sampler->mag_linear || sampler->min_linear || (sampler->mip && sampler->mip_blend);
}

/* Reports what is undefined in the combination of parameters. */
static bool check_rules(const struct sampler *sampler, struct fault_log *log)
{
    const struct sampler_axis *s = &sampler->axis[0], *t = &sampler->axis[1];
    if (sampler->format->blend == TEXEL_BLEND_NEVER && filters(sampler)) {
        fault(log, FAULT_TMU_PARAMETER,
              "texture type %s can only be point sampled, but a filter is linear",
              sampler->format->name);
        return false;
    }
    if (sampler->cube && has_border(sampler)) {
        fault(log, FAULT_TMU_PARAMETER,
              "a cube map with wrap mode border: register r is a coordinate here");
        return false;
    }
    if (sampler->cube && sampler->cube_stride == 0) {
        fault(log, FAULT_TMU_PARAMETER,
              "a cube map without a stride from face to face (parameter 2 or 3 with PTYPE 1)");
        return false;
    }
    if (s->offset + s->window > s->size || t->offset + t->window > t->size) {
        fault(log, FAULT_TMU_PARAMETER,
              "child image of %ux%u texels at (%u, %u) exceeds its image of %ux%u", s->window,
              t->window, s->offset, t->offset, s->size, t->size);
        return false;
    }
    if (sampler->child && (s->window == 2048 || t->window == 2048)) {
        fault(log, FAULT_TMU_PARAMETER, "child image of %ux%u texels: 2048 fails (erratum HW-2753)",
              s->window, t->window);
        return false;
    }
    return true;
}

static bool check_modelled(const struct sampler *sampler, struct fault_log *log)
{
    const char *what = NULL;
    if (sampler->format->blend == TEXEL_BLEND_HALVES && filters(sampler))
        what = "a linear filter on 16-bit float channels";
    else if (sampler->format->words > 1 && has_border(sampler))
        what = "a border colour of more than 32 bits";
    else if (sampler->child && sampler->cube)
        what = "a child image of a cube map";
    else if (sampler->child && sampler->levels > 1)
        what = "a child image with mipmap levels";
    if (what)
        fault(log, FAULT_NOT_MODELLED, "texture type %s: %s", sampler->format->name, what);
    return !what;
}

bool sampler_setup(struct sampler *sampler, const uint32_t *parameter, uint32_t count,
                   uint32_t border, struct fault_log *log)
{
    uint32_t type = field(parameter[0], 7, 4) | field(parameter[1], 31, 31) << 4;
    uint32_t min_filter = field(parameter[1], 6, 4);
    *sampler = (struct sampler){.format = texel_format(type), .border = border};
    if (!sampler->format) {
        fault(log, FAULT_TMU_PARAMETER, "texture data type %u is not defined", type);
        return false;
    }
    if (min_filter >= sizeof min_filters / sizeof *min_filters) {
        fault(log, FAULT_TMU_PARAMETER, "minification filter %u is not defined", min_filter);
        return false;
    }
    take_base(sampler, parameter[0]);
    take_size(sampler, parameter[1]);
    sampler->min_linear = min_filters[min_filter].linear;
    sampler->mip = min_filters[min_filter].mip && sampler->levels > 1;
    sampler->mip_blend = min_filters[min_filter].mip_blend;
    for (uint32_t i = 2; i < count; i++)
        take_extra(sampler, parameter[i]);
    if (!check_rules(sampler, log) || !check_modelled(sampler, log))
        return false;
    if (sampler->cube) /* no filter reaches over the edge of a face */
        sampler->axis[0].wrap = sampler->axis[1].wrap = WRAP_CLAMP;
    return true;
}

/* A level of a face: its image in memory. */
struct level {
    struct image_layout image;
    uint32_t window[2]; /* sampler_axis.window at this level */
    uint32_t address;
    const uint8_t *host; /* NULL unless all of it is mapped */
};

/* What the lanes of a request share. */
struct run {
    const struct sampler *sampler;
    struct bus *bus;
    double coordinate[3][LANES]; /* s, t and, for cube maps, r */
    uint16_t ready[FACES];       /* bit per level that is filled in */
    struct level level[FACES][LEVELS];
};

static uint32_t next_power_of_two(uint32_t value)
{
    return value <= 1 ? 1 : UINT32_C(1) << (32 - __builtin_clz(value - 1));
}

/* Levels above 0 are those of an image padded to powers of two. */
static uint32_t level_size(uint32_t size, uint32_t level)
{
    uint32_t padded = next_power_of_two(size) >> level;
    return level == 0 ? size : padded ? padded : 1;
}

static uint32_t cells(uint32_t texels, unsigned shift)
{
    return (texels + (1u << shift) - 1) >> shift;
}

static void lay_out(const struct sampler *sampler, uint32_t level, struct image_layout *image)
{
    const struct texel_format *format = sampler->format;
    uint32_t width = cells(level_size(sampler->axis[0].size, level), format->width_shift);
    uint32_t height = cells(level_size(sampler->axis[1].size, level), format->height_shift);
    enum layout layout = format->raster                              ? LAYOUT_RASTER
                         : layout_is_lt(width, height, format->bits) ? LAYOUT_LT
                                                                     : LAYOUT_T;
    layout_init(image, layout, width, height, format->bits);
}

/* Level 0 lies at the base, every further level right below the one before. */
static void prepare(struct run *run, uint32_t face, uint32_t number)
{
    const struct sampler *sampler = run->sampler;
    struct level *level = &run->level[face][number];
    level->address = sampler->base + face * sampler->cube_stride;
    for (uint32_t i = 1; i <= number; i++) {
        lay_out(sampler, i, &level->image);
        level->address -= level->image.size_bytes;
    }
    if (number == 0)
        lay_out(sampler, 0, &level->image);
    for (unsigned i = 0; i < 2; i++)
        level->window[i] = level_size(sampler->axis[i].window, number);
    level->host = bus_peek(run->bus, level->address, level->image.size_bytes);
    run->ready[face] |= (uint16_t)(1u << number);
}

static const struct level *get_level(struct run *run, uint32_t face, uint32_t number)
{
    if (!(run->ready[face] >> number & 1))
        prepare(run, face, number);
    return &run->level[face][number];
}

/* The cell of the given bits that begins at bytes; all below a byte share it. */
static uint64_t load_cell(const uint8_t *bytes, uint32_t bits)
{
    switch (bits) {
    case 64: return load_le64(bytes);
    case 32: return load_le32(bytes);
    case 16: return load_le16(bytes);
    default: return bytes[0];
    }
}

static uint64_t read_cell(struct bus *bus, uint32_t address, uint32_t bits)
{
    switch (bits) {
    case 64: {
        uint64_t low = bus_read32(bus, BUS_TMU, address);
        return low | (uint64_t)bus_read32(bus, BUS_TMU, address + 4) << 32;
    }
    case 32: return bus_read32(bus, BUS_TMU, address);
    case 16: return bus_read16(bus, BUS_TMU, address);
    default: return bus_read8(bus, BUS_TMU, address);
    }
}

static uint64_t fetch(struct run *run, const struct level *level, int32_t column, int32_t row)
{
    if (column == OUTSIDE || row == OUTSIDE)
        return run->sampler->border;
    const struct texel_format *format = run->sampler->format;
    uint32_t x = (uint32_t)column, y = (uint32_t)row, bit;
    uint32_t at = layout_offset(&level->image, x >> format->width_shift, y >> format->height_shift,
                                &bit);
    uint64_t raw = level->host ? load_cell(level->host + at, format->bits)
                               : read_cell(run->bus, level->address + at, format->bits);
    uint32_t x_mask = (1u << format->width_shift) - 1, y_mask = (1u << format->height_shift) - 1;
    return format->decode(raw >> bit, x & x_mask, (y & y_mask) ^ run->sampler->block_flip);
}

/* Sum of up to four RGBA8888 words by weights that add up to 65536, rounded once. Two channels at a
 * time share a 64-bit word. */
static uint32_t blend(const uint32_t *texel, const uint32_t *weight, unsigned count)
{
    const uint64_t half = UINT64_C(0x0000800000008000);
    uint64_t even = half, odd = half;
    for (unsigned i = 0; i < count; i++) {
        uint64_t spread = (uint64_t)texel[i] << 16 & UINT64_C(0x000000ff00000000);
        even += ((texel[i] & 0xff) | spread) * weight[i];
        spread = (uint64_t)texel[i] << 8 & UINT64_C(0x000000ff00000000);
        odd += ((texel[i] >> 8 & 0xff) | spread) * weight[i];
    }
    return (uint32_t)((even >> 16 & 0xff) | (even >> 32 & 0xff0000) | (odd >> 8 & 0xff00) |
                      (odd >> 24 & 0xff000000));
}

/* The texel or texels that one coordinate selects on its axis. */
struct footprint {
    int32_t texel[2];
    uint32_t weight; /* of the second, 0..WEIGHTS */
};

static double floor_double(double value)
{
    int64_t whole = (int64_t)value;
    return (double)(whole - ((double)whole > value));
}

/* The coordinate moved into one period of the wrap mode, or to at most one image beside it. */
static double wrap_coordinate(double value, enum sampler_wrap wrap)
{
    if (wrap == WRAP_REPEAT)
        return value - floor_double(value);
    if (wrap == WRAP_MIRROR)
        return value - 2 * floor_double(value / 2);
    return value < -1 ? -1 : value > 2 ? 2 : value;
}

/* The texel that stands for number `at`, which wrap_coordinate() left within a texel of its range.
 */
static int32_t wrap_texel(int32_t at, int32_t size, enum sampler_wrap wrap)
{
    switch (wrap) {
    case WRAP_REPEAT: return at < 0 ? size - 1 : at >= size ? 0 : at;
    case WRAP_MIRROR:
        if (at < 0 || at >= 2 * size)
            return 0;
        return at < size ? at : 2 * size - 1 - at;
    case WRAP_BORDER: return at < 0 || at >= size ? OUTSIDE : at;
    default: return at < 0 ? 0 : at >= size ? size - 1 : at;
    }
}

static int32_t place_texel(const struct sampler_axis *axis, int32_t at, int32_t size)
{
    int32_t texel = wrap_texel(at, size, axis->wrap);
    if (texel == OUTSIDE)
        return OUTSIDE;
    return (axis->flip ? size - 1 - texel : texel) + (int32_t)axis->offset;
}

static struct footprint locate(const struct sampler_axis *axis, double coordinate, uint32_t window,
                               bool linear)
{
    const int32_t bias = 2048 * SUBTEXELS; /* keeps the conversion, which truncates, positive */
    double steps = wrap_coordinate(coordinate, axis->wrap) * (double)window * SUBTEXELS;
    int32_t position = (int32_t)(steps + bias + 0.5) - bias;
    if (linear)
        position -= SUBTEXELS / 2;
    int32_t first = position >> 12, size = (int32_t)window;
    uint32_t fraction = (uint32_t)position & (SUBTEXELS - 1);
    struct footprint found = {.weight = (fraction + 8) / (SUBTEXELS / WEIGHTS)};
    found.texel[0] = place_texel(axis, first, size);
    if (linear)
        found.texel[1] = place_texel(axis, first + 1, size);
    return found;
}

static uint64_t sample_level(struct run *run, const struct level *level, double s, double t,
                             bool linear)
{
    const struct sampler_axis *axis = run->sampler->axis;
    struct footprint x = locate(&axis[0], s, level->window[0], linear);
    struct footprint y = locate(&axis[1], t, level->window[1], linear);
    if (!linear)
        return fetch(run, level, x.texel[0], y.texel[0]);

    uint32_t texel[4], weight[4];
    for (unsigned i = 0; i < 4; i++) {
        texel[i] = (uint32_t)fetch(run, level, x.texel[i & 1], y.texel[i >> 1]);
        weight[i] = (i & 1 ? x.weight : WEIGHTS - x.weight) *
                    (i >> 1 ? y.weight : WEIGHTS - y.weight);
    }
    return blend(texel, weight, 4);
}

/* A float32 as a number that every later step can bear: NaN is 0, and what exceeds 2^30 stops
 * there, where all floats are even, so that repeat and mirror do not notice. */
static double sane(uint32_t bits)
{
    const float limit = 0x1p30f;
    float value = bits_float(bits);
    if (value >= -limit && value <= limit)
        return (double)value;
    return value > limit ? limit : value < -limit ? -limit : 0;
}

/* Level of detail from the square of the texels per pixel: log2(square) / 2 in steps of 1 /
 * WEIGHTS, rounded down. Each squaring of the mantissa gives one more binary digit of the
 * logarithm. */
static int32_t half_log2(double square)
{
    int exponent;
    double mantissa = 2 * frexp(square > 0x1p-64 ? square : 0x1p-64, &exponent);
    int32_t log = exponent - 1;
    for (unsigned digit = 0; digit < 7; digit++) {
        mantissa *= mantissa;
        bool carry = mantissa >= 2;
        log = log * 2 + carry;
        mantissa = carry ? mantissa / 2 : mantissa;
    }
    return log;
}

/* One lane's place on the texture. */
struct point {
    double s, t;
    uint32_t face;
};

/* Cube faces +X -X +Y -Y +Z -Z: which of s, t, r the face's own axes follow, and in which direction
 * (OpenGL ES 2.0, table 3.10). */
static const struct {
    uint8_t s, t;
    int8_t s_sign, t_sign;
} cube_faces[FACES] = {
    {2, 1, -1, -1},
    {2, 1, 1,  -1},
    {0, 2, 1,  1 },
    {0, 2, 1,  -1},
    {0, 1, 1,  -1},
    {0, 1, -1, -1},
};

/* The face that the largest component points through; on a tie the earlier one of s, t, r. */
static uint32_t find_face(const double direction[3])
{
    uint32_t major = 0;
    for (uint32_t i = 1; i < 3; i++)
        if (fabs(direction[i]) > fabs(direction[major]))
            major = i;
    return major * 2 + (direction[major] < 0);
}

/* Where the direction, already divided by its largest component, meets the plane of a face. */
static struct point project(const double direction[3], uint32_t face)
{
    return (struct point){
        .s = (cube_faces[face].s_sign * direction[cube_faces[face].s] + 1) / 2,
        .t = (cube_faces[face].t_sign * direction[cube_faces[face].t] + 1) / 2,
        .face = face,
    };
}

static struct point cube_point(const struct run *run, unsigned lane, unsigned leader)
{
    double own[3], leading[3];
    for (unsigned i = 0; i < 3; i++) {
        own[i] = run->coordinate[i][lane];
        leading[i] = run->coordinate[i][leader];
    }
    return project(own, find_face(leading));
}

/* The place of a lane, on the cube face of the lane `leader`. */
static struct point find_point(const struct run *run, unsigned lane, unsigned leader)
{
    if (run->sampler->cube)
        return cube_point(run, lane, leader);
    return (struct point){.s = run->coordinate[0][lane], .t = run->coordinate[1][lane]};
}

/* Square of the distance between two points, in texels of level 0. */
static double distance(const struct sampler *sampler, const struct point *a, const struct point *b)
{
    double s = (b->s - a->s) * sampler->axis[0].window;
    double t = (b->t - a->t) * sampler->axis[1].window;
    return s * s + t * t;
}

/* Level of detail of the quad of lanes from `first` on: lane 1 is right of lane 0, lane 2 in the
 * next row. */
static int32_t quad_detail(const struct run *run, unsigned first)
{
    struct point origin = find_point(run, first, first);
    struct point right = find_point(run, first + 1, first);
    struct point below = find_point(run, first + 2, first);
    double across = distance(run->sampler, &origin, &right);
    double down = distance(run->sampler, &origin, &below);
    return half_log2(across > down ? across : down);
}

static int32_t bias_steps(uint32_t bits)
{
    double bias = sane(bits);
    bias = bias < -64 ? -64 : bias > 64 ? 64 : bias;
    return (int32_t)((bias + 64) * WEIGHTS + 0.5) - 64 * WEIGHTS;
}

/* Applies the minification filter at a level of detail above 0. */
static uint64_t minify(struct run *run, const struct point *at, int32_t detail)
{
    const struct sampler *sampler = run->sampler;
    int32_t last = (int32_t)sampler->levels - 1;
    int32_t steps = detail < last * WEIGHTS ? detail : last * WEIGHTS;
    if (!sampler->mip)
        steps = 0;
    else if (!sampler->mip_blend)
        steps = (steps + WEIGHTS / 2) / WEIGHTS * WEIGHTS;
    uint32_t number = (uint32_t)(steps / WEIGHTS), fraction = (uint32_t)(steps % WEIGHTS);
    bool linear = sampler->min_linear;
    uint64_t near = sample_level(run, get_level(run, at->face, number), at->s, at->t, linear);
    if (fraction == 0)
        return near;
    uint64_t far = sample_level(run, get_level(run, at->face, number + 1), at->s, at->t, linear);
    const uint32_t texel[2] = {(uint32_t)near, (uint32_t)far};
    const uint32_t weight[2] = {(WEIGHTS - fraction) * WEIGHTS, fraction * WEIGHTS};
    return blend(texel, weight, 2);
}

static uint64_t sample_lane(struct run *run, unsigned lane, int32_t detail)
{
    struct point at = find_point(run, lane, lane);
    if (detail > 0)
        return minify(run, &at, detail);
    return sample_level(run, get_level(run, at.face, 0), at.s, at.t, run->sampler->mag_linear);
}

void sampler_run(const struct sampler *sampler, struct bus *bus, const lanes coordinate[4],
                 lanes result[2])
{
    struct run run;
    run.sampler = sampler;
    run.bus = bus;
    memset(run.ready, 0, sizeof run.ready);
    for (unsigned i = 0; i < (sampler->cube ? 3 : 2); i++)
        for (unsigned lane = 0; lane < LANES; lane++)
            run.coordinate[i][lane] = sane(coordinate[i][lane]);

    bool detailed = sampler->mip || sampler->mag_linear != sampler->min_linear;
    int32_t quad = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (detailed && !sampler->absolute_lod && lane % 4 == 0)
            quad = quad_detail(&run, lane);
        int32_t detail = detailed ? quad + bias_steps(coordinate[3][lane]) : 0;
        uint64_t texel = sample_lane(&run, lane, detail);
        result[0][lane] = (uint32_t)texel;
        result[1][lane] = (uint32_t)(texel >> 32);
    }
}
