/* SPDX-License-Identifier: MIT */
/* own.h - the shim's own descriptors: above those that programs get, closed on exec, and not the program's to close.
 *
 * All functions but own_has() and own_first() are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_OWN_H
#define SHIM_DRM_OWN_H

#include <stdbool.h>
#include <stdint.h>

/* Has a descriptor, which may get another number now and later: *fd is always the present one. */
void own_keep(int *fd);

/* The same, unless that would take one of the program's numbers: false, and nothing has changed. */
bool own_keep_above(int *fd);

/* Closes it: -1. */
void own_close(int *fd);

/* As many descriptors as are needed and the system permits, while one is made; then as many as the program may have. */
void own_raise_limit(void);
void own_restore_limit(void);

/* Whether the program may have files of that size: a larger one would end it (RLIMIT_FSIZE). */
bool own_may_have_file(uint64_t size);

/* Whether a descriptor is one of the shim's own; the first one from one number to another. */
bool own_has(int fd);
bool own_first(unsigned first, unsigned last, unsigned *fd);

/* The program is about to take a number for itself (dup2): ours gets another one. The result is that; -1: it is none
 * of ours. */
int own_make_way(int fd);

#endif
