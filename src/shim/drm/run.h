/* SPDX-License-Identifier: MIT */
/* run.h - runs a job on V3D, from the first register write to the interrupt at the end.
 *
 * In:  a job whose lists are in memory.
 * Out: the pixels that the job stores; findings if V3D hangs. */
#ifndef SHIM_DRM_RUN_H
#define SHIM_DRM_RUN_H

#include <stdbool.h>

#include "job.h"

enum {
    RUN_SLOTS = 32, /* number of slots of the binner's memory */
    /* Size of a slot. A job starts with the first slot, and receives the others when it runs out of
     * memory. */
    RUN_SLOT_BYTES = 512 * 1024,
};

/* Runs the job. Returns false if V3D hung; it has been reset and works again. Called with the
 * device's lock. */
bool run_job(const struct job *job);

#endif
