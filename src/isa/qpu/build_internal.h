/* SPDX-License-Identifier: MIT */
/* build_internal.h - what the build_*.c share: small questions to the word under construction, and the steps that one
 * file takes for another. Functions that can fail return false with *error filled, as those of build.h. */
#ifndef ISA_QPU_BUILD_INTERNAL_H
#define ISA_QPU_BUILD_INTERNAL_H

#include "base/diag.h"
#include "isa/qpu/build.h"
#include "isa/qpu/qpu_isa.h"

#define FAIL(build, hint, ...) \
    asm_fail((build)->error, "asm-instruction", (build)->column, (hint), __VA_ARGS__)

enum {
    ROTATE_BASE = 48, /* small immediate codes from here on are rotations */
    PACK_CODE = QPU_MODE_CODE,
    UNPACK_CODE = 7,
    SOURCES = QPU_AT_SOURCES,
    BOTH = QPU_AT_BOTH,
};

/* --- questions --- */

/* Neither a load nor a branch so far. */
static inline bool is_alu(const struct qpu_build *build)
{
    return build->sig < QPU_SIG_LOAD_IMMEDIATE;
}

/* The word has a small immediate or a rotation. */
static inline bool has_small(const struct qpu_build *build)
{
    return build->sig == QPU_SIG_SMALL_IMMEDIATE;
}

/* Whether an operation or a target took this ALU. */
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

/* The half of the operation being built. */
static inline struct qpu_half *current(struct qpu_build *build)
{
    return &build->half[at_mul(build) ? QPU_MUL_UNIT : QPU_ADD_UNIT];
}

/* Add operations that read their first input only. */
static inline bool is_unary(unsigned op)
{
    return op == QPU_ADD_FTOI || op == QPU_ADD_ITOF || op == QPU_ADD_NOT || op == QPU_ADD_CLZ;
}

/* Whether any input of either ALU reads through mux. */
static inline bool any_input(const struct qpu_build *build, unsigned mux)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    return add->mux[0] == mux || add->mux[1] == mux || mul->mux[0] == mux || mul->mux[1] == mux;
}

/* Whether a write address means the same in both files, as vc4asm has it: unif_addr counts. */
static inline bool writes_either_file(unsigned address)
{
    return address >= 32 && address != QPU_WR_ACC5 && address != QPU_WR_QUAD_XY &&
           address != QPU_WR_MS_REV && address != QPU_WR_VPM_SETUP && address != QPU_WR_VPM_ADDRESS;
}

/* Whether the current operation's result goes to a physical register of file A. */
static inline bool writes_file_a(struct qpu_build *build)
{
    return current(build)->target < 32 && build->swapped_write == at_mul(build);
}

/* --- build.c --- */

/* Warns about what is being placed; hint may be NULL. */
void qpu_build_warn(struct qpu_build *build, const char *rule, const char *hint, const char *text);

/* Begins an operation; at as in enum QPU_AT_... */
void qpu_build_begin_operation(struct qpu_build *build, unsigned at);

/* Exchanges what the two ALUs do. False, with nothing done and no error, if they cannot do each other's work. */
bool qpu_build_exchange_units(struct qpu_build *build);

/* Suffixes of an opcode or a target: .ifXX (one of QPU_COND_...) and .setf. */
bool qpu_build_condition(struct qpu_build *build, unsigned condition);
bool qpu_build_set_flags(struct qpu_build *build);

/* --- build_pack.c --- */

/* Applies a pack or unpack mode (a set of QPU_MODE_...) to the current opcode, target or source; 0 is none, which is
 * checked against the modes of others. */
bool qpu_build_mode(struct qpu_build *build, uint8_t mode);

/* What arrives in the register when an ALU (mul or add) gives value. False if only a part of it is written. */
bool qpu_build_packed(const struct qpu_build *build, uint32_t value, bool mul, uint32_t *result);

/* --- build_small.c --- */

/* The 32 bits of a constant. */
bool qpu_build_constant(struct qpu_build *build, const struct asm_value *value, uint32_t *bits);

/* Takes bits, which come of the value that is written, as the word's small immediate. */
bool qpu_build_small(struct qpu_build *build, const struct asm_value *value, uint32_t bits);

/* Rotates the mul result upwards by count elements, for the current target or source; QPU_ROTATE_R5, whatever its
 * sign, is by r5. */
bool qpu_build_rotate(struct qpu_build *build, int count);

/* --- build_operand.c --- */

/* Whether a value is a register; then *operand is filled. */
bool qpu_build_is_register(const struct asm_value *value, struct qpu_operand *operand);

/* Finds a way to read a register and says through which mux. */
bool qpu_build_choose_mux(struct qpu_build *build, const struct qpu_operand *operand,
                          unsigned *mux);

/* Lets the current source, or both of a move, read through mux. */
void qpu_build_set_mux(struct qpu_build *build, unsigned mux);

/* Rotates as a source has it: taking an element from n places up moves the result n down. */
bool qpu_build_rotate_source(struct qpu_build *build, const struct qpu_operand *operand);

/* --- build_branch.c --- */

/* .allz, .anynz and the like, as the branch's condition field. */
bool qpu_build_branch_condition(struct qpu_build *build, unsigned condition);

#endif
