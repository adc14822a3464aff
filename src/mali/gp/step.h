/* SPDX-License-Identifier: MIT */
/* step.h - the small steps of decoded instructions, and the functions that execute them for all
 * lanes.
 *
 * There is one set of the functions on floats for each width of host vectors. All sets return
 * identical results. */
#ifndef MALI_GP_STEP_H
#define MALI_GP_STEP_H

#include <stdint.h>

#include "mali/gp/batch.h"

struct gp_step;
typedef void gp_handler(struct gp_machine *machine, const struct gp_step *step);

/* Position of an operand: a base (enum gp_base) and an offset in bytes. */
typedef uint32_t gp_ref;
enum { GP_REF_SHIFT = 24 };
#define GP_REF(base, offset) ((gp_ref)(base) << GP_REF_SHIFT | (gp_ref)(offset))

struct gp_step {
    gp_handler *run; /* function that executes the step, or NULL at the end of the instruction */
    gp_ref to, a, b, c;
    /* 0x80000000 or 0. 0x80000000 negates the operand. In multiplications and moves, sign_a applies
     * to the result. */
    uint32_t sign_a, sign_b;
    uint32_t value, more; /* arguments of the handler */
};

static inline void *gp_at(const struct gp_machine *machine, gp_ref ref)
{
    return machine->base[ref >> GP_REF_SHIFT] + (ref & ((1u << GP_REF_SHIFT) - 1));
}

/* Names of the handlers. First are the handlers for arithmetic, whose results are numbers, then the
 * handlers that work on bits. Source: docs/hardware/utgard.md, sections 4 and 9. */
#define GP_HANDLERS(X)                                          \
    X(multiply)      /* a * b, negated by sign_a */             \
    X(multiply_zero) /* like multiply, but 0 * infinity is 0 */ \
    X(add)                                                      \
    X(floor)                                                    \
    X(sign)                                                     \
    X(ge)                                                       \
    X(lt)                                                       \
    X(min)                                                      \
    X(max)                                                      \
    X(min_nan) /* NaN if an operand is NaN */                   \
    X(max_nan)                                                  \
    X(move)   /* a, negated by sign_a */                        \
    X(select) /* b is not 0 ? c : a, negated by sign_a */       \
    X(clamp)  /* a, at least b, at most c */                    \
    X(clamp_nan)                                                \
    X(preexp2)                                                  \
    X(postlog2)                                                 \
    X(exp2)                                                     \
    X(log2)                                                     \
    X(rsqrt)                                                    \
    X(rcp)                                                      \
    X(flush) /* a, denormals flushed */                         \
    X(copy)  /* the bits of a, sign flipped by sign_a */        \
    X(zero)                                                     \
    X(store_register) /* a, takes effect at once */             \
    X(store_varying)  /* a, to component `more` of varying `value` */

struct gp_handlers {
#define HANDLER_MEMBER(name) gp_handler *name;
    GP_HANDLERS(HANDLER_MEMBER)
#undef HANDLER_MEMBER
    gp_mask (*nonzero)(const gp_lanes *value); /* returns the lanes whose value is not 0 */
    void (*blend)(gp_lanes *to, const gp_lanes *from, gp_mask lanes);
};

extern const struct gp_handlers gp_handlers_portable, gp_handlers_avx2;

/* Returns the fastest handlers for this host (exec/cpu.h). */
const struct gp_handlers *gp_handlers_native(void);

#endif
