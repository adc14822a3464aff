/* SPDX-License-Identifier: MIT */
/* texture.h - the sampler, which combines the settings of a fetch instruction and a texture
 * constant, and the functions that use the sampler.
 *
 *     texture.c         execution of each opcode, and the weighted sum of texels
 *     texture_setup.c   the sampler
 *     filter_lod.c      gradients, levels of detail
 *     filter_axis.c     from a coordinate to texels and weights
 *     texel_load.c      texels of 64 lanes from memory */
#ifndef A2XX_FETCH_TEXTURE_H
#define A2XX_FETCH_TEXTURE_H

#include "a2xx/fetch/address.h"
#include "a2xx/fetch/format.h"

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

/* Indices for the magnification filter and the minification filter. */
enum { A2XX_MAG, A2XX_MIN };

struct a2xx_sampler {
    const struct a2xx_memory *memory;
    enum tess_a2xx_variant variant;
    struct a2xx_texture_constant constant;
    struct a2xx_layout layout;
    uint32_t base, mips;    /* GPU addresses of level 0, and of the other levels */
    const uint8_t *host[2]; /* the user's bytes at these two addresses, and number of bytes to the
                               end of their ranges */
    size_t host_size[2];
    bool plain;                         /* true if the format has one texel per block */
    struct a2xx_component component[4]; /* components of a plain format */
    unsigned components; /* number of components of a plain format; the remaining components repeat
                            the last one */
    enum a2xx_sign sign[4];
    float border[4];
    enum a2xx_clamp clamp[A2XX_AXES];
    unsigned axes;                    /* number of axes along which texels are selected, 1 to 3 */
    bool linear[2], layers_linear[2]; /* true for linear filters; indexed by A2XX_MAG and
                                         A2XX_MIN */
    enum a2xx_mip mip;
    unsigned samples;        /* limit of anisotropic samples per fetch */
    float bias;              /* bias of the level of detail: sum of the instruction's and the
                                constant's bias */
    bool texels;             /* true if coordinates are in texels instead of 0 to 1 */
    float offset[A2XX_AXES]; /* offset of the instruction, in texels */
};

/* Positions of all lanes, in texels of level 0. Position 0 is the outer edge of the first texel.
 * The third axis is the number of the layer. */
struct a2xx_position {
    double at[A2XX_AXES][A2XX_LANES];
};

/* Level of detail and longer gradient of each lane. Gradients are in texels of level 0. */
struct a2xx_lod {
    float computed[A2XX_LANES];
    float samples[A2XX_LANES]; /* number of samples along .along */
    float along[A2XX_AXES][A2XX_LANES];
};

/* Levels that each lane reads, and the filter of each lane. */
struct a2xx_choice {
    uint8_t level[2][A2XX_LANES];
    float weight[A2XX_LANES]; /* weight of the second level */
    bool minified[A2XX_LANES];
    bool two; /* true if any lane needs its second level */
};

/* Two neighbouring texels along an axis, for each lane. Texel -1 is the border colour. */
struct a2xx_axis {
    int32_t texel[2][A2XX_LANES];
    float weight[A2XX_LANES]; /* weight of the second texel */
    bool two;                 /* true if any lane needs its second texel */
};

/* Sets up the sampler. Adds errors of the instruction and its constant to *report. Returns false if
 * an error makes the result 0 in all lanes. */
bool a2xx_texture_setup(struct a2xx_sampler *sampler, const struct a2xx_fetch_unit *unit,
                        const struct a2xx_texture *insn, uint64_t active,
                        struct a2xx_fetch_report *report);

/* Computes the level of detail from the gradients in the state, or from the coordinates of quads if
 * state is NULL. If state is NULL and quads is false, all values are 0. */
void a2xx_filter_lod(const struct a2xx_sampler *sampler, const struct a2xx_position *position,
                     bool quads, const struct a2xx_texture_state *state, struct a2xx_lod *lod);

/* Selects levels from a computed level of detail, from a level of detail in a register, or from the
 * sum of both. `computed` or `reg` is NULL if it is not used. */
void a2xx_filter_choose(const struct a2xx_sampler *sampler, const float *computed, const float *reg,
                        struct a2xx_choice *choice);

/* Computes the texels and weights along an axis. level[lane] is the level that a lane reads. */
void a2xx_filter_axis(const struct a2xx_sampler *sampler, unsigned axis,
                      const double at[A2XX_LANES], const uint8_t level[A2XX_LANES],
                      const struct a2xx_choice *choice, struct a2xx_axis *result);

/* Loads texels for the lanes in a mask. The texels must be inside their levels. For other lanes,
 * data receives any finite values. Adds errors to *report. */
void a2xx_texel_load(const struct a2xx_sampler *sampler, const uint8_t level[A2XX_LANES],
                     const int32_t *const texel[A2XX_AXES], uint64_t lanes,
                     float data[4][A2XX_LANES], struct a2xx_fetch_report *report);

#endif
