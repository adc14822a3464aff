/* SPDX-License-Identifier: MIT */
/* perfmon.h - performance monitors. A monitor sums up to 16 of V3D's counters over all jobs that
 * name the monitor.
 *
 * In:  requests; the beginning and the end of each job.
 * Out: counts, which are the same in every run of a program.
 *
 * All functions are called with the device's lock (device_lock.h). Functions for requests return 0
 * or a positive errno. */
#ifndef SHIM_DRM_VC4_PERFMON_H
#define SHIM_DRM_VC4_PERFMON_H

#include <libdrm/vc4_drm.h>

#include "shim/drm/calls/file.h"

int perfmon_create(struct file *file, void *argument);
int perfmon_destroy(struct file *file, void *argument);
int perfmon_get_values(struct file *file, void *argument);

/* Returns the file's monitor with a number, or NULL if none exists. */
struct perfmon *perfmon_find(const struct file *file, uint32_t id);

/* perfmon_start() is called before a job runs, and perfmon_stop() after the job has finished. */
void perfmon_start(const struct perfmon *perfmon);
void perfmon_stop(struct perfmon *perfmon);

#endif
