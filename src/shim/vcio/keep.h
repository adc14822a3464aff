/* SPDX-License-Identifier: MIT */
/* keep.h - the shim's own files in memory, kept open whatever the program closes. */
#ifndef VCIO_KEEP_H
#define VCIO_KEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Makes a file in memory that is kept for the life of the process; name is what /proc shows. Returns its number, or -1 and
 * errno. The descriptor is above those that programs get, and closed on exec. */
int keep_memory_file(const char *name, uint64_t size);

/* From now on the file keeps its size, whatever the program asks for. */
bool keep_seal(int number);

/* Puts another, empty file of that size in the place of a kept one: a child must not write to what its parent writes to. False
 * if there can be none; then all is as before. */
bool keep_renew(int number, const char *name, uint64_t size);

/* The descriptor of a kept file, now. */
int keep_fd(int number);

/* Opens a kept file anew, with its own position and open()'s flags; or -1 and errno. */
int keep_open(int number, int flags);

/* Which of the kept files a descriptor of the program is of: its number; -1 if of none. */
int keep_find(int fd);

/* Whether a descriptor is one of the kept ones, which programs do not have. */
bool keep_has(int fd);

/* The first descriptor from one number to another that is one of the kept ones; false, and 0: none is. */
bool keep_first(unsigned from, unsigned to, unsigned *fd);

/* The program is about to take a descriptor's number for itself (dup2): moves ours out of its way. */
void keep_make_way(int fd);

#endif
