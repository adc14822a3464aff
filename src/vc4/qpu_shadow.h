/* SPDX-License-Identifier: MIT */
/* qpu_shadow.h - the run-time sanitizer of a QPU: what has been written, and what was never read.
 *
 * In:  each instruction, before it is executed, with the elements that its two ALUs write.
 * Out: findings; docs/vc4/qpu.md, "Sanitizer", lists the rules.
 *
 * Only programs that run with struct qpu_ports .sanitize are watched; they never run in blocks. A run that
 * ends without findings stands for all further ones of its program, unless .varies is set. */
#ifndef VC4_QPU_SHADOW_H
#define VC4_QPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

/* Plain data. Elements that hold a value, by register; what was reported counts as written. */
struct qpu_shadow {
    lane_mask a[32], b[32], r[6], flags;
    bool switched;         /* accumulators and flags were lost in a thread switch */
    bool last_switch;      /* the last one was signalled */
    bool other_switch;     /* one was that is not marked as the last, at: */
    uint32_t switch_at;
    uint32_t switch_delay; /* instructions until they are; 0: none is under way */
    bool r4_fresh;         /* a result in r4 that nobody has read */
    uint32_t uniforms;     /* words of the stream, as the shader record says; 0: it does not */
    bool rewound;          /* the uniform address was written, so that number is of no use */
    bool varies;           /* something depends on data, so that another run may do otherwise */

    /* One more than the number of the instruction that wrote them last; 0: none. */
    uint64_t noswap, depth;
};

struct qpu_run;
struct qpu;

/* What is defined when a program starts; fragment shaders find W and Z in register 15. */
void qpu_shadow_start(struct qpu_shadow *shadow, bool fragment);

/* The instruction is about to be executed: add and mul are the elements that its ALUs write. */
void qpu_shadow_check(struct qpu_run *run, lane_mask add, lane_mask mul);

/* It multiplies these operands as 24 bits, whatever they come from, in the elements of mask. */
void qpu_shadow_mul24(struct qpu_run *run, const lanes *a, const lanes *b, lane_mask mask);

/* It shifts by these counts in the elements of mask. */
void qpu_shadow_shift(struct qpu_run *run, const lanes *count, lane_mask mask);

/* The instruction loads r4, or an SFU result arrives there. */
void qpu_shadow_r4(struct qpu_run *run);

#endif
