/* SPDX-License-Identifier: MIT */
/* allocator.c - see allocator.h. A bump allocator: blocks follow each other in memory, and a
 * freed block is not reused.
 *
 * Source: malloc(3), posix_memalign(3), malloc_usable_size(3); the GNU C Library's manual,
 *         "Replacing malloc", for the list of functions that a program has to define. */
#include "allocator.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AREA = 64 << 20, LEAST = 16, HEAD = 16 };

volatile bool allocator_open;

static _Alignas(4096) char area[AREA];
static atomic_size_t used;

static _Noreturn void stop(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(3);
    abort();
}

static bool is_linker(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && strstr(info.dli_fname, "/ld-");
}

static void check_caller(const void *caller)
{
    if (!allocator_open && !is_linker(caller))
        stop("allocator: not called by the program\n");
}

static bool is_own(const void *block)
{
    return (const char *)block >= area && (const char *)block < area + AREA;
}

static void check_block(const void *block)
{
    if (!is_own(block))
        stop("allocator: a block of another allocator\n");
}

/* Returns the address of a block's size, which is stored before the block. */
static size_t *size_of(void *block)
{
    return (size_t *)((char *)block - HEAD);
}

static void *take(size_t size, size_t alignment)
{
    if (size > AREA || alignment > AREA)
        return NULL;
    const size_t room = HEAD + alignment + (size + LEAST - 1) / LEAST * LEAST;
    const size_t start = atomic_fetch_add(&used, room);
    if (start > AREA - room)
        stop("allocator: the area is full\n");
    char *block = area + (start + HEAD + alignment - 1) / alignment * alignment;
    *size_of(block) = size;
    return block;
}

void *malloc(size_t size)
{
    check_caller(__builtin_return_address(0));
    return take(size, LEAST);
}

void *calloc(size_t count, size_t size)
{
    size_t all;
    check_caller(__builtin_return_address(0));
    return __builtin_mul_overflow(count, size, &all) ? NULL : take(all, LEAST);
}

void free(void *block)
{
    if (!block)
        return;
    check_caller(__builtin_return_address(0));
    check_block(block);
}

void *realloc(void *block, size_t size)
{
    check_caller(__builtin_return_address(0));
    if (!block)
        return take(size, LEAST);
    check_block(block);
    void *other = take(size, LEAST);
    const size_t before = *size_of(block);
    return other ? memcpy(other, block, before < size ? before : size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    check_caller(__builtin_return_address(0));
    return take(size, alignment < LEAST ? LEAST : alignment);
}

void *memalign(size_t alignment, size_t size)
{
    check_caller(__builtin_return_address(0));
    return take(size, alignment < LEAST ? LEAST : alignment);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    check_caller(__builtin_return_address(0));
    *block = take(size, alignment < LEAST ? LEAST : alignment);
    return *block ? 0 : ENOMEM;
}

size_t malloc_usable_size(void *block)
{
    check_caller(__builtin_return_address(0));
    check_block(block);
    return *size_of(block);
}
