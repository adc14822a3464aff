/* SPDX-License-Identifier: MIT */
/* program.c - see program.h. */
#include "vc4/program.h"

#include "base/bits.h"

void program_enter(struct fault_log *log, struct bus *bus, const struct qpu *qpu)
{
    const uint8_t *bytes = bus_peek(bus, qpu->pc, 8);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    fault_enter_shader(log, qpu->start, qpu->pc, bytes ? &word : NULL, qpu->number);
}

void program_report_limit(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                          uint64_t own, uint64_t total)
{
    program_enter(log, bus, qpu);
    if (qpu->instructions >= own)
        fault(log, FAULT_BUDGET, "the program has executed %llu instructions without ending",
              (unsigned long long)qpu->instructions);
    else
        fault(log, FAULT_BUDGET, "the programs have executed %llu instructions in this run",
              (unsigned long long)total);
    fault_leave_shader(log);
}

void program_report_wait(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                         const struct qpu_shared *shared)
{
    char text[96];
    program_enter(log, bus, qpu);
    fault(log, FAULT_QPU_STUCK, "QPU %u waits for %s", qpu->number,
          qpu_wait_text(qpu, shared, text, sizeof text));
    fault_leave_shader(log);
}
