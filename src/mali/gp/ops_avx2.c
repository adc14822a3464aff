/* SPDX-License-Identifier: MIT */
/* ops_avx2.c - see ops_avx2.h. Empty on hosts other than x86-64. */
#include "mali/gp/ops_avx2.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "exec/avx2_begin.h"

#define PART_BYTES 32
#include "mali/gp/ops_lanes.h"

const struct gp_handlers gp_handlers_avx2 = GP_HANDLER_TABLE;

#include "exec/avx2_end.h"

#endif
