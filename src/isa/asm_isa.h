/* SPDX-License-Identifier: MIT */
/* asm_isa.h - the machines' instruction sets, in the form that the assembler core uses. */
#ifndef ISA_ASM_ISA_H
#define ISA_ASM_ISA_H

#include "asm/asm.h"

/* assemble.c of each machine. */
extern const struct asm_isa qpu_asm_isa, gp_asm_isa, a2xx_asm_isa;

/* Returns the description of a machine's instruction set, or NULL if the machine is invalid. */
const struct asm_isa *machine_isa(enum tess_machine machine);

#endif
