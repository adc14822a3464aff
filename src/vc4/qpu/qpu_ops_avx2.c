/* SPDX-License-Identifier: MIT */
/* qpu_ops_avx2.c - see qpu_ops_avx2.h. Empty on hosts other than x86-64.
 *
 * All other headers are included before the compiler's target changes to AVX2, so that functions in
 * those headers are compiled for baseline processors. */
#include "vc4/qpu/qpu_ops_avx2.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "isa/qpu/qpu_isa.h"
#include "vc4/qpu/pack.h"
#include "vc4/qpu/qpu_block_run.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define PART_BYTES 32
#include "vc4/qpu/qpu_ops_lanes.h"

const struct qpu_handlers qpu_handlers_avx2 = QPU_HANDLERS;

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
