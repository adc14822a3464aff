/* SPDX-License-Identifier: MIT */
/* facts.h - the operands, results, exports and side effects of one A2xx instruction.
 *
 * In:      an instruction's fields.
 * Out:     lists and masks, for the checker, the sanitizer and the explanations.
 * Source:  docs/hardware/a2xx.md, sections 5 to 15; xenia, src/xenia/gpu/ucode.h.
 * Choice:  a half that writes nothing and sets nothing counts as reading nothing, although its
 *          result becomes the previous scalar result. Compilers leave such halves zero or fill
 *          them with MAXs. */
#ifndef ISA_A2XX_FACTS_H
#define ISA_A2XX_FACTS_H

#include "isa/a2xx/a2xx_isa.h"

/* --- ALU instructions --- */

enum a2xx_unit { A2XX_UNIT_VECTOR, A2XX_UNIT_SCALAR };

/* Effects of an operation besides its result. */
enum a2xx_effect {
    A2XX_SETS_PREDICATE = 1,
    A2XX_KILLS = 2,
    A2XX_SETS_ADDRESS = 4, /* sets a0 */
    A2XX_READS_PREVIOUS = 8,
};

/* Return bits of enum a2xx_effect. Undefined operations have no effects. */
unsigned a2xx_vector_effects(unsigned vector_opc);
unsigned a2xx_scalar_effects(unsigned scalar_opc);

/* Returns true if the vector operation reads source 3. A scalar half in the same instruction
 * must then share this operand. */
bool a2xx_has_third_source(unsigned vector_opc);

/* Returns the components to which a half writes its result. In an export, components in both
 * masks become 1 and belong to neither half. */
unsigned a2xx_result_mask(const struct a2xx_alu *alu, enum a2xx_unit unit);

/* Return the components of an export that become 1, because both masks contain them, and those
 * that become 0, because neither mask does. */
unsigned a2xx_export_ones(const struct a2xx_alu *alu);
unsigned a2xx_export_zeros(const struct a2xx_alu *alu);

/* Returns all components that an export writes, or 0 for instructions that export nothing. */
unsigned a2xx_export_mask(const struct a2xx_alu *alu);

/* Returns true if the half has an effect: it writes a component, sets the predicate or a0, or
 * kills. */
bool a2xx_works(const struct a2xx_alu *alu, enum a2xx_unit unit);

/* Returns true if the scalar half is a filler that compilers emit: MAXs, or ADDs with all fields
 * 0, without a mask. RETAIN_PREV is not a filler, since it keeps ps. */
bool a2xx_scalar_is_idle(const struct a2xx_alu *alu);

/* Returns the slot of source 3's swizzle for the scalar operand b. Operand a uses slot w. On
 * Adreno the slot is x: Qualcomm's compiler sets slots w and x only (freedreno/freedreno,
 * fdre-a2xx/tests/cat.c: ADDs R3.x___ = R3.xyzx doubles R3.x; the second example on freedreno's
 * wiki copies by MAXs export0.___w = C12.xyzx). On the Xenos the slot is z: a game's program
 * normalises x and y of a vector by one factor only with this reading
 * (xenia-canary/xenia-canary, pull request 1149). MUL_CONST and similar operations keep a
 * register's number in slots y and z, so they use slot x on both GPUs. */
unsigned a2xx_second_slot(unsigned scalar_opc, enum tess_a2xx_variant variant);

/* Return the operand components, before the swizzle, that the vector operation reads of source
 * 1, 2 or 3, and that the scalar operation reads of source 3. The second function ignores
 * whether the scalar half works. */
unsigned a2xx_vector_reads(const struct a2xx_alu *alu, unsigned source);
unsigned a2xx_scalar_reads(unsigned scalar_opc, enum tess_a2xx_variant variant);

/* A constant or register that a working half reads. */
struct a2xx_operand {
    enum a2xx_unit by;
    uint8_t source; /* 1 to 3; the register of MUL_CONST and similar operations also counts as 3 */
    bool constant;  /* true for a constant, false for a register */
    /* true for a register relative to aL, and for a constant relative to a0 or aL (by address
     * mode) */
    bool relative;
    uint8_t number; /* number of the constant or register */
    /* components that are read, bits 1 << c of the register or constant, after the swizzle */
    uint8_t components;
};

enum { A2XX_OPERANDS_MAX = 5 };

/* Lists the operands of both halves. Returns their number. Undefined operations count as reading
 * nothing. */
unsigned a2xx_operands(const struct a2xx_alu *alu, enum tess_a2xx_variant variant,
                       struct a2xx_operand list[A2XX_OPERANDS_MAX]);

/* Returns true if constant source 1, 2 or 3 is relative. The constants are counted in the order
 * of the sources, whether or not an operation reads them. The first one has const_0_rel, all
 * others have const_1_rel. */
bool a2xx_constant_is_relative(const struct a2xx_alu *alu, unsigned source);

/* --- fetches --- */

/* A register that a fetch reads or writes. */
struct a2xx_fetch_register {
    uint8_t number;
    bool relative;      /* true if the number is relative to aL */
    uint8_t components; /* components, bits 1 << c */
    /* for sources: .components, and further components that matter for some dimensions of the
     * texture */
    uint8_t possible;
};

/* Location that a vertex fetch reads within a vertex, in bytes. `full` is the fetch itself, or the
 * last full fetch before a mini fetch. */
struct a2xx_element {
    int64_t offset, stride;
    unsigned bytes; /* size of the format, or 0 for formats with several texels per block */
};
struct a2xx_element a2xx_element(const struct a2xx_vertex *fetch, const struct a2xx_vertex *full,
                                 enum tess_a2xx_variant variant);

/* Returns true if the element extends into the next vertex. */
bool a2xx_passes_stride(const struct a2xx_element *element);

/* Returns true if the fetch takes its index, constant and stride from the last full fetch. Only
 * the Xenos has such fetches. */
bool a2xx_is_mini_fetch(const struct a2xx_fetch *fetch, enum tess_a2xx_variant variant);

/* Returns the register with the index or the coordinates. A mini fetch has no components, since
 * it reads none (xenia-project/xenia, src/xenia/gpu/ucode.h, VertexFetchInstruction: a mini
 * fetch reuses the address of the last full one). */
struct a2xx_fetch_register a2xx_fetch_source(const struct a2xx_fetch *fetch,
                                             enum tess_a2xx_variant variant);

/* Returns the register that is written. Fetches that only set state have no components. */
struct a2xx_fetch_register a2xx_fetch_result(const struct a2xx_fetch *fetch);

/* Returns true if the fetch is predicated, and its condition in *condition. */
bool a2xx_fetch_is_predicated(const struct a2xx_fetch *fetch, bool *condition);

/* Return true if the instruction has no effect in lanes whose predicate equals the condition, and
 * does not change the predicate. */
bool a2xx_alu_rests(const struct a2xx_alu *alu, bool condition);
bool a2xx_fetch_rests(const struct a2xx_fetch *fetch, bool condition);

/* --- exports --- */

/* Returns the buffer that must be reserved for an export, or A2XX_BUFFER_NONE for numbers that
 * neither stage has. */
enum a2xx_buffer a2xx_export_buffer(unsigned number);

/* --- control flow --- */

/* Returns true if the EXEC tests the predicate. */
bool a2xx_is_predicated_exec(unsigned opcode);

/* Returns true if the EXEC tests a boolean constant. */
bool a2xx_is_boolean_exec(unsigned opcode);

#endif
