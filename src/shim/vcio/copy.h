/* SPDX-License-Identifier: MIT */
/* copy.h - memory of the program that a call points at, and that may not be there. */
#ifndef VCIO_COPY_H
#define VCIO_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies from or to an address that the program gave. False, and errno: EFAULT if it is not the program's. The caller has
 * the machine's lock. */
bool copy_in(void *to, uintptr_t from, size_t size);
bool copy_out(uintptr_t to, const void *from, size_t size);

#endif
