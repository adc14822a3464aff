/* SPDX-License-Identifier: MIT */
/* qpu_cycles.h - how long a QPU program takes: clocks of its instructions, and of its stalls by cause.
 *
 * In:  what the program does with units that may keep it waiting.
 * Out: counts. Nothing that a program computes depends on them.
 *
 * Each program has a clock of its own, which starts at 0; timing.h has the durations. Deterministic:
 * counts depend on the program, its data, and what it finds in struct slices. */
#ifndef VC4_QPU_CYCLES_H
#define VC4_QPU_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/slices.h"
#include "vc4/tmu.h"

/* As enum tess_vc4_stall. */
enum qpu_stall {
    QPU_STALL_TMU,
    QPU_STALL_SFU, /* while it serves another QPU of the slice */
    QPU_STALL_VPM, /* its FIFOs; waiting for DMA */
    QPU_STALL_UNIFORM,
    QPU_STALL_VARYING,
    QPU_STALL_SCOREBOARD, /* another shader is on the same pixels */
    QPU_STALL_INSTRUCTION,
    QPU_STALL_WAIT, /* semaphores and the mutex */
    QPU_STALLS,
};

/* When results of one TMU are there, oldest first. */
struct qpu_tmu_times {
    uint64_t ready[TMU_FIFO];
    uint64_t free_at; /* the unit can take the next request */
    uint32_t first, count;
};

/* What is kept for a program; instructions are counted in struct qpu. Plain data. */
struct qpu_times {
    uint64_t start;   /* on the clock of slices.h */
    uint64_t stalled; /* sum of the stalls */
    uint64_t stall[QPU_STALLS];
    uint64_t told, told_stall[QPU_STALLS]; /* the same, as far as an instruction has been blamed for it (qpu_blame()) */
    uint64_t instruction_misses;
    uint64_t uniforms, uniform_misses;
    uint64_t tmu_requests, texels, texel_misses;
    uint64_t vpm_accesses, dma_loaded, dma_stored;
    uint32_t line, uniform_line; /* address / 64 of the latest access, plus 1 */
    uint32_t varyings;
    struct qpu_tmu_times tmu[TMU_UNITS];
};

/* When user programs released a semaphore and acquired it; the latest 16 times of each are kept. */
struct qpu_times_given {
    uint64_t released[16], acquired[16];
    uint32_t releases, acquires;
};

/* The same, to be read. */
struct qpu_cycles {
    uint64_t clock; /* from start to now */
    uint64_t issue; /* of these, spent on instructions */
    uint64_t stall[QPU_STALLS];
    uint64_t instruction_hits, instruction_misses, uniform_hits, uniform_misses;
};

struct qpu;
struct qpu_run;

struct qpu_cycles qpu_cycles(const struct qpu *qpu);

/* A program that has been prepared starts, at time `from` at the earliest; it has ended, or will never end. */
void qpu_time_start(struct qpu *qpu, struct slices *slices, uint64_t from);
void qpu_time_end(const struct qpu *qpu, struct slices *slices);

/* Stalls until then, if that is still to come: on the program's clock, and on the shared one. */
void qpu_stall_until(struct qpu *qpu, uint64_t clock, enum qpu_stall cause);
void qpu_stall_until_time(struct qpu *qpu, uint64_t time, enum qpu_stall cause);

/* Accesses: to a line of instructions that is not the latest one, and of uniforms; a request that was
 * made of the TMU, and a result that is taken; a varying; a request of the SFU; the scoreboard. ahead: by the
 * instruction that is so many behind those that are counted. */
void qpu_fetch_line(struct qpu_run *run, uint32_t address);
void qpu_uniform_line(struct qpu_run *run, uint32_t address, unsigned ahead);
void qpu_tmu_request(struct qpu_run *run, unsigned unit, uint32_t words);
void qpu_tmu_result(struct qpu_run *run, unsigned unit);
void qpu_thread_switch(struct qpu_run *run);
void qpu_varying(struct qpu *qpu);
void qpu_sfu_request(struct qpu_run *run, unsigned ahead);
void qpu_scoreboard_wait(struct qpu_run *run);
void qpu_scoreboard_unlock(struct qpu_run *run);

/* A semaphore changes, the mutex is taken or given back: not before another program has made that possible. */
void qpu_change_semaphore(struct qpu_run *run, unsigned number, bool acquire);
void qpu_take_mutex(struct qpu_run *run);
void qpu_give_mutex(struct qpu_run *run);

/* Adds what the program has done since *before to the events that performance counters count. */
struct pctr_counts;
void qpu_count_events(const struct qpu *qpu, const struct qpu_cycles *before,
                      struct pctr_counts *counts);

#endif
