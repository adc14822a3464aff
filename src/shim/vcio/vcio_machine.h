/* SPDX-License-Identifier: MIT */
/* vcio_machine.h - the modelled Raspberry Pi of the process: a VideoCore IV, its firmware, and
 * physical memory. */
#ifndef SHIM_VCIO_VCIO_MACHINE_H
#define SHIM_VCIO_VCIO_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <tessera/pi.h>
#include <tessera/vc4.h>

/* Creates the machine at the first call. On failure, prints a message on standard error and returns
 * false. Any thread may call the functions below. A function that needs a machine creates it. */
bool machine_get(void);

/* True if the machine has been created. */
bool machine_exists(void);

/* Returns the board. Does not create the machine. */
const struct tess_pi_board *machine_board(void);

/* Read and write a register of a peripheral. `offset` is in bytes from the peripheral base. If a
 * write starts work, the work stays pending. A read does pending work first. */
uint32_t machine_read(uint32_t offset);
void machine_write(uint32_t offset, uint32_t value);

/* Does pending work, then processes a buffer of property tags like tess_pi_property(). If a signal
 * handler calls it while the model runs, returns 0 and does not answer. */
uint32_t machine_property(void *buffer, uint32_t size);

/* Reports that a request is refused because the model runs in the same thread. Only the first call
 * prints a message. */
void machine_refuse(void);

/* Does pending work. Takes little time if no work is pending. */
void machine_settle(void);

/* Like machine_settle(), but for functions in which the program waits or reads the clock. Does not
 * wait for work that another thread is already doing. */
void machine_let_run(void);

/* Does pending work, then calls carry_out() with the machine's lock. carry_out() returns 0 or an
 * errno. Returns 0, or -1 with errno set, like ioctl(). */
int machine_request(int (*carry_out)(unsigned long request, uintptr_t argument),
                    unsigned long request, uintptr_t argument);

/* Returns the board's firmware and peripherals, or NULL if there is no machine. Called with the
 * lock. */
struct tess_pi *machine_pi(void);

/* Returns the shim's mapping of `size` bytes of VideoCore memory from a physical address, or NULL
 * if a part of the bytes is outside that memory. */
uint8_t *machine_memory(uint32_t physical, uint32_t size);

/* Returns the file that contains physical memory, as a number of kept_files.h (not a descriptor),
 * or -1 if there is no machine. */
int machine_file(void);

/* Registers a function that is called in a child that creates its own devices, because the copied
 * ones were in the middle of a run. */
void machine_at_renew(void (*call)(void));

/* Called when the process ends or executes another program, possibly more than once. Does pending
 * work and writes the reports. */
void machine_end(void);

#endif
