/* SPDX-License-Identifier: MIT */
/* defaults.h - what fields hold that the text of an instruction does not name; assembler and printer agree here.
 *
 * In:      what is written.
 * Out:     fields to begin with.
 * Source:  freedreno's assembler, fdre-a2xx/asm/ir.c; Mesa 22.3.6, src/gallium/drivers/freedreno/a2xx/ir2_assemble.c, for
 *          halves that are all zero; digest a2xx.md, sections 5 and 20. */
#ifndef ISA_A2XX_DEFAULTS_H
#define ISA_A2XX_DEFAULTS_H

#include "isa/a2xx/a2xx_isa.h"

/* What a half of an ALU instruction holds that is not written: the directive .idle. */
enum a2xx_idle {
    A2XX_IDLE_MAXS, /* as the vendor's compiler and freedreno's assembler have it */
    A2XX_IDLE_ZERO, /* as Mesa has it */
};

/* An ALU instruction with both halves idle. */
struct a2xx_alu a2xx_idle_alu(enum a2xx_idle idle);

/* first: no vertex fetch is written before it. A fetch of the Xenos is a full one: a mini fetch would ignore its constant. */
struct a2xx_vertex a2xx_default_vertex(enum tess_a2xx_variant variant, bool first);
struct a2xx_texture a2xx_default_texture(void);

#endif
