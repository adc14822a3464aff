/* SPDX-License-Identifier: MIT */
/* interpose_stat.h - macros for stat() and its variants. They work with each of the C library's
 * stat structures. */
#ifndef SHIM_COMMON_INTERPOSE_STAT_H
#define SHIM_COMMON_INTERPOSE_STAT_H

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "interpose.h"

enum { STATUS_BLOCK = 4096 }; /* st_blksize: one page */

/* Stores a time in any of the C library's timespec structures. */
#define GIVE_TIME(to, time)                                          \
    do {                                                             \
        (to).tv_sec = (__typeof__((to).tv_sec))(time).seconds;       \
        (to).tv_nsec = (__typeof__((to).tv_nsec))(time).nanoseconds; \
    } while (0)

/* Copies the members of a struct stat_result into any of the C library's stat structures at
 * `status`, in the program's memory. Returns from the calling function. */
#define GIVE(status, looks)                                                  \
    do {                                                                     \
        __typeof__(*(status)) whole;                                         \
        memset(&whole, 0, sizeof whole);                                     \
        whole.st_mode = (looks).mode;                                        \
        whole.st_uid = (looks).uid;                                          \
        whole.st_gid = (looks).gid;                                          \
        GIVE_TIME(whole.st_atim, (looks).times[0]);                          \
        GIVE_TIME(whole.st_mtim, (looks).times[1]);                          \
        GIVE_TIME(whole.st_ctim, (looks).times[2]);                          \
        whole.st_rdev = makedev((looks).device_major, (looks).device_minor); \
        whole.st_size = (__typeof__(whole.st_size))(looks).size;             \
        whole.st_nlink = 1;                                                  \
        whole.st_ino = (__typeof__(whole.st_ino))(looks).number;             \
        whole.st_blksize = STATUS_BLOCK;                                     \
        return interpose_give(status, &whole, sizeof whole);                 \
    } while (0)

/* Body of a function with the meaning of fstatat(). For a file of the shim, the shim answers. For
 * other files, runs the expression `call`, which uses the path in the variable `lead`. If `call`
 * fails, the shim may still answer. */
#define STATUS_AT(folder, path, status, flags, call)                        \
    struct stat_result looks;                                               \
    char room[PATH_MAX];                                                    \
    if (interpose_stat_at(folder, path, flags, &looks))                     \
        GIVE(status, looks);                                                \
    const char *lead = interpose_redirect(folder, path, room);              \
    const int result = (call);                                              \
    if (result != 0 && interpose_stat_without(folder, path, flags, &looks)) \
        GIVE(status, looks);                                                \
    return result

/* Body of a function with the meaning of fstat(). */
#define STATUS_OF(fd, status, call)    \
    struct stat_result looks;          \
    if (interpose_stat_of(fd, &looks)) \
        GIVE(status, looks);           \
    return call

/* Defines stat(), lstat(), fstat() and fstatat() with `suffix` at the end of each name, for the
 * structure `type`. The C library's name of a function begins with `start` and ends with `end`. */
#define INTERPOSE_STAT(suffix, type, start, end)                                               \
    INTERPOSE_AS(int, stat##suffix, start##stat##end,                                          \
                 (const char *restrict path, type *restrict status), (path, status))           \
    {                                                                                          \
        STATUS_AT(AT_FDCWD, path, status, 0,                                                   \
                  NEXT_AS(stat##suffix, start##stat##end)(lead, status));                      \
    }                                                                                          \
    INTERPOSE_AS(int, lstat##suffix, start##lstat##end,                                        \
                 (const char *restrict path, type *restrict status), (path, status))           \
    {                                                                                          \
        STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW,                                 \
                  NEXT_AS(lstat##suffix, start##lstat##end)(lead, status));                    \
    }                                                                                          \
    INTERPOSE_AS(int, fstat##suffix, start##fstat##end, (int fd, type *status), (fd, status))  \
    {                                                                                          \
        STATUS_OF(fd, status, NEXT_AS(fstat##suffix, start##fstat##end)(fd, status));          \
    }                                                                                          \
    INTERPOSE_AS(int, fstatat##suffix, start##fstatat##end,                                    \
                 (int folder, const char *restrict path, type *restrict status, int flags),    \
                 (folder, path, status, flags))                                                \
    {                                                                                          \
        STATUS_AT(folder, path, status, flags,                                                 \
                  NEXT_AS(fstatat##suffix, start##fstatat##end)(folder, lead, status, flags)); \
    }

#endif
