/* SPDX-License-Identifier: MIT */
/* ranges.h - table of the process's pages that show registers or GPU memory. */
#ifndef VCIO_RANGES_H
#define VCIO_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum range_kind { RANGE_REGISTERS, RANGE_MEMORY };

/* A range of whole pages. */
struct range {
    uintptr_t start, end; /* end is exclusive */
    enum range_kind kind;
    uint32_t offset; /* RANGE_REGISTERS: offset of start from the peripheral base */
    int protection;  /* PROT_ bits that the program requested */
};

/* Take and release the lock of the table. The functions below are called with it. Meanwhile the
 * thread receives no signals, so that its own signal handler never waits for the lock. */
void ranges_lock(void);
void ranges_unlock(void);

/* Like ranges_lock() and ranges_unlock(), but for the handler of faults, where all signals are
 * blocked already. */
void ranges_enter(void);
void ranges_leave(void);

/* Adds a range and replaces all others at its pages. Returns false if there is no memory. */
bool ranges_put(const struct range *range);

/* Removes the pages from start up to end. */
void ranges_cut(uintptr_t start, uintptr_t end);

/* Returns the first range that ends after an address, which may contain the address, or NULL if
 * none exists. The result is valid until the table changes. */
struct range *ranges_at(uintptr_t address);

/* Splits the range that contains an address, so that the address begins a range. Returns false if
 * there is no memory. */
bool ranges_split(uintptr_t address);

#endif
