/* SPDX-License-Identifier: MIT */
/* gp_dis_steps.h - recovers the directives of a GP program's interface for the disassembler.
 *
 * In:  the interface lines (isa/gp/interface.c), which the disassembler stores as the steps of a
 *      scene.
 * Out: the directives that assemble to the interface lines; the names of attributes, rows and
 *      varyings. */
#ifndef DIS_GP_DIS_STEPS_H
#define DIS_GP_DIS_STEPS_H

#include "base/text.h"
#include "dis/dis_map.h"
#include "isa/gp/gp_isa.h"

/* Finds the directives that assemble to the steps, and the constants that these directives
 * define. Returns false if the host is out of memory. */
bool gp_find_directives(struct dis_map *map);

/* Appends a line such as "- row 5 is mvp + 1" for each attribute, row and varying of the
 * instruction that has a name. */
void gp_put_names(struct text *text, const struct dis_map *map, const struct gp_insn *insn);

#endif
