/* SPDX-License-Identifier: MIT */
/* user.h - the program's memory, as a kernel sees it: pointers in requests may be wrong, and then the answer is EFAULT, never a
 * crash.
 *
 * In:  addresses that requests name. Out: copies.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_USER_H
#define SHIM_DRM_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies size bytes from, or to, the program's memory. False: not all of them are there (EFAULT). size may be 0. */
bool user_read(void *bytes, uint64_t from, size_t size);
bool user_write(uint64_t to, const void *bytes, size_t size);

/* A copy of count elements of size bytes each, to be freed with free(). *copy is NULL if there are none. Result: 0, or EFAULT,
 * or ENOMEM, also for more bytes than most. */
int user_array(void **copy, uint64_t from, size_t count, size_t size, size_t most);

/* In the child of a fork. */
void user_in_child(void);

#endif
