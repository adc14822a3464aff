/* SPDX-License-Identifier: MIT */
/* doors_time64.c - the functions of doors.c and doors_status.c for 32-bit programs that were compiled for times of 64 bits: the
 * C library has other functions for them. This file is compiled as those are, so that the headers give each function defined
 * here its other name.
 *
 * In:  calls.
 * Out: as the functions without times of 64 bits.
 *
 * Source: glibc's headers. */
#include <stdarg.h>
#include <sys/ioctl.h>

#include "doors_status.h"
#include "next.h"

DOOR int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    int result;
    if (doors_ioctl(fd, request, argument, &result))
        return result;
    return NEXT_AS(ioctl, __ioctl_time64)(fd, request, argument);
}

DOOR int stat(const char *restrict path, struct stat *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT_AS(stat, __stat64_time64)(lead, status));
}

DOOR int lstat(const char *restrict path, struct stat *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW,
              NEXT_AS(lstat, __lstat64_time64)(lead, status));
}

DOOR int fstat(int fd, struct stat *status)
{
    STATUS_OF(fd, status, NEXT_AS(fstat, __fstat64_time64)(fd, status));
}

DOOR int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags)
{
    STATUS_AT(folder, path, status, flags,
              NEXT_AS(fstatat, __fstatat64_time64)(folder, lead, status, flags));
}
