/* SPDX-License-Identifier: MIT */
/* syncobj.h - sync objects, and fences as files.
 *
 * A job is done when its request returns, so a fence is always signalled. A sync object either has
 * a fence or not.
 *
 * All functions are called with the device's lock (gpu.h).
 *
 * Source: Linux, drivers/gpu/drm/drm_syncobj.c, drivers/dma-buf/sync_file.c. */
#ifndef SHIM_DRM_SYNCOBJ_H
#define SHIM_DRM_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

struct syncobj;

/* Returns the sync object of a handle, without a reference, or NULL if none exists. */
struct syncobj *file_syncobj(const struct file *file, uint32_t handle);

/* Checks that a job may wait for a sync object. Returns 0, ENOENT (no such object) or EINVAL (it
 * has no fence). */
int syncobj_check_fence(const struct file *file, uint32_t handle);

/* Adds a signalled fence. */
void syncobj_signal(struct syncobj *syncobj);

/* Called when a file is closed. Releases its sync objects. */
void syncobj_close(struct file *file);

/* Creates a descriptor, closed on exec, of a sync file with a signalled fence. Returns 0 or an
 * errno. */
int fence_create(int *fd);

/* True if a descriptor refers to a sync file, from any process. */
bool fence_is(int fd);

/* Carries out ioctl() of a sync file. Returns 0 or an errno. */
int fence_ioctl(unsigned long request, uint64_t argument);

#endif
