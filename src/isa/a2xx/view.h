/* SPDX-License-Identifier: MIT */
/* view.h - analyses a program of the A2xx for its listing: finds the kinds of slots, the order of
 * the text, and the directives that the text needs.
 *
 * In:      the words of whole slots.
 * Out: the layout of the text, and the default contents of idle halves. The layout is either
 *      clauses after their control flow, without addresses, or all instructions in the order of
 *      memory. */
#ifndef ISA_A2XX_VIEW_H
#define ISA_A2XX_VIEW_H

#include "isa/a2xx/print.h"

/* Settings of a listing. Free with free(). */
struct a2xx_view {
    uint32_t *words; /* A2XX_WORDS words per slot */
    /* number of slots of the program, without trailing slots that no clause contains, and number of
     * slots with control flow */
    size_t slots, cf_slots;
    uint8_t *kinds;      /* A2XX_SLOT_ bits (a2xx_program.h) for each slot */
    uint8_t *serialized; /* for each slot, true if a clause marks the instruction with (S) */
    enum tess_a2xx_variant variant;
    enum a2xx_idle idle;
    bool in_memory;     /* true if the operations needs ".layout memory" */
    bool whole_fetches; /* true to print PREFETCH and MINI on every vertex fetch */
    size_t first_fetch; /* slot of the first vertex fetch in the text */
};

/* Analyses a program of little-endian words. If the clauses are adjacent, slots after the last
 * clause do not belong to the program. Returns NULL if the host is out of memory. */
struct a2xx_view *a2xx_view_make(const uint8_t *bytes, size_t slots,
                                 enum tess_a2xx_variant variant);

/* Returns the context of the instruction in a slot, or of half `half` of a control-flow slot,
 * without labels. */
struct a2xx_surroundings a2xx_view_around(const struct a2xx_view *view, size_t slot, unsigned half);

/* Writes the instruction in a slot without control flow, such as "   (S)ALU:    ...". Lists the
 * halves and their operands if operations is not NULL. */
void a2xx_view_put(struct text *text, const struct a2xx_view *view, size_t slot,
                   struct operation_list *operations);

/* Calls `take` for each slot, in the order of the text. Slots of control flow are passed once
 * for each half. */
void a2xx_view_each(const struct a2xx_view *view,
                    void (*take)(void *user, size_t slot, unsigned half), void *user);

#endif
