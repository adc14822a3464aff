/* SPDX-License-Identifier: MIT */
/* view.h - the slots of a GP instruction with operations, operands and destinations, for
 * explanations and JSON output.
 *
 * In:  an instruction's fields.
 * Out: the slots in use. */
#ifndef ISA_GP_VIEW_H
#define ISA_GP_VIEW_H

#include "base/text.h"
#include "isa/dis_isa.h"
#include "isa/gp/facts.h"

enum { GP_VIEW_SLOTS = 6, GP_VIEW_OPERANDS = 4, GP_VIEW_TEXT = 48 };

struct gp_view_operand {
    unsigned source;
    bool negative;
    char identity; /* meaning of source code 22 in this operand: '0' or '1' for the constant, or 0
                    * (NUL) for the complex unit's result */
};

/* A slot in use. Operands are in the order of the fields of the instruction word, which for select
 * differs from the order in the source. */
struct gp_view {
    enum gp_unit unit;     /* unit that holds the result */
    const char *slot;      /* name in the assembler, such as "acc0" */
    const char *operation; /* mnemonic, such as "add", or NULL if no known program uses the code */
    unsigned code;         /* code of the operation */
    bool negative;         /* true if the result is negated */
    bool move;             /* true if the operation copies its first operand */
    unsigned operand_count;
    struct gp_view_operand operands[GP_VIEW_OPERANDS];
};

/* Lists the slots in use, in the order mul0, mul1, acc0, acc1, complex, pass. Returns the number of
 * slots in use. */
size_t gp_view_slots(const struct gp_insn *insn, struct gp_view views[GP_VIEW_SLOTS]);

/* Appends an operand without its sign, such as "register[3].x", "row[5+addr1].z", "acc0[-1]" or
 * "1". `before` is the preceding instruction, or NULL for the first one. */
void gp_view_put_operand(struct text *text, const struct gp_insn *insn,
                         const struct gp_insn *before, const struct gp_view_operand *operand);

/* Calls `take` with a name such as "register[3].x", "varying[0].y" or "temporary[addr0].z" for
 * each component that stores the unit's result. */
void gp_view_each_store(const struct gp_insn *insn, enum gp_unit unit,
                        void (*take)(void *user, const char *place), void *user);

/* --- explain.c: an instruction in plain words --- */

/* Calls `visit` for every field, in order from bit 0 up. The dis_field passed to visit is valid
 * during the call only. */
void gp_each_field(const struct gp_insn *insn, dis_field_visitor *visit, void *user);

/* Appends one line for each slot in use, then notes that begin with "-". The notes describe when
 * results can be read, when stores become visible, and which values are unusual. `before` is the
 * preceding instruction, or NULL. */
void gp_put_comment(struct text *text, const struct gp_insn *insn, const struct gp_insn *before);

#endif
