/* SPDX-License-Identifier: MIT */
/* build_internal.h - helpers that the files build_*.c share: queries about the word under
 * construction, and steps of the construction.
 *
 * Functions that can fail return false and fill *error, as in build.h. */
#ifndef ISA_QPU_BUILD_INTERNAL_H
#define ISA_QPU_BUILD_INTERNAL_H

#include "base/diag.h"
#include "isa/qpu/build.h"
#include "isa/qpu/qpu_isa.h"

#define FAIL(build, hint, ...) \
    asm_fail((build)->error, "asm-instruction", (build)->column, (hint), __VA_ARGS__)

enum {
    ROTATE_BASE = 48, /* first code of the small immediate field that selects a rotation */
    PACK_CODE = QPU_MODE_CODE,
    UNPACK_CODE = 7,
    SOURCES = QPU_AT_SOURCES,
    BOTH = QPU_AT_BOTH,
};

/* --- queries --- */

/* Returns true if the word is neither a load nor a branch so far. */
static inline bool is_alu(const struct qpu_build *build)
{
    return build->sig < QPU_SIG_LOAD_IMMEDIATE;
}

/* Returns true if the word has a small immediate or a rotation. */
static inline bool has_small(const struct qpu_build *build)
{
    return build->sig == QPU_SIG_SMALL_IMMEDIATE;
}

/* Returns true if the ALU has an operation or a target. */
static inline bool in_use(const struct qpu_half *half)
{
    return half->op != 0 || half->target != QPU_NOP;
}

static inline bool at_mul(const struct qpu_build *build)
{
    return build->at & QPU_AT_MUL;
}

static inline struct qpu_half *add_of(struct qpu_build *build)
{
    return &build->half[QPU_ADD_UNIT];
}

static inline struct qpu_half *mul_of(struct qpu_build *build)
{
    return &build->half[QPU_MUL_UNIT];
}

/* Returns the ALU's part for the operation in progress. */
static inline struct qpu_half *current(struct qpu_build *build)
{
    return &build->half[at_mul(build) ? QPU_MUL_UNIT : QPU_ADD_UNIT];
}

/* Returns true for add operations that read only their first input. */
static inline bool is_unary(unsigned op)
{
    return op == QPU_ADD_FTOI || op == QPU_ADD_ITOF || op == QPU_ADD_NOT || op == QPU_ADD_CLZ;
}

/* Returns true if any input of either ALU reads through mux. */
static inline bool any_input(const struct qpu_build *build, unsigned mux)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    return add->mux[0] == mux || add->mux[1] == mux || mul->mux[0] == mux || mul->mux[1] == mux;
}

/* Returns true if a write address has the same meaning in both files. As in vc4asm, unif_addr
 * counts as such an address. */
static inline bool writes_either_file(unsigned address)
{
    return address >= 32 && address != QPU_WR_ACC5 && address != QPU_WR_QUAD_XY &&
           address != QPU_WR_MS_REV && address != QPU_WR_VPM_SETUP && address != QPU_WR_VPM_ADDRESS;
}

/* Returns true if the current operation writes to ra0 to ra31. */
static inline bool writes_file_a(struct qpu_build *build)
{
    return current(build)->target < 32 && build->swapped_write == at_mul(build);
}

/* --- build.c --- */

/* Warns at the current column. hint may be NULL. */
void qpu_build_warn(struct qpu_build *build, const char *rule, const char *hint, const char *text);

/* Begins an operation. at is a set of QPU_AT_... bits. */
void qpu_build_begin_operation(struct qpu_build *build, unsigned at);

/* Exchanges the operations of the two ALUs. If an operation does not exist on the other ALU,
 * returns false, changes nothing and reports no error. */
bool qpu_build_exchange_units(struct qpu_build *build);

/* Apply the suffixes .ifXX (QPU_COND_...) and .setf of an opcode or a target. */
bool qpu_build_condition(struct qpu_build *build, unsigned condition);
bool qpu_build_set_flags(struct qpu_build *build);

/* --- build_pack.c --- */

/* Applies a pack or unpack mode (a set of QPU_MODE_... bits) to the current opcode, target or
 * source. If mode is 0 (none is written), reports a mode of another operand that also applies to
 * this operand. */
bool qpu_build_mode(struct qpu_build *build, uint8_t mode);

/* Computes the value that the register has after the result of the mul or the add ALU is packed.
 * Returns false if only a part of the register is written. */
bool qpu_build_packed(const struct qpu_build *build, uint32_t value, bool mul, uint32_t *result);

/* --- build_small.c --- */

/* Converts a constant to 32 bits. */
bool qpu_build_constant(struct qpu_build *build, const struct asm_value *value, uint32_t *bits);

/* Encodes bits as the small immediate of the word. value is the constant as written, for
 * messages. */
bool qpu_build_small(struct qpu_build *build, const struct asm_value *value, uint32_t bits);

/* Rotates the mul result upwards by count elements, for the current target or source. If count is
 * QPU_ROTATE_R5 or -QPU_ROTATE_R5, rotates by r5. */
bool qpu_build_rotate(struct qpu_build *build, int count);

/* --- build_operand.c --- */

/* If the value is a register, fills *operand and returns true. */
bool qpu_build_is_register(const struct asm_value *value, struct qpu_operand *operand);

/* Chooses a port and the mux for reading a register. */
bool qpu_build_choose_mux(struct qpu_build *build, const struct qpu_operand *operand,
                          unsigned *mux);

/* Sets the mux of the current source, or of both sources of a move. */
void qpu_build_set_mux(struct qpu_build *build, unsigned mux);

/* Applies the rotation of a source. A source that takes each element from n elements higher rotates
 * the result downwards by n elements. */
bool qpu_build_rotate_source(struct qpu_build *build, const struct qpu_operand *operand);

/* --- build_branch.c --- */

/* Applies .allz, .anynz and so on. condition is the value of the branch's condition field. */
bool qpu_build_branch_condition(struct qpu_build *build, unsigned condition);

#endif
