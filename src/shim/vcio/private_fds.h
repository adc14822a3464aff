/* SPDX-License-Identifier: MIT */
/* private_fds.h - private files of the shim in memory. They stay open even if the program closes
 * all descriptors. */
#ifndef SHIM_VCIO_PRIVATE_FDS_H
#define SHIM_VCIO_PRIVATE_FDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Creates a file in memory that is kept until the process ends. `name` is shown in /proc.
 * Returns its number, or -1 with errno set. Its descriptor is above the program's, and closed on
 * exec. */
int private_fds_memory_file(const char *name, uint64_t size);

/* Fixes the size of a file. Returns false if the system refuses. */
bool private_fds_seal(int number);

/* Replaces a kept file by an empty file of `size` bytes, because a child must not write to its
 * parent's file. Returns false and changes nothing if no file can be created. */
bool private_fds_renew(int number, const char *name, uint64_t size);

/* Returns the current descriptor of a kept file. */
int private_fds_fd(int number);

/* Opens a kept file again, with its own position and the flags of open(). Returns a descriptor, or
 * -1 with errno set. */
int private_fds_open(int number, int flags);

/* Returns the number of the kept file to which a descriptor of the program refers, or -1 if none
 * exists. */
int private_fds_find(int fd);

/* True if a descriptor is a private one of a kept file. */
bool private_fds_has(int fd);

/* Finds the lowest private descriptor between two numbers. Returns false and sets *fd to 0 if none
 * exists. */
bool private_fds_first(unsigned from, unsigned to, unsigned *fd);

/* Called before the program takes a number for itself (dup2). Moves a private descriptor with that
 * number away. */
void private_fds_make_way(int fd);

#endif
