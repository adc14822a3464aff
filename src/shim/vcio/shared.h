/* SPDX-License-Identifier: MIT */
/* shared.h - VideoCore memory that a driver has given to the program: with a handle of /dev/vcsm,
 * or as a dma-buf. Callers hold the machine's lock, unless a comment below says that the function
 * takes the lock. */
#ifndef VCIO_SHARED_H
#define VCIO_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A block of memory. */
struct shared_block {
    uint32_t handle;  /* the firmware's handle */
    uint32_t address; /* bus address; it does not change, because the block stays locked */
    uint32_t size;    /* size in bytes, whole pages */
    uint32_t ways;
};

/* A reference to a block. */
struct shared {
    struct shared *next;
    struct shared_block *block;
    uint32_t key;    /* handle of /dev/vcsm, or 0 for a dma-buf */
    uint64_t device; /* device number of a dma-buf's file; the inode number follows */
    uint64_t inode;
    uint32_t cached; /* requested caching mode */
    uint32_t locks;
    /* used in the search for unreachable references: true if the reference was reached */
    bool reached;
};

enum { SHARED_DIRECT = 1 << 2 }; /* flag of tess_pi_allocate(): bypasses the L2 cache */

/* Allocates at least `size` zeroed bytes, with flags for tess_pi_allocate(). Returns a reference
 * that has no key and no file yet, or NULL if there is no memory. */
struct shared *shared_new(uint64_t size, uint32_t flags);

/* Returns another reference to the same block, or NULL if there is no memory. */
struct shared *shared_again(const struct shared *other);

/* Moves a reference to a new block of another size. Copies the part of the content that fits.
 * Returns false if there is no memory. */
bool shared_resize(struct shared *way, uint32_t size, uint32_t flags);

/* Drops a reference. Dropping the last reference releases the block. Mappings of the block remain.
 * They show the new content when the memory is used again. */
void shared_drop(struct shared *way);

/* Assigns a key. A key is never used twice. */
void shared_give_key(struct shared *way);

struct shared *shared_by_key(uint32_t key);

/* Turns a reference into a dma-buf whose file is that of descriptor fd. */
void shared_give_file(struct shared *way, int fd);

/* Returns the reference to a block that belongs to a dma-buf's descriptor, or NULL for other
 * descriptors. Takes little time if there are no dma-bufs. Takes the lock. */
struct shared *shared_by_fd(int fd);

/* Maps `size` bytes of the block from `offset`, with the arguments, results and errors of
 * mmap(). */
void *shared_map(struct shared *way, void *start, size_t size, int prot, int flags,
                 uint64_t offset);

/* shared_address() returns the address of the latest mapping of a reference, or 0.
 * shared_by_address() returns the reference that is mapped at an address, or NULL. */
uintptr_t shared_address(const struct shared *way);
struct shared *shared_by_address(uintptr_t address);

/* shared_forget() is called when the program has unmapped memory or has mapped other memory over
 * it. shared_move() is called when the program has moved a mapping. Both take the lock. */
void shared_forget(const void *start, size_t size);
void shared_move(const void *old, size_t old_size, const void *new, size_t new_size);

#endif
