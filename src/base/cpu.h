/* SPDX-License-Identifier: MIT */
/* cpu.h - instruction sets of this computer's processor that kernels may use.
 *
 * With TESSERA_KERNELS=portable in the environment, kernels use only the baseline of the host's
 * architecture. Results are the same for all kernels. */
#ifndef TESSERA_BASE_CPU_H
#define TESSERA_BASE_CPU_H

#include <stdbool.h>

/* Returns true if kernels may use AVX2. The answer is the same for the whole life of the
 * process. Any thread may call this function. */
bool cpu_has_avx2(void);

#endif
