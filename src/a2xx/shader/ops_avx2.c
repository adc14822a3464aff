/* SPDX-License-Identifier: MIT */
/* ops_avx2.c - see ops_avx2.h. Empty on hosts other than x86-64.
 *
 * All other headers are included before the compiler's target changes to AVX2, so that functions in
 * those headers are compiled for every host. */
#include "a2xx/shader/ops_avx2.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <math.h>

#include "a2xx/shader/functions.h"
#include "base/bits.h"
#include "isa/a2xx/a2xx_isa.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define PART_BYTES 32
#include "a2xx/shader/ops_lanes.h"

const struct a2xx_handlers a2xx_handlers_avx2 = A2XX_HANDLER_TABLE;

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
