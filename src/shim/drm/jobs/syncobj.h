/* SPDX-License-Identifier: MIT */
/* syncobj.h - sync objects, and fences as files.
 *
 * A job is finished when its request returns, so every fence is already signalled. A sync object
 * either has a signalled fence or has no fence.
 *
 * All functions are called with the device's lock (device_lock.h).
 *
 * Source: Linux, drivers/gpu/drm/drm_syncobj.c, drivers/dma-buf/sync_file.c. */
#ifndef SHIM_DRM_JOBS_SYNCOBJ_H
#define SHIM_DRM_JOBS_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/drm/calls/ioctl.h"

struct syncobj;

/* The requests for sync objects. */
extern const struct ioctl_entry ioctl_syncobj_entries[];

/* Returns the sync object of a handle, or NULL if none exists. Does not add a reference. */
struct syncobj *file_syncobj(const struct file *file, uint32_t handle);

/* Checks that a job can wait for a sync object. Returns 0, ENOENT (no such object) or EINVAL (the
 * object has no fence). */
int syncobj_check_fence(const struct file *file, uint32_t handle);

/* Adds a signalled fence to a sync object. */
void syncobj_signal(struct syncobj *syncobj);

/* Creates a sync file with a signalled fence, and a descriptor of the file that is closed on exec.
 * Returns 0 or an errno. */
int fence_create(int *fd);

/* True if a descriptor refers to a sync file, from this or another process. */
bool fence_is(int fd);

/* Carries out ioctl() of a sync file. Returns 0 or an errno. */
int fence_ioctl(unsigned long request, uint64_t argument);

#endif
