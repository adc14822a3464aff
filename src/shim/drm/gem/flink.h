/* SPDX-License-Identifier: MIT */
/* flink.h - global names of buffer objects (GEM_FLINK, GEM_OPEN). Other processes can open a buffer
 * object by its global name. */
#ifndef SHIM_DRM_GEM_FLINK_H
#define SHIM_DRM_GEM_FLINK_H

#include "shim/drm/gem/bo.h"

/* Sets bo->name if the buffer object has no name yet. Errors: ENOSPC (no names left), ENOMEM. */
int flink_name(struct bo *bo);

/* Returns the buffer object with a name, with a reference. Another process may have created the
 * name. Errors: ENOENT, ENOMEM. */
int flink_open(struct bo **out, uint32_t name);

/* Deletes the name of a buffer object whose last handle was closed. */
void flink_forget(struct bo *bo);

/* Called when the file of a buffer object has moved to another descriptor. */
void flink_moved(int from, int to);

#endif
