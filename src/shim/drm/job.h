/* SPDX-License-Identifier: MIT */
/* job.h - a job as V3D gets it, for those who run it and those who look on. */
#ifndef SHIM_DRM_JOB_H
#define SHIM_DRM_JOB_H

#include <stdint.h>

#include <libdrm/vc4_drm.h>

#include "bo.h"

/* What a job needs beside the program's buffer objects. */
enum job_memory {
    JOB_LISTS,  /* the list for the binner, shader records, uniforms */
    JOB_RENDER, /* the list for the renderer */
    JOB_BINNER, /* the tiles' state and lists */
    JOB_MEMORIES,
};

struct job {
    uint64_t number; /* in this process, from 1: the sequence number that the program gets */
    const struct drm_vc4_submit_cl *arguments;
    uint32_t bin_start, bin_end; /* bus addresses; the same: there is nothing to bin */
    uint32_t render_start, render_end;
    struct bo *const *bos; /* the program's, in its order */
    uint32_t bo_count;
    struct bo *memories[JOB_MEMORIES]; /* by enum job_memory; NULL: not needed so far */
};

#endif
