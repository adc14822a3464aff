/* SPDX-License-Identifier: MIT */
/* code.h - a decoded program. Everything that is the same for all lanes is computed in advance. */
#ifndef A2XX_SHADER_CODE_H
#define A2XX_SHADER_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/a2xx.h>

#include "a2xx/shader/fault.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"

/* A source operand of an ALU instruction. */
struct a2xx_source {
    bool constant, relative;
    uint8_t number;     /* number of the register or constant */
    uint8_t swizzle[4]; /* source component that each slot reads */
    uint32_t keep;      /* mask for the operand's bits: clears the sign bit for an absolute value,
                           otherwise all bits are set */
    uint32_t sign;      /* 0x80000000 if the operand is negated, otherwise 0 */
    /* true if the operand is a register with a fixed number and without modifiers, which can be
     * read in place if no result that the instruction writes must be read later */
    bool plain;
    /* index of the first source that has the same register, negation and absolute value */
    uint8_t same;
};

struct a2xx_alu_code {
    struct a2xx_alu insn;
    struct a2xx_source source[3];
    /* constant (.first) and register (.second) of MUL_CONST and similar operations */
    struct a2xx_source first, second;
    uint8_t reads[3];       /* slots of each source that the vector operation needs for the written
                               components */
    uint8_t reads_whole[3]; /* slots of each source that the vector operation would need if it wrote
                               all components */
    bool reads_a, reads_b;  /* true if the scalar operation reads operand a or operand b */
    uint8_t second_slot;    /* slot of source 3 that is operand b */
    bool vector, scalar;    /* true if the half writes a result or has an effect other than setting
                               the previous scalar result */
    /* true if the scalar half sets the previous scalar result (makes_ps) or reads the old one
     * (reads_ps) */
    bool makes_ps, reads_ps;
    bool const_op;
    /* true if constants are numbered from the start of the file, false if from the start of the
     * stage's window */
    bool everywhere;
    uint8_t vector_effects, scalar_effects; /* bits of enum a2xx_effect */
    uint8_t vector_mask, scalar_mask;       /* components that receive the result of each half */
    /* components of an export that are set to 1 (ones) or 0 (zeros) */
    uint8_t ones, zeros;
    uint8_t operand_count;
    /* registers and constants that the instruction reads */
    struct a2xx_operand operands[A2XX_OPERANDS_MAX];
    /* rules that every execution of the instruction breaks, as bits 1 << enum a2xx_fault */
    uint64_t faults;
};

struct a2xx_code {
    enum tess_a2xx_stage stage;
    enum tess_a2xx_variant variant;
    uint32_t slots, cf_slots;
    struct a2xx_cf *cf;        /* control-flow instructions, two for each slot */
    struct a2xx_alu_code *alu; /* every slot, decoded as an ALU instruction */
    struct a2xx_fetch *fetch;  /* every slot, decoded as a fetch */
    /* for each element of .cf, the number of a register that another iteration of the loop changes
     * (isa/a2xx/round.h), or A2XX_REGISTERS if there is none */
    uint8_t *changed;
    bool reads_ps;      /* true if any instruction reads the previous scalar result */
    uint64_t registers; /* registers that instructions name, as bits; all bits are set if an
                           instruction has a relative register */
    uint8_t exports[A2XX_REGISTERS]; /* components of each export that any instruction writes */
};

/* Decodes a program. Returns NULL if the host is out of memory. */
struct a2xx_code *a2xx_decode(const struct tess_a2xx_program *program, enum tess_a2xx_stage stage);
void a2xx_code_free(struct a2xx_code *code);

#endif
