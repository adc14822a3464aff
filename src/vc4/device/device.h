/* SPDX-License-Identifier: MIT */
/* device.h - a complete VideoCore IV: the state of all blocks. */
#ifndef VC4_DEVICE_DEVICE_H
#define VC4_DEVICE_DEVICE_H

#include <fenv.h>

#include <tessera/vc4.h>

#include "vc4/bin/ptb.h"
#include "vc4/device/record.h"
#include "vc4/device/v3d.h"
#include "vc4/draw/job.h"
#include "vc4/fault/fault.h"
#include "vc4/lists/cle.h"
#include "vc4/memory/bus.h"
#include "vc4/qpu/profile.h"
#include "vc4/qpu/qpu.h"
#include "vc4/qpu/qpu_trace.h"
#include "vc4/run/qps.h"
#include "vc4/run/run_ahead.h"
#include "vc4/time/contention.h"
#include "vc4/time/pctr.h"
#include "vc4/time/shared_units.h"
#include "vc4/vertex/vertex_pipe.h"
#include "vc4/vpm/vpm.h"
#include "vc4/watch/draws.h"
#include "vc4/watch/list_memory.h"

struct tess_vc4 {
    struct tess_vc4_options options;
    struct fault_log log;
    struct fault_kept held; /* findings of the current run */
    struct bus bus;
    const struct vc4_recorder *recorder; /* NULL if the device is not recorded */
    struct v3d v3d;
    struct cle_thread cle[CLE_THREADS];
    struct list_memory list_memory;
    struct vertex_pipe vertices; /* runs coordinate shaders for the binner */
    struct ptb ptb;
    struct jobs jobs; /* jobs that draw tiles */
    struct vpm vpm;
    struct qpu_shared shared;
    struct qps qps;
    struct run_ahead run_ahead; /* runs independent parts of user programs concurrently */

    struct qpu_cache instructions; /* decoded instructions, for QPUs run by the caller's thread */

    struct pctr_counts counts;
    struct shared_units slices;   /* shared units, as used by the binner and user programs */
    struct contention contention; /* memory contention of the binner and user programs */

    fenv_t caller; /* the caller's floating-point environment while the model runs */
    bool interrupt_level;
    bool in_run;
    bool out_of_budget;    /* true if a budget is used up and the current run must end */
    bool out_of_clocks;    /* true if the clock limit ended the run; out_of_budget is also true */
    bool stuck;            /* true if a user program hangs; other programs may continue */
    uint64_t records_left; /* number of records and primitives that the current run may execute */
    uint64_t instructions_left; /* number of instructions that the current run may execute */
    uint64_t clock_limit;       /* clocks per run for user programs, or 0 for no limit */
    uint64_t clock_end;         /* time limit of the current run, on the clock of shared_units.h */
    uint64_t tiles_before;      /* number of tiles stored before the current run */
    struct tess_vc4_stats stats;
    struct profile profile;
    struct draws draws;
    struct qpu_trace *trace; /* NULL if instructions are not traced */
};

/* Recomputes the interrupt line and calls the host if it has changed. */
void vc4_update_interrupt(struct tess_vc4 *vc4);

#endif
