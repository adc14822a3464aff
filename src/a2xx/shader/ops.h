/* SPDX-License-Identifier: MIT */
/* ops.h - the operations of the ALU. Each function computes an operation for all lanes.
 *
 * In:      operands with modifiers applied and denormals flushed.
 * Out:     results; conditions as masks of lanes. An option of the core selects whether denormal
 *          results are flushed or kept. Every NaN is 0x7fc00000.
 * Source:  docs/hardware/a2xx.md, sections 7 to 9 and 27. */
#ifndef A2XX_SHADER_OPS_H
#define A2XX_SHADER_OPS_H

#include <stdbool.h>

#include "a2xx/lanes/lanes.h"

/* Operands and results of one instruction. */
struct a2xx_values {
    const struct a2xx_row *source[3][4]; /* operands of the vector operation */
    const struct a2xx_row *a, *b;        /* operands of the scalar operation */
    struct a2xx_row ps;                  /* the previous scalar result, which the operation replaces
                                            by its result */
    struct a2xx_row made[4];             /* vector result; reductions set only the first element */
    a2xx_mask lanes;                     /* lanes that execute the instruction */
    a2xx_mask truth;                     /* lanes in which the condition of a PRED_SET or KILL
                                            operation is true */
    uint32_t needed;                     /* components of the vector result that are needed */
    /* bits that are cleared in denormal results: 0x7fffffff to flush them, or 0 to keep them */
    uint32_t flush;
    bool fused;
};

typedef void a2xx_op_function(struct a2xx_values *values);

struct a2xx_handlers {
    a2xx_op_function *vector[32], *scalar[64]; /* functions by opcode; NULL for undefined
                                                  operations */
    /* Flushes denormals, clears the bits that are not in `keep`, then combines with `sign` by
     * exclusive-or. */
    void (*operand)(struct a2xx_row *to, const struct a2xx_row *from, uint32_t keep, uint32_t sign);
    void (*spread)(struct a2xx_row *to, uint32_t bits);
    void (*store)(struct a2xx_row *to, const struct a2xx_row *from, a2xx_mask lanes);
    void (*clamp)(struct a2xx_row *to, const struct a2xx_row *from);
};

extern const struct a2xx_handlers a2xx_handlers_portable, a2xx_handlers_avx2;

/* Returns the fastest handlers for this host (exec/cpu.h). */
const struct a2xx_handlers *a2xx_handlers_native(void);

/* Returns true if the vector operation has one result for all components. */
bool a2xx_op_is_reduction(unsigned vector_opc);

#endif
