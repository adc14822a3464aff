/* SPDX-License-Identifier: MIT */
/* ops.c - the functions of step.h for every host, and the choice between these and faster
 * functions. */
#include "base/cpu.h"

#define PART_BYTES 16
#include "mali/gp/ops_lanes.h"

#include "mali/gp/ops_avx2.h"

const struct gp_handlers gp_handlers_portable = GP_HANDLER_TABLE;

static const struct gp_handlers *preferred;

void gp_handlers_prefer(const struct gp_handlers *handlers)
{
    preferred = handlers;
}

const struct gp_handlers *gp_handlers_native(void)
{
    if (preferred)
        return preferred;
#ifdef __x86_64__
    if (cpu_has_avx2())
        return &gp_handlers_avx2;
#endif
    return &gp_handlers_portable;
}
