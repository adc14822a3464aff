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

#include "isa/qpu/facts.h"
#include "vc4/qpu/qpu_run.h"

enum {
    QPU_TRACE_EVENTS = 16,
    QPU_TRACE_VALUES = 8, /* limit of operands and of results: both files and r0 to r5 */
    QPU_TRACE_WORDS = 256,
    QPU_TRACE_TEXT = 320,
};

/* An instruction whose text is known. */
struct qpu_trace_word {
    uint64_t word;
    uint32_t pc;
    struct qpu_facts facts;
    char text[QPU_TRACE_TEXT]; /* empty if the entry is unused */
};

struct qpu_trace {
    void (*tell)(void *user, const struct tess_vc4_step *step);
    void *user;

    /* The instruction being executed. */
    struct tess_vc4_step now;
    struct tess_vc4_event event[QPU_TRACE_EVENTS];
    uint32_t value[QPU_TRACE_EVENTS][LANES];
    struct tess_vc4_operand operand[QPU_TRACE_VALUES], result[QPU_TRACE_VALUES];
    uint32_t port[2][LANES];        /* values that the read ports of both files return */
    uint32_t accumulator[6][LANES]; /* values before the instruction */
    lane_mask written[6];           /* written elements of the accumulators */
    uint64_t stall[QPU_STALLS];     /* stalls of the program before the instruction */

    struct qpu_trace_word words[QPU_TRACE_WORDS]; /* by address (qpu_spread()) */
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
