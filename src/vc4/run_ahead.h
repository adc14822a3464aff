/* SPDX-License-Identifier: MIT */
/* run_ahead.h - run-ahead: executes user programs alone, slice by slice, until they access a shared
 * unit, so that several host threads can run programs at the same time.
 *
 * In:  resident user programs, between two turns of the scheduler (qps.h).
 * Out: the programs' new state; their counts, findings and reads, merged in the order of their
 *      numbers.
 *
 * A program that runs ahead computes, branches, reads uniforms and has the TMUs look up memory. It
 * stops before a semaphore, the mutex, the VPM and its DMA, the host interrupt, and its end. No
 * program therefore writes data that another one reads, and the result does not depend on which one
 * runs first. The units that QPUs of a slice share (caches, SFU) are used by one host thread at a
 * time, in a fixed order. The level 2 cache is shared by slices, so each slice uses a private copy
 * until all are done. A run-ahead has the same result for any number of host threads, including
 * one. */
#ifndef VC4_RUN_AHEAD_H
#define VC4_RUN_AHEAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/fault.h"
#include "vc4/instruction_profile.h"
#include "vc4/pctr.h"
#include "vc4/qpu.h"
#include "vc4/race.h"
#include "vc4/shared_units.h"
#include "vc4/deferred.h"

/* State of a slice during a run-ahead. Effects that other slices could see are kept here until the
 * end of the run-ahead. */
struct run_ahead_slice {
    struct bus bus;
    struct fault_log log;
    struct fault_kept kept;
    struct race_reads reads;
    struct pctr_counts counts;
    struct instruction_profile
        insn_profile; /* profile of instructions executed alone, over all run-aheads */
    uint32_t next; /* the slice's QPU whose turn is next */
    bool taken;    /* in use by a host thread */
};

struct run_ahead_program {
    bool runs;               /* takes part in this run-ahead */
    uint64_t left, executed; /* instructions */
    uint64_t lookups;        /* lookups of its TMUs before the run-ahead */
};

struct run_ahead {
    struct run_ahead_slice slice[SLICES];
    struct run_ahead_program program[QPU_COUNT];
    struct deferred_requests deferred[QPU_COUNT]; /* deferred memory requests of each program */
    uint64_t window;      /* instructions that a program may execute alone */
    uint64_t horizon;     /* time at which programs stop */
    uint32_t pause;       /* number of run-aheads to skip, because the latest one was too short */
    bool side_by_side;    /* use several host threads, because the latest run-ahead was long
                             enough */
    pthread_mutex_t lock; /* protects .taken */
};

struct tess_vc4;

void run_ahead_init(struct run_ahead *run_ahead);
void run_ahead_free(struct run_ahead *run_ahead);

/* Resets the window when the first program of a phase starts. */
void run_ahead_reset(struct run_ahead *run_ahead);

/* Runs all programs ahead, or returns false if it is not worthwhile. Afterwards
 * vc4->run_ahead.program[] has the programs that took part and their executed instructions; their
 * states are in vc4->qps. */
bool run_ahead_run(struct tess_vc4 *vc4);

#endif
