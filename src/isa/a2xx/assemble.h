/* SPDX-License-Identifier: MIT */
/* assemble.h - the A2xx instruction set for the assembler core. */
#ifndef ISA_A2XX_ASSEMBLE_H
#define ISA_A2XX_ASSEMBLE_H

#include "asm/asm.h"

extern const struct asm_isa a2xx_asm_isa;

#endif
