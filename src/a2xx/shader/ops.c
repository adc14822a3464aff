/* SPDX-License-Identifier: MIT */
/* ops.c - the functions of ops.h for every host, and the choice between these and faster
 * functions. */
#include "base/cpu.h"

#define PART_BYTES 16
#include "a2xx/shader/ops_lanes.h"

#include "a2xx/shader/ops_avx2.h"

const struct a2xx_handlers a2xx_handlers_portable = A2XX_HANDLER_TABLE;

static const struct a2xx_handlers *preferred;

void a2xx_handlers_prefer(const struct a2xx_handlers *handlers)
{
    preferred = handlers;
}

const struct a2xx_handlers *a2xx_handlers_native(void)
{
    if (preferred)
        return preferred;
#ifdef __x86_64__
    if (cpu_has_avx2())
        return &a2xx_handlers_avx2;
#endif
    return &a2xx_handlers_portable;
}

bool a2xx_op_is_reduction(unsigned vector_opc)
{
    return vector_opc >= A2XX_V_DOT4 && vector_opc <= A2XX_V_KILLNE && vector_opc != A2XX_V_CUBE;
}
