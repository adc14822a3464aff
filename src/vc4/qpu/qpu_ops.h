/* SPDX-License-Identifier: MIT */
/* qpu_ops.h - the functions that execute operations of blocks (qpu_op.h) on 16 elements.
 *
 * There is one set of functions for each width of host vectors. All sets return identical bits. */
#ifndef VC4_QPU_QPU_OPS_H
#define VC4_QPU_QPU_OPS_H

#include "vc4/qpu/qpu_op.h"

extern const struct qpu_handlers qpu_handlers_portable, qpu_handlers_avx2;

/* Returns the fastest set of functions for this host. */
const struct qpu_handlers *qpu_handlers_native(void);

#endif
