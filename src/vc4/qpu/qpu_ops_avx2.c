/* SPDX-License-Identifier: MIT */
/* qpu_ops_avx2.c - see qpu_ops_avx2.h. Empty on hosts other than x86-64. */
#include "vc4/qpu/qpu_ops_avx2.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "isa/qpu/qpu_isa.h"
#include "vc4/qpu/pack.h"
#include "vc4/qpu/qpu_block_run.h"

#include "exec/avx2_begin.h"

#define PART_BYTES 32
#include "vc4/qpu/qpu_ops_lanes.h"

const struct qpu_handlers qpu_handlers_avx2 = QPU_HANDLERS;

#include "exec/avx2_end.h"

#endif
