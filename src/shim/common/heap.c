/* SPDX-License-Identifier: MIT */
/* heap.c - see heap.h.
 *
 * In:  pages from the system.
 * Out: blocks.
 *
 * Choices: for each power of two there are two capacities, 1 and 1.5 times the power, and each
 *          capacity has a list of free blocks. Small blocks are cut from regions of 1 MiB. A large
 *          block has its own region. When a large block is freed, its region is kept for the next
 *          block of the same capacity, as long as all kept regions fit in MOST_KEPT. Regions are
 *          aligned to 1 MiB, so a block's address gives its region. One bit for each MiB of the
 *          address space marks the regions. This suits the device, which allocates few blocks, and
 *          allocates large blocks of the same sizes again and again.
 * Left out: regions of small blocks are never returned to the system. */
#include "heap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "lock.h"
#include "next.h"

enum {
    REGION = 1 << 20,
    /* size of a region's header: a page, so that blocks of whole pages are aligned to pages */
    HEADER = 4096,
    SMALLEST = 16,
    LARGE = 1 << 16, /* blocks with a larger capacity have separate regions */
    CLASSES = 2 * (sizeof(size_t) * 8 - 4),
    MOST_KEPT = 64 << 20, /* maximum size of all free large regions, in bytes */
};

#define ADDRESS_BITS (sizeof(void *) == 4 ? 32 : 48)

/* Header at the start of a region. */
struct region {
    struct region *next; /* next region in the list of free regions */
    size_t room;         /* capacity of each block in bytes */
    size_t size;         /* size of the region in bytes */
    unsigned number;     /* class of the region's blocks */
};

struct block {
    struct block *next;
};

static struct lock lock;
static struct block *blocks[CLASSES];         /* free small blocks */
static struct region *regions[CLASSES];       /* free large regions */
static char *fresh[CLASSES], *limit[CLASSES]; /* part of the newest region that is not cut yet */
static size_t kept;
static _Atomic uint32_t ours[(UINT64_C(1) << ADDRESS_BITS) / REGION / 32];

/* --- sizes --- */

/* Returns the capacity of a class: class 2n has 16 << n bytes, class 2n + 1 has 1.5 times that. */
static size_t room_of(unsigned number)
{
    const size_t power = (size_t)SMALLEST << number / 2;
    return number % 2 ? power + power / 2 : power;
}

/* Returns the class with the smallest sufficient capacity. Skips odd classes for alignments above
 * 16. Always skips class 1, whose 24 bytes are not a multiple of 16. */
static unsigned class_of(size_t size, size_t alignment)
{
    unsigned number = 0;
    if (size < alignment)
        size = alignment;
    while (room_of(number) < size)
        number += 2;
    const bool half = number > 2 && room_of(number - 1) >= size && alignment <= SMALLEST;
    return half ? number - 1 : number;
}

/* --- regions --- */

static struct region *region_of(const void *block)
{
    return (struct region *)((uintptr_t)block / REGION * REGION);
}

static void mark(const void *region, bool there)
{
    const uint64_t number = (uintptr_t)region / REGION;
    if (there)
        atomic_fetch_or(&ours[number / 32], UINT32_C(1) << number % 32);
    else
        atomic_fetch_and(&ours[number / 32], ~(UINT32_C(1) << number % 32));
}

bool heap_has(const void *block)
{
    const uint64_t number = (uintptr_t)block / REGION;
    return number / 32 < sizeof ours / sizeof *ours &&
           (atomic_load(&ours[number / 32]) >> number % 32 & 1);
}

/* Maps REGION bytes more than needed, and unmaps the excess on both sides. */
static struct region *map_region(size_t size)
{
    char *start = real_mmap(NULL, size + REGION, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((void *)start == MAP_FAILED)
        return NULL;
    const size_t low = -(uintptr_t)start % REGION;
    if (low > 0)
        real_munmap(start, low);
    if (low < REGION)
        real_munmap(start + low + size, REGION - low);
    if ((uintptr_t)(start + low) / REGION / 32 < sizeof ours / sizeof *ours)
        return (struct region *)(start + low);
    real_munmap(start + low, size);
    return NULL;
}

static struct region *make_region(unsigned number, size_t size)
{
    struct region *region = map_region(size);
    if (!region)
        return NULL;
    *region = (struct region){.room = room_of(number), .size = size, .number = number};
    mark(region, true);
    return region;
}

/* --- blocks: all functions are called with the lock --- */

/* Sets *cleared to true if the memory is new from the system and therefore zero. */
static void *take_large(unsigned number, bool *cleared)
{
    struct region *region = regions[number];
    if (region) {
        regions[number] = region->next;
        kept -= region->size;
        *cleared = false;
    } else {
        region = make_region(number, room_of(number) + HEADER);
        *cleared = true;
    }
    return region ? (char *)region + HEADER : NULL;
}

static void give_large(struct region *region)
{
    if (kept + region->size <= MOST_KEPT) {
        region->next = regions[region->number];
        regions[region->number] = region;
        kept += region->size;
        return;
    }
    mark(region, false);
    real_munmap(region, region->size);
}

static void *cut(unsigned number)
{
    if ((size_t)(limit[number] - fresh[number]) < room_of(number)) {
        struct region *region = make_region(number, REGION);
        if (!region)
            return NULL;
        fresh[number] = (char *)region + HEADER;
        limit[number] = (char *)region + REGION;
    }
    char *block = fresh[number];
    fresh[number] += room_of(number);
    return block;
}

static void *take_small(unsigned number)
{
    struct block *block = blocks[number];
    if (!block)
        return cut(number);
    blocks[number] = block->next;
    return block;
}

static void give_small(struct block *block, unsigned number)
{
    block->next = blocks[number];
    blocks[number] = block;
}

/* --- interface --- */

static void *take(unsigned number, bool *cleared)
{
    struct lock_before before;
    lock_take(&lock, &before);
    void *block = room_of(number) > LARGE ? take_large(number, cleared) : take_small(number);
    lock_give(&lock, &before);
    return block;
}

void *heap_take(size_t size, size_t alignment, bool cleared)
{
    bool is_cleared = false;
    void *block = NULL;
    if (size <= PTRDIFF_MAX / 2 && alignment <= HEADER)
        block = take(class_of(size, alignment), &is_cleared);
    if (!block)
        errno = ENOMEM;
    else if (cleared && !is_cleared)
        memset(block, 0, size);
    return block;
}

size_t heap_room(const void *block)
{
    return region_of(block)->room;
}

void heap_give(void *block)
{
    struct lock_before before;
    struct region *region = region_of(block);
    const int error = errno;
    lock_take(&lock, &before);
    if (region->room > LARGE)
        give_large(region);
    else
        give_small(block, region->number);
    lock_give(&lock, &before);
    errno = error;
}

/* Discards the lists of free blocks and the uncut regions, because another thread may have been
 * changing them. Their memory is lost. Blocks in use stay valid. */
void heap_renew(void)
{
    memset(blocks, 0, sizeof blocks);
    memset(regions, 0, sizeof regions);
    memset(fresh, 0, sizeof fresh);
    memset(limit, 0, sizeof limit);
    kept = 0;
}
