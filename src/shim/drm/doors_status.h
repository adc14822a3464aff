/* SPDX-License-Identifier: MIT */
/* doors_status.h - what functions like stat() have in common, whatever structure they fill in. */
#ifndef SHIM_DRM_DOORS_STATUS_H
#define SHIM_DRM_DOORS_STATUS_H

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "nodes.h"
#include "terminals.h"
#include "tree.h"

/* The device of ours, a node or a terminal, that fstatat() and the like mean, or that a descriptor is of; false: none. */
bool doors_device_meant(int folder, const char *path, int flags, dev_t *device);
bool doors_device_of(int fd, dev_t *device);

/* Copies a structure to the program. Result: 0, or -1 and EFAULT. */
int doors_give(void *to, const void *whole, size_t size);

/* Returns from the function with a structure of any of the C library's kinds. */
#define GIVE(status, device)                             \
    do {                                                 \
        __typeof__(*(status)) whole;                     \
        memset(&whole, 0, sizeof whole);                 \
        whole.st_mode = S_IFCHR | 0666;                  \
        whole.st_rdev = device;                          \
        whole.st_nlink = 1;                              \
        whole.st_ino = 2 + minor(device);                \
        whole.st_blksize = 4096;                         \
        return doors_give(status, &whole, sizeof whole); \
    } while (0)

/* The body of a function with the meaning of fstatat(): a node, or the call with the path that it leads to. */
#define STATUS_AT(folder, path, status, flags, call)         \
    dev_t device;                                            \
    char room[PATH_MAX];                                     \
    bool ours;                                               \
    if (doors_device_meant(folder, path, flags, &device))    \
        GIVE(status, device);                                \
    const char *lead = tree_lead(folder, path, room, &ours); \
    return call

/* Likewise of fstat(). */
#define STATUS_OF(fd, status, call)   \
    dev_t device;                     \
    if (doors_device_of(fd, &device)) \
        GIVE(status, device);         \
    return call

#endif
