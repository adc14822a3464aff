/* SPDX-License-Identifier: MIT */
/* cle_ports.h - what the Control List Executor is connected to, and the results of its steps. */
#ifndef VC4_LISTS_CLE_PORTS_H
#define VC4_LISTS_CLE_PORTS_H

#include <stdbool.h>

#include "vc4/bin/ptb.h"
#include "vc4/draw/job.h"
#include "vc4/run/cle_thread.h"
#include "vc4/run/v3d_state.h"
#include "vc4/time/pctr.h"
#include "vc4/vertex/vertex_pipe.h"
#include "vc4/watch/list_memory.h"

/* What the control list executor is connected to. */
struct cle_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;
    struct draws *draws;
    struct list_memory *list_memory;
    struct v3d *v3d; /* counts of flushes and frames, and their interrupts */
    /* The binner. */
    struct ptb *ptb;
    const struct ptb_ports *ptb_ports;
    struct vertex_pipe *vertices;
    const struct vertex_pipe_ports *vertices_ports;
    /* The renderer. */
    struct jobs *jobs;
    const struct jobs_ports *jobs_ports;
    bool sanitize; /* true to check whether the binner's lists are overwritten */
};

enum cle_step {
    CLE_MOVED,   /* a record or primitive was executed */
    CLE_STOPPED, /* at the end, at a halt, or after an error */
    CLE_WAITS,   /* for the semaphore or for memory */
};

#endif
