/* SPDX-License-Identifier: MIT */
/* capture.h - jobs as scenes in files (TESSERA_CAPTURE) and as listings on standard error (TESSERA_DUMP=decode), those that
 * TESSERA_JOBS chooses.
 *
 * In:  jobs as they begin and end. Out: files; text. A job that is not chosen costs nothing.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_CAPTURE_H
#define SHIM_DRM_CAPTURE_H

#include "job.h"

/* Before a job's first register is written, and when V3D is done with it or stuck. */
void capture_begin(const struct job *job);
void capture_end(const struct job *job);

/* The process ends: writes the file that several jobs share. */
void capture_finish(void);

/* In a new child: what the parent records is the parent's. */
void capture_in_child(void);

#endif
