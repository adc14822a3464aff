/* SPDX-License-Identifier: MIT */
/* heap_names.c - malloc() and related functions for the shim's code only (heap.h). The names are
 * hidden, so that the program and the C library keep their own functions.
 *
 * In:  calls from the shim's code.
 * Out: blocks of the heap (heap.h). The shim has no blocks from other allocators, because streams.h
 *      and blocks.h replace the functions of the C library that allocate memory. If the shim frees
 *      a block of another allocator, the process ends with an error. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap.h"

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

static void check(const void *block)
{
    static const char text[] =
        "tessera: error: the shim received a memory block of another allocator\n";
    if (heap_has(block))
        return;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(EXIT_FAILURE);
    abort();
}

HIDDEN void free(void *block)
{
    if (!block)
        return;
    check(block);
    heap_give(block);
}

HIDDEN void *realloc(void *block, size_t size)
{
    if (block)
        check(block);
    if (block && size <= heap_room(block))
        return block;
    void *grown = malloc(size);
    if (grown && block) {
        memcpy(grown, block, heap_room(block));
        free(block);
    }
    return grown;
}
