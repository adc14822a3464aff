/* SPDX-License-Identifier: MIT */
/* job.h - a job as V3D receives it. submit.c creates it, run.c runs it, and capture.c and hang.c
 * record it. */
#ifndef SHIM_DRM_VC4_JOB_H
#define SHIM_DRM_VC4_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include <libdrm/vc4_drm.h>

#include "shim/drm/gem/bo.h"

/* Memory of a job in addition to the program's buffer objects. */
enum job_memory {
    JOB_LISTS,  /* list for the binner, shader records, uniforms */
    JOB_RENDER, /* list for the renderer */
    JOB_BINNER, /* tile state and tile lists */
    JOB_MEMORIES,
};

struct job {
    uint64_t number; /* sequence number, from 1 in this process */
    const struct drm_vc4_submit_cl *arguments;
    uint32_t bin_start, bin_end; /* bus addresses; equal if there is nothing to bin */
    uint32_t render_start, render_end;
    struct bo *const *bos; /* the program's buffer objects, in the program's order */
    uint32_t bo_count;
    /* the job's additional memory, indexed by enum job_memory; NULL if not allocated yet */
    struct bo *memories[JOB_MEMORIES];
};

/* --- names of files that describe a single job or several jobs (job_file.c) --- */

/* True if the pattern contains "%d", the number of a job, so that each job has its own file. */
bool job_file_is_single(const char *pattern);

/* Returns the file name for a job: "%d" in the pattern becomes the job's number, and "%%" a percent
 * sign. The caller frees the name. Returns NULL if there is no memory. */
char *job_file_name(const char *pattern, uint64_t number);

#endif
