/* SPDX-License-Identifier: MIT */
/* interpose_stat.c - stat() and its variants.
 *
 * In:  calls with paths and descriptors.
 * Out: the shim's answer for its own files (interpose.h), otherwise the C library's.
 *
 * Source: the C library's manual; glibc's headers for the names of the variants with 64-bit offsets
 *         and of those for old programs. */
#include "interpose_stat.h"

#include <errno.h>

#include "device_lock.h"
#include "interpose.h"
#include "user.h"

INTERPOSE_STAT(, struct stat, , )
INTERPOSE_STAT(64, struct stat64, , 64)

/* glibc before 2.33 had these functions in place of stat(). Programs that were linked with such a
 * glibc call them. */
#define INTERPOSE_XSTAT(suffix, type)                                                            \
    int __xstat##suffix(int version, const char *path, type *status);                            \
    int __lxstat##suffix(int version, const char *path, type *status);                           \
    int __fxstat##suffix(int version, int fd, type *status);                                     \
    int __fxstatat##suffix(int version, int folder, const char *path, type *status, int flags);  \
    INTERPOSE(int, __xstat##suffix, (int version, const char *path, type *status),               \
              (version, path, status))                                                           \
    {                                                                                            \
        STATUS_AT(AT_FDCWD, path, status, 0, NEXT(__xstat##suffix)(version, lead, status));      \
    }                                                                                            \
    INTERPOSE(int, __lxstat##suffix, (int version, const char *path, type *status),              \
              (version, path, status))                                                           \
    {                                                                                            \
        STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW,                                   \
                  NEXT(__lxstat##suffix)(version, lead, status));                                \
    }                                                                                            \
    INTERPOSE(int, __fxstat##suffix, (int version, int fd, type *status), (version, fd, status)) \
    {                                                                                            \
        STATUS_OF(fd, status, NEXT(__fxstat##suffix)(version, fd, status));                      \
    }                                                                                            \
    INTERPOSE(int, __fxstatat##suffix,                                                           \
              (int version, int folder, const char *path, type *status, int flags),              \
              (version, folder, path, status, flags))                                            \
    {                                                                                            \
        STATUS_AT(folder, path, status, flags,                                                   \
                  NEXT(__fxstatat##suffix)(version, folder, lead, status, flags));               \
    }

INTERPOSE_XSTAT(, struct stat)
INTERPOSE_XSTAT(64, struct stat64)

static struct statx_timestamp statx_time(const struct stat_time *time)
{
    return (struct statx_timestamp){.tv_sec = time->seconds,
                                    .tv_nsec = (uint32_t)time->nanoseconds};
}

/* Like GIVE(), but for struct statx, whose members have other names. */
static int give_statx(struct statx *status, const struct stat_result *looks)
{
    const struct statx whole = {.stx_mask = STATX_TYPE | STATX_MODE | STATX_SIZE | STATX_NLINK |
                                            STATX_INO | STATX_UID | STATX_GID | STATX_ATIME |
                                            STATX_MTIME | STATX_CTIME,
                                .stx_mode = (uint16_t)looks->mode,
                                .stx_uid = looks->uid,
                                .stx_gid = looks->gid,
                                .stx_atime = statx_time(&looks->times[0]),
                                .stx_mtime = statx_time(&looks->times[1]),
                                .stx_ctime = statx_time(&looks->times[2]),
                                .stx_size = looks->size,
                                .stx_ino = looks->number,
                                .stx_nlink = 1,
                                .stx_blksize = STATUS_BLOCK,
                                .stx_rdev_major = looks->device_major,
                                .stx_rdev_minor = looks->device_minor};
    return interpose_give(status, &whole, sizeof whole);
}

INTERPOSE(int, statx,
          (int folder, const char *restrict path, int flags, unsigned mask,
           struct statx *restrict status),
          (folder, path, flags, mask, status))
{
    struct stat_result looks;
    char room[PATH_MAX];
    if (interpose_stat_at(folder, path, flags, &looks))
        return give_statx(status, &looks);
    const int result = NEXT(statx)(folder, interpose_redirect(folder, path, room), flags, mask,
                                   status);
    if (result != 0 && interpose_stat_without(folder, path, flags, &looks))
        return give_statx(status, &looks);
    return result;
}

int interpose_give(void *to, const void *whole, size_t size)
{
    device_lock();
    const bool done = user_write((uintptr_t)to, whole, size);
    device_unlock();
    if (!done)
        errno = EFAULT;
    return done ? 0 : -1;
}
