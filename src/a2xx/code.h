/* SPDX-License-Identifier: MIT */
/* code.h - a program as the machine runs it: instructions decoded, with all that does not depend on lanes worked out. */
#ifndef A2XX_CODE_H
#define A2XX_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/a2xx.h>

#include "a2xx/fault.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"

/* A source of an ALU instruction. */
struct a2xx_source {
    bool constant, relative;
    uint8_t number;     /* of the register or constant */
    uint8_t swizzle[4]; /* component that each slot reads */
    uint32_t keep;      /* of its bits: without the sign for the absolute value */
    uint32_t sign;      /* changed if it is negated */
    uint8_t same;       /* the first source that is the same but for its swizzle */
};

struct a2xx_alu_code {
    struct a2xx_alu insn;
    struct a2xx_source source[3];
    struct a2xx_source first, second; /* constant and register of MUL_CONST and the like */
    uint8_t reads[3];                 /* slots of the sources that the vector operation reads */
    uint8_t reads_whole[3];           /* if all components of its result were written */
    bool reads_a, reads_b;            /* the scalar operation does */
    uint8_t second_slot;              /* of source 3 that has operand b */
    bool vector, scalar;              /* whether these do anything, */
    bool makes_ps,
        reads_ps; /* beside a new previous scalar result; and whether they need the old one */
    bool const_op;
    bool everywhere;                        /* constants are those of the whole file */
    uint8_t vector_effects, scalar_effects; /* enum a2xx_effect */
    uint8_t vector_mask, scalar_mask;       /* components that become the results */
    uint8_t ones, zeros;                    /* components of an export that become 1 and 0 */
    uint8_t operand_count;
    struct a2xx_operand operands[A2XX_OPERANDS_MAX]; /* registers and constants that it reads */
    uint64_t faults; /* what is wrong with it whenever it is executed: bits of enum a2xx_fault */
};

struct a2xx_code {
    enum tess_a2xx_stage stage;
    enum tess_a2xx_variant variant;
    uint32_t slots, cf_slots;
    struct a2xx_cf *cf;              /* two for each slot */
    struct a2xx_alu_code *alu;       /* one for each slot, as if it were ALU */
    struct a2xx_fetch *fetch;        /* and as if it were a fetch */
    uint8_t *changed;                /* of each .cf: a register that another round changes, or A2XX_REGISTERS */
    bool reads_ps;                   /* some instruction does */
    uint64_t registers;              /* that instructions name; all if some are relative */
    uint8_t exports[A2XX_REGISTERS]; /* components of exports that some instruction writes */
};

/* Decodes a program. NULL: no memory. */
struct a2xx_code *a2xx_decode(const struct tess_a2xx_program *program, enum tess_a2xx_stage stage);
void a2xx_code_free(struct a2xx_code *code);

#endif
