/* SPDX-License-Identifier: MIT */
/* mesa.h - prints a program of the A2xx in the notation of Mesa's disassembler. */
#ifndef ISA_A2XX_MESA_H
#define ISA_A2XX_MESA_H

#include "base/buffer.h"
#include "isa/a2xx/a2xx_isa.h"

/* Appends the lines of a program with A2XX_WORDS words per slot. If a clause extends beyond the end
 * of the program, only its instructions inside the program are printed. */
void a2xx_put_mesa(struct buffer *out, const uint32_t *words, size_t slots);

#endif
