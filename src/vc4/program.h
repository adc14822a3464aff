/* SPDX-License-Identifier: MIT */
/* program.h - what is to be said of QPU programs that do not end. */
#ifndef VC4_PROGRAM_H
#define VC4_PROGRAM_H

#include "vc4/bus.h"
#include "vc4/qpu.h"

/* Makes the log speak of the instruction that a program stands at, until fault_leave_shader(). */
void program_enter(struct fault_log *log, struct bus *bus, const struct qpu *qpu);

/* Reports that a program has used up its own budget, or total, the one that all programs share. */
void program_report_limit(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                          uint64_t own, uint64_t total);

/* Reports that a program still runs when the time is over. */
void program_report_clocks(struct fault_log *log, struct bus *bus, const struct qpu *qpu);

/* Reports what a waiting program waits for. */
void program_report_wait(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                         const struct qpu_shared *shared);

/* Whether the program at start has an instruction that acquires a semaphore, or else releases it; *where gets
 * its address. Looks through the code from the start to a program end that no branch has gone over. */
bool program_find_semaphore(struct bus *bus, uint32_t start, uint32_t semaphore, bool acquires,
                            uint32_t *where);

#endif
