/* SPDX-License-Identifier: MIT */
/* check_found.h - collects the findings of a checker until they are reported.
 *
 * In:  findings in any order, possibly with duplicates.
 * Out: findings grouped by program, each once, in order of address. Findings that are usually
 *      consequences of others come last. */
#ifndef ISA_CHECK_FOUND_H
#define ISA_CHECK_FOUND_H

#include <stdarg.h>

#include "isa/check_input.h"

struct check_found {
    struct check_finding finding;
    uint32_t subject; /* distinguishes findings of one rule at one instruction, for example by
                  * component */
};

/* Must be zero-initialised. Free it with check_found_free(). */
struct check_found_list {
    struct check_found *items;
    size_t count, capacity;
    bool no_memory;
};

/* Adds a finding with a formatted text. The text may begin with a capital, as a title does. */
void check_found_add(struct check_found_list *list, const struct check_found *item,
                     const char *format, va_list arguments);

/* Sorts the findings and reports each once. */
void check_found_hand_over(struct check_found_list *list, struct check_sink sink);

void check_found_free(struct check_found_list *list);

#endif
