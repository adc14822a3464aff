/* SPDX-License-Identifier: MIT */
/* gpu.h - the modelled VideoCore IV of this process.
 *
 * In:  the settings in the environment (options.h).
 * Out: a device; findings and statistics at the end. */
#ifndef SHIM_DRM_VC4_GPU_H
#define SHIM_DRM_VC4_GPU_H

#include <stdbool.h>

#include <tessera/vc4.h>

/* Returns the device. The first call creates it. If there is no memory for the device, prints an
 * error on standard error and returns NULL. Called with the lock. */
struct tess_vc4 *gpu_get(void);

/* Returns the device, or NULL if it has not been created yet. */
struct tess_vc4 *gpu_there(void);

/* Like tess_vc4_run(), but signals that end programs are delivered during the run. Called with the
 * lock. */
enum tess_vc4_stop gpu_run(void);

/* Reports a finding of the shim in the same way as the model's findings. If the device is strict, a
 * warning becomes an error. */
void gpu_report(const struct tess_finding *diag);

/* Called with the lock when the process ends or executes another program, possibly more than once.
 * Prints the total of the findings. */
void gpu_end(void);

/* Called in the child of a fork. The child has a copy of the device and the same buffer objects. If
 * `whole` is false, the parent's device was in use, and the child creates its own device. */
void gpu_in_child(bool whole);

#endif
