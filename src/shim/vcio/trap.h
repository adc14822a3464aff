/* SPDX-License-Identifier: MIT */
/* trap.h - carries out the program's accesses to registers of peripherals, and guards GPU memory.
 *
 * Pages that show registers are mapped PROT_NONE, so each access faults. The handler of SIGSEGV
 * decodes the instruction. It passes each 32-bit access to the machine (access.h), in
 * address order, and then changes the thread's registers as the instruction would. Then it executes
 * the instructions that follow, as long as they are simple, so that a sequence of accesses needs
 * one fault (cpu_follow() in cpu.h).
 *
 * The guard: while work is pending, the mappings of GPU memory are PROT_NONE, too. The first access
 * faults. The handler then does the pending work and opens all mappings.
 *
 * For the program's own faults, the program's handler is called, or the system's default action is
 * taken. signals.c interposes sigaction(), signal() and the like, so that the program cannot
 * replace the shim's handler or block SIGSEGV.
 *
 * Any thread may call these functions. Ranges are extended to whole pages. A new range replaces
 * older ranges at the same pages. */
#ifndef VCIO_TRAP_H
#define VCIO_TRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Installs the handler of SIGSEGV at the first call. Returns false with errno set if the system
 * refuses the handler. trap_watch() and guard_watch() call this function. So a program that maps
 * neither registers nor GPU memory runs without the handler. */
bool trap_install(void);

/* Makes `size` bytes at `start` show registers of the peripherals, from `offset` bytes after the
 * peripheral base. The caller has mapped the bytes PROT_NONE. `protection` is the protection that
 * the program requested. An access that `protection` does not permit is an error of the program. */
bool trap_watch(void *start, size_t size, uint32_t offset, int protection);

/* Guards `size` bytes at `start`, which show GPU memory. The caller has mapped them with
 * `protection`. If the guard is closed, closes these bytes, too. */
bool guard_watch(void *start, size_t size, int protection);

/* Stops trapping and guarding these bytes. Called before the program unmaps them or maps something
 * else at their addresses. */
void trap_forget(void *start, size_t size);

/* Called after mremap() has moved a mapping of old_size bytes at `old` to `new`, where it has
 * new_size bytes. */
void trap_move(void *old, size_t old_size, void *new, size_t new_size);

/* Carries out the program's mprotect() for any addresses. For pages with registers, and for closed
 * GPU memory, only records the protection. Returns the result and errno of mprotect(). */
int trap_protect(void *start, size_t size, int protection);

enum { TRAP_MOST = 1024 };

/* Sets the highest number of instructions that one fault executes by cpu_follow() (cpu.h), which is
 * TRAP_MOST at first. With 0, each access faults, and cpu_step() executes it. Used by tests. */
void trap_limit(unsigned instructions);

#endif
