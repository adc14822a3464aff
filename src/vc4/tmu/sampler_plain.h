/* SPDX-License-Identifier: MIT */
/* sampler_plain.h - samples one level with functions for any host. The kernels of sampler_kernels.h
 * have the same results; these functions are the reference. They also serve levels that are not
 * completely mapped. */
#ifndef VC4_TMU_SAMPLER_PLAIN_H
#define VC4_TMU_SAMPLER_PLAIN_H

#include "vc4/tmu/sampler_state.h"

/* Samples the job's lanes. result receives one or two words per lane, depending on the format;
 * lanes that are not in the job's mask receive any value. Notes the cells that were read, the
 * texels outside mapped memory and the errata in *sampler. */
void sampler_plain(struct sampler *sampler, const struct sampler_job *job, lanes result[2]);

#endif
