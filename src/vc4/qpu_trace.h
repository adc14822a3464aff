/* SPDX-License-Identifier: MIT */
/* qpu_trace.h - tells the host what each instruction does, as struct tess_vc4_step.
 *
 * In:  single steps of QPUs, and what they read and write outside. Out: calls of the host, one for each.
 *
 * Who is traced is never run in blocks. All functions but the first two do nothing without a trace. */
#ifndef VC4_QPU_TRACE_H
#define VC4_QPU_TRACE_H

#include <tessera/vc4.h>

#include "vc4/qpu_run.h"

enum { QPU_TRACE_EVENTS = 16 };

struct qpu_trace {
    void (*tell)(void *user, const struct tess_vc4_step *step);
    void *user;

    /* The instruction that is being executed. */
    struct tess_vc4_step now;
    struct tess_vc4_event event[QPU_TRACE_EVENTS];
    uint32_t value[QPU_TRACE_EVENTS][LANES];
    uint64_t stall[QPU_STALLS]; /* before it */
};

/* Around an instruction: run->insn is the one at pc. It has been executed, or the QPU broke. */
void qpu_trace_begin(struct qpu_run *run);
void qpu_trace_end(struct qpu_run *run, bool ended);

/* Something happened; values: 16 elements, or NULL. */
void qpu_trace_add(struct qpu_run *run, struct tess_vc4_event event);

/* The same for a uniform, and for what was read and written at register addresses 32..63, and loaded by signals. */
void qpu_trace_uniform(struct qpu_run *run, uint32_t address, uint32_t value);
void qpu_trace_read(struct qpu_run *run, bool file_a, unsigned address, const lanes *value);
void qpu_trace_write(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                     lane_mask mask);
void qpu_trace_load(struct qpu_run *run, enum qpu_sig sig, const lanes *value);

#endif
