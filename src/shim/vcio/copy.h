/* SPDX-License-Identifier: MIT */
/* copy.h - copies memory at addresses that the program passes in a call. The memory may not be
 * accessible. */
#ifndef VCIO_COPY_H
#define VCIO_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copy `size` bytes from (copy_in) or to (copy_out) an address in the program. Return false with
 * errno EFAULT if the memory is not accessible. The caller holds the machine's lock. */
bool copy_in(void *to, uintptr_t from, size_t size);
bool copy_out(uintptr_t to, const void *from, size_t size);

#endif
