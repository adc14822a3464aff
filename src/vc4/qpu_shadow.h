/* SPDX-License-Identifier: MIT */
/* qpu_shadow.h - the run-time sanitizer of a QPU: tracks values that were never written or never
 * read.
 *
 * In:  each instruction before it executes, with the elements that its two ALUs write.
 * Out: findings; docs/vc4/qpu.md, "Sanitizer", lists the rules.
 *
 * Only programs that run with .sanitize of struct qpu_ports are checked; they never run in blocks.
 * If a run ends without findings, further runs of the same program have none either, unless .varies
 * is set. */
#ifndef VC4_QPU_SHADOW_H
#define VC4_QPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

/* Elements that hold a value, by register. A reported element counts as written from then on. Plain
 * data. */
struct qpu_shadow {
    lane_mask a[32], b[32], r[6], flags;
    bool switched;         /* accumulators and flags were lost in a thread switch */
    bool last_switch;      /* the last thread switch was signalled */
    bool other_switch;     /* a thread switch not marked as the last was signalled */
    uint32_t switch_at;
    uint32_t switch_delay; /* instructions until the switch, or 0 */
    bool r4_fresh;         /* r4 holds a result that has not been read */
    uint32_t uniforms;     /* words of the stream by the shader record, or 0 if unknown */
    bool rewound;          /* the uniform address was written, so .uniforms does not apply */
    bool varies;           /* the run depends on data, so another run may differ */

    /* Number, plus 1, of the latest instruction that wrote TMU_NOSWAP, and of the latest that wrote
     * tile buffer Z; 0 if there is none. */
    uint64_t noswap, depth;
};

struct qpu_run;
struct qpu;

/* Sets the registers that are defined when a program starts: fragment shaders have W and Z in
 * register 15. */
void qpu_shadow_start(struct qpu_shadow *shadow, bool fragment);

/* Checks the instruction about to execute. add and mul are the elements that its ALUs write. */
void qpu_shadow_check(struct qpu_run *run, lane_mask add, lane_mask mul);

/* Checks the operands of a 24-bit multiplication, in the elements of mask. */
void qpu_shadow_mul24(struct qpu_run *run, const lanes *a, const lanes *b, lane_mask mask);

/* Checks the counts of a shift, in the elements of mask. */
void qpu_shadow_shift(struct qpu_run *run, const lanes *count, lane_mask mask);

/* Notes that the instruction loads r4, or that an SFU result arrives there. */
void qpu_shadow_r4(struct qpu_run *run);

#endif
