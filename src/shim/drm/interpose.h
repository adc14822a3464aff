/* SPDX-License-Identifier: MIT */
/* interpose.h - the part of fcntl() that does not depend on the width of times. */
#ifndef SHIM_DRM_INTERPOSE_H
#define SHIM_DRM_INTERPOSE_H

/* Registers the duplicate that fcntl() may have created, and returns result. */
int interpose_fcntl(int fd, int command, int result);

#endif
