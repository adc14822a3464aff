/* SPDX-License-Identifier: MIT */
/* access.h - bytes that an instruction accesses: registers of peripherals, and ordinary memory beside them. */
#ifndef VCIO_ACCESS_H
#define VCIO_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether any of size bytes at an address shows registers. */
bool access_watched(uintptr_t address, size_t size);

/* Whether the program may read them, or write them with write. *bad is the first address that it may not. Accesses nothing. */
bool access_allowed(uintptr_t address, size_t size, bool write, uintptr_t *bad);

/* Reads and writes bytes: registers by 32-bit accesses in address order. Only after access_allowed(). Memory that can be read
 * but not written is found by writing: false, and *bad, then. */
void access_read(uintptr_t address, void *bytes, size_t size);
bool access_write(uintptr_t address, const void *bytes, size_t size, uintptr_t *bad);

#endif
