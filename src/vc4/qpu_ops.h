/* SPDX-License-Identifier: MIT */
/* qpu_ops.h - the small operations of blocks of QPU instructions (qpu_block.h), and the functions
 * for operations on 16 elements.
 *
 * The functions exist for each width of host vectors. Their results are identical bit for bit. */
#ifndef VC4_QPU_OPS_H
#define VC4_QPU_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

struct qpu;
struct qpu_run;
struct qpu_op;

typedef void qpu_handler(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run);

/* One operation. to, a and b are usually offsets of registers in struct qpu. The handler defines
 * other uses of the fields. */
struct qpu_op {
    qpu_handler *run;
    uint16_t to, a, b;
    uint8_t condition; /* enum qpu_cond, or QPU_COND_SAVED_... */
    uint8_t index;     /* index of the instruction in its block */
    uint32_t value;
};

/* Conditions that run_save_conditions() evaluated before the flags changed. */
enum { QPU_COND_SAVED_ADD = 8, QPU_COND_SAVED_MUL = 10 };

/* Bit in .value of unpack, above the mode. Set if a float operation uses the result. */
enum { QPU_UNPACK_AS_FLOAT = 8 };

struct qpu_handlers {
    qpu_handler *add[32], *mul[8];             /* to = a op b, by opcode; NULL if reserved */
    qpu_handler *add_flags[32], *mul_flags[8]; /* also set the flags where condition holds */
    qpu_handler *add_where[32], *mul_where[8]; /* write the result where condition holds */
    /* to = a with each element moved up by n, in the whole vector or in its quad. */
    qpu_handler *rotate[16], *rotate_quads[4];
    qpu_handler *copy;        /* to = a */
    qpu_handler *select;      /* to = a where condition holds */
    qpu_handler *splat;       /* to = value */
    qpu_handler *uniform;     /* to = the next uniform; value is not 0 if an ALU uses it */
    qpu_handler *unpack;      /* to = a unpacked by the mode in value */
    qpu_handler *pack_colour; /* to = a packed to bytes by the mode in value; other bytes from b */
};

extern const struct qpu_handlers qpu_handlers_portable;

/* Returns the fastest set of functions for this host. */
const struct qpu_handlers *qpu_handlers_native(void);

#endif
