/* SPDX-License-Identifier: MIT */
/* machine.h - the modelled Raspberry Pi of the process: a VideoCore IV, its firmware, and physical
 * memory. */
#ifndef VCIO_MACHINE_H
#define VCIO_MACHINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <tessera/pi.h>
#include <tessera/vc4.h>

/* Creates the machine on first use. Returns false, after a message on standard error, if that
 * fails. All functions below may be called by any thread. Those that need a machine create it. */
bool machine_get(void);

/* True if the machine has been created. */
bool machine_exists(void);

/* Returns the board, which does not need a machine. */
const struct tess_pi_board *machine_board(void);

/* Read and write a peripheral's register; `offset` is in bytes from the peripheral base. A write
 * that starts work leaves it pending. A read does pending work first. */
uint32_t machine_read(uint32_t offset);
void machine_write(uint32_t offset, uint32_t value);

/* Does pending work, then processes a buffer of property tags like tess_pi_property(). Returns 0
 * without an answer if a signal handler calls it while the model runs. */
uint32_t machine_property(void *buffer, uint32_t size);

/* Reports, once, a request that is refused because the model runs in the same thread. */
void machine_refuse(void);

/* Does pending work. Cheap if no work is pending. */
void machine_settle(void);

/* Like machine_settle(), but for a program that waits or reads the clock: does not wait for work
 * that another thread has already begun. */
void machine_let_run(void);

/* Does pending work, then calls carry_out with the lock. carry_out returns 0 or an errno. Returns
 * 0, or -1 with errno set, like ioctl(). */
int machine_request(int (*carry_out)(unsigned long request, uintptr_t argument),
                    unsigned long request, uintptr_t argument);

/* Take and release the lock of the machine, for a sequence of calls to its devices; calls nest.
 * Meanwhile the thread receives no signals. */
void machine_lock(void);
void machine_unlock(void);

/* Called by a handler of faults, which runs with all signals blocked. `blocked` is the program's
 * own mask in this thread, so that signals that end programs are delivered while the model runs.
 * NULL means that the handler is done. Returns the previous value, because handlers nest. */
const sigset_t *machine_set_signals(const sigset_t *blocked);

/* Returns the board's firmware and peripherals, or NULL if there is no machine. Called with the
 * lock. */
struct tess_pi *machine_pi(void);

/* Returns the shim's mapping of size bytes of VideoCore memory, or NULL if they are not all inside
 * it. */
uint8_t *machine_memory(uint32_t physical, uint32_t size);

/* Returns the number (private_fds.h) of the file with physical memory, or -1 if none exists. */
int machine_file(void);

/* Called when the process ends or becomes another program, possibly more than once. Does pending
 * work and reports. */
void machine_end(void);

#endif
