/* SPDX-License-Identifier: MIT */
/* sampler.h - texture sampling, the part of a TMU behind its request FIFO: from the config
 * parameters and 16 sets of coordinates to 16 filtered texels (manual section 4, docs/vc4/tmu.md).
 *
 * In:  config parameters 0 to 3 (manual tables 15 to 17), coordinates s, t, r, b as float32 bits,
 * texel memory through the bus. Out: one or two result words per lane. */
#ifndef VC4_SAMPLER_H
#define VC4_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/lanes.h"
#include "vc4/texel.h"

enum sampler_wrap { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR, WRAP_BORDER };

/* One texture axis: s or t. */
struct sampler_axis {
    uint32_t size; /* of level 0 in texels */
    uint32_t
        window; /* size that the coordinates 0..1 span at level 0: the image's or the child's */
    uint32_t offset; /* of the child image */
    enum sampler_wrap wrap;
    bool flip;
};

/* The config parameters of a request, taken apart. */
struct sampler {
    const struct texel_format *format;
    struct sampler_axis axis[2];
    uint32_t base; /* bus address of level 0, face 0 */
    uint32_t levels;
    uint32_t block_flip; /* exclusive-or for the row inside an ETC1 block */
    uint64_t border;
    bool cube;
    uint32_t cube_stride; /* bytes from face to face */
    bool absolute_lod;    /* b is the level of detail, not a bias */
    bool child;
    bool mag_linear, min_linear;
    bool mip;       /* the minification filter chooses among levels */
    bool mip_blend; /* ... and blends two of them */
};

/* Takes count parameters apart; border is the raw border colour. False, with a finding, if the
 * hardware's result would be undefined or is not modelled. */
bool sampler_setup(struct sampler *sampler, const uint32_t *parameter, uint32_t count,
                   uint32_t border, struct fault_log *log);

/* Samples all lanes. coordinate is s, t, r, b; result has room for two words. */
void sampler_run(const struct sampler *sampler, struct bus *bus, const lanes coordinate[4],
                 lanes result[2]);

#endif
