/* SPDX-License-Identifier: MIT */
/* explain.h - explains an instruction of the GP in plain words: its fields, and what each slot
 * does. */
#ifndef ISA_GP_EXPLAIN_H
#define ISA_GP_EXPLAIN_H

#include "base/text.h"
#include "isa/dis_isa.h"
#include "isa/gp/gp_isa.h"

/* Calls `visit` for every field, in order from bit 0 up. The dis_field passed to visit is valid
 * during the call only. */
void gp_each_field(const struct gp_insn *insn, dis_field_visitor *visit, void *user);

/* Appends one line for each field: bits, name, value, meaning. */
void gp_put_fields(struct text *text, const struct gp_insn *insn);

/* Appends one line for each slot in use, then notes that begin with "-". The notes describe when
 * results can be read, when stores become visible, and which values are unusual. `before` is the
 * preceding instruction, or NULL. */
void gp_put_comment(struct text *text, const struct gp_insn *insn, const struct gp_insn *before);

#endif
