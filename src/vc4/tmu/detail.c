/* SPDX-License-Identifier: MIT */
/* detail.c - see detail.h.
 *
 * Source:   the OpenGL ES 2.0 specification, sections 3.7.7 and 3.7.8, which the manual leaves the
 *           mathematics to.
 * Modelled: level of detail by quads, bias and absolute level.
 * Choices:  levels of detail have steps of 1/256; docs/vc4/tmu.md lists the others. */
#include "vc4/tmu/detail.h"

#include <math.h>
#include <string.h>

#include "vc4/tmu/filter.h"
#include "vc4/tmu/sampler_kernels.h"

enum { STEPS = FILTER_ONE, QUAD = 4, QUADS = LANES / QUAD }; /* steps of a level of detail */

/* Returns log2(square) / 2 in steps of 1 / STEPS, rounded down. square is at least
 * DETAIL_LEAST_SQUARE. This is the level of detail if square is the squared number of texels per
 * pixel. Each squaring of the mantissa yields one more binary digit of the logarithm. */
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

/* Returns the squared distance of two points, in texels of level 0. */
static double distance(const struct texture *texture, bool centred, const struct point *a,
                       const struct point *b)
{
    double scale = centred ? 0.5 : 1;
    double s = (b->s - a->s) * scale * texture->axis[0].window;
    double t = (b->t - a->t) * scale * texture->axis[1].window;
    return s * s + t * t;
}

/* Returns the squared number of texels per pixel in the quad of lanes that begins at `first`, or
 * DETAIL_LEAST_SQUARE if the number is smaller. Positions are computed on the given face. Lane 1 of
 * a quad is to the right of lane 0, and lane 2 is in the next row. */
static double quad_square(const struct texture *texture, const struct places *places,
                          unsigned first, uint32_t face)
{
    struct point origin = places_point(places, texture, first, face);
    struct point right = places_point(places, texture, first + 1, face);
    struct point below = places_point(places, texture, first + 2, face);
    double across = distance(texture, places->centred, &origin, &right);
    double down = distance(texture, places->centred, &origin, &below);
    double square = across > down ? across : down;
    return square > DETAIL_LEAST_SQUARE ? square : DETAIL_LEAST_SQUARE;
}

static int32_t bias_steps(uint32_t bits)
{
    if (bits == 0)
        return 0;
    double bias = places_number(bits);
    bias = bias < -64 ? -64 : bias > 64 ? 64 : bias;
    return (int32_t)((bias + 64) * STEPS + 0.5) - 64 * STEPS;
}

/* Returns the level and the weight of the next level as one number, in steps of 1 / STEPS, under
 * the minification filter. */
static uint32_t minify(const struct texture *texture, int32_t detail)
{
    int32_t last = ((int32_t)texture->levels - 1) * STEPS;
    if (!texture->mip)
        return 0;
    uint32_t steps = (uint32_t)(detail < last ? detail : last);
    return texture->mip_blend ? steps : (steps + STEPS / 2) / STEPS * STEPS;
}

/* Level and filter of a lane. */
struct choice {
    uint32_t key, fraction;
};

static struct choice choose(const struct texture *texture, uint32_t face, int32_t detail)
{
    uint32_t steps = detail > 0 ? minify(texture, detail) : 0;
    bool linear = detail > 0 ? texture->min_linear : texture->mag_linear;
    return (struct choice){detail_key(linear, face, steps / STEPS), steps % STEPS};
}

/* Finds the plan for an image whose levels of detail differ only between quads. */
static void plan_quads(struct detail_plan *plan, const struct texture *texture,
                       const struct places *places, const struct sampler_kernels *kernels)
{
    const double window[2] = {texture->axis[0].window, texture->axis[1].window};
    struct choice choice[QUADS];
    int32_t detail[QUADS];
    (texture->mip_blend ? kernels->details : kernels->rough_details)(places->place, window, detail);
    uint32_t other = 0, blended = 0;
    for (unsigned i = 0; i < QUADS; i++) {
        choice[i] = choose(texture, 0, detail[i]);
        other |= choice[i].key ^ choice[0].key;
        blended |= choice[i].fraction;
        typedef uint32_t quad __attribute__((vector_size(QUAD * 4), may_alias));
        ((quad *)&plan->key)[i] = (quad){0} + choice[i].key;
        ((quad *)&plan->fraction)[i] = (quad){0} + choice[i].fraction;
    }
    plan->uniform = other == 0;
    plan->blended = blended != 0;
}

static bool is_zero(const lanes *value)
{
    static const lanes zero = {0};
    return memcmp(value, &zero, sizeof zero) == 0;
}

static void plan_lanes(struct detail_plan *plan, const struct texture *texture,
                       const struct places *places)
{
    int32_t quad = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t face = places->face[lane];
        bool other = lane % QUAD == 0 || face != places->face[lane - 1];
        if (texture->detailed && !texture->absolute_lod && other)
            quad = half_log2(quad_square(texture, places, lane / QUAD * QUAD, face));
        int32_t detail = texture->detailed ? quad + bias_steps(places->coordinate[3][lane]) : 0;
        struct choice choice = choose(texture, face, detail);
        plan->key[lane] = choice.key;
        plan->fraction[lane] = choice.fraction;
    }
    plan->uniform = false;
    plan->blended = !is_zero(&plan->fraction);
}

void detail_find(struct detail_plan *plan, const struct texture *texture,
                 const struct places *places, const struct sampler_kernels *kernels)
{
    if (kernels && texture->detailed && !texture->cube && !texture->absolute_lod &&
        is_zero(&places->coordinate[3]))
        plan_quads(plan, texture, places, kernels);
    else
        plan_lanes(plan, texture, places);
}
