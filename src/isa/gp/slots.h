/* SPDX-License-Identifier: MIT */
/* slots.h - builds an instruction of the GP slot by slot, and checks which slots can be combined.
 *
 * In:      slots in the order of the text, with the codes of their operations and operands.
 * Out:     struct gp_insn, or an error with a hint.
 * Source:  docs/hardware/utgard.md, sections 4 and 5; docs/isa/gp.md lists the errors. */
#ifndef ISA_GP_SLOTS_H
#define ISA_GP_SLOTS_H

#include "asm/expr.h"
#include "isa/gp/facts.h"

/* An instruction under construction. */
struct gp_build {
    struct gp_insn insn;
    unsigned slots; /* bit n: enum gp_slot n is used */
    /* bit n: field n of fields.def has been set by its name; the value is in .forced */
    uint64_t fields;
    struct gp_insn forced; /* values of the fields in .fields, which override the values that the
                            * slots set */
};

void gp_build_begin(struct gp_build *build);

/* Marks a slot as used. `offset` is the slot's position in the text. If the slot cannot be added,
 * this function and the functions below return false and fill *error like asm_fail(). */
bool gp_build_slot(struct gp_build *build, enum gp_slot slot, size_t offset,
                   struct asm_error *error);

/* Set the operation of an accumulator or a multiplier whose slot has just been marked as used. */
bool gp_build_acc_op(struct gp_build *build, enum gp_slot slot, enum gp_acc_op op, size_t offset,
                     struct asm_error *error);
bool gp_build_mul_op(struct gp_build *build, enum gp_slot slot, enum gp_mul_op op, size_t offset,
                     struct asm_error *error);

/* Sets the field unknown_1. Stores to temporaries and branches need different values of the
 * field. */
bool gp_build_flags(struct gp_build *build, unsigned flags, size_t offset, struct asm_error *error);

void gp_build_branch(struct gp_build *build, unsigned target);

/* Sets a field by its number. */
bool gp_build_field(struct gp_build *build, unsigned field, unsigned value, size_t offset,
                    struct asm_error *error);

/* Returns false, with a warning in *error, if the source line of the instruction probably lacks a
 * leading ';'. This is likely if the instruction uses none of the slots of the preceding
 * instruction, but uses a value or a result that only the preceding instruction provides. */
bool gp_build_stands_alone(const struct gp_build *build, const struct gp_build *before,
                           struct asm_error *error);

struct gp_insn gp_build_end(const struct gp_build *build);

/* Returns true if the instruction has a load for each load unit that its operands read. Otherwise,
 * *error names the missing load; without the load, the operand would read row 0 or register 0. */
bool gp_build_has_loads(const struct gp_build *build, struct asm_error *error);

#endif
