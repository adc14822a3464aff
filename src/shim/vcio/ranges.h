/* SPDX-License-Identifier: MIT */
/* ranges.h - which of the process's pages show registers or GPU memory. */
#ifndef VCIO_RANGES_H
#define VCIO_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum range_kind { RANGE_REGISTERS, RANGE_MEMORY };

/* Whole pages. */
struct range {
    uintptr_t start, end; /* end is the first address behind it */
    enum range_kind kind;
    uint32_t offset; /* RANGE_REGISTERS: of start, from the peripheral base */
    int protection;  /* PROT_ bits: what the program asked for */
};

/* Everything below is called with the lock held. A thread gets no signals meanwhile, so that a handler of its own
 * never waits for it. */
void ranges_lock(void);
void ranges_unlock(void);

/* The same for the handler of faults, where all signals are blocked. */
void ranges_enter(void);
void ranges_leave(void);

/* Adds a range in place of whatever was known of its pages. False: no memory. */
bool ranges_put(const struct range *range);

/* Forgets the pages from start up to end. */
void ranges_cut(uintptr_t start, uintptr_t end);

/* The first range that ends behind an address, which it may contain; NULL: none. Valid until the table changes. */
struct range *ranges_at(uintptr_t address);

/* Cuts ranges in two at an address, so that none contains both it and the byte before. False: no memory. */
bool ranges_split(uintptr_t address);

#endif
