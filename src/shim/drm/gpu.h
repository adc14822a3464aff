/* SPDX-License-Identifier: MIT */
/* gpu.h - the modelled VideoCore IV of this process, and the lock of the device.
 *
 * In:  the settings in the environment (options.h).
 * Out: a device; findings and statistics at the end. */
#ifndef SHIM_DRM_GPU_H
#define SHIM_DRM_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/vc4.h>

#include "gpu_lock.h"

/* Releases the lock for `nanoseconds`, so that other threads can take it. The caller must hold the
 * lock exactly once. */
void gpu_give_way(uint32_t nanoseconds);

/* Returns the device, and creates it at the first call. Returns NULL if there is no memory for it,
 * after an error on standard error. Called with the lock. */
struct tess_vc4 *gpu_get(void);

/* Returns the device, or NULL if it has not been created yet. */
struct tess_vc4 *gpu_there(void);

/* Like tess_vc4_run(), but signals that end programs are delivered meanwhile. Called with the
 * lock. */
enum tess_vc4_stop gpu_run(void);

/* Reports a finding that does not come from the model, in the same way as the model's findings. If
 * the device is strict, warnings become errors. */
void gpu_report(const struct tess_diag *diag);

/* Called when the process ends or becomes another program, possibly more than once. Sums up the
 * findings. gpu_end_copy() is for a copy of a process that a signal kills. */
void gpu_end(void);
void gpu_end_copy(void);

/* Called before fork(), and in the child. The child gets its own device if the parent's was in use
 * (whole is false). */
void gpu_before_fork(void);
void gpu_in_child(bool whole);

#endif
