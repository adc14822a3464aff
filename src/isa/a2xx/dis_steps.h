/* SPDX-License-Identifier: MIT */
/* dis_steps.h - the interface of an A2xx program in an ELF file, as the disassembler writes it. */
#ifndef ISA_A2XX_DIS_STEPS_H
#define ISA_A2XX_DIS_STEPS_H

#include "base/text.h"
#include "isa/a2xx/explain.h"
#include "isa/dis_map.h"

/* Gives the lines of the interface that headers give back these: "@attribute(R1) name". False: no memory. */
bool a2xx_find_directives(struct dis_map *map);

/* A line "- R1 is in_position" for each constant, fetch constant or export that the interface has a name for. */
void a2xx_put_names(struct text *text, const struct dis_map *map, const struct a2xx_insn *insn);

#endif
