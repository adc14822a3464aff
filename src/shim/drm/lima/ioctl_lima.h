/* SPDX-License-Identifier: MIT */
/* ioctl_lima.h - the requests of lima_drm.h, except jobs. */
#ifndef SHIM_DRM_LIMA_IOCTL_LIMA_H
#define SHIM_DRM_LIMA_IOCTL_LIMA_H

#include "shim/drm/calls/ioctl.h"

extern const struct ioctl_entry ioctl_lima_entries[];

#endif
