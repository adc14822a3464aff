/* SPDX-License-Identifier: MIT */
/* vcsm.h - /dev/vcsm: VideoCore memory by handles, which programs map and lock. */
#ifndef VCIO_VCSM_H
#define VCIO_VCSM_H

#include <stddef.h>
#include <stdint.h>

/* What the driver does for ioctl(fd, request, argument): 0, or -1 and errno. argument may be anything. */
int vcsm_device_ioctl(unsigned long request, uintptr_t argument);

/* mmap() of the device: its offset is a handle. */
void *vcsm_device_map(void *start, size_t size, int prot, int flags, uint64_t offset);

#endif
