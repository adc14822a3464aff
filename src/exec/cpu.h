/* SPDX-License-Identifier: MIT */
/* cpu.h - instruction sets of this computer's processor that kernels may use.
 *
 * A kernel is a set of functions that a source file defines twice: for every host, and between
 * avx2_begin.h and avx2_end.h for x86-64 with AVX2. Results are the same for all kernels. With
 * TESSERA_KERNELS=portable in the environment, models use only the first set. */
#ifndef EXEC_CPU_H
#define EXEC_CPU_H

#include <stdbool.h>

/* Returns true if kernels may use AVX2. Any thread may call this function. */
bool cpu_has_avx2(void);

/* Limits the models to portable kernels, or returns to the default. Only tests and benchmarks call
 * this function, while no model runs. */
void cpu_use_portable(bool portable);

/* Selects the fastest of two values for this computer. The second value exists on x86-64 only. */
#ifdef __x86_64__
#define CPU_FASTEST(portable, avx2) (cpu_has_avx2() ? (avx2) : (portable))
#else
#define CPU_FASTEST(portable, avx2) (portable)
#endif

#endif
