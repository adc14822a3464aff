/* SPDX-License-Identifier: MIT */
/* ops_avx2.c - the functions of ops.h for x86-64 processors with AVX2. Empty on other hosts. */
#include "a2xx/shader/ops.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <math.h>

#include "a2xx/shader/functions.h"
#include "isa/a2xx/a2xx_isa.h"

#include "exec/avx2_begin.h"

#define PART_BYTES 32
#include "a2xx/shader/ops_lanes.h"

const struct a2xx_handlers a2xx_handlers_avx2 = A2XX_HANDLER_TABLE;

#include "exec/avx2_end.h"

#endif
