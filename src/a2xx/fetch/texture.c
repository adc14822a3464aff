/* SPDX-License-Identifier: MIT */
/* texture.c - executes texture fetches with any opcode; see fetch.h.
 *
 * A sample is a weighted sum of texels. There are two texels along each axis with a linear filter,
 * two levels with a linear filter between levels, and several positions with an anisotropic filter.
 * Texels with weight 0 are not read. The sum is computed from the texels' values as floats.
 * Source:  docs/hardware/a2xx.md, sections 15, 16 and 27; xenia, src/xenia/gpu/ucode.h and
 *          dxbc_shader_translator_fetch.cc.
 * Choice:  docs/a2xx/texture.md. */
#include "a2xx/fetch/texture.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"

/* The weighted sum of texels, and the weight of the border colour in the sum. */
struct sum {
    float value[4][A2XX_LANES], border[A2XX_LANES];
};

struct fetch {
    struct a2xx_sampler sampler;
    const struct a2xx_texture *insn;
    struct a2xx_position position;
    struct a2xx_lod lod;
    struct a2xx_choice choice;
    uint64_t active;
    struct a2xx_fetch_report *report;
};

static void store(uint64_t active, const float value[A2XX_LANES], float data[A2XX_LANES])
{
    if (active == UINT64_MAX) {
        memcpy(data, value, sizeof(float[A2XX_LANES]));
        return;
    }
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        data[lane] = active >> lane & 1 ? value[lane] : data[lane];
}

static void store_all(uint64_t active, float value, float data[A2XX_LANES])
{
    float values[A2XX_LANES];
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        values[lane] = value;
    store(active, values, data);
}

/* --- positions --- */

/* Rounds a coordinate down to the number of a face, 0 to 5. */
static double face_of(double coordinate, float offset)
{
    double face = floor(coordinate + (double)offset);
    return face < 0 ? 0 : face > A2XX_FACES - 1 ? A2XX_FACES - 1 : face;
}

/* Sets the positions of all lanes. Coordinates on a face of a cube range from 1 to 2, which is the
 * range of the values that programs compute with CUBE and one multiplication. */
static void set_position(struct fetch *fetch, const float coords[3][A2XX_LANES])
{
    struct a2xx_sampler *sampler = &fetch->sampler;
    const struct a2xx_level *base = &sampler->layout.level[0];
    bool cube = sampler->layout.dimension == A2XX_CUBE;
    bool volume = sampler->layout.dimension == A2XX_3D;
    const double sizes[A2XX_AXES] = {base->width, base->height,
                                     volume ? base->depth : sampler->layout.layers};
    memset(&fetch->position, 0, sizeof fetch->position);
    for (unsigned axis = 0; axis < sampler->axes; axis++) {
        bool whole = cube && axis == 2;
        double scale = sampler->texels || whole ? 1 : sizes[axis];
        double less = cube && !whole ? sizes[axis] : 0;
        for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
            bool finite = isfinite(coords[axis][lane]);
            double at = finite ? (double)coords[axis][lane] * scale - less : 0;
            fetch->position.at[axis][lane] = whole ? face_of(at, sampler->offset[2]) : at;
            if (!finite)
                fetch->report->lanes[A2XX_FETCH_COORDINATE] |= fetch->active & UINT64_C(1) << lane;
        }
    }
    /* position of the middle of a layer, so that the face's layer is selected */
    if (cube)
        sampler->offset[2] = 0.5F;
}

/* Returns true if the levels or the filters depend on the level of detail. */
static bool needs_lod(const struct a2xx_sampler *sampler)
{
    return sampler->layout.last > 0 || sampler->samples > 1 ||
           sampler->linear[A2XX_MAG] != sampler->linear[A2XX_MIN] ||
           sampler->layers_linear[A2XX_MAG] != sampler->layers_linear[A2XX_MIN];
}

static void set_lod(struct fetch *fetch, bool quads, const struct a2xx_texture_state *state,
                    bool always)
{
    const struct a2xx_texture *insn = fetch->insn;
    bool uses = always || (insn->use_comp_lod && needs_lod(&fetch->sampler));
    const struct a2xx_texture_state *given = insn->use_reg_gradients ? state : NULL;
    if (uses)
        a2xx_filter_lod(&fetch->sampler, &fetch->position, quads, given, &fetch->lod);
    else
        fetch->sampler.samples = 1;
    const float *reg = insn->use_reg_lod & 1 ? state->lod : NULL;
    a2xx_filter_choose(&fetch->sampler, uses ? fetch->lod.computed : NULL, reg, &fetch->choice);
}

/* --- sums --- */

/* Returns the lanes whose value is not 0. The product moves the lowest bits of eight bytes to the
 * top byte. */
