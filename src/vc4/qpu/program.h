/* SPDX-License-Identifier: MIT */
/* program.h - reports about QPU programs that do not end. */
#ifndef VC4_QPU_PROGRAM_H
#define VC4_QPU_PROGRAM_H

#include "vc4/memory/bus.h"
#include "vc4/qpu/qpu.h"

/* Makes findings refer to the instruction at a program's pc, until fault_leave_shader(). */
void program_enter(struct fault_log *log, struct bus *bus, const struct qpu *qpu);

/* Reports that a program has used up an instruction limit. own is the limit of one program, and
 * total is the limit of all programs of a run. */
void program_report_limit(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                          uint64_t own, uint64_t total);

/* Reports that a program still runs at the clock limit. */
void program_report_clocks(struct fault_log *log, struct bus *bus, const struct qpu *qpu);

/* Reports that a program waits forever, and the event for which the program waits. */
void program_report_wait(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                         const struct qpu_shared *shared);

/* Searches the program at start for an instruction that acquires a semaphore (if acquires is true)
 * or releases the semaphore (if acquires is false). If an instruction is found, stores its address
 * in *where and returns true. The search ends at the first program end that no earlier branch jumps
 * past, or after 4096 instructions. */
bool program_find_semaphore(struct bus *bus, uint32_t start, uint32_t semaphore, bool acquires,
                            uint32_t *where);

#endif
