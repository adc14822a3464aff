/* SPDX-License-Identifier: MIT */
/* qpu_block_run.h - functions that the operations of a running block share: the current
 * instruction, its line of code, the next uniform, and the stalls of the instruction. */
#ifndef VC4_QPU_QPU_BLOCK_RUN_H
#define VC4_QPU_QPU_BLOCK_RUN_H

#include <stdint.h>

#include "base/bits.h"
#include "vc4/qpu/qpu_run.h"

/* Accounts for the instruction lines of the block up to the instruction at index. Operations whose
 * time matters call qpu_block_fetch() first. qpu_block_fetch_lines() handles an instruction at
 * address `last` whose line has not been fetched yet. */
void qpu_block_fetch_lines(struct qpu_run *run, uint32_t last);

static inline void qpu_block_fetch(struct qpu_run *run, unsigned index)
{
    uint32_t last = (run->qpu->pc & BUS_ADDRESS_MASK) + index * 8u;
    if (run->qpu->times.line <= last / TIMING_LINE)
        qpu_block_fetch_lines(run, last);
}

/* Attributes the stalls that are not attributed yet to the instruction at index in the block. */
void qpu_blame_in_block(struct qpu_run *run, unsigned index);

/* Attributes stalls like qpu_blame_in_block() if the run has an instruction profile. */
static inline void qpu_block_blame(struct qpu_run *run, unsigned index)
{
    if (run->ports->insn_profile)
        qpu_blame_in_block(run, index);
}

/* qpu_block_enter() sets an instruction of the block as the current instruction, before a call to
 * code outside the QPU. qpu_block_leave() sets the start of the block as the current position
 * again. */
void qpu_block_enter(struct qpu_run *run, unsigned index);
void qpu_block_leave(struct qpu_run *run, unsigned index);

/* Returns the next uniform, which the instruction at index in the block reads. used is not 0 if an
 * ALU uses the uniform. */
uint32_t qpu_block_uniform(struct qpu *qpu, unsigned index, uint32_t used, struct qpu_run *run);

/* Does the same. In the open line of uniforms, the read needs no checks. */
static inline uint32_t qpu_block_next_uniform(struct qpu *qpu, unsigned index, uint32_t used,
                                              struct qpu_run *run)
{
    uint32_t offset = (qpu->uniform & BUS_ADDRESS_MASK & ~UINT32_C(3)) - run->uniforms_base;
    if (offset >= run->uniforms_size || run->uniforms_size - offset < 4 ||
        qpu->uniforms_left != UINT32_MAX || !qpu->uniforms_enabled)
        return qpu_block_uniform(qpu, index, used, run);
    qpu->uniform += 4;
    qpu->times.uniforms++;
    return load_le32(run->uniforms + offset);
}

#endif
