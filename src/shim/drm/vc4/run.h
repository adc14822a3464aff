/* SPDX-License-Identifier: MIT */
/* run.h - runs a job on V3D, from the first register write to the interrupt at the end.
 *
 * In:  a job whose lists are in memory.
 * Out: the pixels that the job stores; a finding if V3D hangs. */
#ifndef SHIM_DRM_VC4_RUN_H
#define SHIM_DRM_VC4_RUN_H

#include <stdbool.h>

#include "shim/drm/vc4/job.h"

enum {
    RUN_SLOTS = 32, /* number of slots of the binner's memory */
    /* Size of a slot in bytes. A job starts with the first slot. When the binner has no memory
     * left, it receives the next slot. */
    RUN_SLOT_BYTES = 512 * 1024,
};

/* Runs the job. Returns false if V3D hung. V3D has then been reset and can run further jobs. Called
 * with the device's lock. */
bool run_job(const struct job *job);

#endif
