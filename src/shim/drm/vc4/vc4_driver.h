/* SPDX-License-Identifier: MIT */
/* vc4_driver.h - the driver of the VideoCore IV in a Raspberry Pi. */
#ifndef SHIM_DRM_VC4_VC4_DRIVER_H
#define SHIM_DRM_VC4_VC4_DRIVER_H

#include "shim/drm/driver.h"

extern const struct drm_driver vc4_driver;

#endif
