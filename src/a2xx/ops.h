/* SPDX-License-Identifier: MIT */
/* ops.h - the ALU's operations, for all lanes at once.
 *
 * In:      operands with modifiers applied and denormals flushed.
 * Out:     results, with denormals flushed or kept as the user chooses, and 0x7fc00000 for every
 *          NaN; conditions as masks.
 * Source:  docs/hardware/a2xx.md, sections 7 to 9 and 27. */
#ifndef A2XX_OPS_H
#define A2XX_OPS_H

#include <stdbool.h>

#include "a2xx/lanes.h"

/* Operands and results of one instruction. */
struct a2xx_values {
    const struct a2xx_row *source[3][4]; /* operands of the vector operation */
    const struct a2xx_row *a, *b;        /* operands of the scalar operation */
    struct a2xx_row ps;                  /* the previous scalar result, replaced by the new one */
    struct a2xx_row made[4];             /* vector result; reductions set the first element only */
    a2xx_mask lanes;                     /* lanes that execute the instruction */
    a2xx_mask truth;                     /* conditions of PRED_SET and KILL operations */
    uint32_t needed;                     /* components of the vector result that are needed */
    /* bits that are cleared in denormal results: 0x7fffffff, or 0 to keep denormals */
    uint32_t flush;
    bool fused;
};

typedef void a2xx_op_function(struct a2xx_values *values);

struct a2xx_handlers {
    a2xx_op_function *vector[32], *scalar[64]; /* by opcode; NULL for undefined operations */
    /* Flushes denormals, keeps the bits in `keep`, then XORs `sign`. */
    void (*operand)(struct a2xx_row *to, const struct a2xx_row *from, uint32_t keep, uint32_t sign);
    void (*spread)(struct a2xx_row *to, uint32_t bits);
    void (*store)(struct a2xx_row *to, const struct a2xx_row *from, a2xx_mask lanes);
    void (*clamp)(struct a2xx_row *to, const struct a2xx_row *from);
};

extern const struct a2xx_handlers a2xx_handlers_portable;

/* Returns the fastest handlers for this host, or those set by a2xx_handlers_prefer(), which
 * tests and benchmarks use. NULL removes the preference. */
const struct a2xx_handlers *a2xx_handlers_native(void);
void a2xx_handlers_prefer(const struct a2xx_handlers *handlers);

/* Returns true if the vector operation has one result for all components. */
bool a2xx_op_is_reduction(unsigned vector_opc);

#endif
