/* SPDX-License-Identifier: MIT */
/* shared.h - VideoCore memory that the program has through a driver: by a handle of /dev/vcsm, or
 * as a dma-buf. Callers hold the machine's lock, except where a function takes it itself. */
#ifndef VCIO_SHARED_H
#define VCIO_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A block of memory. */
struct shared_block {
    uint32_t handle;  /* the firmware's handle */
    uint32_t address; /* bus address; does not change, since the block is locked permanently */
    uint32_t size;    /* size in bytes, whole pages */
    uint32_t ways;
};

/* A reference to a block. */
struct shared {
    struct shared *next;
    struct shared_block *block;
    uint32_t key;    /* handle at /dev/vcsm, or 0 for a dma-buf */
    uint64_t device; /* device and inode number of a dma-buf's file */
    uint64_t inode;
    uint32_t cached; /* requested kind of caching */
    uint32_t locks;
    bool reached; /* mark during the search for unreachable references: true if reached */
};

enum { SHARED_DIRECT = 1 << 2 }; /* flag of tess_pi_allocate(): bypasses the L2 cache */

/* Allocates at least size zeroed bytes, with flags for tess_pi_allocate(). Returns a reference
 * without key and file, or NULL if there is no room. */
struct shared *shared_new(uint64_t size, uint32_t flags);

/* Returns another reference to the same block, or NULL if there is no memory. */
struct shared *shared_again(const struct shared *other);

/* Moves a reference to a new block of another size, and copies as much content as fits. Returns
 * false if there is no room. */
bool shared_resize(struct shared *way, uint32_t size, uint32_t flags);

/* Drops a reference. The block is released with the last one. Mappings remain, and show whatever
 * the memory is used for later. */
void shared_drop(struct shared *way);

/* Assigns a key that has never been used. */
void shared_give_key(struct shared *way);

struct shared *shared_by_key(uint32_t key);

/* Makes a reference a dma-buf, with the file of a descriptor. */
void shared_give_file(struct shared *way, int fd);

/* Returns the reference for a dma-buf's descriptor, or NULL for other descriptors. Cheap if there
 * are no dma-bufs. Takes the lock itself. */
struct shared *shared_by_fd(int fd);

/* Maps size bytes from an offset on, with the arguments, results and errno of mmap(). */
void *shared_map(struct shared *way, void *start, size_t size, int prot, int flags,
                 uint64_t offset);

/* shared_address() returns the address of the latest mapping of a reference, or 0.
 * shared_by_address() returns the reference that is mapped at an address, or NULL. */
uintptr_t shared_address(const struct shared *way);
struct shared *shared_by_address(uintptr_t address);

/* Called when the program has unmapped memory or mapped other memory there, or has moved a mapping.
 * Take the lock themselves. */
void shared_forget(const void *start, size_t size);
void shared_move(const void *old, size_t old_size, const void *new, size_t new_size);

/* Called in a child that creates its own devices. Forgets all references and mappings. */
void shared_renew(void);

#endif
