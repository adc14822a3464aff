/* SPDX-License-Identifier: MIT */
/* heap.h - memory of a shim and of its devices, apart from the program's. A shim cannot use the C
 * library's malloc(). A signal handler may interrupt malloc() and then use a device that another
 * thread is using. If that other thread waited for the C library's heap, both would wait for ever.
 *
 * heap_names.c gives this heap the names malloc(), calloc(), realloc(), aligned_alloc() and free(),
 * within a shim only. The C library's functions that allocate (strdup(), fopen() ...) would use the
 * program's allocator, which may not be the C library's. blocks.h, entries.h and streams.h replace
 * them. */
#ifndef SHIM_COMMON_HEAP_H
#define SHIM_COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Returns size bytes, aligned to alignment, which is a power of two up to 4096. The bytes are zero
 * if cleared is true. Returns NULL with errno ENOMEM if there is no memory. The caller owns the
 * block. */
void *heap_take(size_t size, size_t alignment, bool cleared);

/* True if the block belongs to this heap. */
bool heap_has(const void *block);

/* Returns the capacity of a block in bytes. */
size_t heap_room(const void *block);

/* Frees a block. */
void heap_give(void *block);

/* Resets the heap in a copy of the process in which a thread was in the middle of a call. */
void heap_renew(void);

#endif
