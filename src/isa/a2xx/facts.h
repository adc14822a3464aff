/* SPDX-License-Identifier: MIT */
/* facts.h - the operands, results, exports and side effects of one A2xx instruction.
 *
 * In:      an instruction's fields.
 * Out:     lists and masks, for the checker, the sanitizer and the explanations.
 * Source:  docs/hardware/a2xx.md, sections 5 to 15; xenia, src/xenia/gpu/ucode.h. Choice: a half of
 * an ALU instruction that writes nothing and has no side effect has no operands, although a scalar
 * half still changes the previous scalar result. Compilers set the fields of such halves to zero or
 * use MAXs. */
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

/* Returns true if the vector operation reads source 3. A scalar operation in the same instruction
 * then reads the same operand. */
bool a2xx_has_third_source(unsigned vector_opc);

/* Returns the components to which a half writes its result. In an export, components in both
 * masks become 1 and belong to neither half. */
unsigned a2xx_result_mask(const struct a2xx_alu *alu, enum a2xx_unit unit);

/* Return components of an export that become constants. a2xx_export_ones() returns those that
 * become 1, because both masks contain them. a2xx_export_zeros() returns those that become 0,
 * because neither mask contains them. */
unsigned a2xx_export_ones(const struct a2xx_alu *alu);
unsigned a2xx_export_zeros(const struct a2xx_alu *alu);

/* Returns all components that an export writes, or 0 if the instruction exports nothing. */
unsigned a2xx_export_mask(const struct a2xx_alu *alu);

/* Returns true if the half writes a component, sets the predicate or a0, or kills pixels. */
bool a2xx_works(const struct a2xx_alu *alu, enum a2xx_unit unit);

/* Returns true if the scalar half is a filler that compilers emit: MAXs with an empty mask, or ADDs
 * with all fields 0. RETAIN_PREV is not a filler, because it preserves ps. */
bool a2xx_scalar_is_idle(const struct a2xx_alu *alu);

/* Returns the slot of source 3's swizzle for the scalar operand b. Operand a uses slot w. On
 * Adreno the slot is x: Qualcomm's compiler sets slots w and x only (freedreno/freedreno,
 * fdre-a2xx/tests/cat.c: ADDs R3.x___ = R3.xyzx doubles R3.x; the second example on freedreno's
 * wiki copies by MAXs export0.___w = C12.xyzx). On the Xenos the slot is z: a game's program
 * normalises x and y of a vector by one factor only with this reading
 * (xenia-canary/xenia-canary, pull request 1149). MUL_CONST and similar operations keep a
 * register's number in slots y and z, so they use slot x on both GPUs. */
unsigned a2xx_second_slot(unsigned scalar_opc, enum tess_a2xx_variant variant);

/* Return masks of operand components before the swizzle. a2xx_vector_reads() returns those of
 * source 1, 2 or 3 that the vector operation reads. a2xx_scalar_reads() returns those of source 3
 * that the scalar operation reads, even if the scalar half has no effect. */
unsigned a2xx_vector_reads(const struct a2xx_alu *alu, unsigned source);
unsigned a2xx_scalar_reads(unsigned scalar_opc, enum tess_a2xx_variant variant);

/* What an operand in a text refers to (isa/operation_list.h): a register, or a constant, which may
 * be relative to an address register. */
enum a2xx_operand_place { A2XX_PLACE_CONSTANT = 1, A2XX_PLACE_AL = 2, A2XX_PLACE_A0 = 4 };

/* A constant or register that a working half reads. */
struct a2xx_operand {
    enum a2xx_unit by;
    uint8_t source; /* 1 to 3; the register of MUL_CONST and similar operations also counts as 3 */
    bool constant;  /* true for a constant, false for a register */
    /* true if the number is relative: to aL for a register, and to a0 or aL for a constant,
     * depending on the address mode */
    bool relative;
    uint8_t number; /* number of the constant or register */
    /* mask of the components of the register or constant that are read, after the swizzle (bits 1
     * << c) */
    uint8_t components;
};

enum { A2XX_OPERANDS_MAX = 5 };

/* Lists the operands of both halves. Returns the length of the list. Undefined operations have no
 * operands. */
unsigned a2xx_operands(const struct a2xx_alu *alu, enum tess_a2xx_variant variant,
                       struct a2xx_operand list[A2XX_OPERANDS_MAX]);

/* Returns true if source 1, 2 or 3, which must be a constant, is relative. The flag const_0_rel
 * belongs to the first source that is a constant, and const_1_rel to the other sources that are
 * constants. Sources that no operation reads are also counted. */
bool a2xx_constant_is_relative(const struct a2xx_alu *alu, unsigned source);

/* --- fetches --- */

/* A register that a fetch reads or writes. */
struct a2xx_fetch_register {
    uint8_t number;
    bool relative;      /* true if the number is relative to aL */
    uint8_t components; /* components, bits 1 << c */
    /* for sources: .components and also the components that are read only for certain texture
     * dimensions */
    uint8_t possible;
};

/* Location of the data of a vertex fetch in a vertex, in bytes. `full` is the fetch itself or, for
 * a mini fetch, the last full fetch before it. */
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

/* Returns the register with the index or the coordinates. The component mask of a mini fetch is 0,
 * because a mini fetch reuses the address of the last full fetch and reads no index. Source:
 * xenia-project/xenia, src/xenia/gpu/ucode.h, VertexFetchInstruction. */
struct a2xx_fetch_register a2xx_fetch_source(const struct a2xx_fetch *fetch,
                                             enum tess_a2xx_variant variant);

/* Returns the register that the fetch writes. The component mask is 0 for fetches that only set
 * state. */
struct a2xx_fetch_register a2xx_fetch_result(const struct a2xx_fetch *fetch);

/* If the fetch is predicated, sets *condition to the required predicate and returns true. */
bool a2xx_fetch_is_predicated(const struct a2xx_fetch *fetch, bool *condition);

/* Return true if the instruction has no effect in lanes whose predicate equals condition, and if it
 * does not change the predicate. */
bool a2xx_alu_rests(const struct a2xx_alu *alu, bool condition);
bool a2xx_fetch_rests(const struct a2xx_fetch *fetch, bool condition);

/* --- exports --- */

/* Returns the buffer that a program must reserve for an export, or A2XX_BUFFER_NONE for a number
 * that is not an export in either stage. */
enum a2xx_buffer a2xx_export_buffer(unsigned number);

/* --- control flow --- */

/* Returns true if the EXEC tests the predicate. */
bool a2xx_is_predicated_exec(unsigned opcode);

/* Returns true if the EXEC tests a boolean constant. */
bool a2xx_is_boolean_exec(unsigned opcode);

/* --- slots --- */

/* Kinds of contents of a slot, as bits. A slot can have several bits, because clauses can overlap
 * each other and, in faulty programs, the control flow. */
enum {
    A2XX_SLOT_CONTROL = 1,
    A2XX_SLOT_ALU = 2,
    A2XX_SLOT_FETCH = 4,
};

/* Fills kinds with one element per slot. */
void a2xx_slot_kinds(const uint32_t *words, size_t slots, size_t cf_slots, uint8_t *kinds);

#endif
