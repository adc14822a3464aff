/* SPDX-License-Identifier: MIT */
/* fault_stacks.c - see fault_stacks.h.
 *
 * In, out: memory of the process. A fault stack is never unmapped, but used again. So the number of
 * fault stacks is the largest number of threads that were in the handler at the same time. */
#include "fault_stacks.h"

#include <sys/mman.h>

#include "ranges.h"

static struct fault_stack *spare; /* protected by the lock of ranges.h */

/* Maps a fault stack: a guard page, so that a stack overflow faults; the stack, which has this
 * structure at its upper end; the code page and the notes. */
static struct fault_stack *make(bool with_code)
{
    size_t size = FAULT_STACK_CODE + FAULT_STACK_STACK +
                  (with_code ? FAULT_STACK_CODE + FAULT_STACK_NOTES : 0);
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct fault_stack *place;

    if (memory == MAP_FAILED)
        return NULL;
    mprotect(memory, FAULT_STACK_CODE, PROT_NONE);
    place = (struct fault_stack *)(memory + FAULT_STACK_CODE + FAULT_STACK_STACK - 64);
    place->stack_end = (char *)place;
    place->code = place->notes = NULL;
    if (!with_code)
        return place;
    place->code = memory + FAULT_STACK_CODE + FAULT_STACK_STACK;
    place->notes = (char *)place->code + FAULT_STACK_CODE;
    if (mprotect(place->code, FAULT_STACK_CODE, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        munmap(memory, size);
        return NULL;
    }
    return place;
}

struct fault_stack *fault_stack_take(bool with_code)
{
    struct fault_stack *place;

    ranges_enter();
    place = spare;
    if (place)
        spare = place->next;
    ranges_leave();
    return place ? place : make(with_code);
}

void fault_stack_give(struct fault_stack *place)
{
    ranges_enter();
    place->next = spare;
    spare = place;
    ranges_leave();
}
