/* SPDX-License-Identifier: MIT */
/* assemble.h - the GP as the assembler core takes it. */
#ifndef ISA_GP_ASSEMBLE_H
#define ISA_GP_ASSEMBLE_H

#include "asm/asm.h"

extern const struct asm_isa gp_asm_isa;

#endif
