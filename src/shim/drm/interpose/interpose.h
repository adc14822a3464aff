/* SPDX-License-Identifier: MIT */
/* interpose.h - the part of fcntl() that programs with 32-bit and with 64-bit times share. */
#ifndef SHIM_DRM_INTERPOSE_INTERPOSE_H
#define SHIM_DRM_INTERPOSE_INTERPOSE_H

/* If fcntl() has created a duplicate of a descriptor, registers the duplicate. Returns result. */
int interpose_fcntl(int fd, int command, int result);

#endif
