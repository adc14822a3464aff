/* SPDX-License-Identifier: MIT */
/* qpu_trace.h - reports each executed instruction to the host, as struct tess_vc4_step.
 *
 * In:  single steps of QPUs, and their reads and writes of other units.
 * Out: one call of the host's function per step.
 *
 * Traced programs never run in blocks. All functions except qpu_trace_begin() and qpu_trace_end()
 * do nothing if there is no trace. */
#ifndef VC4_QPU_QPU_TRACE_H
#define VC4_QPU_QPU_TRACE_H

#include <tessera/vc4.h>

#include "vc4/qpu/qpu_run.h"

enum { QPU_TRACE_EVENTS = 16 };

struct qpu_trace {
    void (*tell)(void *user, const struct tess_vc4_step *step);
    void *user;

    /* The instruction being executed. */
    struct tess_vc4_step now;
    struct tess_vc4_event event[QPU_TRACE_EVENTS];
    uint32_t value[QPU_TRACE_EVENTS][LANES];
    uint64_t stall[QPU_STALLS]; /* stalls of the program before the instruction */
};

/* qpu_trace_begin() begins the report of run->insn, the instruction at pc. qpu_trace_end() ends the
 * report after the instruction has been executed or the QPU broke. ended is true if the program
 * ended. */
void qpu_trace_begin(struct qpu_run *run);
void qpu_trace_end(struct qpu_run *run, bool ended);

/* Adds an event to the report. The event has 16 values, one for each element, or NULL. */
void qpu_trace_add(struct qpu_run *run, struct tess_vc4_event event);

/* Add events for a uniform, for reads and writes of register addresses 32..63, and for loads by
 * signals. */
void qpu_trace_uniform(struct qpu_run *run, uint32_t address, uint32_t value);
void qpu_trace_read(struct qpu_run *run, bool file_a, unsigned address, const lanes *value);
void qpu_trace_write(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                     lane_mask mask);
void qpu_trace_load(struct qpu_run *run, enum qpu_sig sig, const lanes *value);

#endif
