/* SPDX-License-Identifier: MIT */
/* assemble.h - the QPU's instruction set for the assembler core. */
#ifndef ISA_QPU_ASSEMBLE_H
#define ISA_QPU_ASSEMBLE_H

#include "asm/asm.h"

extern const struct asm_isa qpu_asm_isa;

#endif
