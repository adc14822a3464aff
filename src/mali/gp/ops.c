/* SPDX-License-Identifier: MIT */
/* ops.c - the functions of step.h for every host, and the choice between these and faster
 * functions. */
#include "exec/cpu.h"

#define PART_BYTES 16
#include "mali/gp/ops_lanes.h"

const struct gp_handlers gp_handlers_portable = GP_HANDLER_TABLE;

const struct gp_handlers *gp_handlers_native(void)
{
    return CPU_FASTEST(&gp_handlers_portable, &gp_handlers_avx2);
}
