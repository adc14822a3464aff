/* SPDX-License-Identifier: MIT */
/* doors.h - what the shim's own doors have in common, whatever the width of times. */
#ifndef SHIM_DRM_DOORS_H
#define SHIM_DRM_DOORS_H

/* The result of fcntl(), which may have made a duplicate. */
int doors_fcntl(int fd, int command, int result);

#endif
