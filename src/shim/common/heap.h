/* SPDX-License-Identifier: MIT */
/* heap.h - memory for a shim and its devices, separate from the program's memory. A shim cannot use
 * the C library's malloc(): a signal handler may interrupt malloc() and then wait for a device that
 * another thread is using. If that thread waited for the C library's heap, both threads would wait
 * for ever.
 *
 * heap_names.c gives this heap the names malloc(), calloc(), realloc(), aligned_alloc() and free(),
 * within a shim only. The C library's functions that allocate memory (strdup(), fopen() ...) would
 * use the program's allocator, which may not be the C library's. blocks.h, entries.h and streams.h
 * have replacements for these functions. */
#ifndef SHIM_COMMON_HEAP_H
#define SHIM_COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Returns a block of `size` bytes, which the caller owns. `alignment` is a power of two up to 4096.
 * The bytes are zero if `cleared` is true. Returns NULL with errno ENOMEM if there is no memory. */
void *heap_take(size_t size, size_t alignment, bool cleared);

/* True if the block belongs to this heap. */
bool heap_has(const void *block);

/* Returns the capacity of a block in bytes. */
size_t heap_room(const void *block);

/* Frees a block. */
void heap_give(void *block);

/* Resets the heap. Called in a copy of the process if another thread was using the heap when the
 * copy was created. */
void heap_renew(void);

#endif
