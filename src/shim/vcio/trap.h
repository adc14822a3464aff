/* SPDX-License-Identifier: MIT */
/* trap.h - executes the program's accesses to registers of peripherals one by one, and guards GPU
 * memory.
 *
 * Pages that show registers are mapped PROT_NONE, so each access faults. The handler of SIGSEGV
 * decodes the instruction. It passes each 32-bit access of the instruction to machine_read() and
 * machine_write(), in address order, and updates the thread's registers like the instruction.
 *
 * The guard: while work is pending, mappings of GPU memory are PROT_NONE, too. The first access
 * does the pending work and opens all mappings.
 *
 * The program's own faults lead to its own handler, or to the system's default action. signals.c
 * interposes sigaction(), signal() and the like, so that the program keeps its handler and cannot
 * replace or block the shim's.
 *
 * Any thread may call these functions. Ranges are extended to whole pages. A new range replaces
 * older ranges at its pages. */
#ifndef VCIO_TRAP_H
#define VCIO_TRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Installs the handler of SIGSEGV, once. Returns false with errno set if the system refuses.
 * trap_watch() and guard_watch() do the same, so the handler is missing in programs that never map
 * registers. */
bool trap_install(void);

/* Makes size bytes at start show the peripherals, beginning at offset from the peripheral base. The
 * caller has mapped them PROT_NONE. `protection` is the one that the program requested: an access
 * that it forbids is an error of the program. */
bool trap_watch(void *start, size_t size, uint32_t offset, int protection);

/* Guards size bytes at start, which show GPU memory. The caller has mapped them with protection. If
 * the guard is closed, closes them, too. */
bool guard_watch(void *start, size_t size, int protection);

/* Stops watching and guarding these bytes. Called before the program unmaps them, or maps something
 * else over them. */
void trap_forget(void *start, size_t size);

/* Called after mremap() has moved old_size bytes at old to new_size bytes at new. */
void trap_move(void *old, size_t old_size, void *new, size_t new_size);

/* Carries out the program's mprotect() for any range. Watched and guarded pages only record the
 * protection. Returns the result and errno of mprotect(). */
int trap_protect(void *start, size_t size, int protection);

/* Close the guard when work is pending, and open it when all work is done. The machine calls them
 * with its lock. */
void guard_close(void);
void guard_open(void);

#endif
