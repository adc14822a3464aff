/* SPDX-License-Identifier: MIT */
/* qpu_io_quiet.h - accesses of blocks to units outside the QPU that report no finding.
 *
 * In:  struct qpu_run. The QPU's address and its number of instructions are those of the accessing
 *      instruction. run->insn may be another instruction.
 * Out: the effects of the functions of qpu_io.h. A function returns false and does nothing if the
 *      access could report a finding. The QPU stays in its float mode. */
#ifndef VC4_QPU_QPU_IO_QUIET_H
#define VC4_QPU_QPU_IO_QUIET_H

#include <stdbool.h>

#include "vc4/qpu/qpu_run.h"

/* Reads a varying that has been computed before the program started. */
bool qpu_io_take_varying(struct qpu_run *run, lanes *value);

/* qpu_io_write_tile() writes all elements to Z or to a colour register of the tile buffer.
 * qpu_io_load_colour() executes the colour load signal. */
bool qpu_io_write_tile(struct qpu_run *run, unsigned address, const lanes *value);
bool qpu_io_load_colour(struct qpu_run *run, lanes *value);

/* Checks the QPU's units at the end of a program. */
bool qpu_io_end_quietly(struct qpu_run *run);

#endif
