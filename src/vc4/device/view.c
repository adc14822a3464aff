/* SPDX-License-Identifier: MIT */
/* view.c - shows the state of user programs to debuggers.
 *
 * In:  the number of a QPU.
 * Out: its registers. */
#include <string.h>

#include "vc4/device/device.h"

static void copy_registers(uint32_t (*to)[16], const lanes *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memcpy(to[i], &from[i], sizeof to[i]);
}

bool tess_vc4_get_qpu(const struct tess_vc4 *vc4, unsigned number, struct tess_vc4_qpu *qpu)
{
    static const char *const states[] = {
        [QPU_IDLE] = "idle",   [QPU_RUNNING] = "runs",  [QPU_WAITING] = "waits",
        [QPU_ENDED] = "ended", [QPU_BROKEN] = "broken", [QPU_LIMIT] = "runs",
    };
    memset(qpu, 0, sizeof *qpu);
    if (number >= QPU_COUNT)
        return false;
    const struct qpu *from = &vc4->qps.user[number];
    qpu->state = states[from->state];
    qpu->start = from->start;
    qpu->pc = from->pc;
    qpu->uniform = from->uniform;
    qpu->z = from->z;
    qpu->n = from->n;
    qpu->c = from->c;
    copy_registers(qpu->ra, from->ra, 32);
    copy_registers(qpu->rb, from->rb, 32);
    copy_registers(qpu->r, from->r, 6);
    return true;
}
