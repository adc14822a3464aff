/* SPDX-License-Identifier: MIT */
/* ioctl_vc4.h - the requests of vc4_drm.h. */
#ifndef SHIM_DRM_VC4_IOCTL_VC4_H
#define SHIM_DRM_VC4_IOCTL_VC4_H

#include "shim/drm/calls/ioctl.h"

extern const struct ioctl_entry ioctl_vc4_entries[];

#endif
