/* SPDX-License-Identifier: MIT */
/* step.h - the small steps that instructions are decoded into, and the functions that do them for all lanes.
 *
 * The functions on floats exist for each width of host vectors, with the same results bit for bit. */
#ifndef UTGARD_STEP_H
#define UTGARD_STEP_H

#include <stdint.h>

#include "utgard/machine.h"

struct gp_step;
typedef void gp_handler(struct gp_machine *machine, const struct gp_step *step);

/* An operand: a base and an offset in bytes. */
typedef uint32_t gp_ref;
enum { GP_REF_SHIFT = 24 };
#define GP_REF(base, offset) ((gp_ref)(base) << GP_REF_SHIFT | (gp_ref)(offset))

struct gp_step {
    gp_handler *run; /* NULL: the instruction ends */
    gp_ref to, a, b, c;
    uint32_t sign_a,
        sign_b; /* 0x80000000 negates an operand; of multipliers and moves, sign_a the result */
    uint32_t value, more; /* the handler's */
};

static inline void *gp_at(const struct gp_machine *machine, gp_ref ref)
{
    return machine->base[ref >> GP_REF_SHIFT] + (ref & ((1u << GP_REF_SHIFT) - 1));
}

/* Names, for tables: arithmetic, whose results are numbers, and what only looks at bits.
 * Source: digest utgard.md, sections 4 and 9. */
#define GP_HANDLERS(X)                                                            \
    X(multiply)      /* a * b; sign_a */                                          \
    X(multiply_zero) /* the same, but 0 wins over infinity */                     \
    X(add)                                                                        \
    X(floor)                                                                      \
    X(sign)                                                                       \
    X(ge)                                                                         \
    X(lt)                                                                         \
    X(min)                                                                        \
    X(max)                                                                        \
    X(min_nan) /* NaN if an operand is NaN */                                     \
    X(max_nan)                                                                    \
    X(move)   /* a; sign_a */                                                     \
    X(select) /* b is not 0 ? c : a; sign_a */                                    \
    X(clamp)  /* a, at least b, at most c */                                      \
    X(clamp_nan)                                                                  \
    X(preexp2)                                                                    \
    X(postlog2)                                                                   \
    X(exp2)                                                                       \
    X(log2)                                                                       \
    X(rsqrt)                                                                      \
    X(rcp)                                                                        \
    X(flush) /* a, its denormals flushed */                                       \
    X(copy)  /* the bits of a; sign_a */                                          \
    X(zero)                                                                       \
    X(store_register) /* a, to a register that no instruction on its way reads */ \
    X(store_varying)  /* a, to varying value, component more */

struct gp_handlers {
#define HANDLER_MEMBER(name) gp_handler *name;
    GP_HANDLERS(HANDLER_MEMBER)
#undef HANDLER_MEMBER
    gp_mask (*nonzero)(const gp_lanes *value); /* lanes with a number that is not 0 */
    void (*blend)(gp_lanes *to, const gp_lanes *from, gp_mask lanes);
};

extern const struct gp_handlers gp_handlers_portable;

/* The fastest that this host can run, unless others are preferred: for measurements, before anything runs. */
const struct gp_handlers *gp_handlers_native(void);
void gp_handlers_prefer(const struct gp_handlers *handlers);

#endif
