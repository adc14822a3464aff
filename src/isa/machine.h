/* SPDX-License-Identifier: MIT */
/* machine.h - the instruction sets as the assembler core takes them. */
#ifndef ISA_MACHINE_H
#define ISA_MACHINE_H

#include "asm/asm.h"

/* NULL if the machine is none. */
const struct asm_isa *machine_isa(enum tess_machine machine);

#endif
