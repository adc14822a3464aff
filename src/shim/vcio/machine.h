/* SPDX-License-Identifier: MIT */
/* machine.h - the one Raspberry Pi of the process: a VideoCore IV, its firmware, and physical memory. */
#ifndef VCIO_MACHINE_H
#define VCIO_MACHINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <tessera/pi.h>
#include <tessera/vc4.h>

/* Makes the machine on first use. False, with a message on standard error, if there can be none. All functions
 * below may be called by any thread; those that need a machine make it. */
bool machine_get(void);

/* Whether there is a machine yet. */
bool machine_exists(void);

/* The board, which is known without a machine. */
const struct tess_pi_board *machine_board(void);

/* Reads and writes a peripheral's register; offset is in bytes from the peripheral base. A write that starts work
 * only leaves it pending; a read lets pending work be done first. */
uint32_t machine_read(uint32_t offset);
void machine_write(uint32_t offset, uint32_t value);

/* Carries out a buffer of property tags, as tess_pi_property(); pending work first. 0: there is no answer, for a signal's
 * handler asks while the model runs. */
uint32_t machine_property(void *buffer, uint32_t size);

/* A request that is refused, because it comes while the model runs for the same thread: tells of it, once. */
void machine_refuse(void);

/* Does pending work, if there is any. Cheap if there is none. */
void machine_settle(void);

/* The same for a program that waits or looks at the clock: it need not wait for what another thread has already begun. */
void machine_let_run(void);

/* Carries out a driver's request, all pending work done, with the lock: the function returns 0 or an errno. As ioctl(): 0, or
 * -1 and errno. */
int machine_request(int (*carry_out)(unsigned long request, uintptr_t argument),
                    unsigned long request, uintptr_t argument);

/* For a longer dealing with the devices below: nobody else gets in between. Nests. The thread gets no signals meanwhile. */
void machine_lock(void);
void machine_unlock(void);

/* From a handler of faults, which runs with all signals blocked: those that the program itself blocks in this thread, so that
 * what ends programs gets through while the model runs; NULL: the handler is done. Returns what was so before, since handlers
 * nest. */
const sigset_t *machine_set_signals(const sigset_t *blocked);

/* The board's firmware and peripherals; NULL if there can be no machine. Only with the lock. */
struct tess_pi *machine_pi(void);

/* The shim's own view of size bytes of VideoCore memory; NULL if they are not all inside it. */
uint8_t *machine_memory(uint32_t physical, uint32_t size);

/* The number (keep.h) of the file that is physical memory; -1 if there is none. */
int machine_file(void);

/* The process ends, or becomes another program: does pending work, and reports. May come more than once. */
void machine_end(void);

#endif
