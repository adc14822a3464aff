/* SPDX-License-Identifier: MIT */
/* ops_avx2.c - the functions of step.h for x86-64 processors with AVX2. Empty on other hosts. */
#include "mali/gp/step.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "exec/avx2_begin.h"

#define PART_BYTES 32
#include "mali/gp/ops_lanes.h"

const struct gp_handlers gp_handlers_avx2 = GP_HANDLER_TABLE;

#include "exec/avx2_end.h"

#endif
