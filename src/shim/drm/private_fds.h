/* SPDX-License-Identifier: MIT */
/* private_fds.h - private descriptors of the shim. Their numbers are above those that the program
 * uses. They are closed on exec, and the program cannot close them.
 *
 * All functions except private_fds_has() and private_fds_first() are called with the device's lock
 * (gpu.h). */
#ifndef SHIM_DRM_PRIVATE_FDS_H
#define SHIM_DRM_PRIVATE_FDS_H

#include <stdbool.h>
#include <stdint.h>

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

/* private_fds_raise_limit() raises the limit of descriptors as far as the system permits and the
 * shim needs. private_fds_restore_limit() restores the program's limit. A private descriptor is
 * created between these two calls. */
void private_fds_raise_limit(void);
void private_fds_restore_limit(void);

/* True if a file of `size` bytes is within RLIMIT_FSIZE. A larger file would cause a signal that
 * ends the program. */
bool private_fds_may_have_file(uint64_t size);

/* private_fds_has() returns true if a descriptor is private. private_fds_first() finds the lowest
 * private descriptor from `first` to `last`, or returns false. */
bool private_fds_has(int fd);
bool private_fds_first(unsigned first, unsigned last, unsigned *fd);

/* Called before the program uses the number fd for another descriptor (dup2). If fd is private,
 * moves it to another number. Returns the new number, or -1 if fd is not private or no number is
 * free. */
int private_fds_make_way(int fd);

#endif
