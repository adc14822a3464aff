/* SPDX-License-Identifier: MIT */
/* asm_isa.h - the machines' instruction sets, in the form that the assembler core uses. */
#ifndef ISA_ASM_ISA_H
#define ISA_ASM_ISA_H

#include "asm/asm.h"

/* assemble.c of each machine. */
#define MACHINE(NAME, name, extension, prefix, MODEL) extern const struct asm_isa prefix##_asm_isa;
#include "isa/machines.def"

/* Returns the description of a machine's instruction set, or NULL if the machine is invalid. */
const struct asm_isa *machine_isa(enum tess_machine machine);

#endif
