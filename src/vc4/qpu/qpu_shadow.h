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
#include <stdint.h>

#include "vc4/lanes/lanes.h"

/* Elements of each register that hold a value. After a finding for an element, the element counts
 * as written. */
struct qpu_shadow {
    lane_mask a[32], b[32], r[6], flags;
    bool switched;     /* true if a thread switch has made the accumulators and flags undefined */
    bool last_switch;  /* true if the last-thread-switch signal was executed */
    bool other_switch; /* true if a thread switch without the last-thread-switch signal was
                          executed */
    uint32_t switch_at;
    uint32_t switch_delay; /* instructions until the thread switch takes effect, or 0 */
    bool r4_fresh;         /* true if r4 contains a result that has not been read */
    uint32_t uniforms;     /* number of uniforms that the shader record declares, or 0 if unknown */
    bool rewound;          /* true if the uniform address was written, so that .uniforms does not
                              apply */
    bool varies;           /* true if the run depends on data, so that another run may have other
                              findings */

    /* Number, plus 1, of the latest instruction that wrote TMU_NOSWAP (noswap) or tile buffer Z
     * (depth), or 0 if there is none. */
    uint64_t noswap, depth;
};

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
