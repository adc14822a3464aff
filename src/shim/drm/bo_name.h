/* SPDX-License-Identifier: MIT */
/* bo_name.h - what buffer objects are called in findings, listings and captures.
 *
 * In:  labels (LABEL_BO), numbers, bus addresses. Out: words.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_BO_NAME_H
#define SHIM_DRM_BO_NAME_H

#include <tessera/scene.h>

#include "bo.h"

enum { BO_NAME_BYTES = 80 };

/* The label as one word, or "bo7", or "shader9". */
void bo_name(const struct bo *bo, char name[BO_NAME_BYTES]);

/* The buffer object at an address; false: there is none. The name lasts for three further calls. */
bool bo_name_place(uint32_t address, struct tess_scene_place *place);

#endif
