/* SPDX-License-Identifier: MIT */
/* view.h - what the slots of a GP instruction do, slot by slot: for accounts and programs.
 *
 * In:  an instruction's fields.
 * Out: its slots that are in use, with operations, operands and destinations. */
#ifndef ISA_GP_VIEW_H
#define ISA_GP_VIEW_H

#include "base/text.h"
#include "isa/gp/facts.h"

enum { GP_VIEW_SLOTS = 6, GP_VIEW_OPERANDS = 4, GP_VIEW_TEXT = 48 };

struct gp_view_operand {
    unsigned source;
    bool negative;
    char identity; /* what code 22 stands for here: '0' or '1'; 0: the complex unit's result */
};

/* A slot that is in use. Operands are in the order of the fields: select has A, B, C. */
struct gp_view {
    enum gp_unit unit;     /* that has the result */
    const char *slot;      /* as in the assembler: "acc0" */
    const char *operation; /* "add"; NULL: the code has never been seen */
    unsigned code;         /* of the operation */
    bool negative;         /* the result is negated */
    bool move;             /* an operand goes through as it is */
    unsigned operand_count;
    struct gp_view_operand operands[GP_VIEW_OPERANDS];
};

/* Slots in use: mul0, mul1, acc0, acc1, complex, pass. Returns how many. */
size_t gp_view_slots(const struct gp_insn *insn, struct gp_view views[GP_VIEW_SLOTS]);

/* "register[3].x", "row[5+addr1].z", "acc0[-1]", "1": what an operand reads, without its sign. before is the instruction in
 * front, NULL if there is none. */
void gp_view_put_operand(struct text *text, const struct gp_insn *insn,
                         const struct gp_insn *before, const struct gp_view_operand *operand);

/* Calls take with "register[3].x", "varying[0].y", "temporary[addr0].z" for each component that a unit's result is stored
 * to. */
void gp_view_each_store(const struct gp_insn *insn, enum gp_unit unit,
                        void (*take)(void *user, const char *place), void *user);

#endif
