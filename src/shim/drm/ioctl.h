/* SPDX-License-Identifier: MIT */
/* ioctl.h - the requests of DRM: tables of them, and how one is carried out.
 *
 * In:  a request as ioctl() gets it. Out: an errno, and the argument as the kernel leaves it.
 *
 * Sources: Linux, drivers/gpu/drm/drm_ioctl.c (permissions, sizes); libdrm's drm.h, drm_mode.h, vc4_drm.h (numbers,
 * structures). */
#ifndef SHIM_DRM_IOCTL_H
#define SHIM_DRM_IOCTL_H

#include <stddef.h>
#include <stdint.h>

#include "file.h"

/* Carries out a request. argument is a copy of the program's structure, of the size that the entry's request has; what the
 * program's was shorter is zero. It is copied back, also after an error. Result: 0, or a positive errno. The lock is held. */
typedef int ioctl_function(struct file *file, void *argument);

enum ioctl_permission {
    IOCTL_RENDER = 1 << 0, /* also by a render node */
    IOCTL_AUTH = 1 << 1,   /* by a card node only if it is authenticated or master */
    IOCTL_MASTER = 1 << 2, /* only if it is master */
};

struct ioctl_entry {
    unsigned long request; /* DRM_IOCTL_... */
    ioctl_function *carry_out;
    unsigned permissions; /* of enum ioctl_permission */
};

/* The tables; each ends with an entry whose request is 0. */
extern const struct ioctl_entry ioctl_core_entries[];    /* version, masters, GEM, PRIME */
extern const struct ioctl_entry ioctl_syncobj_entries[]; /* syncobj.c */
extern const struct ioctl_entry ioctl_vc4_entries[];     /* all of vc4_drm.h */
extern const struct ioctl_entry ioctl_kms_entries[]; /* kms.c: what a vc4 answers of drm_mode.h */

/* Carries out any request, with the lock taken meanwhile: 0, or a positive errno (EINVAL for requests that there are not,
 * EACCES for those that the node does not allow, EFAULT for an argument that is not there). */
int ioctl_carry_out(struct file *file, unsigned long request, uint64_t argument);

/* The same with the lock, which the caller has once. Behind it, without the lock, comes kms_wait(). */
int ioctl_locked(struct file *file, unsigned long request, uint64_t argument);

#endif
