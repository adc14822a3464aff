/* SPDX-License-Identifier: MIT */
/* capture.h - records the jobs that TESSERA_JOBS selects: as scenes in files (TESSERA_CAPTURE), and
 * as listings on standard error (TESSERA_DUMP=decode).
 *
 * In:  the beginning and the end of each job.
 * Out: files; text. A job that is not selected runs at full speed.
 *
 * All functions are called with the device's lock (device_lock.h). */
#ifndef SHIM_DRM_VC4_CAPTURE_H
#define SHIM_DRM_VC4_CAPTURE_H

#include "shim/drm/vc4/job.h"

/* capture_begin() is called before a job's first register is written. capture_end() is called when
 * V3D has finished the job, or when it hangs. */
void capture_begin(const struct job *job);
void capture_end(const struct job *job);

/* Called when the process ends. Writes the scene that contains several jobs. */
void capture_finish(void);

/* Called in a new child. Discards the recording, because the parent writes it. */
void capture_in_child(void);

#endif
