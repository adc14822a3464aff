/* SPDX-License-Identifier: MIT */
/* heap.h - the memory of a shim and of the devices in it, apart from the program's. A handler of
 * signals may have interrupted malloc() of the C library and then call a device, which another
 * thread is using: if that thread waited for the C library's heap, both would wait for ever.
 *
 * heap_names.c gives it the names malloc(), calloc(), realloc(), aligned_alloc() and free() within
 * a shim, and nowhere else. The C library's functions that allocate (strdup(), fopen() ...) would
 * take memory from the allocator that the program has, which may be its own: blocks.h, entries.h
 * and streams.h are in place of them. */
#ifndef SHIM_COMMON_HEAP_H
#define SHIM_COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* size bytes, aligned as malloc()'s, or to alignment, which is a power of two up to 4096; all zero
 * if cleared. NULL: there is no memory; errno is ENOMEM. The caller owns them. */
void *heap_take(size_t size, size_t alignment, bool cleared);

/* Whether a block is of this heap. */
bool heap_has(const void *block);

/* How many bytes the block has room for. */
size_t heap_room(const void *block);

/* Gives a block back. */
void heap_give(void *block);

/* In a copy of the process, one thread of which was in the midst of a call. */
void heap_renew(void);

#endif
