/* SPDX-License-Identifier: MIT */
/* perfmon.h - performance monitors: up to 16 of V3D's counters, summed up over the jobs that name the monitor.
 *
 * In:  requests; jobs as they begin and end. Out: counts, the same at every run of a program.
 *
 * All functions are called with the device's lock (gpu.h). Those for requests return 0 or a positive errno. */
#ifndef SHIM_DRM_PERFMON_H
#define SHIM_DRM_PERFMON_H

#include <libdrm/vc4_drm.h>

#include "file.h"

int perfmon_create(struct file *file, struct drm_vc4_perfmon_create *request);
int perfmon_destroy(struct file *file, const struct drm_vc4_perfmon_destroy *request);
int perfmon_get_values(struct file *file, const struct drm_vc4_perfmon_get_values *request);

/* The file is closed. */
void perfmon_close(struct file *file);

/* The monitor that a job names; NULL: there is none. */
struct perfmon *perfmon_find(const struct file *file, uint32_t id);

/* Around a job. */
void perfmon_start(const struct perfmon *perfmon);
void perfmon_stop(struct perfmon *perfmon);

#endif
