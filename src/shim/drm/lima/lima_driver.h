/* SPDX-License-Identifier: MIT */
/* lima_driver.h - the driver of the Mali-400 in an Allwinner H3. */
#ifndef SHIM_DRM_LIMA_LIMA_DRIVER_H
#define SHIM_DRM_LIMA_LIMA_DRIVER_H

#include "shim/drm/driver.h"

extern const struct drm_driver lima_driver;

#endif
