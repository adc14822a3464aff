/* SPDX-License-Identifier: MIT */
/* explain.h - explains an instruction of the A2xx in plain words: its fields, and its effect. */
#ifndef ISA_A2XX_EXPLAIN_H
#define ISA_A2XX_EXPLAIN_H

#include "base/text.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/dis_isa.h"

/* An instruction of any form. */
struct a2xx_insn {
    enum a2xx_form form;
    enum tess_a2xx_variant variant;
    union {
        struct a2xx_cf cf;
        struct a2xx_alu alu;
        struct a2xx_fetch fetch;
    };
};

/* Decode an instruction. */
struct a2xx_insn a2xx_insn_cf(uint64_t cf, enum tess_a2xx_variant variant);
struct a2xx_insn a2xx_insn_alu(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant);
struct a2xx_insn a2xx_insn_fetch(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant);

/* Calls `visit` for every field, in order from bit 0 up. The dis_field passed to visit is valid
 * during the call only. */
void a2xx_each_field(const struct a2xx_insn *insn, dis_field_visitor *visit, void *user);

/* Appends one line for each half of an ALU instruction, or one line for an instruction of another
 * form. Then appends notes about conditions and unusual values, which begin with "- ". */
void a2xx_put_comment(struct text *text, const struct a2xx_insn *insn);

/* Write parts of explanations. a2xx_put_mask() writes a mask such as "xy_w". a2xx_put_swizzle()
 * writes the letters of a swizzle with `count` components of `bits` bits; if `relative` is set,
 * each component is relative to its position. */
void a2xx_put_mask(struct text *text, uint32_t mask);
void a2xx_put_swizzle(struct text *text, uint32_t swizzle, unsigned bits, unsigned count,
                      bool relative);

/* Call `take` for each register, constant or export that the instruction reads or writes, such as
 * "R1.xyz", "C[a0+5].x", "ps", "p0" or "export62.xyzw". */
typedef void a2xx_place_taker(void *user, const char *place);
void a2xx_each_read(const struct a2xx_insn *insn, a2xx_place_taker *take, void *user);
void a2xx_each_write(const struct a2xx_insn *insn, a2xx_place_taker *take, void *user);

#endif
