/* SPDX-License-Identifier: MIT */
/* filter_lod.c - computes gradients and levels of detail, and chooses levels; see texture.h.
 *
 * Source:  docs/hardware/a2xx.md, section 15; OpenGL ES 2.0, section 3.7.7, for the level of
 *          detail; EXT_texture_filter_anisotropic.
 * Choice:  docs/a2xx/texture.md, "Levels of detail". */
#include <math.h>
#include <string.h>

#include "a2xx/fetch/texture.h"

enum { QUAD = 4, RIGHT = 1, BELOW = 2 };

struct gradients {
    float right[A2XX_AXES], down[A2XX_AXES];
};

/* Converts a position on a face of a cube to a vector. Positions range from 0 to 1 on both axes.
 * The cube is centred on the origin, and its edges are 2 long. */
static void cube_vector(double s, double t, float face, double vector[3])
{
    double sc = 2 * s - 1, tc = 2 * t - 1;
    switch ((int)face) {
    case 0: memcpy(vector, (double[3]){1, -tc, -sc}, sizeof(double[3])); break;
    case 1: memcpy(vector, (double[3]){-1, -tc, sc}, sizeof(double[3])); break;
    case 2: memcpy(vector, (double[3]){sc, 1, tc}, sizeof(double[3])); break;
    case 3: memcpy(vector, (double[3]){sc, -1, -tc}, sizeof(double[3])); break;
    case 4: memcpy(vector, (double[3]){sc, -tc, 1}, sizeof(double[3])); break;
    default: memcpy(vector, (double[3]){-sc, -tc, -1}, sizeof(double[3])); break;
    }
}

/* Computes the differences between the positions in a quad. For cubes, the positions are converted
 * to vectors first, so that a quad may cross an edge of the cube. */
static void quad_gradients(const struct a2xx_sampler *sampler, const struct a2xx_position *position,
                           unsigned first, struct gradients *gradients)
{
    double place[QUAD][A2XX_AXES];
    double width = sampler->layout.level[0].width, height = sampler->layout.level[0].height;
    for (unsigned i = 0; i < QUAD; i++) {
        for (unsigned axis = 0; axis < A2XX_AXES; axis++)
            place[i][axis] = position->at[axis][first + i];
        if (sampler->layout.dimension == A2XX_CUBE) {
            cube_vector(place[i][0] / width, place[i][1] / height, (float)place[i][2], place[i]);
            for (unsigned axis = 0; axis < A2XX_AXES; axis++)
                place[i][axis] *= width / 2;
        }
    }
    for (unsigned axis = 0; axis < A2XX_AXES; axis++) {
        gradients->right[axis] = (float)(place[RIGHT][axis] - place[0][axis]);
        gradients->down[axis] = (float)(place[BELOW][axis] - place[0][axis]);
    }
}

/* Converts gradients in the texture state to texels. The gradients in the state are in units of the
 * coordinates. For cubes they are in units of the vectors. */
static void register_gradients(const struct a2xx_sampler *sampler,
                               const struct a2xx_texture_state *state, unsigned lane,
                               struct gradients *gradients)
{
    const struct a2xx_level *base = &sampler->layout.level[0];
    float scale[A2XX_AXES] = {(float)base->width, (float)base->height, (float)base->depth};
    for (unsigned axis = 0; axis < A2XX_AXES; axis++) {
        if (sampler->layout.dimension == A2XX_CUBE)
            scale[axis] = (float)base->width / 2;
        else if (sampler->texels)
            scale[axis] = 1;
        gradients->right[axis] = state->right[axis][lane] * scale[axis];
        gradients->down[axis] = state->down[axis][lane] * scale[axis];
    }
}

static float length(const struct a2xx_sampler *sampler, const float gradient[A2XX_AXES])
{
    enum a2xx_dimension dimension = sampler->layout.dimension;
    unsigned axes = dimension == A2XX_1D ? 1 : dimension == A2XX_2D ? 2 : 3;
    float square = 0;
    for (unsigned i = 0; i < axes; i++)
        square += gradient[i] * gradient[i];
    return sqrtf(square);
}

/* Computes the level of detail from the gradients. The level is 0 if the coordinates do not
 * change. */
