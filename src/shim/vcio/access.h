/* SPDX-License-Identifier: MIT */
/* access.h - memory accesses of an instruction: to registers of peripherals, and to ordinary memory
 * next to them. */
#ifndef VCIO_ACCESS_H
#define VCIO_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if any of size bytes at an address belongs to registers. */
bool access_watched(uintptr_t address, size_t size);

/* True if the program may read the bytes, or write them if write is true. Otherwise *bad is the
 * first address that it may not access. Has no effect on registers. */
bool access_allowed(uintptr_t address, size_t size, bool write, uintptr_t *bad);

/* Read and write bytes. Registers are accessed by 32-bit accesses in address order. Called after
 * access_allowed(), which cannot detect ordinary memory that is read-only. For such memory,
 * access_write() returns false and sets *bad to its address. */
void access_read(uintptr_t address, void *bytes, size_t size);
bool access_write(uintptr_t address, const void *bytes, size_t size, uintptr_t *bad);

#endif
