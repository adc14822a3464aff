/* SPDX-License-Identifier: MIT */
/* run_ahead.h - run-ahead: executes user programs alone, slice by slice, until they access a shared
 * unit, so that several host threads can run programs at the same time. "Alone" means without
 * effects that programs on other QPUs can see.
 *
 * In:  resident user programs, between two turns of the scheduler (qps.h).
 * Out: the programs' new state; their counts, findings and reads, merged in the order of their
 *      numbers.
 *
 * A program that runs ahead computes, branches, reads uniforms and has the TMUs look up memory. The
 * program stops before a semaphore, the mutex, the VPM and its DMA, the host interrupt, and its
 * end. Therefore no program writes data that another program reads, and the result does not depend
 * on the order in which programs run. The units that QPUs of a slice share (caches, SFU) are used
 * by one host thread at a time, in a fixed order. The level 2 cache is shared by slices, so each
 * slice uses a private copy until all slices are done. A run-ahead has the same result for any
 * number of host threads, including one. */
#ifndef VC4_RUN_RUN_AHEAD_H
#define VC4_RUN_RUN_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mutex.h"
#include "exec/pool.h"
#include "vc4/fault/fault.h"
#include "vc4/memory/bus.h"
#include "vc4/qpu/budget.h"
#include "vc4/qpu/deferred.h"
#include "vc4/qpu/qpu.h"
#include "vc4/run/qps_state.h"
#include "vc4/time/pctr.h"
#include "vc4/time/shared_units.h"
#include "vc4/watch/instruction_profile.h"
#include "vc4/watch/race.h"

/* Size of the host's cache lines. Host threads write different slices and programs, which are
 * therefore in different lines. */
enum { RUN_AHEAD_LINE = 64 };

/* State of a slice during a run-ahead. Effects that other slices could see stay in this structure
 * until the end of the run-ahead. */
struct run_ahead_slice {
    _Alignas(RUN_AHEAD_LINE) struct bus bus;
    struct fault_log log;
    struct fault_kept kept;
    struct race_reads reads;
    struct pctr_counts counts;
    struct instruction_profile
        insn_profile; /* profile of instructions that were executed in any run-ahead */
    uint32_t next;    /* index in the slice of the QPU whose turn is next */
    bool taken;       /* true while a host thread runs the slice's programs */
};

struct run_ahead_program {
    _Alignas(RUN_AHEAD_LINE) bool runs; /* true if the program takes part in this run-ahead */
    uint64_t left, executed; /* instructions that the program may still execute, and instructions
                                that it has executed */
    uint64_t lookups;        /* number of lookups of the program's TMUs before the run-ahead */
};

/* Memory in which a run-ahead works. Nothing in it is used after the run-ahead, except the profiles
 * of instructions. */
struct run_ahead_work {
    struct run_ahead_slice slice[SLICES];
    struct run_ahead_program program[QPU_COUNT];
    struct deferred_requests deferred[QPU_COUNT]; /* deferred memory requests of each program */
    uint64_t horizon;                             /* time at which programs stop running ahead */
    struct mutex lock;                            /* protects .taken of the slices */
};

enum {
    RUN_AHEAD_SHORTEST = 1024, /* smallest and largest window of a program, in instructions */
    RUN_AHEAD_LONGEST = 16384,
    RUN_AHEAD_PAUSE = 8, /* number of run-aheads that are skipped after one that was too short */
};

struct run_ahead {
    uint64_t window;   /* number of instructions that a program may execute in the next run-ahead */
    uint32_t pause;    /* number of run-aheads that will be skipped because the latest one was too
                          short */
    bool side_by_side; /* true to use several host threads, because the latest run-ahead was long
                          enough */
};

/* What run-aheads are connected to. */
struct run_ahead_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;
    const struct budget *budget;
    struct shared_units *slices;
    struct contention *contention;
    struct race *race;                 /* NULL unless the run-time sanitizer is on */
    struct qps *qps;                   /* the user programs */
    struct qpu_ports alone[QPU_COUNT]; /* ports of each QPU while its program runs ahead; .cache
                                          is set for each host thread */
    struct run_ahead_work *work;
    const struct pool_threads *threads;
    struct qpu_cache *instructions; /* decoded instructions, for the caller's thread */
};

struct state_stream;

/* Lists the fields for saved states (base/state.h). Of *work, these are the profiles. */
void run_ahead_fields(struct state_stream *stream, struct run_ahead *run_ahead,
                      struct run_ahead_work *work);

/* Prepares the memory for run-aheads, whose logs have the options of *log, and releases it. */
void run_ahead_work_init(struct run_ahead_work *work, const struct fault_log *log);
void run_ahead_work_free(struct run_ahead_work *work);

/* Sets the length of run-aheads to its minimum. Called at power-up and when the first program of a
 * phase starts. */
void run_ahead_reset(struct run_ahead *run_ahead);

/* Runs all programs ahead. Returns false if running ahead is not worthwhile. Afterwards
 * ports->work->program[] contains the programs that took part, with the number of executed
 * instructions. The states of the programs are in ports->qps. */
bool run_ahead_run(struct run_ahead *run_ahead, const struct run_ahead_ports *ports);

#endif