static void set_lod(const struct a2xx_sampler *sampler, struct gradients *gradients, unsigned lane,
                    struct a2xx_lod *lod)
{
    const struct a2xx_texture_constant *constant = &sampler->constant;
    float right = ldexpf(length(sampler, gradients->right),
                         a2xx_signed(constant->grad_exp_adjust_h, 5));
    float down = ldexpf(length(sampler, gradients->down),
                        a2xx_signed(constant->grad_exp_adjust_v, 5));
    float most = right > down ? right : down, least = right > down ? down : right;
    if (!(most > 0) || isinf(most)) {
        lod->computed[lane] = isinf(most) ? A2XX_LEVELS : 0;
        return;
    }
    float samples = 1;
    if (sampler->samples > 1 && sampler->layout.dimension != A2XX_CUBE) {
        samples = ceilf(most / least); /* the quotient may be infinite */
        samples = samples < (float)sampler->samples ? samples : (float)sampler->samples;
    }
    const float *along = right > down ? gradients->right : gradients->down;
    lod->computed[lane] = log2f(most / samples);
    lod->samples[lane] = samples;
    for (unsigned axis = 0; axis < A2XX_AXES; axis++)
        lod->along[axis][lane] = along[axis];
}

static void copy_lod(struct a2xx_lod *lod, unsigned from, unsigned to)
{
    lod->computed[to] = lod->computed[from];
    lod->samples[to] = lod->samples[from];
    for (unsigned axis = 0; axis < A2XX_AXES; axis++)
        lod->along[axis][to] = lod->along[axis][from];
}

void a2xx_filter_lod(const struct a2xx_sampler *sampler, const struct a2xx_position *position,
                     bool quads, const struct a2xx_texture_state *state, struct a2xx_lod *lod)
{
    struct gradients gradients;
    memset(lod, 0, sizeof *lod);
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        lod->samples[lane] = 1;
    for (unsigned lane = 0; state && lane < A2XX_LANES; lane++) {
        register_gradients(sampler, state, lane, &gradients);
        set_lod(sampler, &gradients, lane, lod);
    }
    for (unsigned lane = 0; !state && quads && lane < A2XX_LANES; lane += QUAD) {
        quad_gradients(sampler, position, lane, &gradients);
        set_lod(sampler, &gradients, lane, lod);
        for (unsigned i = 1; i < QUAD; i++)
            copy_lod(lod, lane, lane + i);
    }
}

/* --- levels --- */

static void choose(const struct a2xx_sampler *sampler, float lod, unsigned lane,
                   struct a2xx_choice *choice)
{
    uint32_t last = sampler->layout.last;
    uint32_t first = sampler->constant.min_level < last ? sampler->constant.min_level : last;
    choice->minified[lane] = lod > 0;
    float within = lod > (float)last ? (float)last : lod > (float)first ? lod : (float)first;
    if (sampler->mip == A2XX_MIP_BASE)
        within = (float)first;
    float level = floorf(sampler->mip == A2XX_MIP_LINEAR ? within : within + 0.5F);
    float part = sampler->mip == A2XX_MIP_LINEAR ? floorf((within - level) * 256 + 0.5F) / 256 : 0;
    choice->level[0][lane] = (uint8_t)level;
    choice->level[1][lane] = (uint8_t)(level < (float)last ? level + 1 : level);
    choice->weight[lane] = part;
    choice->two |= part != 0;
}

/* Copies the choice of lane 0 to all lanes. */
static void copy_choice(struct a2xx_choice *choice)
{
    for (unsigned lane = 1; lane < A2XX_LANES; lane++) {
        choice->level[0][lane] = choice->level[0][0];
        choice->level[1][lane] = choice->level[1][0];
        choice->weight[lane] = choice->weight[0];
        choice->minified[lane] = choice->minified[0];
    }
}

void a2xx_filter_choose(const struct a2xx_sampler *sampler, const float *computed, const float *reg,
                        struct a2xx_choice *choice)
{
    choice->two = false;
    if (!computed && !reg) {
        choose(sampler, sampler->bias, 0, choice);
        copy_choice(choice);
        return;
    }
    for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
        float lod = sampler->bias;
        lod += computed ? computed[lane] : 0;
        lod += reg ? reg[lane] : 0;
        choose(sampler, lod, lane, choice);
    }
}
