/* SPDX-License-Identifier: MIT */
/* memory.h - the memory that VideoCore IV and the program share: the CMA area of a Raspberry Pi.
 *
 * In:  sizes; files in memory that came from another process (PRIME).
 * Out: pieces, each with a bus address, a host pointer, and pages that a program can map.
 *
 * A piece is a file in memory (memfd) that is mapped into this process and into the modelled device, so that all three see the
 * same bytes, and so do other processes that get the file. Bus address 0 is never given. All functions are called with the
 * device's lock (gpu.h). */
#ifndef SHIM_DRM_MEMORY_H
#define SHIM_DRM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { MEMORY_PAGE = 4096 };

struct memory {
    uint32_t address; /* on the bus, a multiple of MEMORY_PAGE */
    uint32_t size;    /* bytes, a multiple of MEMORY_PAGE */
    uint8_t *host;
    int fd;                 /* the file; -1: none could be had, and the piece cannot be exported */
    uint64_t device, inode; /* of the file, by which it is known again */
};

/* Takes zeroed memory of at least size bytes. The structure must stay where it is. Result: 0, EINVAL (size 0), or ENOMEM
 * (TESSERA_MEMORY is used up, or the host's is). */
int memory_take(struct memory *memory, uint64_t size);

/* Takes a file in memory of another process, or of this one, as it is. The file stays the caller's. Errors: EINVAL (no file in
 * memory), ENOMEM. */
int memory_import(struct memory *memory, int fd);

/* Gives a piece back. Mappings that the program has stay. */
void memory_give_back(struct memory *memory);

/* Fills in by which the file of a descriptor is known again: *device and *inode. False: there is none. */
bool memory_identify(int fd, uint64_t *device, uint64_t *inode);

/* Whether a descriptor is of any piece's file, of whatever process. */
bool memory_is_file(int fd);

/* Whether a descriptor is of a piece's file, which ends before length bytes from offset on do. */
bool memory_is_past(int fd, uint64_t length, uint64_t offset);

/* A mark that all processes see which have the file: *marked. False: there is no file. */
bool memory_get_mark(const struct memory *memory, bool *marked);
void memory_set_mark(const struct memory *memory, bool marked);

/* A descriptor of the program's for the file: *fd. writable: whether it may be mapped for writing. Errors: EMFILE, ENOMEM. */
int memory_export(const struct memory *memory, bool close_on_exec, bool writable, int *fd);

/* What mmap() gives for length bytes from offset into a piece; MAP_FAILED and errno. start and flags as mmap()'s. */
void *memory_map(const struct memory *memory, void *start, uint64_t length, int protection,
                 int flags, uint64_t offset);

/* The same from the beginning, without the right to write, now and later: mprotect() gives EACCES. */
void *memory_map_for_reading(const struct memory *memory, void *start, uint64_t length,
                             int protection, int flags);

/* Bytes in use, and how many there are. */
uint64_t memory_used(void);
uint64_t memory_limit(void);

#endif
