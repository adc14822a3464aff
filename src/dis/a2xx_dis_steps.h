/* SPDX-License-Identifier: MIT */
/* a2xx_dis_steps.h - recovers the headers of an A2xx program's interface for the disassembler. */
#ifndef DIS_A2XX_DIS_STEPS_H
#define DIS_A2XX_DIS_STEPS_H

#include "base/text.h"
#include "dis/dis_map.h"
#include "isa/a2xx/explain.h"

/* Finds the headers, such as "@attribute(R1) name", that assemble to the interface lines in map.
 * Returns false if the host is out of memory. */
bool a2xx_find_directives(struct dis_map *map);

/* Appends a line such as "- R1 is in_position" for each constant, export, texture constant and
 * result of a vertex fetch that has a name. */
void a2xx_put_names(struct text *text, const struct dis_map *map, const struct a2xx_insn *insn);

#endif
