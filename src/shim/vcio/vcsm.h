/* SPDX-License-Identifier: MIT */
/* vcsm.h - /dev/vcsm: VideoCore memory with handles, which programs map and lock. */
#ifndef VCIO_VCSM_H
#define VCIO_VCSM_H

#include <stddef.h>
#include <stdint.h>

/* Carries out ioctl() of /dev/vcsm. Returns 0, or -1 with errno set. `argument` may be any
 * value. */
int vcsm_device_ioctl(unsigned long request, uintptr_t argument);

/* Carries out mmap() of the device. The offset is a handle. */
void *vcsm_device_map(void *start, size_t size, int prot, int flags, uint64_t offset);

#endif
