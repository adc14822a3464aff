/* SPDX-License-Identifier: MIT */
/* hang.h - the state that V3D was in when it hung, for GET_HANG_STATE and for a file (TESSERA_HANG).
 *
 * In:  a job, when V3D is stuck with it. Out: registers, and the buffer objects as they were.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_HANG_H
#define SHIM_DRM_HANG_H

#include "file.h"
#include "job.h"

/* Before V3D is reset. is_binned: whether the list for the renderer is what hangs. The state is kept until somebody asks for
 * it; those that come meanwhile are not, as in the kernel. */
void hang_keep(const struct job *job, bool is_binned);

/* The request: 0, ENOENT (nothing has hung since the last one), ENOMEM, EFAULT. */
int hang_get_state(struct file *file, struct drm_vc4_get_hang_state *request);

#endif
