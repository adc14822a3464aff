/* SPDX-License-Identifier: MIT */
/* qpu_block_plan.c - decides how each ALU's part of an instruction is computed. See
 * qpu_block_builder.h. */
#include "vc4/qpu/qpu_block_builder.h"

uint16_t qpu_register_offset(bool file_a, unsigned number)
{
    size_t base = file_a ? offsetof(struct qpu, ra) : offsetof(struct qpu, rb);
    return (uint16_t)(base + number * sizeof(lanes));
}

uint16_t qpu_accumulator_offset(unsigned number)
{
    return (uint16_t)(QPU_OFFSET(r) + number * sizeof(lanes));
}

uint16_t qpu_target_offset(const struct qpu_side *side)
{
    if (side->waddr < 32)
        return qpu_register_offset(side->file_a, side->waddr);
    return qpu_accumulator_offset(side->waddr - QPU_WR_ACC0);
}

uint16_t qpu_discard_offset(const struct qpu_side *side)
{
    return (uint16_t)(QPU_OFFSET(discard) + (side->add ? 0 : sizeof(lanes)));
}

static uint16_t operand(const struct qpu_operands *in, unsigned mux)
{
    switch (mux) {
    case QPU_MUX_A: return in->a;
    case QPU_MUX_B: return in->b;
    case QPU_MUX_R4: return in->r4;
    default: return qpu_accumulator_offset(mux);
    }
}

static bool packs_in_file(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return insn->pack && !insn->pm && side->file_a && side->waddr < 32;
}

struct qpu_share qpu_plan_share(const struct qpu_builder *b, const struct qpu_insn *insn,
                                const struct qpu_side *side, unsigned index,
                                const struct qpu_operands *in)
{
    struct qpu_share share = {.side = side, .condition = side->cond};
    share.sets_flags = qpu_sets_flags(insn, side) && side->cond != QPU_COND_NEVER;
    share.computes = side->op != 0 && (qpu_writes(side) || share.sets_flags ||
                                       (!side->add && b->latch_mul >> index & 1));
    bool colour = insn->pack && insn->pm && !side->add;
    share.packs = share.computes && qpu_writes(side) && packs_in_file(insn, side);
    share.direct = qpu_writes(side) && side->op != 0 && qpu_is_register(side->waddr) &&
                   !share.packs && !colour &&
                   (side->cond == QPU_COND_ALWAYS ||
                    (!share.sets_flags && (side->add || !(b->latch_mul >> index & 1))));
    share.moves = qpu_returns_operand(side) && !share.sets_flags && !share.packs;
    share.to = share.direct ? qpu_target_offset(side) : qpu_discard_offset(side);
    share.a = operand(in, side->a);
    share.b = operand(in, side->sources > 1 ? side->b : side->a);
    return share;
}

bool qpu_share_clobbers(const struct qpu_share *first, const struct qpu_share *second)
{
    return first->direct && second->computes && (second->a == first->to || second->b == first->to);
}

bool qpu_share_is_plain(const struct qpu_share *share)
{
    return share->computes && !share->sets_flags && !share->packs && !share->rotate &&
           (!share->direct || share->condition == QPU_COND_ALWAYS);
}
