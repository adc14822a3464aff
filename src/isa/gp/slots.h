/* SPDX-License-Identifier: MIT */
/* slots.h - an instruction of the GP while its slots are put together, and what cannot stand side by side.
 *
 * In:      slots, one after the other, with the codes of their operations and operands.
 * Out:     struct gp_insn, or an error with a hint.
 * Source:  digest utgard.md, sections 4 and 5; docs/isa/gp.md lists the errors. */
#ifndef ISA_GP_SLOTS_H
#define ISA_GP_SLOTS_H

#include "asm/expr.h"
#include "isa/gp/gp_isa.h"

enum gp_slot {
    GP_SLOT_LOAD0,
    GP_SLOT_LOAD1,
    GP_SLOT_ROW,
    GP_SLOT_MUL0,
    GP_SLOT_MUL1,
    GP_SLOT_ACC0,
    GP_SLOT_ACC1,
    GP_SLOT_COMPLEX,
    GP_SLOT_PASS,
    GP_SLOT_STORE0,
    GP_SLOT_STORE1,
    GP_SLOT_BRANCH,
    GP_SLOT_NOP,
    GP_SLOTS
};

/* What has been said of an instruction so far. */
struct gp_build {
    struct gp_insn insn;
    unsigned slots;        /* bit n: enum gp_slot n is taken */
    uint64_t fields;       /* bit n: field n of fields.def has been set by its name, in .forced */
    struct gp_insn forced; /* these win in the end */
};

void gp_build_begin(struct gp_build *build);

/* Takes a slot. The functions below fail as asm_fail() does; offset is where the slot stands. */
bool gp_build_slot(struct gp_build *build, enum gp_slot slot, size_t offset,
                   struct asm_error *error);

/* The operation of an accumulator or a multiplier, whose slot has just been taken. */
bool gp_build_acc_op(struct gp_build *build, enum gp_slot slot, enum gp_acc_op op, size_t offset,
                     struct asm_error *error);
bool gp_build_mul_op(struct gp_build *build, enum gp_slot slot, enum gp_mul_op op, size_t offset,
                     struct asm_error *error);

/* unknown_1, which goes with temporary stores and with branches. */
bool gp_build_flags(struct gp_build *build, unsigned flags, size_t offset, struct asm_error *error);

void gp_build_branch(struct gp_build *build, unsigned target);

/* Sets a field by its number. */
bool gp_build_field(struct gp_build *build, unsigned field, unsigned value, size_t offset,
                    struct asm_error *error);

/* False, and *error is a warning, if an instruction needs what only the one before it has, and both could be one: a line
 * begins without the ';' with which it would go on. */
bool gp_build_stands_alone(const struct gp_build *build, const struct gp_build *before,
                           struct asm_error *error);

struct gp_insn gp_build_end(const struct gp_build *build);

/* Whether each operand that comes from a load unit has its load in the same instruction. Else *error says which has not: it
 * would be row 0, or register 0. */
bool gp_build_has_loads(const struct gp_build *build, struct asm_error *error);

#endif
