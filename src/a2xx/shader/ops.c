/* SPDX-License-Identifier: MIT */
/* ops.c - the functions of ops.h for every host, and the choice between these and faster
 * functions. */
#include "exec/cpu.h"

#define PART_BYTES 16
#include "a2xx/shader/ops_lanes.h"

const struct a2xx_handlers a2xx_handlers_portable = A2XX_HANDLER_TABLE;

const struct a2xx_handlers *a2xx_handlers_native(void)
{
    return CPU_FASTEST(&a2xx_handlers_portable, &a2xx_handlers_avx2);
}

bool a2xx_op_is_reduction(unsigned vector_opc)
{
    return vector_opc >= A2XX_V_DOT4 && vector_opc <= A2XX_V_KILLNE && vector_opc != A2XX_V_CUBE;
}
