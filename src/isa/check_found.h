/* SPDX-License-Identifier: MIT */
/* check_found.h - the findings of a checker until they are handed over.
 *
 * In:  findings in any order, some of them more than once.
 * Out: findings of one program after the other, each once, in the order of their addresses; those that mostly follow from
 *      others come last. */
#ifndef ISA_CHECK_FOUND_H
#define ISA_CHECK_FOUND_H

#include <stdarg.h>

#include "isa/check_input.h"

struct check_found {
    struct check_finding finding;
    uint32_t
        subject; /* tells findings of one rule at one instruction apart: a component, for example */
};

/* Zero-initialise it, free it with check_found_free(). */
struct check_found_list {
    struct check_found *items;
    size_t count, capacity;
    bool no_memory;
};

/* Adds a finding with the text, which may begin like a title. */
void check_found_add(struct check_found_list *list, const struct check_found *item,
                     const char *format, va_list arguments);

/* Sorts them, and hands each over once. */
void check_found_hand_over(struct check_found_list *list, struct check_sink sink);

void check_found_free(struct check_found_list *list);

#endif
