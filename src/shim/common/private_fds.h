/* SPDX-License-Identifier: MIT */
/* private_fds.h - private descriptors of the shim. Their numbers are above those that the program
 * uses. They are closed on exec, and the program cannot close them. */
#ifndef SHIM_COMMON_PRIVATE_FDS_H
#define SHIM_COMMON_PRIVATE_FDS_H

#include <stdbool.h>
#include <stdint.h>

/* Creates a file of `size` zero bytes in memory, and adds the seals (F_SEAL_*) in `seals`. /proc
 * shows `name`. Returns a descriptor that is not private yet, or -1 with errno set: EFBIG if the
 * file is larger than RLIMIT_FSIZE, because such a file would cause a signal that ends the
 * program. */
int private_fds_memory_file(const char *name, uint64_t size, int seals);

/* Makes a descriptor private. This function or a later private_fds_make_way() may change the
 * descriptor's number. *fd is always the current number. */
void private_fds_keep(int *fd);

/* Like private_fds_keep(), but if no private number is free, returns false and changes nothing. */
bool private_fds_keep_above(int *fd);

/* Closes a private descriptor and sets *fd to -1. */
void private_fds_close(int *fd);

/* Sets *fd to -1. Called when the program has closed the descriptor with a direct system call. The
 * number may now belong to a descriptor of the program. */
void private_fds_forget(int *fd);

/* private_fds_has() returns true if a descriptor is private. private_fds_first() finds the lowest
 * private descriptor from `first` to `last`, or returns false. */
bool private_fds_has(int fd);
bool private_fds_first(unsigned first, unsigned last, unsigned *fd);

/* Called before the program uses the number fd for another descriptor (dup2). If fd is private,
 * moves it to another number. Returns the new number, or -1 if fd is not private or no number is
 * free. Moves nothing in a child created with vfork(). */
int private_fds_make_way(int fd);

#endif
