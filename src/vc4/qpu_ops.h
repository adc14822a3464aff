/* SPDX-License-Identifier: MIT */
/* qpu_ops.h - the small operations that blocks of QPU instructions are made of (qpu_block.h), and the
 * functions that execute those which work on 16 elements.
 *
 * These functions exist for each width of host vectors, with the same results bit for bit. */
#ifndef VC4_QPU_OPS_H
#define VC4_QPU_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"

struct qpu;
struct qpu_run;
struct qpu_op;

typedef void qpu_handler(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run);

/* Registers are offsets in struct qpu. What a field means beside that is the handler's. */
struct qpu_op {
    qpu_handler *run;
    uint16_t to, a, b;
    uint8_t condition; /* enum qpu_cond, or QPU_COND_SAVED_... */
    uint8_t index;     /* of the instruction in its block */
    uint32_t value;
};

/* Conditions evaluated before the flags changed, by save_conditions(). */
enum { QPU_COND_SAVED_ADD = 8, QPU_COND_SAVED_MUL = 10 };

/* .value of unpack: the mode, and whether a float operation takes the result. */
enum { QPU_UNPACK_AS_FLOAT = 8 };

struct qpu_handlers {
    qpu_handler *add[32], *mul[8];             /* to = a op b, by opcode; NULL: reserved */
    qpu_handler *add_flags[32], *mul_flags[8]; /* and set the flags where condition holds */
    qpu_handler *add_where[32], *mul_where[8]; /* the result where condition holds */
    qpu_handler *rotate[16],
        *rotate_quads[4];     /* to = a, each element so many further, in all or in its quad */
    qpu_handler *copy;        /* to = a */
    qpu_handler *select;      /* to = a where condition holds */
    qpu_handler *splat;       /* to = value */
    qpu_handler *uniform;     /* to = the next one; value: an ALU takes it */
    qpu_handler *unpack;      /* to = a unpacked by the mode in value */
    qpu_handler *pack_colour; /* to = a packed to bytes by the mode in value; rest: b */
};

extern const struct qpu_handlers qpu_handlers_portable;

/* The fastest that this host can run. */
const struct qpu_handlers *qpu_handlers_native(void);

#endif
