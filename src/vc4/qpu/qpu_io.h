/* SPDX-License-Identifier: MIT */
/* qpu_io.h - accesses of a running program to units outside the QPU: register addresses above 31,
 * the signals, semaphores and the mutex.
 *
 * In:  struct qpu_run, with the current instruction.
 * Out: calls of the connected units; findings. */
#ifndef VC4_QPU_QPU_IO_H
#define VC4_QPU_QPU_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu_run.h"

/* Reads register address 32..63 of a file. If both ports read the same address, the caller calls
 * the function once. used is true if an ALU uses the value. Breaks the QPU where the hardware would
 * hang. */
void qpu_io_read(struct qpu_run *run, bool file_a, unsigned address, bool used, lanes *value);

/* Writes the elements in mask to register address 32..63. Must not be called with address 39, which
 * has no effect. */
void qpu_io_write(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                  lane_mask mask);

/* qpu_io_take_vector() reads a vector from the VPM. qpu_io_give_vector() writes all elements of a
 * vector to the VPM. Both return false and do nothing if the access could report a finding. */
bool qpu_io_take_vector(struct qpu_run *run, lanes *value);
bool qpu_io_give_vector(struct qpu_run *run, const lanes *value);

/* qpu_io_set_up() writes a setup word for reads or writes of the VPM. qpu_io_wait_for_dma() waits
 * for DMA loads or stores. Both return false and do nothing if the access could report a
 * finding. */
bool qpu_io_set_up(struct qpu_run *run, bool reads, uint32_t word);
bool qpu_io_wait_for_dma(struct qpu_run *run, bool loads);

/* Parts of qpu_io_read() and qpu_io_write() for callers that have already selected the register. In
 * the order of the functions: reads the next uniform, reads the element numbers (file A) or the QPU
 * number (file B), writes r5, writes an SFU register, and writes the uniform address. */
uint32_t qpu_io_uniform(struct qpu_run *run, bool used);
void qpu_io_number(const struct qpu *qpu, bool file_a, lanes *value);
void qpu_io_write_r5(struct qpu *qpu, bool file_a, const lanes *value, lane_mask mask);
void qpu_io_write_sfu(struct qpu *qpu, unsigned function, const lanes *value, lane_mask mask);
void qpu_io_set_uniform(struct qpu *qpu, bool file_a, uint32_t value, uint32_t pc);

/* Acquires or releases a semaphore. The caller has checked that the semaphore's value allows the
 * change. */
void qpu_semaphore(struct qpu_run *run, unsigned number, bool acquire);

/* Reads the value that a load signal (7..12) loads into r4. */
void qpu_io_load(struct qpu_run *run, enum qpu_sig sig, lanes *value);

/* Executes a scoreboard signal: 4 (wait) or 5 (unlock). */
void qpu_io_scoreboard(struct qpu_run *run, enum qpu_sig sig);

/* Checks the QPU's units at the end of a program and reports findings. */
void qpu_io_end(struct qpu_run *run);

/* --- accesses of blocks (qpu_io_quiet.c) ---
 *
 * In:  struct qpu_run. The QPU's address and its number of instructions are those of the accessing
 *      instruction. run->insn may be another instruction.
 * Out: the effects of the functions above. A function returns false and does nothing if the access
 *      could report a finding. The QPU stays in its float mode. */

/* Reads a varying that has been computed before the program started. */
bool qpu_io_take_varying(struct qpu_run *run, lanes *value);

/* qpu_io_write_tile() writes all elements to Z or to a colour register of the tile buffer.
 * qpu_io_load_colour() executes the colour load signal. */
bool qpu_io_write_tile(struct qpu_run *run, unsigned address, const lanes *value);
bool qpu_io_load_colour(struct qpu_run *run, lanes *value);

/* Checks the QPU's units at the end of a program. */
bool qpu_io_end_quietly(struct qpu_run *run);

#endif
