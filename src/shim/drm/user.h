/* SPDX-License-Identifier: MIT */
/* user.h - access to the program's memory as in a kernel: a bad pointer in a request leads to
 * EFAULT, never to a crash.
 *
 * In:  addresses in requests.
 * Out: copies.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_USER_H
#define SHIM_DRM_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copy size bytes from or to the program's memory. Return false if part of the memory is not
 * accessible (EFAULT). `size` may be 0. */
bool user_read(void *bytes, uint64_t from, size_t size);
bool user_write(uint64_t to, const void *bytes, size_t size);

/* Copies an array of count elements of size bytes each. The caller frees *copy with free(); it
 * is NULL if count or size is 0. Returns 0, EFAULT, or ENOMEM, also if the array has more than
 * `most` bytes. */
int user_array(void **copy, uint64_t from, size_t count, size_t size, size_t most);

/* Called in the child of a fork. */
void user_in_child(void);

#endif
