/* SPDX-License-Identifier: MIT */
/* sides.c - see sides.h.
 *
 * Source: manual section 3, tables 1, 2, 12 and 13. */
#include "isa/qpu/sides.h"

#include "base/bits.h"

/* The rows by opcode. Operations with one source ignore b. */
static const struct qpu_op_words add_words[32] = {
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) [code] = {mnemonic, words, sources},
#include "isa/qpu/ops.def"
};
static const struct qpu_op_words mul_words[8] = {
#define MUL_OP(code, NAME, mnemonic, sources, is_float, words) [code] = {mnemonic, words, sources},
#include "isa/qpu/ops.def"
};

static uint8_t condition(const struct qpu_insn *insn, uint8_t field)
{
    return insn->form == QPU_FORM_BRANCH ? QPU_COND_ALWAYS : field;
}

struct qpu_side qpu_add_side(const struct qpu_insn *insn)
{
    return (struct qpu_side){
        .add = true,
        .op = insn->op_add,
        .waddr = insn->waddr_add,
        .cond = condition(insn, insn->cond_add),
        .a = insn->add_a,
        .b = insn->add_b,
        .sources = (uint8_t)add_words[insn->op_add].sources,
        .file_a = !insn->ws,
    };
}

struct qpu_side qpu_mul_side(const struct qpu_insn *insn)
{
    return (struct qpu_side){
        .op = insn->op_mul,
        .waddr = insn->waddr_mul,
        .cond = condition(insn, insn->cond_mul),
        .a = insn->mul_a,
        .b = insn->mul_b,
        .sources = insn->op_mul == QPU_MUL_NOP ? 0 : 2,
        .file_a = insn->ws,
    };
}

bool qpu_takes(const struct qpu_side *side, unsigned mux)
{
    return (side->sources > 0 && side->a == mux) || (side->sources > 1 && side->b == mux);
}

bool qpu_zeroes(const struct qpu_side *side)
{
    if (side->sources < 2 || side->a != side->b)
        return false;
    return side->add
               ? side->op == QPU_ADD_XOR || side->op == QPU_ADD_SUB || side->op == QPU_ADD_V8SUBS
               : side->op == QPU_MUL_V8SUBS;
}

bool qpu_has_result(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return qpu_writes(side) && !qpu_idles(insn, side);
}

bool qpu_returns_operand(const struct qpu_side *side)
{
    if (side->sources < 2 || side->a != side->b)
        return false;
    return side->add ? side->op == QPU_ADD_OR || side->op == QPU_ADD_AND ||
                           side->op == QPU_ADD_MIN || side->op == QPU_ADD_MAX
                     : side->op == QPU_MUL_V8MIN || side->op == QPU_MUL_V8MAX;
}

bool qpu_sets_flags(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return insn->sf && (!qpu_is_alu(insn) || side->add == (insn->op_add != QPU_ADD_NOP));
}

bool qpu_writes(const struct qpu_side *side)
{
    return side->cond != QPU_COND_NEVER && side->waddr != QPU_NOP;
}

bool qpu_has_effect(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return side->cond != QPU_COND_NEVER && (side->waddr != QPU_NOP || qpu_sets_flags(insn, side));
}

bool qpu_idles(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return qpu_is_alu(insn) && side->op == 0;
}

bool qpu_moves(const struct qpu_insn *insn, bool mul)
{
    const struct qpu_side side = mul ? qpu_mul_side(insn) : qpu_add_side(insn);
    return qpu_is_alu(insn) && qpu_returns_operand(&side) && !(mul && qpu_selects_rotation(insn));
}

/* Returns the write address of the register that a mux reads: r0 to r3, or register 0 to 31 of a
 * file. Returns QPU_NOP for other inputs. */
static unsigned address_of(const struct qpu_insn *insn, unsigned mux)
{
    if (mux <= QPU_MUX_R3)
        return QPU_WR_ACC0 + mux;
    if (mux == QPU_MUX_A && insn->raddr_a < 32)
        return insn->raddr_a;
    bool file_b = mux == QPU_MUX_B && insn->form == QPU_FORM_ALU && insn->raddr_b < 32;
    return file_b ? insn->raddr_b : QPU_NOP;
}

bool qpu_keeps(const struct qpu_insn *insn, bool mul)
{
    const struct qpu_side side = mul ? qpu_mul_side(insn) : qpu_add_side(insn);
    bool plain = !insn->sf && !insn->pack && !insn->unpack;
    bool same_file = side.waddr >= 32 || side.file_a == (side.a != QPU_MUX_B);
    return plain && side.waddr != QPU_NOP && same_file && qpu_moves(insn, mul) &&
           address_of(insn, side.a) == side.waddr;
}

/* --- text for the fields --- */

const struct qpu_op_words *qpu_add_words(unsigned op)
{
    return add_words[op & 31].mnemonic ? &add_words[op & 31] : NULL;
}

const struct qpu_op_words *qpu_mul_words(unsigned op)
{
    return &mul_words[op & 7];
}

void qpu_put_small(struct text *output, unsigned field)
{
    uint32_t value = qpu_small_immediate(field);
    if (field < 32 || field > 47)
        text_put(output, "%d", (int)(int32_t)value);
    else
        text_put(output, field < 40 ? "%.1f" : "%.9g", (double)bits_float(value));
}

int qpu_rotation(const struct qpu_insn *insn)
{
    return qpu_selects_rotation(insn) ? insn->raddr_b - QPU_ROTATE_BY_R5 : -1;
}