static uint64_t nonzero(const float value[A2XX_LANES])
{
    uint8_t set[A2XX_LANES];
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        set[lane] = value[lane] != 0;
    for (unsigned i = 0; i < A2XX_LANES; i += 8)
        mask |= load_le64(set + i) * UINT64_C(0x0102040810204080) >> 56 << i;
    return mask;
}

/* Adds one corner of the box of texels around a position to the sum. Bit i of `corner` selects the
 * second texel along axis i. */
static void add_corner(struct fetch *fetch, const uint8_t level[A2XX_LANES],
                       struct a2xx_axis axes[A2XX_AXES], unsigned corner,
                       const float share[A2XX_LANES], struct sum *sum)
{
    static const int32_t zeros[A2XX_LANES];
    const int32_t *texel[A2XX_AXES] = {zeros, zeros, zeros};
    float weight[A2XX_LANES], value[4][A2XX_LANES], outer[A2XX_LANES];
    int32_t border[A2XX_LANES] = {0}; /* negative in lanes whose texel is in the border */
    memcpy(weight, share, sizeof weight);
    for (unsigned axis = 0; axis < fetch->sampler.axes; axis++) {
        bool second = corner >> axis & 1;
        texel[axis] = axes[axis].texel[second];
        for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
            weight[lane] *= second ? axes[axis].weight[lane] : 1 - axes[axis].weight[lane];
            border[lane] |= texel[axis][lane];
        }
    }
    for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
        outer[lane] = border[lane] < 0 ? weight[lane] : 0;
        weight[lane] = border[lane] < 0 ? 0 : weight[lane];
    }
    uint64_t inside = nonzero(weight), outside = nonzero(outer);
    if (inside)
        a2xx_texel_load(&fetch->sampler, level, texel, inside, value, fetch->report);
    for (unsigned i = 0; inside && i < 4; i++)
        for (unsigned lane = 0; lane < A2XX_LANES; lane++)
            sum->value[i][lane] += value[i][lane] * weight[lane];
    for (unsigned lane = 0; outside && lane < A2XX_LANES; lane++) {
        sum->border[lane] += outer[lane];
        for (unsigned i = 0; i < 4; i++)
            sum->value[i][lane] += fetch->sampler.border[i] * outer[lane];
    }
}

static void find_texels(const struct fetch *fetch, const struct a2xx_position *position,
                        const uint8_t level[A2XX_LANES], struct a2xx_axis axes[A2XX_AXES])
{
    for (unsigned axis = 0; axis < fetch->sampler.axes; axis++)
        a2xx_filter_axis(&fetch->sampler, axis, position->at[axis], level, &fetch->choice,
                         &axes[axis]);
}

static void add_level(struct fetch *fetch, const struct a2xx_position *position,
                      const uint8_t level[A2XX_LANES], const float share[A2XX_LANES],
                      struct sum *sum)
{
    struct a2xx_axis axes[A2XX_AXES];
    unsigned doubled = 0;
    find_texels(fetch, position, level, axes);
    for (unsigned axis = 0; axis < fetch->sampler.axes; axis++)
        doubled |= (unsigned)axes[axis].two << axis;
    for (unsigned corner = 0; corner < 1U << A2XX_AXES; corner++)
        if ((corner & ~doubled) == 0)
            add_corner(fetch, level, axes, corner, share, sum);
}

/* Adds one of several positions along the longer gradient to the sum. Lanes with fewer positions do
 * not change. */
static void add_place(struct fetch *fetch, unsigned number, struct sum *sum)
{
    struct a2xx_position position = fetch->position;
    float first[A2XX_LANES], second[A2XX_LANES];
    for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
        float samples = fetch->sampler.samples > 1 ? fetch->lod.samples[lane] : 1;
        bool counts = (float)number < samples && fetch->active >> lane & 1;
        float share = counts ? 1 / samples : 0;
        first[lane] = share * (1 - fetch->choice.weight[lane]);
        second[lane] = share * fetch->choice.weight[lane];
        for (unsigned axis = 0; fetch->sampler.samples > 1 && axis < A2XX_AXES; axis++)
            position.at[axis][lane] += (double)(fetch->lod.along[axis][lane] *
                                                (((float)number + 1) / (samples + 1) - 0.5F));
    }
    add_level(fetch, &position, fetch->choice.level[0], first, sum);
    if (fetch->choice.two)
        add_level(fetch, &position, fetch->choice.level[1], second, sum);
}

static void add_up(struct fetch *fetch, struct sum *sum)
{
    memset(sum, 0, sizeof *sum);
    for (unsigned i = 0; i < fetch->sampler.samples; i++)
        add_place(fetch, i, sum);
}

/* --- opcodes --- */

