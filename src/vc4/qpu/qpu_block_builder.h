/* SPDX-License-Identifier: MIT */
/* qpu_block_builder.h - a block under construction. qpu_block_find.c collects the instructions,
 * qpu_block_plan.c decides how each ALU's part is computed, and qpu_block_emit.c emits the
 * operations. */
#ifndef VC4_QPU_QPU_BLOCK_BUILDER_H
#define VC4_QPU_QPU_BLOCK_BUILDER_H

#include <stddef.h>

#include "isa/qpu/facts.h"
#include "vc4/qpu/qpu_cache.h"
#include "vc4/qpu/qpu_decoded.h"
#include "vc4/qpu/qpu_op.h"
#include "vc4/qpu/qpu_state.h"

enum {
    QPU_BLOCK_LATENCY = 3, /* instructions until a new SFU result or a new uniform address can be
                              used */
    QPU_BLOCK_BRANCH_SLOTS = 3,
    QPU_BLOCK_NEVER = 255, /* index for "no instruction" */
};

#define QPU_OFFSET(member) ((uint16_t)offsetof(struct qpu, member))
_Static_assert(sizeof(struct qpu) <= UINT16_MAX, "offsets in struct qpu fit 16 bits");

struct qpu_builder {
    const struct qpu_handlers *handlers;
    struct qpu_op *first_op, *op; /* the first and the next operation */
    struct qpu_decoded insn[QPU_BLOCK_LENGTH];
    unsigned count;
    bool ends;                   /* the program ends with the last instruction */
    unsigned sfu_at, uniform_at; /* index of the latest write of an SFU or uniform-address register,
                                    or QPU_BLOCK_NEVER */
    /* Bit n is 1 if instruction n's value on the port (latch_a, latch_b) or at the mul ALU's output
     * (latch_mul) is visible after the block or at a wait. */
    uint32_t latch_a, latch_b, latch_mul;
    uint64_t constants; /* bit per needed constant */
    unsigned branch_at; /* index of the branch in the block, or QPU_BLOCK_NEVER */
};

/* --- qpu_block_find.c --- */

/* Collects instructions until one cannot be in the block. A branch with its three delay slots, or a
 * program end with its two delay slots, completes the block. */
void qpu_block_collect(struct qpu_builder *b, const uint8_t *code, unsigned available);

/* Records the position of an instruction that writes an SFU or uniform-address register. */
void qpu_block_note_delays(struct qpu_builder *b, unsigned index);

/* Returns true if other QPUs can see an effect of the block. */
bool qpu_block_shares(const struct qpu_builder *b);

/* Returns the accumulators, as bits, that must not be rotated right after they were written. */
uint8_t qpu_block_rotated(const struct qpu_insn *insn);

/* Returns true for write addresses of registers that hold 16 elements. */
static inline bool qpu_is_register(unsigned waddr)
{
    return waddr < 32 || (waddr >= QPU_WR_ACC0 && waddr <= QPU_WR_ACC3);
}

/* Returns true for addresses of units outside the QPU. */
static inline bool qpu_is_io_target(unsigned waddr)
{
    return qpu_write_access(waddr, false) & ~(uint32_t)(ACCESS_SFU | ACCESS_UNIFORM_ADDRESS);
}

static inline bool qpu_is_io_read(unsigned raddr)
{
    return qpu_read_access(raddr, false) & ~(uint32_t)ACCESS_UNIFORM;
}

/* --- qpu_block_plan.c --- */

/* Offsets of an instruction's operands in struct qpu. */
struct qpu_operands {
    uint16_t a, b, r4;
};

/* How one ALU's part of an instruction is computed. */
struct qpu_share {
    const struct qpu_side *side;
    bool computes, sets_flags, packs;
    bool direct; /* the result is written directly to the register, under its condition */
    bool moves;  /* the operation copies operand a */
    uint8_t condition;
    uint16_t to, a, b;
    qpu_handler *rotate; /* if .moves is true: rotation that replaces the move, or NULL */
    uint32_t rotate_all; /* .value of the rotation: 1 to rotate the whole vector */
};

struct qpu_share qpu_plan_share(const struct qpu_builder *b, const struct qpu_insn *insn,
                                const struct qpu_side *side, unsigned index,
                                const struct qpu_operands *in);

/* Returns true if the first ALU's direct result overwrites an operand of the second ALU. */
bool qpu_share_clobbers(const struct qpu_share *first, const struct qpu_share *second);

/* Returns true if a share computes all elements and does nothing else. */
bool qpu_share_is_plain(const struct qpu_share *share);

/* Return offsets in struct qpu: of a register of a file, of an accumulator, of the register that a
 * side writes, and of the place for a result that is written later or not at all. */
uint16_t qpu_register_offset(bool file_a, unsigned number);
uint16_t qpu_accumulator_offset(unsigned number);
uint16_t qpu_target_offset(const struct qpu_side *side);
uint16_t qpu_discard_offset(const struct qpu_side *side);

/* --- qpu_block_emit.c --- */

/* Translates all instructions. An SFU result arrives in r4 before the third instruction after the
 * SFU write. If that instruction waits, the result arrives after the wait. */
void qpu_block_translate(struct qpu_builder *b);

/* Returns the number of instructions from `count` until the result of the instruction at `since`
 * can be used, or 0. */
uint32_t qpu_block_delay_left(unsigned count, unsigned since);

#endif
