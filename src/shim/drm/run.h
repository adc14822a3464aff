/* SPDX-License-Identifier: MIT */
/* run.h - a job on V3D, from the first register to the interrupt that says it is done.
 *
 * In:  a job whose lists are in memory. Out: what they draw; findings, if V3D hangs. */
#ifndef SHIM_DRM_RUN_H
#define SHIM_DRM_RUN_H

#include <stdbool.h>

#include "job.h"

enum {
    RUN_SLOTS = 32, /* of the binner's memory */
    /* The first is the job's own, the others are for when it has used that up. */
    RUN_SLOT_BYTES = 512 * 1024,
};

/* Runs the job to its end. False: V3D hung, has been reset, and works again. With the lock. */
bool run_job(const struct job *job);

#endif
