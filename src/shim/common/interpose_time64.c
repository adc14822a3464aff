/* SPDX-License-Identifier: MIT */
/* interpose_time64.c - the functions of interpose.c and interpose_stat.c for 32-bit programs
 * that were compiled with 64-bit times. The C library has separate functions for such programs.
 * The headers map each function defined here to its separate name, because this file is compiled
 * with 64-bit times.
 *
 * In:  calls.
 * Out: the results of the functions with 32-bit times.
 *
 * Source: glibc's headers. */
#include <stdarg.h>
#include <sys/ioctl.h>

#include "interpose_guard.h"
#include "interpose_stat.h"

SHOWN int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    int result;
    return interpose_ask(fd, request, argument, &result)
               ? result
               : NEXT_AS(ioctl, __ioctl_time64)(fd, request, argument);
}

INTERPOSE_AS(int, stat, __stat64_time64, (const char *restrict path, struct stat *restrict status),
             (path, status))
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT_AS(stat, __stat64_time64)(lead, status));
}

INTERPOSE_AS(int, lstat, __lstat64_time64,
             (const char *restrict path, struct stat *restrict status), (path, status))
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW,
              NEXT_AS(lstat, __lstat64_time64)(lead, status));
}

INTERPOSE_AS(int, fstat, __fstat64_time64, (int fd, struct stat *status), (fd, status))
{
    STATUS_OF(fd, status, NEXT_AS(fstat, __fstat64_time64)(fd, status));
}

INTERPOSE_AS(int, fstatat, __fstatat64_time64,
             (int folder, const char *restrict path, struct stat *restrict status, int flags),
             (folder, path, status, flags))
{
    STATUS_AT(folder, path, status, flags,
              NEXT_AS(fstatat, __fstatat64_time64)(folder, lead, status, flags));
}
