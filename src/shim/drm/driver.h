/* SPDX-License-Identifier: MIT */
/* driver.h - the port of a DRM driver: what requests, buffer objects, fences, the display and the
 * interposed functions need of a GPU. Each driver is a folder, such as vc4. It owns its requests:
 * parameters, buffer objects, checks and runs of jobs.
 *
 * In:  the driver that device.c selects.
 * Out: its names, requests, address space and hooks. */
#ifndef SHIM_DRM_DRIVER_H
#define SHIM_DRM_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

struct ioctl_entry; /* defined in calls/ioctl.h */

/* The platform device in /sys and in udev's data. */
struct drm_platform {
    const char *device; /* name of the device below /sys/devices/platform/soc, such as "soc:gpu" */
    const char *tag;    /* the name with "_" for each special character, for udev's ID_PATH_TAG */
    const char *driver; /* name of the kernel's platform driver */
    const char *uevent; /* the device's file uevent: lines NAME=VALUE */
    const char *modalias; /* the device's file modalias */
};

struct drm_driver {
    /* Answers to DRM_IOCTL_VERSION. The patch level is 0. */
    const char *name, *date, *description;
    int version_major, version_minor;
    const char *timeline; /* name of the fences' timeline, as SYNC_IOC_FILE_INFO returns it */
    struct drm_platform platform;
    bool has_display; /* true if the card node supports mode setting (DRIVER_MODESET) */

    /* Requests of the driver, among them parameters and jobs. The last entry has request 0. A
     * request that runs a job first checks the job, and returns when the job is finished. */
    const struct ioctl_entry *requests;

    /* The GPU's address space: addresses that buffer objects can have, from `first` to `end` - 1.
     * map() makes `size` bytes at `host` visible to the GPU at an address, or returns false if
     * there is no memory. unmap() ends that. Both may be NULL if there is no GPU. */
    struct {
        uint32_t first;
        uint64_t end;
        bool (*map)(uint32_t address, uint32_t size, uint8_t *host);
        void (*unmap)(uint32_t address);
    } space;

    /* Frees the driver's data about a buffer object (bo.h). NULL if the driver has none. */
    void (*free_data)(void *data);

    /* end() is called when the process ends or executes another program, possibly more than once,
     * and writes the reports. in_child() is called in the child of a fork; `whole` is as in
     * device_lock.h. */
    void (*end)(void);
    void (*in_child)(bool whole);
};

/* The driver of this process's device. drm_driver_use() is called once, before the first other
 * call of the shim. */
const struct drm_driver *drm_driver(void);
void drm_driver_use(const struct drm_driver *driver);

#endif
