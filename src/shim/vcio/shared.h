/* SPDX-License-Identifier: MIT */
/* shared.h - VideoCore memory that the program has through a driver: by a handle of /dev/vcsm, or as a dma-buf. All of
 * it is under the machine's lock, which callers have unless it says otherwise. */
#ifndef VCIO_SHARED_H
#define VCIO_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A block of memory, and how many ways there are to it. */
struct shared_block {
    uint32_t handle;  /* the firmware's */
    uint32_t address; /* bus address, locked for good */
    uint32_t size;    /* bytes, whole pages */
    uint32_t ways;
};

/* One way to a block. */
struct shared {
    struct shared *next;
    struct shared_block *block;
    uint32_t key;    /* its handle at /dev/vcsm; 0: it is a dma-buf */
    uint64_t device; /* a dma-buf's file */
    uint64_t inode;
    uint32_t cached; /* the kind of caching that was asked for */
    uint32_t locks;
    bool reached; /* while unreachable ones are looked for */
};

enum { SHARED_DIRECT = 1 << 2 }; /* a flag of tess_pi_allocate(): not by way of the L2 cache */

/* Allocates so many bytes, which are zero; flags as for tess_pi_allocate(). NULL if there is no room. The way has neither
 * key nor file yet. */
struct shared *shared_new(uint64_t size, uint32_t flags);

/* Another way to the same block; NULL if there is no memory. */
struct shared *shared_again(const struct shared *other);

/* Another size, as a block of its own that has as much of the content as fits. False: there is no room. */
bool shared_resize(struct shared *way, uint32_t size, uint32_t flags);

/* Takes a way back; the block goes with the last one. Mappings stay, and show whatever comes there. */
void shared_drop(struct shared *way);

/* Gives a way a key that none had before. */
void shared_give_key(struct shared *way);

struct shared *shared_by_key(uint32_t key);

/* Makes a way the dma-buf whose file a descriptor is of. */
void shared_give_file(struct shared *way, int fd);

/* The way whose dma-buf a descriptor is of; NULL: it is no dma-buf. Cheap if there are none; takes the lock itself. */
struct shared *shared_by_fd(int fd);

/* Maps size bytes from an offset on, with mmap()'s arguments, results and errno. */
void *shared_map(struct shared *way, void *start, size_t size, int prot, int flags, uint64_t offset);

/* Where the program has mapped a way, the latest first; 0: nowhere. And which way it has mapped at an address. */
uintptr_t shared_address(const struct shared *way);
struct shared *shared_by_address(uintptr_t address);

/* The program has unmapped this, or mapped something else there; or moved it. Take the lock themselves. */
void shared_forget(const void *start, size_t size);
void shared_move(const void *old, size_t old_size, const void *new, size_t new_size);

/* In a child that makes devices of its own: nothing is shared any more. */
void shared_renew(void);

#endif
