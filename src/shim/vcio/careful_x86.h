/* SPDX-License-Identifier: MIT */
/* careful_x86.h - copies words between the shim and ordinary memory of the program, which may be
 * inaccessible. */
#ifndef VCIO_CAREFUL_X86_H
#define VCIO_CAREFUL_X86_H

#include <stdbool.h>
#include <stddef.h>

/* A sequence of copies. Zero at first. */
struct careful {
    bool open; /* true after the first copy; SIGSEGV is then unblocked */
    bool permitted_before, deferred_before;
};

/* Copies 1, 2, 4 or 8 bytes. Returns false, without a copy, if an address is not accessible, or if
 * SIGSEGV was sent to the thread during the sequence. The signal is then pending. Called by the
 * handler of faults, with all signals blocked. */
bool careful_copy(struct careful *careful, void *to, const void *from, size_t size);

/* Ends the sequence, and blocks SIGSEGV. */
void careful_end(struct careful *careful);

#endif
