/* SPDX-License-Identifier: MIT */
/* qpu_op.h - one of the small operations from which blocks of QPU instructions are built
 * (qpu_block.h), and tables of the functions that execute operations. */
#ifndef VC4_QPU_QPU_OP_H
#define VC4_QPU_QPU_OP_H

#include <stdint.h>

struct qpu;
struct qpu_run;
struct qpu_op;

typedef void qpu_handler(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run);

/* One operation. to, a and b are usually offsets of registers in struct qpu. Some handlers use the
 * fields for other values, which the handler's comment describes. In an operation of both ALUs,
 * to, a and b belong to the add ALU, and mul_to, mul_a and mul_b to the mul ALU. */
struct qpu_op {
    qpu_handler *run;
    uint16_t to, a, b;
    uint8_t condition; /* value of enum qpu_cond, or QPU_COND_SAVED_ADD or QPU_COND_SAVED_MUL */
    uint8_t index;     /* index of the instruction in its block */
    union {
        uint32_t value;
        uint16_t mul_to;
    };
    uint16_t mul_a, mul_b;
};

/* Codes of the two conditions whose results run_save_conditions() saved before the flags
 * changed. */
enum { QPU_COND_SAVED_ADD = 8, QPU_COND_SAVED_MUL = 10 };

struct qpu_handlers {
    qpu_handler *add[32], *mul[8];             /* to = a op b, by opcode; NULL if reserved */
    qpu_handler *add_flags[32], *mul_flags[8]; /* like add and mul, and set the flags where
                                                  condition holds */
    qpu_handler *add_where[32], *mul_where[8]; /* like add and mul, but only write the result
                                                  where condition holds */
    /* Compute the operations of both ALUs, by the opcodes of the add and the mul ALU; NULL if there
     * is no such function. */
    qpu_handler *pair[32][8];
    /* Like pair[add][QPU_MUL_FMUL] and mul[QPU_MUL_FMUL], and multiply by the next uniform. NULL if
     * there is no such function. Operand mul_b or b is the port that reads the uniform. */
    qpu_handler *pair_uniform[32], *fmul_uniform;
    /* to = a with each element moved up by n positions, within the whole vector or within each
     * quad. */
    qpu_handler *rotate[16], *rotate_quads[4];
    /* to = a unpacked, by mode; unpack_float is for operands of float operations. Mode 0 has no
     * function. */
    qpu_handler *unpack[8], *unpack_float[8];
    qpu_handler *copy;        /* to = a */
    qpu_handler *select;      /* to = a where condition holds */
    qpu_handler *splat;       /* to = value */
    qpu_handler *uniform;     /* to = the next uniform; value is not 0 if an ALU uses the uniform */
    qpu_handler *pack_colour; /* to = a packed to one byte by the mode in value; the other bytes are
                                 from b */
};

#endif
