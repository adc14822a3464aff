/* SPDX-License-Identifier: MIT */
/* doors.h - what the files have in common that the program's calls lead into. */
#ifndef SHIM_DRM_DOORS_H
#define SHIM_DRM_DOORS_H

#include <stdbool.h>

#include "shim/common/next.h"

/* ioctl() of a descriptor of ours: true, and its result; else false. */
bool doors_ioctl(int fd, unsigned long request, void *argument, int *result);

/* The result of fcntl(), which may have made a duplicate. */
int doors_fcntl(int fd, int command, int result);

#endif
