/* SPDX-License-Identifier: MIT */
/* explain.h - an instruction of the A2xx in words: every field with its meaning, then what it does. */
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

/* Words, decoded. */
struct a2xx_insn a2xx_insn_cf(uint64_t cf, enum tess_a2xx_variant variant);
struct a2xx_insn a2xx_insn_alu(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant);
struct a2xx_insn a2xx_insn_fetch(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant);

/* Calls visit for every field, from the lowest bit up; what it gets lives during the call. */
void a2xx_each_field(const struct a2xx_insn *insn, dis_field_visitor *visit, void *user);

/* One line for each field: bits, name, value, meaning. */
void a2xx_put_fields(struct text *text, const struct a2xx_insn *insn);

/* What it does: a line for each half of an ALU instruction, then lines "- ...": conditions, and what is unusual. */
void a2xx_put_comment(struct text *text, const struct a2xx_insn *insn);

/* Pieces of both: "xy_w"; the components of a swizzle, so many bits for each of count, of which relative ones count from the
 * component itself; "R1.xyz", "C[a0+5]", where a mask of 0 stands for no components. */
void a2xx_put_mask(struct text *text, uint32_t mask);
void a2xx_put_swizzle(struct text *text, uint32_t swizzle, unsigned bits, unsigned count,
                      bool relative);
void a2xx_put_place(struct text *text, const char *file, const char *index, uint32_t number,
                    bool relative, uint32_t mask);

/* Calls take with "R1.xyz", "C[a0+5].x", "ps", "p0", "export62.xyzw": what the instruction reads, and what it writes. */
typedef void a2xx_place_taker(void *user, const char *place);
void a2xx_each_read(const struct a2xx_insn *insn, a2xx_place_taker *take, void *user);
void a2xx_each_write(const struct a2xx_insn *insn, a2xx_place_taker *take, void *user);

#endif
