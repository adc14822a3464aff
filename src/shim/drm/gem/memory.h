/* SPDX-License-Identifier: MIT */
/* memory.h - the memory that the GPU and the program share.
 *
 * In:  sizes; memfds from other processes (PRIME).
 * Out: pieces of memory. Each has a bus address, a host pointer, and pages that a program can map.
 *
 * A piece is a file in memory (memfd). This process, the modelled device, the program and other
 * processes with the file map it, so that all of them see the same bytes. No piece has bus address
 * 0. All functions are called with the device's lock (device_lock.h). */
#ifndef SHIM_DRM_GEM_MEMORY_H
#define SHIM_DRM_GEM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { MEMORY_PAGE = 4096 };

struct memory {
    uint32_t address; /* bus address, a multiple of MEMORY_PAGE */
    uint32_t size;    /* size in bytes, a multiple of MEMORY_PAGE */
    uint8_t *host;
    /* descriptor of the file, or -1 if the piece has no file, so that it cannot be exported */
    int fd;
    uint64_t device, inode; /* device and inode number of the file */
};

/* Allocates at least `size` zeroed bytes. *memory must stay at its address. Returns 0, EINVAL (size
 * 0), or ENOMEM (the limit TESSERA_MEMORY or the host's memory is reached). */
int memory_take(struct memory *memory, uint64_t size);

/* Maps the file of an existing piece, from this or another process. The contents stay. The caller
 * still owns fd. Errors: EINVAL (not a piece's file), ENOMEM. */
int memory_import(struct memory *memory, int fd);

/* Releases a piece. Mappings that the program has made stay valid. */
void memory_give_back(struct memory *memory);

/* Sets the device and inode numbers that identify the file of a descriptor. Returns false if the
 * descriptor has no file. */
bool memory_identify(int fd, uint64_t *device, uint64_t *inode);

/* True if a descriptor refers to the file of a piece, from this or another process. */
bool memory_is_file(int fd);

/* True if a descriptor refers to the file of a piece, and the `length` bytes from `offset` extend
 * beyond the end of the file. */
bool memory_is_past(int fd, uint64_t length, uint64_t offset);

/* Reads and sets a mark on the piece's file, which all processes with the file share.
 * memory_get_mark() returns false if the piece has no file. */
bool memory_get_mark(const struct memory *memory, bool *marked);
void memory_set_mark(const struct memory *memory, bool marked);

/* Creates a descriptor of the file for the program. If `writable` is true, the program can map the
 * file for writing. Errors: EMFILE, ENOMEM. */
int memory_export(const struct memory *memory, bool close_on_exec, bool writable, int *fd);

/* Maps `length` bytes of the piece from `offset` into the program, with start, protection and flags
 * as in mmap(). Returns MAP_FAILED with errno set on error. */
void *memory_map(const struct memory *memory, void *start, uint64_t length, int protection,
                 int flags, uint64_t offset);

/* Like memory_map() with offset 0, but the mapping is never writable. If the program calls
 * mprotect() for writing later, that call fails with EACCES. */
void *memory_map_for_reading(const struct memory *memory, void *start, uint64_t length,
                             int protection, int flags);

/* memory_used() returns the size of all pieces in bytes. memory_limit() returns the largest
 * permitted size of all pieces. */
uint64_t memory_used(void);
uint64_t memory_limit(void);

#endif
