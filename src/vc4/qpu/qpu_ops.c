/* SPDX-License-Identifier: MIT */
/* qpu_ops.c - see qpu_ops.h: the portable functions, and the choice of the fastest set at run
 * time. */
#include "vc4/qpu/qpu_ops.h"

#include "exec/cpu.h"

#define PART_BYTES 16
#include "vc4/qpu/qpu_ops_lanes.h"

const struct qpu_handlers qpu_handlers_portable = QPU_HANDLERS;

const struct qpu_handlers *qpu_handlers_native(void)
{
    return CPU_FASTEST(&qpu_handlers_portable, &qpu_handlers_avx2);
}
