/* SPDX-License-Identifier: MIT */
/* driver.c - see driver.h. */
#include "shim/drm/driver.h"

static const struct drm_driver *used;

const struct drm_driver *drm_driver(void)
{
    return used;
}

void drm_driver_use(const struct drm_driver *driver)
{
    used = driver;
}
