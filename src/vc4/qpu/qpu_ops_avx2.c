/* SPDX-License-Identifier: MIT */
/* qpu_ops_avx2.c - the functions of qpu_ops.h for x86-64 processors with AVX2. Empty on other
 * hosts. */
#include "vc4/qpu/qpu_ops.h"

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
