/* SPDX-License-Identifier: MIT */
/* submit.h - jobs: DRM_IOCTL_VC4_SUBMIT_CL.
 *
 * In:  what a program submits. Out: what is drawn, and a sequence number.
 *
 * A job is done when the request returns. All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_SUBMIT_H
#define SHIM_DRM_SUBMIT_H

#include <stdint.h>

#include <libdrm/vc4_drm.h>

#include "file.h"
#include "refusal.h"

/* Carries out the request. Result: 0, or an errno as the kernel's: EINVAL (refused; the findings say why), EFAULT, ENOMEM,
 * ENOENT (no such performance monitor or sync object). */
int submit_cl(struct file *file, struct drm_vc4_submit_cl *arguments);

/* Puts out why something was refused. It is a warning: a program may only want to know whether it works. */
void submit_refused(const struct refusal *why);

/* The sequence number of the latest job, which is done; 0: there was none. */
uint64_t submit_latest(void);

/* In the child of a fork: what jobs need beside the program's buffer objects is its parent's, and it gets its own. */
void submit_in_child(void);

#endif
