/* SPDX-License-Identifier: MIT */
/* device.h - a complete VideoCore IV: the state of all blocks. */
#ifndef VC4_DEVICE_DEVICE_H
#define VC4_DEVICE_DEVICE_H

#include <fenv.h>

#include <tessera/vc4.h>

#include "vc4/bin/ptb.h"
#include "vc4/device/recorder.h"
#include "vc4/device/v3d.h"
#include "vc4/draw/job.h"
#include "vc4/fault/fault.h"
#include "vc4/lists/cle.h"
#include "vc4/memory/bus.h"
#include "vc4/qpu/budget.h"
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

/* What each block is connected to. */
struct device_ports {
    struct v3d_ports v3d;
    struct cle_ports cle;
    struct ptb_ports ptb;
    struct jobs_ports jobs;
    struct qps_ports qps;
    struct vertex_pipe_ports vertices;
    struct vpm_ports vpm;                                       /* VPM of user programs */
    struct tmu_ports user_tmu[QPU_COUNT], alone_tmu[QPU_COUNT]; /* TMUs of user programs: in their
                                                                   turns, and running ahead */
};

/* A round of the run loop has one part for each unit that can have work. */
enum run_part { RUN_BINNING, RUN_RENDERING, RUN_PROGRAMS, RUN_PARTS };

/* The run in progress, which may have paused (tess_vc4_set_step_limit()). */
struct run_progress {
    bool paused;           /* true if the next call of tess_vc4_run() continues the run */
    bool inside;           /* true if the run has paused inside of .part */
    enum run_part part;    /* the part of the round with which the run continues */
    bool moved;            /* true if anything has made progress in this round */
    uint64_t errors;       /* number of errors before the run */
    uint64_t tiles_before; /* number of tiles stored before the run */
};

struct tess_vc4 {
    struct tess_vc4_options options;
    struct fault_log log;
    struct fault_kept held; /* findings of the current run */
    struct bus bus;
    struct bus_observer observer; /* calls observe() */
    tess_vc4_observe *observe;    /* NULL if no caller observes memory */
    void *observe_user;
    const struct vc4_recorder *recorder; /* NULL if the device is not recorded */
    struct v3d v3d;
    struct cle cle;
    struct list_memory list_memory;
    struct vertex_pipe vertices; /* runs coordinate shaders for the binner */
    struct ptb ptb;
    struct jobs jobs; /* jobs that draw tiles */
    struct job_window window;
    struct vpm vpm;
    struct qpu_shared shared;
    struct race *race; /* NULL unless the run-time sanitizer is on */
    struct qps qps;
    struct run_ahead run_ahead; /* runs independent parts of user programs concurrently */
    struct run_ahead_work ahead_work;
    struct pool_threads threads; /* host threads */

    struct qpu_cache instructions; /* decoded instructions, for QPUs run by the caller's thread */

    struct pctr_counts counts;
    struct shared_units slices;          /* shared units, as used by the binner and user programs */
    struct tmu_textures vertex_textures; /* decoded textures of coordinate shaders */
    struct tmu_textures textures[QPU_COUNT]; /* decoded textures of user programs */
    struct contention contention;            /* memory contention of the binner and user programs */

    fenv_t caller; /* the caller's floating-point environment while the model runs */
    bool interrupt_level;
    bool in_run;
    struct budget budget; /* limits of the current run */
    struct run_progress progress;
    struct profile profile;
    struct draws draws;
    struct qpu_trace *trace; /* NULL if instructions are not traced */
    struct device_ports ports;
};

/* Fills the ports of all blocks. Called again if a block has moved. */
void device_connect(struct tess_vc4 *vc4);

/* Pass a finding to the caller's sink, and a traced instruction to the caller. user is the struct
 * tess_vc4. */
void device_report(void *user, const struct tess_finding *diag);
void device_report_step(void *user, const struct tess_vc4_step *step);

#endif
