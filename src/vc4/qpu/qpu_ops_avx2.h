/* SPDX-License-Identifier: MIT */
/* qpu_ops_avx2.h - set of the functions of qpu_ops.h for x86-64 processors with AVX2. */
#ifndef VC4_QPU_QPU_OPS_AVX2_H
#define VC4_QPU_QPU_OPS_AVX2_H

#include "vc4/qpu/qpu_op.h"

extern const struct qpu_handlers qpu_handlers_avx2;

#endif
