/* SPDX-License-Identifier: MIT */
/* trap.h - accesses of the program to registers of peripherals, carried out one by one; and the guard of GPU memory.
 *
 * Pages that show registers are mapped PROT_NONE. Each access to them faults; the handler of SIGSEGV decodes the
 * instruction, gives each 32-bit access that it makes, and no other, to machine_read() and machine_write() in address
 * order, and lets it have its effect on the thread's registers.
 *
 * The guard: while work is pending, mappings of GPU memory are PROT_NONE as well. The first touch settles the work
 * and opens them all.
 *
 * Faults that are the program's own go to the handler that it installed, or to what the system does by default.
 * signals.c interposes sigaction(), signal() and the like, so that the program neither loses its handler nor replaces
 * or blocks ours.
 *
 * Any thread may call these functions. Ranges are extended to whole pages. A new range replaces what was known of its
 * pages. */
#ifndef VCIO_TRAP_H
#define VCIO_TRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Installs the handler of SIGSEGV, once. False, and errno, if the system refuses. trap_watch() and guard_watch() do it too,
 * so that a program that never maps registers keeps its signals to itself. */
bool trap_install(void);

/* size bytes at start, which the caller has mapped PROT_NONE, show the peripherals from offset on (bytes from the peripheral
 * base). protection is what the program asked mmap() for: an access against it is the program's own fault. */
bool trap_watch(void *start, size_t size, uint32_t offset, int protection);

/* size bytes at start, which the caller has mapped with protection, show GPU memory. If the guard is closed, it is closed for
 * them, too. */
bool guard_watch(void *start, size_t size, int protection);

/* The program unmapped these bytes, or mapped something else over them: nothing of them is watched or guarded any more.
 * To be called before the pages change hands. */
void trap_forget(void *start, size_t size);

/* mremap() has moved old_size bytes at old to new, new_size bytes there. */
void trap_move(void *old, size_t old_size, void *new, size_t new_size);

/* The program's mprotect(), for any range: watched and guarded pages keep in mind what they shall be, the others become it.
 * The result and errno are those of mprotect(). */
int trap_protect(void *start, size_t size, int protection);

/* Closes the guard: work is pending. Opens it: all is done. The machine calls them, with its lock held. */
void guard_close(void);
void guard_open(void);

#endif
