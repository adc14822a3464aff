/* SPDX-License-Identifier: MIT */
/* heap_names.c - malloc() and its like for the code of a shim alone (heap.h): the names are hidden, so that the program and the C
 * library keep their own.
 *
 * In:  calls of the shim's code.
 * Out: blocks of heap.h's. What the C library made for the shim goes back to it. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "next.h"

#define HIDDEN __attribute__((visibility("hidden")))

enum { ALIGNMENT = 16 };

HIDDEN void *malloc(size_t size)
{
    return heap_take(size, ALIGNMENT, false);
}

HIDDEN void *calloc(size_t count, size_t size)
{
    size_t all;
    if (!__builtin_mul_overflow(count, size, &all))
        return heap_take(all, ALIGNMENT, true);
    errno = ENOMEM;
    return NULL;
}

HIDDEN void *aligned_alloc(size_t alignment, size_t size)
{
    return heap_take(size, alignment < ALIGNMENT ? ALIGNMENT : alignment, false);
}

HIDDEN void free(void *block)
{
    if (heap_has(block))
        heap_give(block);
    else if (block)
        NEXT(free)(block);
}

HIDDEN void *realloc(void *block, size_t size)
{
    if (block && !heap_has(block))
        return NEXT(realloc)(block, size);
    if (block && size <= heap_room(block))
        return block;
    void *grown = malloc(size);
    if (grown && block) {
        memcpy(grown, block, heap_room(block));
        free(block);
    }
    return grown;
}
