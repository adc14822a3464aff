/* SPDX-License-Identifier: MIT */
/* ranges.h - table of the process's pages that show registers or GPU memory. */
#ifndef VCIO_RANGES_H
#define VCIO_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum range_kind { RANGE_REGISTERS, RANGE_MEMORY };

/* A range of whole pages. */
struct range {
    uintptr_t start, end; /* end is exclusive */
    enum range_kind kind;
    /* for RANGE_REGISTERS, distance from the peripheral base to `start`, in bytes */
    uint32_t offset;
    int protection; /* PROT_ bits that the program requested */
};

/* Take and release the lock of the table. The other functions below are called with this lock.
 * While a thread holds the lock, it receives no signals, so that a signal handler never waits for a
 * lock of its own thread. */
void ranges_lock(void);
void ranges_unlock(void);

/* Like ranges_lock() and ranges_unlock(), but for the handler of faults, which runs with all
 * signals blocked. */
void ranges_enter(void);
void ranges_leave(void);

/* Adds a range. Removes other ranges at the same pages. Returns false if there is no memory. */
bool ranges_put(const struct range *range);

/* Removes the pages from `start` up to `end` from all ranges. */
void ranges_cut(uintptr_t start, uintptr_t end);

/* Returns the first range that ends after an address, or NULL if none exists. The range may begin
 * after the address. The result is valid until the table changes. */
struct range *ranges_at(uintptr_t address);

/* If a range contains an address, splits the range into two, of which the second begins at the
 * address. Returns false if there is no memory. */
bool ranges_split(uintptr_t address);

#endif
