/* SPDX-License-Identifier: MIT */
/* memory.h - the memory that VideoCore IV and the program share: the CMA area of a Raspberry Pi.
 *
 * In:  sizes; files in memory from other processes (PRIME).
 * Out: pieces, each with a bus address, a host pointer, and pages that a program can map.
 *
 * A piece is a file in memory (memfd). It is mapped into this process and into the modelled device,
 * so that both see the same bytes, as do the program and other processes that have the file. Bus
 * address 0 is never used. All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_MEMORY_H
#define SHIM_DRM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { MEMORY_PAGE = 4096 };

struct memory {
    uint32_t address; /* bus address, a multiple of MEMORY_PAGE */
    uint32_t size;    /* size in bytes, a multiple of MEMORY_PAGE */
    uint8_t *host;
    int fd; /* descriptor of the file; -1 if the piece has no file and cannot be exported */
    uint64_t device, inode; /* device and inode number of the file */
};

/* Allocates at least size zeroed bytes. The structure must not move. Returns 0, EINVAL (size 0), or
 * ENOMEM (TESSERA_MEMORY or the host's memory is used up). */
int memory_take(struct memory *memory, uint64_t size);

/* Maps a piece's file, from this or another process, with its contents. The descriptor remains the
 * caller's. Errors: EINVAL (not a piece's file), ENOMEM. */
int memory_import(struct memory *memory, int fd);

/* Releases a piece. The program's mappings remain. */
void memory_give_back(struct memory *memory);

/* Returns the device and inode numbers that identify the file of a descriptor. Returns false if
 * there is no file. */
bool memory_identify(int fd, uint64_t *device, uint64_t *inode);

/* True if a descriptor refers to the file of a piece, from any process. */
bool memory_is_file(int fd);

/* True if a descriptor refers to the file of a piece, and length bytes from offset reach past its
 * end. */
bool memory_is_past(int fd, uint64_t length, uint64_t offset);

/* Reads and sets a mark that all processes with the file share. memory_get_mark() returns false if
 * there is no file. */
bool memory_get_mark(const struct memory *memory, bool *marked);
void memory_set_mark(const struct memory *memory, bool marked);

/* Creates a descriptor of the file for the program. writable permits mapping for writing. Errors:
 * EMFILE, ENOMEM. */
int memory_export(const struct memory *memory, bool close_on_exec, bool writable, int *fd);

/* Maps length bytes from offset into the program, with start, protection and flags as for mmap().
 * Returns MAP_FAILED with errno set on error. */
void *memory_map(const struct memory *memory, void *start, uint64_t length, int protection,
                 int flags, uint64_t offset);

/* Like memory_map() with offset 0, but never writable: a later mprotect() for writing fails with
 * EACCES. */
void *memory_map_for_reading(const struct memory *memory, void *start, uint64_t length,
                             int protection, int flags);

/* Return the number of bytes in use, and the limit. */
uint64_t memory_used(void);
uint64_t memory_limit(void);

#endif
