/* SPDX-License-Identifier: MIT */
/* ioctl.h - the requests of DRM: tables of requests, and a dispatcher.
 *
 * In:  a request with the arguments of ioctl().
 * Out: an errno, and the argument that the program receives.
 *
 * Source: Linux, drivers/gpu/drm/drm_ioctl.c (permissions, sizes); libdrm's drm.h, drm_mode.h,
 *         vc4_drm.h (numbers, structures). */
#ifndef SHIM_DRM_CALLS_IOCTL_H
#define SHIM_DRM_CALLS_IOCTL_H

#include <stdint.h>

#include "shim/drm/calls/file.h"

/* Carries out a request. `argument` is a copy of the program's structure. The copy has the size of
 * the kernel's structure. If the program's structure is shorter, the rest of the copy is zero. The
 * copy is written back, also after an error. Returns 0 or a positive errno. Called with the
 * lock. */
typedef int ioctl_function(struct file *file, void *argument);

/* Carries out a request that the device does not have: returns EOPNOTSUPP. */
ioctl_function ioctl_unsupported;

enum ioctl_permission {
    IOCTL_RENDER = 1 << 0, /* render nodes permit the request, like card nodes */
    /* card nodes permit the request only to authenticated files and the master */
    IOCTL_AUTH = 1 << 1,
    IOCTL_MASTER = 1 << 2, /* card nodes permit the request only to the master */
};

struct ioctl_entry {
    unsigned long request; /* DRM_IOCTL_... */
    ioctl_function *carry_out;
    unsigned permissions; /* bits of enum ioctl_permission */
};

/* A table of requests. The last entry has request 0. These are the requests for versions, masters,
 * GEM and PRIME. */
extern const struct ioctl_entry ioctl_core_entries[];

/* Adds the requests of a table to those of the device. */
void ioctl_add(const struct ioctl_entry *entries);

/* Returns the device's request with a number (_IOC_NR), or NULL if none exists. */
const struct ioctl_entry *ioctl_at(unsigned number);

/* Takes the lock and carries out a request. Returns 0 or a positive errno: EINVAL for an unknown
 * request, EACCES for a request that the node does not allow, EFAULT for an argument outside the
 * program's memory. */
int ioctl_carry_out(struct file *file, unsigned long request, uint64_t argument);

/* Like ioctl_carry_out(), but the caller holds the lock, exactly once. After releasing the lock,
 * the caller calls clock_wait(). */
int ioctl_locked(struct file *file, unsigned long request, uint64_t argument);

#endif
