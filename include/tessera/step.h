/* SPDX-License-Identifier: MIT */
/* step.h - the operations of one instruction, with the values that they read and computed. Traces
 * of all shader models have them (utgard.h, a2xx.h). */
#ifndef TESSERA_STEP_H
#define TESSERA_STEP_H

#include <tessera/tessera.h>

enum { TESS_OPERANDS = 4, TESS_OPERAND_TEXT = 32 };

/* An operand that an operation reads. */
struct tess_operand {
    char text[TESS_OPERAND_TEXT]; /* as in the operation's text, such as "-|C[a0+1].xyzw|" */
    uint32_t count;               /* number of values, 1 to 4 */
    float values[4];              /* values before the instruction, after swizzle and sign */
};

enum tess_outcome {
    TESS_OUTCOME_NONE,
    TESS_OUTCOME_LOADED,  /* .results are loaded values */
    TESS_OUTCOME_SKIPPED, /* the operation had no effect */
    TESS_OUTCOME_TAKEN,   /* the operation is a branch that was taken, or was not taken */
    TESS_OUTCOME_NOT_TAKEN,
};

/* An operation of an instruction: a slot, a half, or the whole instruction. */
struct tess_operation {
    const char *text; /* as the disassembler prints it */
    uint32_t operand_count, result_count;
    struct tess_operand operands[TESS_OPERANDS]; /* operands without a value are left out */
    float results[4]; /* values after the instruction, before clamping and write masks */
    enum tess_outcome outcome;
    char note[64]; /* the program's name of what is accessed, or "" */
};

/* A write that no load can read yet. */
struct tess_pending {
    char text[32];  /* destination, such as "register 3.xy" */
    uint64_t cycle; /* first cycle in which a load reads the written value */
};

#endif
