/* SPDX-License-Identifier: MIT */
/* life.h - the process from the first use of the device to its end. */
#ifndef SHIM_DRM_LIFE_H
#define SHIM_DRM_LIFE_H

/* The program has begun to use the device: from now on the end of the process matters. */
void life_begin(void);

#endif
