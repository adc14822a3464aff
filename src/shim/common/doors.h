/* SPDX-License-Identifier: MIT */
/* doors.h - what a shim answers to the program's calls of the functions that doors*.c here interposes for every shim. The shim
 * defines all of these but doors_is_of_descriptors() and doors_ask(). */
#ifndef SHIM_COMMON_DOORS_H
#define SHIM_COMMON_DOORS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* open(), or whatever it is called as. */
int doors_open(int folder, const char *path, int flags, mode_t mode);

/* ioctl() of a descriptor of ours: true, and its result; else false. */
bool doors_ioctl(int fd, unsigned long request, void *argument, int *result);

/* Sets errno, if a descriptor is of ours, for a request that comes while the device is at work for the same thread; else false. */
bool doors_refuse(int fd);

/* One of these two, whatever a request's caller is (door.h). */
bool doors_ask(int fd, unsigned long request, void *argument, int *result);

/* Whether the kernel carries out a request itself, whatever a descriptor is of. */
bool doors_is_of_descriptors(unsigned long request);

void *doors_map(void *start, size_t size, int prot, int flags, int fd, off64_t offset);

/* The first of the shim's own descriptors from one number to another; false: there is none. */
bool doors_first_own(unsigned first, unsigned last, unsigned *fd);

/* close_range() of descriptors that are all the program's. */
int doors_close_range(unsigned first, unsigned last, int flags);

/* A time of stat(). */
struct looks_time {
    int64_t seconds, nanoseconds;
};

/* What stat() says of what is ours. Of the same size in all files, whatever the C library's types are there. */
struct looks {
    uint32_t mode, uid, gid;
    struct looks_time times[3]; /* accessed, modified, changed */
    uint32_t device_major, device_minor;
    uint64_t size;
    uint64_t number; /* st_ino */
};

/* What fstatat() and the like mean, or a descriptor is of; false: nothing of ours. */
bool doors_looks_at(int folder, const char *path, int flags, struct looks *looks);
bool doors_looks_of(int fd, struct looks *looks);

/* Likewise, once the system has found nothing for the reason in errno. */
bool doors_looks_without(int folder, const char *path, int flags, struct looks *looks);

/* The path by which the system finds what the program means: the given one, or another one, which is in room. */
const char *doors_lead(int folder, const char *path, char room[PATH_MAX]);

/* Copies a structure to the program. Result: 0, or -1 and EFAULT. */
int doors_give(void *to, const void *whole, size_t size);

#endif
