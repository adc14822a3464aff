/* SPDX-License-Identifier: MIT */
/* qpu_shadow.h - the run-time sanitizer of a QPU: finds registers that are read before they are
 * written, and values that are never read.
 *
 * In:  each instruction before it executes, with the elements that its two ALUs write.
 * Out: findings; docs/vc4/qpu.md, "Sanitizer", lists the rules.
 *
 * Only programs that run with .sanitize of struct qpu_ports are checked; they never run in blocks.
 * If one run of a program ends without findings and .varies is false, further runs of the program
 * have no findings either. */
#ifndef VC4_QPU_QPU_SHADOW_H
#define VC4_QPU_QPU_SHADOW_H

#include <stdbool.h>

#include "vc4/lanes/lanes.h"
#include "vc4/qpu/qpu_state.h"

struct qpu_run;
struct qpu;

/* Marks the registers that have values when a program starts. In fragment shaders, these are ra15
 * and rb15, which contain W and Z. */
void qpu_shadow_start(struct qpu_shadow *shadow, bool fragment);

/* Checks the instruction that is executed next. add and mul are the elements that its ALUs
 * write. */
void qpu_shadow_check(struct qpu_run *run, lane_mask add, lane_mask mul);

/* Checks the operands of a 24-bit multiplication in the elements that are set in mask. */
void qpu_shadow_mul24(struct qpu_run *run, const lanes *a, const lanes *b, lane_mask mask);

/* Checks the shift counts in the elements that are set in mask. */
void qpu_shadow_shift(struct qpu_run *run, const lanes *count, lane_mask mask);

/* Records that the instruction loads r4, or that an SFU result arrives in r4. */
void qpu_shadow_r4(struct qpu_run *run);

#endif
