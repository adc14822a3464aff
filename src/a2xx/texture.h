/* SPDX-License-Identifier: MIT */
/* texture.h - what the parts of a texture fetch share: the sampler that instruction and constant make together.
 *
 *     texture.c         opcodes, and the sum of texels
 *     texture_setup.c   the sampler
 *     filter_lod.c      gradients, levels of detail
 *     filter_axis.c     from a coordinate to texels and weights
 *     texel_load.c      texels of 64 lanes from memory */
#ifndef A2XX_TEXTURE_H
#define A2XX_TEXTURE_H

#include "a2xx/address.h"
#include "a2xx/format.h"

enum { A2XX_AXES = 3 };

enum a2xx_clamp {
    A2XX_WRAP,
    A2XX_MIRROR,
    A2XX_LAST,
    A2XX_MIRROR_LAST,
    A2XX_HALF_BORDER,
    A2XX_MIRROR_HALF_BORDER,
    A2XX_BORDER,
    A2XX_MIRROR_BORDER,
};

enum a2xx_mip { A2XX_MIP_POINT, A2XX_MIP_LINEAR, A2XX_MIP_BASE };

/* Filters when magnified, and when minified. */
enum { A2XX_MAG, A2XX_MIN };

struct a2xx_sampler {
    const struct a2xx_memory *memory;
    enum tess_a2xx_variant variant;
    struct a2xx_texture_constant constant;
    struct a2xx_layout layout;
    uint32_t base, mips;    /* addresses */
    const uint8_t *host[2]; /* what is there, of base and mips */
    size_t host_size[2];
    bool plain;                         /* texels stand alone */
    struct a2xx_component component[4]; /* of plain ones */
    unsigned components; /* that the format has, of plain ones; later ones repeat the last */
    enum a2xx_sign sign[4];
    float border[4];
    enum a2xx_clamp clamp[A2XX_AXES];
    unsigned axes;                    /* along which texels are chosen: 1 to 3 */
    bool linear[2], layers_linear[2]; /* by A2XX_MAG, A2XX_MIN */
    enum a2xx_mip mip;
    unsigned samples;        /* anisotropic: at most so many */
    float bias;              /* of instruction and constant */
    bool texels;             /* coordinates are texels */
    float offset[A2XX_AXES]; /* texels */
};

/* Positions of all lanes: texels of level 0, as far from its first corner. The third axis counts layers. */
struct a2xx_position {
    double at[A2XX_AXES][A2XX_LANES];
};

/* What gradients say, in texels of level 0. */
struct a2xx_lod {
    float computed[A2XX_LANES];
    float samples[A2XX_LANES]; /* along the longer gradient, which is: */
    float along[A2XX_AXES][A2XX_LANES];
};

/* Which levels each lane reads, and how. */
struct a2xx_choice {
    uint8_t level[2][A2XX_LANES];
    float weight[A2XX_LANES]; /* of the second */
    bool minified[A2XX_LANES];
    bool two; /* some lane's second counts */
};

/* Two texels beside each other; -1 is the border. */
struct a2xx_axis {
    int32_t texel[2][A2XX_LANES];
    float weight[A2XX_LANES]; /* of the second */
    bool two;                 /* some lane's second counts */
};

/* Adds faults of the instruction and its constant; false if the result is 0 for that. */
bool a2xx_texture_setup(struct a2xx_sampler *sampler, const struct a2xx_fetch_unit *unit,
                        const struct a2xx_texture *insn, uint64_t active,
                        struct a2xx_fetch_report *report);

/* Gradients are those of the state, if it is not NULL, else of quads; without any, all is 0. */
void a2xx_filter_lod(const struct a2xx_sampler *sampler, const struct a2xx_position *position,
                     bool quads, const struct a2xx_texture_state *state, struct a2xx_lod *lod);

/* Chooses levels by the computed level of detail and a register's, each NULL where it is not used. */
void a2xx_filter_choose(const struct a2xx_sampler *sampler, const float *computed, const float *reg,
                        struct a2xx_choice *choice);

/* Texels along an axis, of level[lane]. */
void a2xx_filter_axis(const struct a2xx_sampler *sampler, unsigned axis,
                      const double at[A2XX_LANES], const uint8_t level[A2XX_LANES],
                      const struct a2xx_choice *choice, struct a2xx_axis *result);

/* Texels of the lanes of a mask, which are within their levels; data of others are finite. Faults are added. */
void a2xx_texel_load(const struct a2xx_sampler *sampler, const uint8_t level[A2XX_LANES],
                     const int32_t *const texel[A2XX_AXES], uint64_t lanes,
                     float data[4][A2XX_LANES], struct a2xx_fetch_report *report);

#endif
