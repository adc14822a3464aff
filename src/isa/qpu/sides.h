/* SPDX-License-Identifier: MIT */
/* sides.h - the two sides of a QPU instruction: the operands, the target and the effects of its add
 * ALU and of its mul ALU. Loads of an immediate and branches write by the same two sides. */
#ifndef ISA_QPU_SIDES_H
#define ISA_QPU_SIDES_H

#include "base/text.h"
#include "isa/qpu/qpu_isa.h"

/* First small immediate that selects a rotation: 48 rotates by r5, 48 + n rotates by n elements. */
enum { QPU_ROTATE_BY_R5 = 48 };

/* One ALU's part of an instruction. */
struct qpu_side {
    bool add;
    uint8_t op, waddr, cond, a, b;
    uint8_t sources; /* number of operands */
    bool file_a;     /* true if a write of a physical register goes to file A */
};

struct qpu_side qpu_add_side(const struct qpu_insn *insn);
struct qpu_side qpu_mul_side(const struct qpu_insn *insn);

/* Returns true if the ALU's operation has the mux as an operand. */
bool qpu_takes(const struct qpu_side *side, unsigned mux);

/* Returns true if the result is zero for all values of the operands, as in x ^ x. */
bool qpu_zeroes(const struct qpu_side *side);

/* Returns true if the operation has two equal operands and returns this operand, as in x | x. */
bool qpu_returns_operand(const struct qpu_side *side);

/* Returns true if the side's result decides the flags. An instruction sets the flags by the add
 * ALU's result, or by the mul ALU's if the add ALU has a nop (manual, table 1, "sf"). A load sets
 * the flags by its immediate, which both sides write. */
bool qpu_sets_flags(const struct qpu_insn *insn, const struct qpu_side *side);

/* Returns true if the side stores a value for at least some elements. */
bool qpu_writes(const struct qpu_side *side);

/* Returns true if the side can change a register or the flags. */
bool qpu_has_effect(const struct qpu_insn *insn, const struct qpu_side *side);

/* Returns true if the side stores a result that it computes. False for nops. */
bool qpu_has_result(const struct qpu_insn *insn, const struct qpu_side *side);

/* Returns true if the side is an ALU's nop. The add ALU's nop writes nothing. The mul ALU's nop
 * repeats its previous result. */
bool qpu_idles(const struct qpu_insn *insn, const struct qpu_side *side);

/* Returns true if an ALU passes an operand on unchanged: or(x, x), v8min(x, x) and similar. */
bool qpu_moves(const struct qpu_insn *insn, bool mul);

/* Returns true if an ALU moves a register onto itself and does nothing else. The result of the
 * instruction then does not depend on the register's value. py-videocore's exit() moves r0 in this
 * way. */
bool qpu_keeps(const struct qpu_insn *insn, bool mul);

static inline bool qpu_is_alu(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU || insn->form == QPU_FORM_ALU_IMMEDIATE;
}

/* Returns true if the small immediate selects a rotation. The mul ALU's operands are rotated if the
 * mul ALU also has an operation. */
static inline bool qpu_selects_rotation(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU_IMMEDIATE && insn->raddr_b >= QPU_ROTATE_BY_R5;
}

static inline bool qpu_rotates(const struct qpu_insn *insn)
{
    return qpu_selects_rotation(insn) && insn->op_mul != QPU_MUL_NOP;
}

/* Returns true if a rotation moves values over all elements, false if only within each quad. */
static inline bool qpu_rotates_all(const struct qpu_insn *insn)
{
    return insn->mul_a <= QPU_MUX_R3 && insn->mul_b <= QPU_MUX_R3;
}

/* Returns true if a read of the address takes the next value of a queue. If both ports read such an
 * address, they receive the same value. */
static inline bool qpu_pops(unsigned raddr)
{
    return raddr == QPU_RD_UNIFORM || raddr == QPU_RD_VARYING || raddr == QPU_RD_VPM;
}

/* Returns true if a signal loads a value of a TMU or of the tile buffer to r4 (manual, table 4). */
static inline bool qpu_loads_r4(unsigned sig)
{
    return sig >= QPU_SIG_COVERAGE_LOAD && sig <= QPU_SIG_ALPHA_MASK_LOAD;
}

/* --- text for the fields of an instruction --- */

/* A row of ops.def. The functions return the row of an opcode, or NULL if the opcode is
 * reserved. */
struct qpu_op_words {
    const char *mnemonic, *words;
    unsigned sources;
};
const struct qpu_op_words *qpu_add_words(unsigned op);
const struct qpu_op_words *qpu_mul_words(unsigned op);

/* Writes a small immediate's value as a number, such as "0.25" or "-3". */
void qpu_put_small(struct text *output, unsigned field);

/* Returns the vector rotation of the word: 1 to 15 elements upwards, 0 for a rotation by
 * r5, or -1 for none. */
int qpu_rotation(const struct qpu_insn *insn);

#endif
