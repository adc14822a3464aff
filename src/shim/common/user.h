/* SPDX-License-Identifier: MIT */
/* user.h - access to the program's memory as in a kernel: for a bad pointer in a request, the
 * shim returns EFAULT and does not crash.
 *
 * In:  addresses in requests.
 * Out: copies.
 *
 * All functions are called with the device's lock (device_lock.h). */
#ifndef SHIM_COMMON_USER_H
#define SHIM_COMMON_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copy `size` bytes from or to the program's memory. Return false if a part of that memory is not
 * accessible (EFAULT). `size` may be 0. */
bool user_read(void *bytes, uint64_t from, size_t size);
bool user_write(uint64_t to, const void *bytes, size_t size);

/* Copies an array of `count` elements of `size` bytes each. Sets *copy to a block that the caller
 * frees with free(), or to NULL if count or size is 0. Returns 0, EFAULT, or ENOMEM. ENOMEM also
 * means that the array has more than `most` bytes. */
int user_array(void **copy, uint64_t from, size_t count, size_t size, size_t most);

/* Called in the child of a fork. The child needs a new scratch file. */
void user_in_child(void);

#endif
