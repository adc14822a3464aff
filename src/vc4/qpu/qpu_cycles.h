/* SPDX-License-Identifier: MIT */
/* qpu_cycles.h - duration of a QPU program: number of clocks of the program's instructions, and of
 * its stalls by cause.
 *
 * In:  accesses of the program to units that may stall the program.
 * Out: counts. No result of a program depends on the counts.
 *
 * Each program has its own clock, which starts at 0. The durations are in timing.h. Counts are
 * deterministic. They depend only on the program, its data and the state in struct shared_units. */
#ifndef VC4_QPU_QPU_CYCLES_H
#define VC4_QPU_QPU_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu_times.h"
#include "vc4/time/shared_units.h"

/* Summary of struct qpu_times, for callers. */
struct qpu_cycles {
    uint64_t clock; /* clocks from the program's start until now */
    uint64_t issue; /* clocks spent on instructions */
    uint64_t stall[QPU_STALLS];
    uint64_t instruction_hits, instruction_misses, uniform_hits, uniform_misses;
};

struct qpu;
struct qpu_run;

struct qpu_cycles qpu_cycles(const struct qpu *qpu);

/* qpu_time_start() starts the clock of a prepared program, no earlier than time `from`.
 * qpu_time_end() records the time at which the program has ended or hangs. */
void qpu_time_start(struct qpu *qpu, struct shared_units *slices, uint64_t from);
void qpu_time_end(const struct qpu *qpu, struct shared_units *slices);

/* Stall the program until a given time, unless that time has already passed. For qpu_stall_until()
 * the time is on the program's own clock, for qpu_stall_until_time() on the clock of
 * shared_units.h. */
void qpu_stall_until(struct qpu *qpu, uint64_t clock, enum qpu_stall cause);
void qpu_stall_until_time(struct qpu *qpu, uint64_t time, enum qpu_stall cause);

/* Account for the time of accesses, in the order of the functions: fetch of an instruction line
 * that differs from the latest one, a line of uniforms, a request to the TMU, the load of a TMU
 * result, a thread switch, a varying, a request to the SFU, the wait for the scoreboard and its
 * unlocking. The accessing instruction is `ahead` instructions after the last counted
 * instruction. */
void qpu_fetch_line(struct qpu_run *run, uint32_t address);
void qpu_uniform_line(struct qpu_run *run, uint32_t address, unsigned ahead);
void qpu_tmu_request(struct qpu_run *run, unsigned unit, uint32_t words);
void qpu_tmu_result(struct qpu_run *run, unsigned unit);
void qpu_thread_switch(struct qpu_run *run);
void qpu_varying(struct qpu *qpu);
void qpu_sfu_request(struct qpu_run *run, unsigned ahead);
void qpu_scoreboard_wait(struct qpu_run *run);
void qpu_scoreboard_unlock(struct qpu_run *run);

/* Account for a change of a semaphore, and for an acquisition and release of the mutex. The program
 * stalls until the time at which another program has made the change possible. */
void qpu_change_semaphore(struct qpu_run *run, unsigned number, bool acquire);
void qpu_take_mutex(struct qpu_run *run);
void qpu_give_mutex(struct qpu_run *run);

/* Adds the program's events since *before to the events of the performance counters. */
struct pctr_counts;
void qpu_count_events(const struct qpu *qpu, const struct qpu_cycles *before,
                      struct pctr_counts *counts);

#endif
