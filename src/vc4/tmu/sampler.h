/* SPDX-License-Identifier: MIT */
/* sampler.h - texture sampling, the part of a texture unit after its request FIFO: converts 16
 * sets of coordinates to 16 filtered texels (manual section 4, docs/vc4/tmu.md).
 *
 * In:  a texture, coordinates s, t, r, b as float32 bits, texel memory through the bus.
 * Out: one or two result words per lane. Also the addresses that were read, the texels outside
 *      mapped memory, and the errata that apply. */
#ifndef VC4_TMU_SAMPLER_H
#define VC4_TMU_SAMPLER_H

#include "vc4/tmu/sampler_state.h"

/* Samples all lanes of a texture, which must be valid. coordinate[] has s, t, r and b. border is
 * the border colour, used for each result word. result receives one or two words per lane,
 * depending on the texture's format. */
void sampler_run(struct sampler *sampler, struct texture *texture, const lanes coordinate[4],
                 uint32_t border, lanes result[2]);

/* Samples the job's lanes. result receives one or two words per lane, depending on the format;
 * lanes that are not in the job's mask receive any value. Notes the cells that were read, the
 * texels outside mapped memory and the errata in *sampler. */
void sampler_plain(struct sampler *sampler, const struct sampler_job *job, lanes result[2]);

#endif
