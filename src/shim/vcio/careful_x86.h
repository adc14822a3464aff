/* SPDX-License-Identifier: MIT */
/* careful_x86.h - copies a word between the shim and ordinary memory of the program, which may not
 * be accessible. */
#ifndef VCIO_CAREFUL_X86_H
#define VCIO_CAREFUL_X86_H

#include <stdbool.h>
#include <stddef.h>

/* Copies 1, 2, 4 or 8 bytes. Returns false, without a copy, if an address is not accessible, or if
 * SIGSEGV was sent to the thread. The signal is then pending. Called by the handler of faults, with
 * all signals blocked. */
bool careful_copy(void *to, const void *from, size_t size);

#endif
