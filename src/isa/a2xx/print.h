/* SPDX-License-Identifier: MIT */
/* print.h - prints control-flow, ALU and fetch instructions of the A2xx in Tessera's assembly.
 *
 * In:      words with any content.
 * Out:     text that assembles to the same bits. Instructions that the syntax cannot express are
 *          printed as numbers. docs/isa/a2xx.md describes the syntax. */
#ifndef ISA_A2XX_PRINT_H
#define ISA_A2XX_PRINT_H

#include "base/buffer.h"
#include "base/text.h"
#include "isa/a2xx/defaults.h"
#include "isa/operation_list.h"

/* Sizes in bytes, including the NUL, of the longest text of an instruction and of the longest label
 * in it. */
enum { A2XX_LINE_MAX = 1024, A2XX_LABEL_MAX = 256 };

/* Context of an instruction. All members are zero for a single instruction that is printed without
 * its program. */
struct a2xx_surroundings {
    enum tess_a2xx_variant variant;
    enum a2xx_idle idle;
    bool first_fetch; /* true if no vertex fetch precedes the instruction */
    /* true to print PREFETCH and MINI on every vertex fetch, even where the assembler would compute
     * the same values */
    bool whole_fetches;
    bool in_memory;  /* true if ".layout memory" applies to the text, so that clauses are printed
                      * with their addresses */
    uint32_t number; /* number of a control-flow instruction */
    /* Returns the label of a control-flow instruction, given the instruction's number, or NULL.
     * label itself may be NULL. */
    const char *(*label)(void *user, uint32_t number);
    void *user;
    /* receives the operands, and the scalar half as an operation of its own; may be NULL */
    struct operation_list *operations;
};

/* Writes one line such as "EXEC", "ALLOC POSITION SIZE(0x0)" or "CF 0x123456789abc". */
void a2xx_put_cf(struct text *text, uint64_t cf, const struct a2xx_surroundings *around);

/* Write "ALU: ..." (one line or two) and "FETCH: ...", without (S). */
void a2xx_put_alu(struct text *text, const uint32_t words[A2XX_WORDS],
                  const struct a2xx_surroundings *around);
void a2xx_put_fetch(struct text *text, const uint32_t words[A2XX_WORDS],
                    const struct a2xx_surroundings *around);

/* Writes an instruction as numbers: "ALU: 0x.., 0x.., 0x..". */
void a2xx_put_raw(struct text *text, const uint32_t words[A2XX_WORDS], bool fetch);

/* a2xx_is_fetch_expressible() and a2xx_is_alu_expressible() return true if the syntax can express
 * the instruction, whatever the defaults for idle halves and the order of fetches are.
 * a2xx_is_scalar_default() returns true if the scalar half equals the default for `idle`, so that
 * it need not be written. */
bool a2xx_is_fetch_expressible(const struct a2xx_fetch *fetch, enum tess_a2xx_variant variant);
bool a2xx_is_alu_expressible(const struct a2xx_alu *alu);
bool a2xx_is_scalar_default(const struct a2xx_alu *alu, enum a2xx_idle idle);

/* Writes a register such as "R1.xyz" or "C[a0+5]", without components if mask is 0. */
void a2xx_put_place(struct text *text, const char *file, const char *index, uint32_t number,
                    bool relative, uint32_t mask);

/* Returns true if a reserved bit of a control-flow instruction is set. */
bool a2xx_has_reserved_bits(const struct a2xx_cf *cf);

/* A source of an ALU instruction. */
struct a2xx_source {
    bool constant, relative, absolute, negative;
    uint32_t number;  /* number of the register (0 to 63) or of the constant (0 to 255) */
    uint32_t swizzle; /* swizzle as in the instruction word */
};

/* Returns source 1, 2 or 3. Which relative flag belongs to a constant depends on the order of the
 * constants. The flag abs_constants applies to all constants of the instruction. */
struct a2xx_source a2xx_source_get(const struct a2xx_alu *alu, unsigned source);

/* Writes a source such as "-|R1.xyzz|" or "C[a0+5]". */
void a2xx_put_source(struct text *text, const struct a2xx_alu *alu,
                     const struct a2xx_source *source);

/* Writes a source with a single component, such as "-|R1.x|". slot (0 to 3) is the position in the
 * swizzle that selects the component. */
void a2xx_put_component(struct text *text, const struct a2xx_alu *alu,
                        const struct a2xx_source *source, unsigned slot);

/* Appends the lines of a program in the notation of Mesa's disassembler (mesa.c). The program has
 * A2XX_WORDS words per slot. If a clause extends beyond the end of the program, only its
 * instructions inside the program are printed. */
void a2xx_put_mesa(struct buffer *out, const uint32_t *words, size_t slots);

#endif
