/* SPDX-License-Identifier: MIT */
/* ranges.c - see ranges.h.
 *
 * In:  mmap(), mprotect(), munmap() and mremap(), reported by interpose.c and mappings.c.
 * Out: lookups by the handler of faults.
 *
 * Choices: the table is a sorted array, because programs map only a few ranges. */
#include "ranges.h"

#include <stdlib.h>
#include <string.h>

#include "shim/common/lock.h"

static struct lock lock;
/* state that the holder of the lock had before it took the lock */
static struct lock_before before_lock;
static struct range *table;
static size_t count, capacity;

void ranges_lock(void)
{
    struct lock_before before;

    lock_take(&lock, &before);
    before_lock = before;
}

void ranges_unlock(void)
{
    const struct lock_before before = before_lock;

    lock_give(&lock, &before);
}

void ranges_enter(void)
{
    lock_take_blocked(&lock);
}

void ranges_leave(void)
{
    lock_give_blocked(&lock);
}

/* Returns the index of the first range that ends after the address. */
static size_t index_of(uintptr_t address)
{
    size_t i = 0;

    while (i < count && table[i].end <= address)
        i++;
    return i;
}

/* Makes room for `more` ranges. Returns false if there is no memory. */
static bool reserve(size_t more)
{
    size_t wanted = count + more < 64 ? 64 : 2 * (count + more);
    struct range *grown;

    if (count + more <= capacity)
        return true;
    grown = realloc(table, wanted * sizeof *grown);
    if (!grown)
        return false;
    table = grown;
    capacity = wanted;
    return true;
}

static void insert(size_t at, const struct range *range)
{
    memmove(table + at + 1, table + at, (count - at) * sizeof *table);
    table[at] = *range;
    count++;
}

bool ranges_split(uintptr_t address)
{
    size_t at = index_of(address);
    struct range upper;

    if (at == count || table[at].start >= address)
        return true;
    if (!reserve(1))
        return false;
    upper = table[at];
    upper.offset += (uint32_t)(address - upper.start);
    upper.start = address;
    table[at].end = address;
    insert(at + 1, &upper);
    return true;
}

void ranges_cut(uintptr_t start, uintptr_t end)
{
    size_t first = index_of(start), behind;

    if (start >= end || first == count || table[first].start >= end)
        return;
    /* If there is no memory to split a range, removes all ranges after `start`. The shim then no
     * longer handles faults at their pages. */
    if (!ranges_split(start) || !ranges_split(end))
        end = UINTPTR_MAX;
    first = index_of(start);
    behind = first;
    while (behind < count && table[behind].start < end)
        behind++;
    memmove(table + first, table + behind, (count - behind) * sizeof *table);
    count -= behind - first;
}

bool ranges_put(const struct range *range)
{
    if (!reserve(3))
        return false;
    ranges_cut(range->start, range->end);
    insert(index_of(range->start), range);
    return true;
}

struct range *ranges_at(uintptr_t address)
{
    size_t at = index_of(address);

    return at < count ? &table[at] : NULL;
}
