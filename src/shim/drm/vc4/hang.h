/* SPDX-License-Identifier: MIT */
/* hang.h - the state of V3D when it hangs, for GET_HANG_STATE and for a file (TESSERA_HANG).
 *
 * In:  a job on which V3D hangs.
 * Out: registers, and the contents of the buffer objects.
 *
 * All functions are called with the device's lock (device_lock.h). */
#ifndef SHIM_DRM_VC4_HANG_H
#define SHIM_DRM_VC4_HANG_H

#include "shim/drm/calls/file.h"
#include "shim/drm/vc4/job.h"

/* Saves the state before V3D is reset. is_binned is true if binning is finished and the job hangs
 * in the renderer's list. The state is kept until GET_HANG_STATE reads it. While a state is kept,
 * later states are dropped, as in the kernel. */
void hang_keep(const struct job *job, bool is_binned);

/* Carries out GET_HANG_STATE. Returns 0, ENOENT (no hang since the last request), ENOMEM or
 * EFAULT. */
int hang_get_state(struct file *file, void *argument);

#endif
