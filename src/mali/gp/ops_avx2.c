/* SPDX-License-Identifier: MIT */
/* ops_avx2.c - see ops_avx2.h. Empty on hosts other than x86-64.
 *
 * All other headers are included before the compiler's target changes to AVX2, so that functions in
 * those headers are compiled for every host. */
#include "mali/gp/ops_avx2.h"

#ifdef __x86_64__

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define PART_BYTES 32
#include "mali/gp/ops_lanes.h"

const struct gp_handlers gp_handlers_avx2 = GP_HANDLER_TABLE;

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
