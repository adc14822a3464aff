/* SPDX-License-Identifier: MIT */
/* mesa.h - a program of the A2xx in the style of Mesa's printer. */
#ifndef ISA_A2XX_MESA_H
#define ISA_A2XX_MESA_H

#include "base/buffer.h"
#include "isa/a2xx/a2xx_isa.h"

/* Appends the lines of a program, A2XX_WORDS words for each slot. Where a clause leaves the program, it is cut. */
void a2xx_put_mesa(struct buffer *out, const uint32_t *words, size_t slots);

#endif
