/* SPDX-License-Identifier: MIT */
/* view.h - a program of the A2xx as it is listed: what each slot is, and how the text must say it.
 *
 * In:      the words of whole slots.
 * Out:     whether clauses can be written in the order of control flow, with everything computed; else all of it must be
 *          written as it lies in memory. What idle halves hold. */
#ifndef ISA_A2XX_VIEW_H
#define ISA_A2XX_VIEW_H

#include "isa/a2xx/print.h"

/* Free it with free(). */
struct a2xx_view {
    uint32_t *words; /* A2XX_WORDS for each slot */
    size_t slots, cf_slots; /* of the program; what follows may be no part of it */
    uint8_t *kinds;      /* of each slot, A2XX_SLOT_ bits of program.h */
    uint8_t *serialized; /* whether a clause that has the slot says so */
    enum tess_a2xx_variant variant;
    enum a2xx_idle idle;
    bool in_memory;     /* ".layout memory" */
    bool whole_fetches; /* see struct a2xx_surroundings */
    size_t first_fetch; /* slot of the first vertex fetch in the text */
};

/* bytes: little-endian words. What follows the last clause is left out of a program that has one behind the other. NULL: no
 * memory. */
struct a2xx_view *a2xx_view_make(const uint8_t *bytes, size_t slots,
                                 enum tess_a2xx_variant variant);

/* What is around the instruction in a slot, or a control-flow instruction of it; without labels. */
struct a2xx_surroundings a2xx_view_around(const struct a2xx_view *view, size_t slot, unsigned half);

/* "   (S)ALU:    ...": the instruction in a slot that is no control flow. */
void a2xx_view_put(struct text *text, const struct a2xx_view *view, size_t slot);

/* The order of the text: calls take with the slot and, of control flow, the half. */
void a2xx_view_each(const struct a2xx_view *view,
                    void (*take)(void *user, size_t slot, unsigned half), void *user);

#endif
