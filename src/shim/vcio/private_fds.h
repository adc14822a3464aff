/* SPDX-License-Identifier: MIT */
/* private_fds.h - files in memory that belong to the shim. They stay open even if the program
 * closes all descriptors. */
#ifndef SHIM_VCIO_PRIVATE_FDS_H
#define SHIM_VCIO_PRIVATE_FDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Creates a file in memory that is kept until the process ends. /proc shows `name`. Returns the
 * file's number, or -1 with errno set. The file's descriptor is above those that the program uses,
 * and is closed on exec. */
int private_fds_memory_file(const char *name, uint64_t size);

/* Fixes the size of a file. Returns false if the system refuses. */
bool private_fds_seal(int number);

/* Replaces a kept file by an empty file of `size` bytes. Called in a child, which must not write to
 * its parent's file. If no file can be created, returns false and changes nothing. */
bool private_fds_renew(int number, const char *name, uint64_t size);

/* Returns the current descriptor of a kept file. */
int private_fds_fd(int number);

/* Opens a kept file again with the flags of open(). The new descriptor has its own file position.
 * Returns the descriptor, or -1 with errno set. */
int private_fds_open(int number, int flags);

/* Returns the number of the kept file to which a descriptor of the program refers, or -1 if it does
 * not refer to a kept file. */
int private_fds_find(int fd);

/* True if a descriptor is the private descriptor of a kept file. */
bool private_fds_has(int fd);

/* Finds the lowest private descriptor from `from` to `to`. Returns false and sets *fd to 0 if none
 * exists. */
bool private_fds_first(unsigned from, unsigned to, unsigned *fd);

/* Called before the program uses a descriptor number for another file (dup2). If the number belongs
 * to a private descriptor, moves that descriptor to another number. */
void private_fds_make_way(int fd);

#endif
