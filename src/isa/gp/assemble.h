/* SPDX-License-Identifier: MIT */
/* assemble.h - the GP's instruction set for the assembler core. */
#ifndef ISA_GP_ASSEMBLE_H
#define ISA_GP_ASSEMBLE_H

#include "asm/asm.h"

extern const struct asm_isa gp_asm_isa;

#endif
