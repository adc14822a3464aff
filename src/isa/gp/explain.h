/* SPDX-License-Identifier: MIT */
/* explain.h - an instruction of the GP in words: every field with its meaning, then what it does. */
#ifndef ISA_GP_EXPLAIN_H
#define ISA_GP_EXPLAIN_H

#include "base/text.h"
#include "isa/dis_isa.h"
#include "isa/gp/gp_isa.h"

/* Calls visit for every field, from the lowest bit up; what it gets lives during the call. */
void gp_each_field(const struct gp_insn *insn, dis_field_visitor *visit, void *user);

/* One line for each field: bits, name, value, meaning. */
void gp_put_fields(struct text *text, const struct gp_insn *insn);

/* A line for each slot in use, then lines "- ...": how long results last, when stores are seen, what is unusual. before is the
 * instruction in front, or NULL. */
void gp_put_comment(struct text *text, const struct gp_insn *insn, const struct gp_insn *before);

#endif
