/* SPDX-License-Identifier: MIT */
/* defaults.h - default values of the fields that an instruction's text does not mention. The
 * assembler and the disassembler share them.
 *
 * In:      the kind of instruction.
 * Out:     initial fields.
 * Source:  freedreno's assembler, fdre-a2xx/asm/ir.c; Mesa 22.3.6,
 *          src/gallium/drivers/freedreno/a2xx/ir2_assemble.c, for halves that are all zero;
 *          docs/hardware/a2xx.md, sections 5 and 20. */
#ifndef ISA_A2XX_DEFAULTS_H
#define ISA_A2XX_DEFAULTS_H

#include "isa/a2xx/a2xx_isa.h"

/* Contents of a half (vector or scalar) of an ALU instruction that the source does not mention. The
 * directive .idle selects them. */
enum a2xx_idle {
    A2XX_IDLE_MAXS, /* as in Qualcomm's compiler and freedreno's assembler */
    A2XX_IDLE_ZERO, /* as in Mesa */
};

/* Returns an ALU instruction with both halves idle. */
struct a2xx_alu a2xx_idle_alu(enum a2xx_idle idle);

/* Returns a vertex fetch with default fields. `first` is true if the fetch is the first vertex
 * fetch of the program. On the Xenos, the fetch is a full fetch, because a mini fetch would ignore
 * its constant. */
struct a2xx_vertex a2xx_default_vertex(enum tess_a2xx_variant variant, bool first);
struct a2xx_texture a2xx_default_texture(void);

#endif
