/* SPDX-License-Identifier: MIT */
/* dis_steps.h - the interface of a GP program, for the disassembler.
 *
 * In:  the lines of an interface (gp/interface.h), as the steps of a scene.
 * Out: the directives that give them; names for notes. */
#ifndef ISA_GP_DIS_STEPS_H
#define ISA_GP_DIS_STEPS_H

#include "base/text.h"
#include "isa/dis_map.h"
#include "isa/gp/gp_isa.h"

/* Finds the directives of steps, and which constants they define. False: no memory. */
bool gp_find_directives(struct dis_map *map);

/* "- row 5 is mvp + 1": a line for each attribute, row and varying of the instruction that has a name. */
void gp_put_names(struct text *text, const struct dis_map *map, const struct gp_insn *insn);

#endif
