/* SPDX-License-Identifier: MIT */
/* machine.h - the machines' instruction sets, in the form that the assembler core uses. */
#ifndef ISA_MACHINE_H
#define ISA_MACHINE_H

#include "asm/asm.h"

/* Returns the description of a machine's instruction set, or NULL if the machine is invalid. */
const struct asm_isa *machine_isa(enum tess_machine machine);

#endif
