/* SPDX-License-Identifier: MIT */
/* lima_submit.h - submission of jobs: DRM_IOCTL_LIMA_GEM_SUBMIT.
 *
 * In:  a program's request.
 * Out: an errno and a finding.
 *
 * The job is checked like the kernel checks it. Then it is refused, because there is no model of
 * the whole Mali-400. */
#ifndef SHIM_DRM_LIMA_LIMA_SUBMIT_H
#define SHIM_DRM_LIMA_LIMA_SUBMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/drm/calls/file.h"

enum { LIMA_PPS = 2 }; /* number of PPs of the device */

/* Carries out the request. Returns EINVAL, EFAULT, ENOMEM, ENOENT or EALREADY like the kernel. For
 * a job that the kernel would accept, reports a finding and returns EOPNOTSUPP. Called with the
 * device's lock (device_lock.h). */
int lima_submit(struct file *file, void *argument);

/* lima_context_create() creates a context and returns its number, or -1 if there is no memory.
 * lima_context_free() returns false if the file has no such context. */
int64_t lima_context_create(struct file *file);
bool lima_context_free(struct file *file, uint32_t id);

/* Called when the process ends. Prints the total of the findings. */
void lima_end(void);

/* Called in the child of a fork. The child reports only its own findings. */
void lima_in_child(bool whole);

#endif
