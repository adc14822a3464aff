/* SPDX-License-Identifier: MIT */
/* qpu_run.c - see qpu_run.h. */
#include "vc4/qpu/qpu_run.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/bits.h"

enum { WORD = 8 }; /* bytes of an instruction */

const struct qpu_wrote qpu_wrote_nothing = {.a = QPU_NO_REGISTER, .b = QPU_NO_REGISTER};

/* --- calls out of the QPU --- */

void qpu_outside(struct qpu_run *run)
{
    const struct qpu *qpu = run->qpu;
    fpmode_leave(&run->fpmode);
    fault_enter_shader(run->ports->log, qpu->start, qpu->pc, run->insn ? &run->insn->word : NULL,
                       qpu->number);
}

void qpu_inside(struct qpu_run *run)
{
    fpmode_enter(&run->fpmode);
}

void qpu_fault_from(struct qpu_run *run, enum fault_rule rule, uint32_t pc, const char *format, ...)
{
    char text[512];
    const uint8_t *bytes = bus_peek(run->ports->bus, pc, WORD);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    qpu_outside(run);
    fault_from(run->ports->log, rule, pc, bytes ? &word : NULL, "%s", text);
    qpu_inside(run);
}

bool qpu_is_taken(const struct qpu *qpu, unsigned condition)
{
    enum { ALL_SET, ALL_CLEAR, ANY_SET, ANY_CLEAR };
    if (condition >= 12)
        return condition == 15;
    lane_mask flags = condition < 4 ? qpu->z : condition < 8 ? qpu->n : qpu->c;
    switch (condition & 3) {
    case ALL_SET: return flags == ALL_LANES;
    case ALL_CLEAR: return flags == 0;
    case ANY_SET: return flags != 0;
    default: return flags != ALL_LANES;
    }
}

void qpu_blame(struct qpu_run *run, uint32_t address, uint64_t word)
{
    struct qpu_times *times = &run->qpu->times;
    for (unsigned i = 0; i < QPU_STALLS && times->attributed != times->stalled; i++) {
        uint64_t clocks = times->stall[i] - times->reported_stall[i];
        if (clocks)
            instruction_profile_stall(run->ports->insn_profile, qpu_program_of(run->qpu), address,
                                      word, (enum tess_vc4_stall)i, clocks);
        times->reported_stall[i] = times->stall[i];
        times->attributed += clocks;
    }
}
