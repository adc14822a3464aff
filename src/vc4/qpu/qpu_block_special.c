/* SPDX-License-Identifier: MIT */
/* qpu_block_special.c - see qpu_block_special.h.
 *
 * Source: as in qpu.c, which executes the same instructions one by one and is the reference. */
#include "vc4/qpu/qpu_block_special.h"

#include <string.h>

#include "vc4/qpu/pack.h"
#include "vc4/qpu/qpu_block_run.h"
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io.h"
#include "vc4/qpu/sfu.h"

enum { WORD = 8, BRANCH_SLOTS = 3 };

#define HANDLER(name) void name(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run)
#define TO            ((lanes *)((uint8_t *)qpu + op->to))
#define A             ((const lanes *)((const uint8_t *)qpu + op->a))
#define B             ((const lanes *)((const uint8_t *)qpu + op->b))

HANDLER(qpu_block_latch)
{
    (void)run;
    memcpy((uint8_t *)qpu + op->to, (const uint8_t *)qpu + op->a, 4 * sizeof(uint32_t));
}

HANDLER(qpu_block_save_conditions)
{
    (void)run;
    lane_mask add = qpu_condition(qpu, op->a), mul = qpu_condition(qpu, op->b);
    qpu->flag[QPU_COND_SAVED_ADD / 2] = add;
    qpu->flag[QPU_COND_SAVED_MUL / 2] = mul;
}

HANDLER(qpu_block_note_a)
{
    (void)run;
    lane_mask mask = qpu_condition(qpu, op->condition);
    if (!mask)
        return;
    alu_copy(&qpu->old_a, A);
    qpu->wrote.a_lanes = mask;
    qpu->wrote.a = (uint8_t)op->value;
    qpu->wrote.bytes |= (uint8_t)op->b;
}

HANDLER(qpu_block_note_b)
{
    (void)run;
    lane_mask mask = qpu_condition(qpu, op->condition);
    if (!mask)
        return;
    alu_copy(&qpu->old_b, A);
    qpu->wrote.b_lanes = mask;
    qpu->wrote.b = (uint8_t)op->value;
    qpu->wrote.bytes |= (uint8_t)op->b;
}

HANDLER(qpu_block_note_accumulator)
{
    (void)run;
    qpu->wrote.accumulators |= (uint8_t)op->value;
    qpu->wrote.accumulator_lanes |= qpu_condition(qpu, op->condition);
}

HANDLER(qpu_block_load_elements)
{
    (void)run;
    const bool is_signed = op->a == QPU_FORM_LOAD_SIGNED;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t low = op->value >> i & 1, high = op->value >> (16 + i) & 1;
        (*TO)[i] = low + (is_signed ? 0 - 2 * high : 2 * high);
    }
}

HANDLER(qpu_block_pack)
{
    (void)run;
    unsigned mode = op->value & 15, opcode = op->value >> 8 & 31;
    bool from_mul = op->value >> 16;
    alu_element *element = (from_mul ? &alu_mul_ops[opcode] : &alu_add_ops[opcode])->element;
    bool is_float = from_mul ? opcode == QPU_MUL_FMUL : qpu_add_float_out(opcode);
    for (unsigned i = 0; i < LANES; i++) {
        struct alu_result one = element((*A)[i], (*B)[i]);
        struct pack_input input = {one.value, is_float, one.carry, one.overflow};
        qpu->discard[from_mul][i] = pack_element(mode, input, (*TO)[i]);
    }
}

HANDLER(qpu_block_r5)
{
    (void)run;
    qpu_io_write_r5(qpu, op->value, A, qpu_condition(qpu, op->condition));
}

HANDLER(qpu_block_sfu)
{
    qpu_block_fetch(run, op->index);
    qpu_sfu_request(run, op->index);
    qpu_block_blame(run, op->index);
    qpu_io_write_sfu(qpu, op->value, A, qpu_condition(qpu, op->condition));
}

HANDLER(qpu_block_uniform_address)
{
    (void)run;
    qpu_io_set_uniform(qpu, op->value, (*A)[0], qpu->pc + WORD * op->index);
    qpu->uniform_delay = 0; /* no instruction of the block reads a uniform too early */
}

HANDLER(qpu_block_thread_switch)
{
    (void)qpu, (void)op;
    qpu_thread_switch(run);
}

HANDLER(qpu_block_rotate_by_r5)
{
    (void)run;
    const lanes from = *A;
    for (unsigned i = 0; i < LANES; i++)
        (*TO)[i] = from[qpu_rotated_from(i, qpu->r[5][0] & 15, op->value)];
}

static void leave(struct qpu_run *run, const struct qpu_op *op)
{
    struct qpu *qpu = run->qpu;
    uint32_t slot = op->value >> LEAVE_SLOT;
    qpu_block_fetch(run, op->index - 1u);
    qpu->sfu_delay = op->value >> LEAVE_SFU & 3;
    qpu->uniform_delay = op->value >> LEAVE_UNIFORM & 3;
    if (slot) {
        qpu->branch_recent = BRANCH_SLOTS + 1 - slot;
        qpu->branch_delay = run->taken ? BRANCH_SLOTS + 1 - slot : 0;
        qpu->branch_target = run->next;
    }
    qpu->delays = op->value != 0;
    qpu->pc += op->index * (uint32_t)WORD;
    qpu->instructions += op->index;
    run->last_op = NULL;
}

HANDLER(qpu_block_wait)
{
    if (qpu_waits(run, (uint8_t)op->a))
        leave(run, op);
    else
        qpu->wrote = qpu_wrote_nothing;
}

HANDLER(qpu_block_semaphore)
{
    (void)qpu;
    qpu_block_enter(run, op->index);
    qpu_semaphore(run, op->value & 15, op->value >> 4);
    qpu_block_leave(run, op->index);
}

HANDLER(qpu_block_branch)
{
    if (!qpu_is_taken(qpu, op->condition))
        return;
    uint32_t target = op->value, behind = qpu->pc + WORD * (op->index + 1u + BRANCH_SLOTS);
    if (op->b & BRANCH_RELATIVE)
        target += behind;
    if (op->b & BRANCH_REGISTER)
        target += (*A)[15];
    if (op->b & BRANCH_LINK)
        alu_splat(TO, behind);
    run->next = target;
    run->taken = true;
    qpu->branched_at = qpu->pc + WORD * op->index;
    qpu->branched_to = target;
}
