/* SPDX-License-Identifier: MIT */
/* private_fds.h - private descriptors of the shim. Their numbers are above the program's, they
 * are closed on exec, and the program cannot close them.
 *
 * All functions except private_fds_has() and private_fds_first() are called with the device's
 * lock (gpu.h). */
#ifndef SHIM_DRM_PRIVATE_FDS_H
#define SHIM_DRM_PRIVATE_FDS_H

#include <stdbool.h>
#include <stdint.h>

/* Makes a descriptor private. Its number may change now and later; *fd is always the current
 * number. */
void private_fds_keep(int *fd);

/* Like private_fds_keep(), but returns false and changes nothing if no number above the
 * program's is free. */
bool private_fds_keep_above(int *fd);

/* Closes a private descriptor and sets *fd to -1. */
void private_fds_close(int *fd);

/* Sets *fd to -1. The program has closed the descriptor by a system call of its own, so the number
 * may be a descriptor of the program now. */
void private_fds_forget(int *fd);

/* private_fds_raise_limit() raises the limit of descriptors as far as needed and permitted,
 * while a private one is created. private_fds_restore_limit() restores the program's limit. */
void private_fds_raise_limit(void);
void private_fds_restore_limit(void);

/* True if a file of `size` bytes is within RLIMIT_FSIZE. Exceeding that limit would end the
 * program. */
bool private_fds_may_have_file(uint64_t size);

/* private_fds_has() returns true if a descriptor is private. private_fds_first() finds the
 * lowest private descriptor from first to last. */
bool private_fds_has(int fd);
bool private_fds_first(unsigned first, unsigned last, unsigned *fd);

/* Called before the program takes number fd for itself (dup2). Moves a private descriptor away.
 * Returns its new number, or -1 if fd is not private or no number is free. */
int private_fds_make_way(int fd);

#endif
