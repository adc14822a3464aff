/* SPDX-License-Identifier: MIT */
/* print.h - control-flow, ALU and fetch instructions of the A2xx as our assembly.
 *
 * In:      words, any.
 * Out:     text that assembles to the same bits; what the language has no words for is written as numbers. docs/isa/a2xx.md
 *          describes the syntax. */
#ifndef ISA_A2XX_PRINT_H
#define ISA_A2XX_PRINT_H

#include "base/text.h"
#include "isa/a2xx/defaults.h"

/* Bytes with the NUL: of any instruction's text, and of a label that it may have. */
enum { A2XX_LINE_MAX = 1024, A2XX_LABEL_MAX = 256 };

/* What is around an instruction. Zero is: alone, in a clause. */
struct a2xx_surroundings {
    enum tess_a2xx_variant variant;
    enum a2xx_idle idle;
    bool first_fetch;   /* no vertex fetch comes before it */
    bool whole_fetches; /* vertex fetches name what follows from their order */
    bool in_memory;     /* under ".layout memory": clauses say where they are */
    uint32_t number;    /* of a control-flow instruction */
    const char *(*label)(void *user,
                         uint32_t number); /* of one; NULL, or gives NULL: there is none */
    void *user;
};

/* "EXEC", "ALLOC POSITION SIZE(0x0)", "CF 0x123456789abc": one line. */
void a2xx_put_cf(struct text *text, uint64_t cf, const struct a2xx_surroundings *around);

/* "ALU: ..." of one line or two, "FETCH: ...": without (S). */
void a2xx_put_alu(struct text *text, const uint32_t words[A2XX_WORDS],
                  const struct a2xx_surroundings *around);
void a2xx_put_fetch(struct text *text, const uint32_t words[A2XX_WORDS],
                    const struct a2xx_surroundings *around);

/* "ALU: 0x.., 0x.., 0x..": the same, as numbers. */
void a2xx_put_raw(struct text *text, const uint32_t words[A2XX_WORDS], bool fetch);

/* Whether the instruction has words, apart from what idle halves and the order of fetches say; and whether the scalar half
 * of an ALU instruction need not be written where idle halves are so. */
bool a2xx_is_fetch_expressible(const struct a2xx_fetch *fetch, enum tess_a2xx_variant variant);
bool a2xx_is_alu_expressible(const struct a2xx_alu *alu);
bool a2xx_is_scalar_default(const struct a2xx_alu *alu, enum a2xx_idle idle);

/* A source of an ALU instruction. */
struct a2xx_source {
    bool constant, relative, absolute, negative;
    uint32_t number;  /* 0 to 63, of constants 0 to 255 */
    uint32_t swizzle; /* as in the word */
};

/* Source 1, 2 or 3. Constants are relative by the flags of their order; absolute by the flag of all of them. */
struct a2xx_source a2xx_source_get(const struct a2xx_alu *alu, unsigned source);

/* "-|R1.xyzz|", "C[a0+5]" */
void a2xx_put_source(struct text *text, const struct a2xx_alu *alu,
                     const struct a2xx_source *source);

/* "-|R1.x|": the one component that slot 0 to 3 of its swizzle chooses. */
void a2xx_put_component(struct text *text, const struct a2xx_alu *alu,
                        const struct a2xx_source *source, unsigned slot);

#endif
