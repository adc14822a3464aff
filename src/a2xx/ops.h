/* SPDX-License-Identifier: MIT */
/* ops.h - what the ALU's operations compute, for all lanes at once.
 *
 * In:      operands with their modifiers done, denormals flushed.
 * Out:     results, with denormals flushed or kept as the choice is, and every NaN 0x7fc00000; conditions as masks.
 * Source:  digest a2xx.md, sections 7 to 9 and 27. */
#ifndef A2XX_OPS_H
#define A2XX_OPS_H

#include <stdbool.h>

#include "a2xx/lanes.h"

/* Operands and results of one instruction. */
struct a2xx_values {
    const struct a2xx_row *source[3][4]; /* what the operation reads */
    const struct a2xx_row *a, *b;        /* of the scalar operation */
    struct a2xx_row ps;                  /* the previous scalar result, and the new one */
    struct a2xx_row made[4];             /* vector result; reductions make the first only */
    a2xx_mask lanes;                     /* that matter */
    a2xx_mask truth;                     /* of PRED_SET and KILL operations */
    uint32_t needed;                     /* components of the vector result */
    uint32_t flush;                      /* what denormal results lose: 0x7fffffff or 0 */
    bool fused;
};

typedef void a2xx_op_function(struct a2xx_values *values);

struct a2xx_handlers {
    a2xx_op_function *vector[32], *scalar[64]; /* NULL: undefined */
    /* Flushes denormals, keeps the bits of `keep`, changes the sign if `sign` says so. */
    void (*operand)(struct a2xx_row *to, const struct a2xx_row *from, uint32_t keep, uint32_t sign);
    void (*spread)(struct a2xx_row *to, uint32_t bits);
    void (*store)(struct a2xx_row *to, const struct a2xx_row *from, a2xx_mask lanes);
    void (*clamp)(struct a2xx_row *to, const struct a2xx_row *from);
};

extern const struct a2xx_handlers a2xx_handlers_portable;

/* The fastest for this host, unless a test or bench prefers others; NULL: no preference. */
const struct a2xx_handlers *a2xx_handlers_native(void);
void a2xx_handlers_prefer(const struct a2xx_handlers *handlers);

/* Whether the vector operation makes one value for all components. */
bool a2xx_op_is_reduction(unsigned vector_opc);

#endif
