/* SPDX-License-Identifier: MIT */
/* private_fds.h - private descriptors of the shim. Their numbers are above the program's, they are closed
 * on exec, and the program cannot close them.
 *
 * All functions except own_has() and own_first() are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_OWN_H
#define SHIM_DRM_OWN_H

#include <stdbool.h>
#include <stdint.h>

/* Makes a descriptor private. Its number may change now and later; *fd is always the current
 * number. */
void own_keep(int *fd);

/* Like own_keep(), but returns false and changes nothing if no number above the program's is
 * free. */
bool own_keep_above(int *fd);

/* Closes a private descriptor and sets *fd to -1. */
void own_close(int *fd);

/* own_raise_limit() raises the limit of descriptors as far as needed and permitted, while a private
 * one is created. own_restore_limit() restores the program's limit. */
void own_raise_limit(void);
void own_restore_limit(void);

/* True if a file of that size is within RLIMIT_FSIZE. Exceeding that limit would end the
 * program. */
bool own_may_have_file(uint64_t size);

/* own_has() returns true if a descriptor is private. own_first() finds the lowest private
 * descriptor from first to last. */
bool own_has(int fd);
bool own_first(unsigned first, unsigned last, unsigned *fd);

/* Called before the program takes number fd for itself (dup2). Moves a private descriptor away.
 * Returns its new number, or -1 if fd is not private or no number is free. */
int own_make_way(int fd);

#endif
