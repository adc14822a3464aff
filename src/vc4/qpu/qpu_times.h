/* SPDX-License-Identifier: MIT */
/* qpu_times.h - times and stalls of a QPU program (qpu_cycles.h). */
#ifndef VC4_QPU_QPU_TIMES_H
#define VC4_QPU_QPU_TIMES_H

#include <stdint.h>

#include "vc4/tmu/tmu.h"

/* Causes of stalls, numbered as in enum tess_vc4_stall. */
enum qpu_stall {
    QPU_STALL_TMU,
    QPU_STALL_SFU, /* waits for the SFU, which serves another QPU of the slice */
    QPU_STALL_VPM, /* waits for a full FIFO or for DMA */
    QPU_STALL_UNIFORM,
    QPU_STALL_VARYING,
    QPU_STALL_SCOREBOARD, /* waits for pixels that another shader works on */
    QPU_STALL_INSTRUCTION,
    QPU_STALL_WAIT, /* waits for a semaphore or the mutex */
    QPU_STALLS,
};

/* Arrival times of the results of one TMU, oldest first. */
struct qpu_tmu_times {
    uint64_t ready[TMU_FIFO];
    uint64_t free_at; /* earliest time for the next request */
    uint32_t first, count;
};

/* Times and counts of a program. struct qpu has the number of executed instructions. */
struct qpu_times {
    uint64_t start;   /* start time on the clock of shared_units.h */
    uint64_t stalled; /* sum of all stalls, in clocks */
    uint64_t stall[QPU_STALLS];
    /* Stalls that have been attributed to an instruction (qpu_blame()), in total (.attributed) and
     * by cause. */
    uint64_t attributed, reported_stall[QPU_STALLS];
    uint64_t instruction_misses;
    uint64_t uniforms, uniform_misses;
    uint64_t tmu_requests, texels, texel_misses;
    uint64_t vpm_accesses, dma_loaded, dma_stored;
    uint32_t line, uniform_line; /* number of the 64-byte line that was accessed last, plus 1; 0 if
                                    none */
    uint32_t varyings;
    struct qpu_tmu_times tmu[TMU_UNITS];
};

/* Times of the latest 16 releases and the latest 16 acquires of a semaphore by user programs. */
struct qpu_times_given {
    uint64_t released[16], acquired[16];
    uint32_t releases, acquires;
};

#endif
