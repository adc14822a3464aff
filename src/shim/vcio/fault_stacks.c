/* SPDX-License-Identifier: MIT */
/* fault_stacks.c - see fault_stacks.h.
 *
 * In, out: memory of the process. Fault stacks are reused, so their number is the largest number of
 * threads that were in the handler at the same time. */
#include "fault_stacks.h"

#include <sys/mman.h>

#include "ranges.h"

static struct place *spare; /* protected by the lock of ranges.h */

/* Allocates a guard page, so that a stack overflow faults; the stack, with this structure at its
 * end; and the code page. */
static struct place *make(bool with_code)
{
    size_t size = PLACE_CODE + PLACE_STACK + (with_code ? PLACE_CODE : 0);
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct place *place;

    if (memory == MAP_FAILED)
        return NULL;
    mprotect(memory, PLACE_CODE, PROT_NONE);
    place = (struct place *)(memory + PLACE_CODE + PLACE_STACK - 64);
    place->stack_end = (char *)place;
    place->code = NULL;
    if (!with_code)
        return place;
    place->code = memory + PLACE_CODE + PLACE_STACK;
    if (mprotect(place->code, PLACE_CODE, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        munmap(memory, size);
        return NULL;
    }
    return place;
}

struct place *place_take(bool with_code)
{
    struct place *place;

    ranges_enter();
    place = spare;
    if (place)
        spare = place->next;
    ranges_leave();
    return place ? place : make(with_code);
}

void place_give(struct place *place)
{
    ranges_enter();
    place->next = spare;
    spare = place;
    ranges_leave();
}
