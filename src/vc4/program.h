/* SPDX-License-Identifier: MIT */
/* program.h - reports about QPU programs that do not end. */
#ifndef VC4_PROGRAM_H
#define VC4_PROGRAM_H

#include "vc4/bus.h"
#include "vc4/qpu.h"

/* Makes findings refer to the instruction at a program's pc, until fault_leave_shader(). */
void program_enter(struct fault_log *log, struct bus *bus, const struct qpu *qpu);

/* Reports that a program has used up its own instruction limit, or the limit that all programs
 * share, which total instructions have reached. */
void program_report_limit(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                          uint64_t own, uint64_t total);

/* Reports that a program still runs at the clock limit. */
void program_report_clocks(struct fault_log *log, struct bus *bus, const struct qpu *qpu);

/* Reports the event that a waiting program waits for. */
void program_report_wait(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                         const struct qpu_shared *shared);

/* Searches the program at start for an instruction that acquires a semaphore (acquires is true) or
 * releases it. Returns true and stores the instruction's address in *where if there is one. Scans
 * up to the first program end that no forward branch jumps past, at most 4096 instructions. */
bool program_find_semaphore(struct bus *bus, uint32_t start, uint32_t semaphore, bool acquires,
                            uint32_t *where);

#endif
