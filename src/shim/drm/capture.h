/* SPDX-License-Identifier: MIT */
/* capture.h - records the jobs that TESSERA_JOBS selects: as scenes in files (TESSERA_CAPTURE), and
 * as listings on standard error (TESSERA_DUMP=decode).
 *
 * In:  the beginning and the end of each job.
 * Out: files; text. A job that is not selected costs nothing.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_CAPTURE_H
#define SHIM_DRM_CAPTURE_H

#include "job.h"

/* capture_begin() is called before the first register of a job is written, capture_end() when V3D
 * has finished the job or hangs. */
void capture_begin(const struct job *job);
void capture_end(const struct job *job);

/* Called when the process ends. Writes the file that several jobs share. */
void capture_finish(void);

/* Discards the recording in a new child: the parent's recording belongs to the parent. */
void capture_in_child(void);

#endif
