/* SPDX-License-Identifier: MIT */
/* submit.h - submission of jobs: DRM_IOCTL_VC4_SUBMIT_CL.
 *
 * In:  a program's request.
 * Out: pixels in memory, and a sequence number.
 *
 * A job is finished when the request returns. All functions are called with the device's lock
 * (gpu.h). */
#ifndef SHIM_DRM_VC4_SUBMIT_H
#define SHIM_DRM_VC4_SUBMIT_H

#include <stdint.h>

#include <libdrm/vc4_drm.h>

#include "shim/drm/calls/file.h"
#include "shim/drm/refusal.h"

/* Carries out the request. Returns 0, or the errno that the kernel returns: EINVAL (the job is
 * refused, and a finding gives the reason), EFAULT, ENOMEM, ENOENT (unknown performance monitor or
 * sync object). */
int submit_cl(struct file *file, void *argument);

/* Reports a refusal as a warning. A refusal is not an error, because a program may submit a job to
 * find out what the kernel supports. */
void submit_refused(const struct refusal *why);

/* Returns the sequence number of the latest job, or 0 before the first job. That job is
 * finished. */
uint64_t submit_latest(void);

/* Called in the child of a fork. Releases the memory for jobs that the child shares with the
 * parent. The child then allocates new memory. */
void submit_in_child(void);

#endif
