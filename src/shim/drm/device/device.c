/* SPDX-License-Identifier: MIT */
/* device.c - see device.h.
 *
 * In:  options.
 * Out: registered requests and hooks.
 *
 * The table `drivers` is the only list of the drivers in the shim. */
#include "shim/drm/device/device.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "shim/common/device_lock.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/display/display.h"
#include "shim/drm/jobs/syncobj.h"
#include "shim/drm/kms/kms.h"
#include "shim/drm/lima/lima_driver.h"
#include "shim/drm/options.h"
#include "shim/drm/vc4/vc4_driver.h"

static const struct drm_driver *const drivers[] = {&vc4_driver, &lima_driver};

static void (*at_begin)(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;

const struct drm_driver *device_driver(void)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (strcmp(drivers[i]->name, options_get()->gpu) == 0)
            return drivers[i];
    return drivers[0];
}

static void begin(void)
{
    const struct drm_driver *driver = device_driver();
    drm_driver_use(driver);
    ioctl_add(ioctl_core_entries);
    ioctl_add(ioctl_syncobj_entries);
    ioctl_add(driver->requests);
    kms_begin(driver->has_display, device_end);
    if (at_begin)
        at_begin();
}

void device_begin(void)
{
    pthread_once(&once, begin);
}

void device_at_begin(void (*call)(void))
{
    at_begin = call;
}

void device_end(void)
{
    device_lock();
    display_end();
    drm_driver()->end();
    device_unlock();
}

void device_in_child(bool whole)
{
    if (!drm_driver())
        return;
    display_in_child();
    drm_driver()->in_child(whole);
}
