/* SPDX-License-Identifier: MIT */
/* device.h - the DRM device of the process: a driver, its requests, and the display.
 *
 * In:  TESSERA_GPU; the end of the process, and forks.
 * Out: calls of the modules that have state to write or to reset. */
#ifndef SHIM_DRM_DEVICE_DEVICE_H
#define SHIM_DRM_DEVICE_DEVICE_H

#include <stdbool.h>

#include "shim/drm/driver.h"

/* Returns the driver that TESSERA_GPU selects. */
const struct drm_driver *device_driver(void);

/* Selects the driver, and registers its requests and the display's. The first call does the work.
 * Called before any other function of the device. */
void device_begin(void);

/* Registers a function that the first device_begin() calls. Called before main(). */
void device_at_begin(void (*call)(void));

/* Called when the process ends or executes another program, possibly more than once. Shows the last
 * picture and writes the reports. */
void device_end(void);

/* Called in the child of a fork; `whole` is as in device_lock.h. */
void device_in_child(bool whole);

#endif
