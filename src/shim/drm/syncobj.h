/* SPDX-License-Identifier: MIT */
/* syncobj.h - sync objects, and fences as files.
 *
 * A job is done when its request returns, so a fence is always signalled: a sync object has one or has none.
 *
 * All functions are called with the device's lock (gpu.h). Sources: Linux, drivers/gpu/drm/drm_syncobj.c,
 * drivers/dma-buf/sync_file.c. */
#ifndef SHIM_DRM_SYNCOBJ_H
#define SHIM_DRM_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

struct syncobj;

/* The sync object behind a handle, without a reference; NULL: none. */
struct syncobj *file_syncobj(const struct file *file, uint32_t handle);

/* Whether a job may wait for it: 0, ENOENT (there is none), EINVAL (it has no fence). */
int syncobj_check_fence(const struct file *file, uint32_t handle);

/* Puts a fence in. */
void syncobj_signal(struct syncobj *syncobj);

/* The file is closed: all that it has of them. */
void syncobj_close(struct file *file);

/* A descriptor, closed on exec, of a sync file with a fence: 0, or an errno. */
int fence_create(int *fd);

/* Whether a descriptor is of such a sync file, of whatever process. */
bool fence_is(int fd);

/* ioctl() of a sync file: 0, or an errno. */
int fence_ioctl(unsigned long request, uint64_t argument);

#endif
