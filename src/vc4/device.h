/* SPDX-License-Identifier: MIT */
/* device.h - a whole VideoCore IV: every block's state behind one handle. */
#ifndef VC4_DEVICE_H
#define VC4_DEVICE_H

#include <fenv.h>

#include <tessera/vc4.h>

#include "vc4/bus.h"
#include "vc4/cle.h"
#include "vc4/draws.h"
#include "vc4/fault.h"
#include "vc4/job.h"
#include "vc4/list_memory.h"
#include "vc4/pctr.h"
#include "vc4/profile.h"
#include "vc4/ptb.h"
#include "vc4/qps.h"
#include "vc4/qpu.h"
#include "vc4/qpu_trace.h"
#include "vc4/record.h"
#include "vc4/rounds.h"
#include "vc4/slices.h"
#include "vc4/traffic.h"
#include "vc4/v3d.h"
#include "vc4/vertex_pipe.h"
#include "vc4/vpm.h"

struct tess_vc4 {
    struct tess_vc4_options options;
    struct fault_log log;
    struct fault_kept held; /* findings of the run */
    struct bus bus;
    const struct vc4_recorder *recorder; /* NULL: nobody listens */
    struct v3d v3d;
    struct cle_thread cle[CLE_THREADS];
    struct list_memory list_memory;
    struct vertex_pipe vertices; /* for the binner: coordinate shaders */
    struct ptb ptb;
    struct jobs jobs; /* tiles being drawn */
    struct vpm vpm;
    struct qpu_shared shared;
    struct qps qps;
    struct rounds rounds; /* of user programs that run side by side */

    struct qpu_cache instructions; /* decoded ones, for all QPUs of this host thread */

    struct pctr_counts counts;
    struct slices slices; /* for the binner and user programs */
    struct traffic traffic; /* likewise */

    fenv_t caller; /* the caller's floating-point environment, while the model runs */
    bool interrupt_level;
    bool in_run;
    bool out_of_budget; /* why the current run must end */
    bool out_of_clocks; /* likewise: the clock limit, which is no budget's end */
    bool stuck;         /* a user program hangs; others go on */
    uint64_t records_left;     /* budgets of the current run */
    uint64_t instructions_left;
    uint64_t clock_limit; /* of each run, for user programs; 0: none */
    uint64_t clock_end;   /* of the current run, on the clock of slices.h */
    uint64_t tiles_before; /* stored when the current run began */
    struct tess_vc4_stats stats;
    struct profile profile;
    struct draws draws;
    struct qpu_trace *trace; /* NULL: nobody looks on */
};

/* Recomputes the interrupt line and calls the host when it changes. */
void vc4_update_interrupt(struct tess_vc4 *vc4);

#endif
