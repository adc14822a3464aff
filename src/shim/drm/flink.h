/* SPDX-License-Identifier: MIT */
/* flink.h - global names of buffer objects (GEM_FLINK, GEM_OPEN), which other processes may open. */
#ifndef SHIM_DRM_FLINK_H
#define SHIM_DRM_FLINK_H

#include "bo.h"

/* Gives a buffer object a name, if it has none: bo->name. Errors: ENOSPC (no names left), ENOMEM. */
int flink_name(struct bo *bo);

/* The buffer object with a name, of this process or another one, with a reference. Errors: ENOENT, ENOMEM. */
int flink_open(struct bo **out, uint32_t name);

/* A buffer object has no handle any more: its name is gone. */
void flink_forget(struct bo *bo);

/* The file of a buffer object has another descriptor now. */
void flink_moved(int from, int to);

#endif