static void sample(struct fetch *fetch, float data[4][A2XX_LANES])
{
    struct sum sum;
    add_up(fetch, &sum);
    const struct a2xx_texture_constant *constant = &fetch->sampler.constant;
    float factor = ldexpf(1, a2xx_signed(constant->exp_adjust, 6));
    for (unsigned i = 0; i < 4; i++)
        for (unsigned lane = 0; lane < A2XX_LANES; lane++)
            sum.value[i][lane] *= factor;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t from = constant->swizzle >> 3 * i & 7;
        if (from < 4)
            store(fetch->active, sum.value[from], data[i]);
        else
            store_all(fetch->active, from == 5, data[i]);
    }
}

static void border_share(struct fetch *fetch, float data[4][A2XX_LANES])
{
    struct sum sum;
    add_up(fetch, &sum);
    store(fetch->active, sum.border, data[0]);
}

static void computed_lod(struct fetch *fetch, float data[4][A2XX_LANES])
{
    store(fetch->active, fetch->lod.computed, data[0]);
}

/* Returns in data the filter weights in the finer of the two levels. */
static void weights(struct fetch *fetch, float data[4][A2XX_LANES])
{
    struct a2xx_axis axes[A2XX_AXES];
    find_texels(fetch, &fetch->position, fetch->choice.level[0], axes);
    for (unsigned axis = 0; axis < fetch->sampler.axes; axis++)
        store(fetch->active, axes[axis].weight, data[axis]);
    store(fetch->active, fetch->choice.weight, data[3]);
}

/* Returns in data the differences between coordinates of neighbouring pixels. All lanes of a quad
 * receive the differences from the quad's first lane. */
static void gradients(const float coords[3][A2XX_LANES], uint64_t active, bool quads,
                      float data[4][A2XX_LANES])
{
    float value[4][A2XX_LANES] = {{0}};
    for (unsigned lane = 0; quads && lane < A2XX_LANES; lane++) {
        unsigned first = lane & ~3U;
        for (unsigned axis = 0; axis < 2; axis++) {
            value[2 * axis][lane] = coords[axis][first + 1] - coords[axis][first];
            value[2 * axis + 1][lane] = coords[axis][first + 2] - coords[axis][first];
        }
    }
    for (unsigned i = 0; i < 4; i++)
        store(active, value[i], data[i]);
}

static void set_gradients(const float coords[3][A2XX_LANES], uint64_t active,
                          float gradient[3][A2XX_LANES])
{
    for (unsigned i = 0; i < 3; i++)
        store(active, coords[i], gradient[i]);
}

static void read_texture(const struct a2xx_fetch_unit *unit, const struct a2xx_texture *insn,
                         const float coords[3][A2XX_LANES], uint64_t active, bool quads,
                         const struct a2xx_texture_state *state, float data[4][A2XX_LANES],
                         struct a2xx_fetch_report *report)
{
    static void (*const ways[32])(struct fetch *, float[4][A2XX_LANES]) = {
        [A2XX_FETCH_SAMPLE] = sample,
        [A2XX_FETCH_GET_BORDER_COLOR_FRAC] = border_share,
        [A2XX_FETCH_GET_COMP_TEX_LOD] = computed_lod,
        [A2XX_FETCH_GET_WEIGHTS] = weights,
    };
    struct fetch fetch;
    fetch.insn = insn;
    fetch.active = active;
    fetch.report = report;
    for (unsigned i = 0; i < 4; i++)
        store_all(active, 0, data[i]);
    if (!ways[insn->opcode])
        report->lanes[A2XX_FETCH_OPCODE] |= active;
    else if (a2xx_texture_setup(&fetch.sampler, unit, insn, active, report)) {
        set_position(&fetch, coords);
        set_lod(&fetch, quads, state, insn->opcode == A2XX_FETCH_GET_COMP_TEX_LOD);
        ways[insn->opcode](&fetch, data);
    }
}

void a2xx_texture_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_texture *insn,
                        const float coords[3][A2XX_LANES], uint64_t active, bool quads,
                        struct a2xx_texture_state *state, float data[4][A2XX_LANES],
                        struct a2xx_fetch_report *report)
{
    switch (insn->opcode) {
    case A2XX_FETCH_SET_TEX_LOD: store(active, coords[0], state->lod); break;
    case A2XX_FETCH_SET_GRADIENTS_H: set_gradients(coords, active, state->right); break;
    case A2XX_FETCH_SET_GRADIENTS_V: set_gradients(coords, active, state->down); break;
    case A2XX_FETCH_GET_GRADIENTS: gradients(coords, active, quads, data); break;
    default: read_texture(unit, insn, coords, active, quads, state, data, report); break;
    }
}
