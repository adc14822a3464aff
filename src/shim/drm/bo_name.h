/* SPDX-License-Identifier: MIT */
/* bo_name.h - names of buffer objects in findings, listings and captures.
 *
 * In:  labels (LABEL_BO), numbers, bus addresses.
 * Out: words.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_BO_NAME_H
#define SHIM_DRM_BO_NAME_H

#include <tessera/scene.h>

#include "bo.h"

enum { BO_NAME_BYTES = 80 };

/* Writes the label as one word. Without a label, the name is "bo" or "shader" and the number, such
 * as "bo7". */
void bo_name(const struct bo *bo, char name[BO_NAME_BYTES]);

/* Finds the buffer object at a bus address. Returns false if none exists. The name stays valid for
 * three further calls. */
bool bo_name_place(uint32_t address, struct tess_scene_place *place);

#endif
