/* SPDX-License-Identifier: MIT */
/* facts.h - what one instruction of the A2xx reads, makes, exports and sets.
 *
 * In:      an instruction's fields.
 * Out:     lists and masks: the one home of these facts, for the checker, the sanitizer and the accounts.
 * Source:  digest a2xx.md, sections 5 to 15; xenia, src/xenia/gpu/ucode.h.
 * Choice:  a half that writes nothing and sets nothing reads nothing, though the previous scalar result becomes that of its
 *          operation: compilers leave such halves zero, or fill them with MAXs. */
#ifndef ISA_A2XX_FACTS_H
#define ISA_A2XX_FACTS_H

#include "isa/a2xx/a2xx_isa.h"

/* --- ALU instructions --- */

enum a2xx_unit { A2XX_UNIT_VECTOR, A2XX_UNIT_SCALAR };

/* What an operation does beside its result. */
enum a2xx_effect {
    A2XX_SETS_PREDICATE = 1,
    A2XX_KILLS = 2,
    A2XX_SETS_ADDRESS = 4, /* a0 */
    A2XX_READS_PREVIOUS = 8,
};

/* Bits of enum a2xx_effect; 0 for undefined operations. */
unsigned a2xx_vector_effects(unsigned vector_opc);
unsigned a2xx_scalar_effects(unsigned scalar_opc);

/* Whether it reads source 3: the operand that the scalar half must share then. */
bool a2xx_has_third_source(unsigned vector_opc);

/* Components that a half's result is written to. In an export those of both masks become 1, and neither result counts. */
unsigned a2xx_result_mask(const struct a2xx_alu *alu, enum a2xx_unit unit);

/* Components of an export that become 1 because both masks have them, and 0 because neither has. */
unsigned a2xx_export_ones(const struct a2xx_alu *alu);
unsigned a2xx_export_zeros(const struct a2xx_alu *alu);

/* All components that an export writes; 0 for instructions that export nothing. */
unsigned a2xx_export_mask(const struct a2xx_alu *alu);

/* Whether a half does anything: writes a component, or sets the predicate or a0, or kills. */
bool a2xx_works(const struct a2xx_alu *alu, enum a2xx_unit unit);

/* Whether the scalar half is as compilers fill one that has nothing to do: MAXs, or ADDs in fields that are all 0, without a
 * mask. RETAIN_PREV is none of these: it keeps ps. */
bool a2xx_scalar_is_idle(const struct a2xx_alu *alu);

/* The slot of source 3's swizzle that chooses the scalar operand b; operand a is that of slot w. Slot x on Adreno: Qualcomm's
 * compiler sets slots w and x only (freedreno/freedreno, fdre-a2xx/tests/cat.c: ADDs R3.x___ = R3.xyzx doubles R3.x; the
 * wiki's second example copies by MAXs export0.___w = C12.xyzx). Slot z on the Xenos: a game's program normalises x and y of
 * a vector by one factor only so (xenia-canary/xenia-canary, pull request 1149). MUL_CONST and the like have a register's
 * number in slots y and z, and so take slot x on both. */
unsigned a2xx_second_slot(unsigned scalar_opc, enum tess_a2xx_variant variant);

/* Components of source 1, 2 or 3, before its swizzle, that the vector operation reads; of source 3 that the scalar one does,
 * working or not. */
unsigned a2xx_vector_reads(const struct a2xx_alu *alu, unsigned source);
unsigned a2xx_scalar_reads(unsigned scalar_opc, enum tess_a2xx_variant variant);

/* A constant or register that a working half reads. */
struct a2xx_operand {
    enum a2xx_unit by;
    uint8_t source; /* 1 to 3; the register of MUL_CONST and the like counts as 3, too */
    bool constant;  /* else a register */
    bool relative;  /* registers: to aL; constants: to what the address mode says */
    uint8_t number; /* of the constant or register */
    uint8_t
        components; /* that count, bits 1 << c of the register or constant, behind the swizzle */
};

enum { A2XX_OPERANDS_MAX = 5 };

/* Lists them, and returns how many there are. Undefined operations read nothing that we know of. */
unsigned a2xx_operands(const struct a2xx_alu *alu, enum tess_a2xx_variant variant,
                       struct a2xx_operand list[A2XX_OPERANDS_MAX]);

/* Whether source 1, 2 or 3, if it is a constant, is a relative one. Constants are counted in the order of the sources,
 * whether or not an operation reads them: the first has const_0_rel, others const_1_rel. */
bool a2xx_constant_is_relative(const struct a2xx_alu *alu, unsigned source);

/* --- fetches --- */

/* What a fetch does with a register. */
struct a2xx_fetch_register {
    uint8_t number;
    bool relative;      /* to aL */
    uint8_t components; /* bits 1 << c */
    uint8_t possible; /* of sources: these, and those that the texture's dimension may make count */
};

/* Where a vertex fetch reads, in bytes: full is the fetch itself, or the last full one before a mini fetch. */
struct a2xx_element {
    int64_t offset, stride;
    unsigned bytes; /* of the format; 0 if it does not stand alone */
};
struct a2xx_element a2xx_element(const struct a2xx_vertex *fetch, const struct a2xx_vertex *full,
                                 enum tess_a2xx_variant variant);

/* Whether the element reaches into the next vertex. */
bool a2xx_passes_stride(const struct a2xx_element *element);

/* Whether the fetch takes its index, constant and stride from the last full fetch: on the Xenos only. */
bool a2xx_is_mini_fetch(const struct a2xx_fetch *fetch, enum tess_a2xx_variant variant);

/* The register with the index or the coordinates; no components for a mini fetch, which reads none (xenia-project/xenia,
 * src/xenia/gpu/ucode.h, VertexFetchInstruction: a mini fetch reuses the address of the last full one). */
struct a2xx_fetch_register a2xx_fetch_source(const struct a2xx_fetch *fetch,
                                             enum tess_a2xx_variant variant);

/* The register that is written; no components for those fetches that only set something. */
struct a2xx_fetch_register a2xx_fetch_result(const struct a2xx_fetch *fetch);

/* Whether it runs only where the predicate is *condition. */
bool a2xx_fetch_is_predicated(const struct a2xx_fetch *fetch, bool *condition);

/* Whether it does nothing where the predicate is the condition, and leaves the predicate alone. */
bool a2xx_alu_rests(const struct a2xx_alu *alu, bool condition);
bool a2xx_fetch_rests(const struct a2xx_fetch *fetch, bool condition);

/* --- exports --- */

/* What must have been reserved for an export; A2XX_BUFFER_NONE for numbers that no stage has. */
enum a2xx_buffer a2xx_export_buffer(unsigned number);

/* --- control flow --- */

/* Whether an EXEC is run where the predicate is its condition. */
bool a2xx_is_predicated_exec(unsigned opcode);

/* Whether an EXEC is run if a boolean constant is its condition. */
bool a2xx_is_boolean_exec(unsigned opcode);

#endif
