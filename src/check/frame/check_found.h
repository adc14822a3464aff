/* SPDX-License-Identifier: MIT */
/* check_found.h - collects the findings of a checker until they are reported.
 *
 * In:  findings in any order, possibly with duplicates.
 * Out: findings without duplicates, grouped by program. In each program, findings that are usually
 *      consequences of other findings come last; apart from that, findings are in order of
 *      address. */
#ifndef CHECK_FRAME_CHECK_FOUND_H
#define CHECK_FRAME_CHECK_FOUND_H

#include <stdarg.h>

#include "check/frame/check_input.h"

struct check_found {
    struct check_finding finding;
    uint32_t subject; /* number that distinguishes several findings of a rule at the same
                       * instruction, for example the number of the component */
};

/* Must be zero-initialised. Free it with check_found_free(). */
struct check_found_list {
    struct check_found *items;
    size_t count, capacity;
    bool no_memory;
};

/* Adds a finding with a formatted text, as check_finding_text() does. */
void check_found_add(struct check_found_list *list, const struct check_found *item,
                     const char *format, va_list arguments);

/* Sorts the findings and reports each once. */
void check_found_hand_over(struct check_found_list *list, struct check_sink sink);

void check_found_free(struct check_found_list *list);

#endif
