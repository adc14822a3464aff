/* SPDX-License-Identifier: MIT */
/* bo_name.h - names of buffer objects for findings, listings and captures.
 *
 * In:  labels (LABEL_BO), numbers, bus addresses.
 * Out: names without spaces.
 *
 * All functions are called with the device's lock (device_lock.h). */
#ifndef SHIM_DRM_GEM_BO_NAME_H
#define SHIM_DRM_GEM_BO_NAME_H

#include <tessera/scene.h>

#include "shim/drm/gem/bo.h"

enum { BO_NAME_BYTES = 80 };

/* Writes the object's label as one word. For an object without a label, writes "bo" or "shader"
 * followed by the object's number, such as "bo7". */
void bo_name(const struct bo *bo, char name[BO_NAME_BYTES]);

/* Finds the buffer object at a bus address and sets *place. Returns false if none exists. The name
 * in *place stays valid for three further calls. */
bool bo_name_place(uint32_t address, struct tess_scene_place *place);

#endif
