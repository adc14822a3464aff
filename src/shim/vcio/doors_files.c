/* SPDX-License-Identifier: MIT */
/* doors_files.c - the C library's functions that take paths: those of a Raspberry Pi's files lead to files.h.
 *
 * In:  calls with paths, and fstat().
 * Out: descriptors, status, content of faked files; all others as the C library has them.
 *
 * Source: the C library's manual; glibc's headers for the names that fortified calls and 64-bit offsets and times have.
 * Left out: listing folders, renaming and removing what is faked. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "doors.h"
#include "doors_status.h"
#include "files.h"

/* --- Opening --- */

static bool was_refused(void)
{
    return errno == ENOENT || errno == ENXIO || errno == ENODEV || errno == EACCES ||
           errno == EPERM || errno == ENOTDIR;
}

/* The C library's open(), and, when that fails, perhaps a mailbox's node. */
static int open_other(int folder, const char *path, int flags, mode_t mode)
{
    int fd = NEXT(openat64)(folder, path, flags, mode);
    if (fd >= 0 || !was_refused())
        return fd;
    const struct file *file = file_find_node(folder, path);
    return file ? file_open(file, flags) : -1;
}

static int open_any(int folder, const char *path, int flags, mode_t mode)
{
    const struct file *file = file_find(folder, path);
    return file ? file_open(file, flags) : open_other(folder, path, flags, mode);
}

/* The argument that is there only if a file may be made. */
#define MODE_ARGUMENT(flags, mode)                          \
    mode_t mode = 0;                                        \
    if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
        va_list arguments;                                  \
        va_start(arguments, flags);                         \
        mode = (mode_t)va_arg(arguments, int);              \
        va_end(arguments);                                  \
    }

DOOR int open(const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_any(AT_FDCWD, path, flags, mode);
}

DOOR int open64(const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_any(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

DOOR int openat(int folder, const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_any(folder, path, flags, mode);
}

DOOR int openat64(int folder, const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_any(folder, path, flags | O_LARGEFILE, mode);
}

/* What a fortified program calls for open() without a mode. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

DOOR int __open_2(const char *path, int flags)
{
    return open_any(AT_FDCWD, path, flags, 0);
}

DOOR int __open64_2(const char *path, int flags)
{
    return open_any(AT_FDCWD, path, flags | O_LARGEFILE, 0);
}

DOOR int __openat_2(int folder, const char *path, int flags)
{
    return open_any(folder, path, flags, 0);
}

DOOR int __openat64_2(int folder, const char *path, int flags)
{
    return open_any(folder, path, flags | O_LARGEFILE, 0);
}

/* --- Streams --- */

/* open()'s flags of fopen()'s mode. */
static int stream_flags(const char *mode)
{
    int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    return strchr(mode, 'e') ? flags | O_CLOEXEC : flags;
}

static FILE *open_stream(const struct file *file, const char *mode)
{
    int fd = file_open(file, stream_flags(mode));
    return fd < 0 ? NULL : fdopen(fd, mode);
}

static FILE *stream_of_node(const char *path, const char *mode)
{
    const struct file *file = was_refused() ? file_find_node(AT_FDCWD, path) : NULL;
    return file ? open_stream(file, mode) : NULL;
}

DOOR FILE *fopen(const char *path, const char *mode)
{
    const struct file *file = file_find(AT_FDCWD, path);
    FILE *stream = file ? open_stream(file, mode) : NEXT(fopen)(path, mode);
    return stream || file ? stream : stream_of_node(path, mode);
}

DOOR FILE *fopen64(const char *path, const char *mode)
{
    const struct file *file = file_find(AT_FDCWD, path);
    FILE *stream = file ? open_stream(file, mode) : NEXT(fopen64)(path, mode);
    return stream || file ? stream : stream_of_node(path, mode);
}

/* The C library opens again what the descriptor is of. */
static FILE *reopen(const struct file *file, const char *mode, FILE *stream)
{
    char path[32];
    int fd = file_open(file, stream_flags(mode));
    if (fd < 0) {
        int reason = errno;
        fclose(stream);
        errno = reason;
        return NULL;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FILE *again = NEXT(freopen)(path, mode, stream);
    real_close(fd);
    return again;
}

DOOR FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? reopen(file, mode, stream) : NEXT(freopen)(path, mode, stream);
}

DOOR FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? reopen(file, mode, stream) : NEXT(freopen64)(path, mode, stream);
}

/* --- Status --- */

struct looks doors_looks(const struct file *file)
{
    if (file->kind == FILE_FOLDER)
        return (struct looks){.mode = S_IFDIR | 0555};
    if (file->kind == FILE_TEXT)
        return (struct looks){.mode = S_IFREG | 0444, .size = file->content(NULL, 0)};
    return (struct looks){.mode = S_IFCHR | 0666,
                          .device = makedev(file->device_major, file->device_minor)};
}

const struct file *doors_file_meant(int folder, const char *path, int flags)
{
    if (path && !*path && flags & AT_EMPTY_PATH)
        return file_behind(folder);
    return file_find(folder, path);
}

const struct file *doors_node_meant(int folder, const char *path, int flags)
{
    return was_refused() && !(flags & AT_SYMLINK_NOFOLLOW) ? file_find_node(folder, path) : NULL;
}

DOOR int stat(const char *restrict path, struct stat *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(stat)(path, status));
}

DOOR int stat64(const char *restrict path, struct stat64 *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(stat64)(path, status));
}

DOOR int lstat(const char *restrict path, struct stat *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(lstat)(path, status));
}

DOOR int lstat64(const char *restrict path, struct stat64 *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(lstat64)(path, status));
}

DOOR int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags)
{
    STATUS_AT(folder, path, status, flags, NEXT(fstatat)(folder, path, status, flags));
}

DOOR int fstatat64(int folder, const char *restrict path, struct stat64 *restrict status, int flags)
{
    STATUS_AT(folder, path, status, flags, NEXT(fstatat64)(folder, path, status, flags));
}

DOOR int fstat(int fd, struct stat *status)
{
    STATUS_OF(fd, status, NEXT(fstat)(fd, status));
}

DOOR int fstat64(int fd, struct stat64 *status)
{
    STATUS_OF(fd, status, NEXT(fstat64)(fd, status));
}

/* The names of programs that were linked with a C library before 2.33. */
int __xstat(int version, const char *path, struct stat *status);
int __xstat64(int version, const char *path, struct stat64 *status);
int __lxstat(int version, const char *path, struct stat *status);
int __lxstat64(int version, const char *path, struct stat64 *status);
int __fxstat(int version, int fd, struct stat *status);
int __fxstat64(int version, int fd, struct stat64 *status);
int __fxstatat(int version, int folder, const char *path, struct stat *status, int flags);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *status, int flags);

DOOR int __xstat(int version, const char *path, struct stat *status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(__xstat)(version, path, status));
}

DOOR int __xstat64(int version, const char *path, struct stat64 *status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(__xstat64)(version, path, status));
}

DOOR int __lxstat(int version, const char *path, struct stat *status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(__lxstat)(version, path, status));
}

DOOR int __lxstat64(int version, const char *path, struct stat64 *status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(__lxstat64)(version, path, status));
}

DOOR int __fxstat(int version, int fd, struct stat *status)
{
    STATUS_OF(fd, status, NEXT(__fxstat)(version, fd, status));
}

DOOR int __fxstat64(int version, int fd, struct stat64 *status)
{
    STATUS_OF(fd, status, NEXT(__fxstat64)(version, fd, status));
}

DOOR int __fxstatat(int version, int folder, const char *path, struct stat *status, int flags)
{
    STATUS_AT(folder, path, status, flags, NEXT(__fxstatat)(version, folder, path, status, flags));
}

DOOR int __fxstatat64(int version, int folder, const char *path, struct stat64 *status, int flags)
{
    STATUS_AT(folder, path, status, flags,
              NEXT(__fxstatat64)(version, folder, path, status, flags));
}

DOOR int statx(int folder, const char *restrict path, int flags, unsigned mask,
               struct statx *restrict status)
{
    const struct file *file = doors_file_meant(folder, path, flags);
    int result = file ? 0 : NEXT(statx)(folder, path, flags, mask, status);
    if (result != 0)
        file = doors_node_meant(folder, path, flags);
    if (!file)
        return result;
    struct looks looks = doors_looks(file);
    *status = (struct statx){.stx_mask = STATX_TYPE | STATX_MODE | STATX_SIZE | STATX_NLINK |
                                         STATX_INO,
                             .stx_mode = (uint16_t)looks.mode,
                             .stx_size = (uint64_t)looks.size,
                             .stx_ino = file_number(file),
                             .stx_nlink = 1,
                             .stx_blksize = 4096,
                             .stx_rdev_major = file->device_major,
                             .stx_rdev_minor = file->device_minor};
    return 0;
}

/* --- Canonical names --- */

/* resolved: room for PATH_MAX bytes; NULL: memory that the caller frees. */
static char *real_path(const struct file *file, char *resolved)
{
    char path[PATH_MAX];
    if (!file_real_path(file, path))
        return NULL;
    return resolved ? strcpy(resolved, path) : strdup(path);
}

DOOR char *realpath(const char *restrict path, char *restrict resolved)
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? real_path(file, resolved) : NEXT(realpath)(path, resolved);
}

DOOR char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}

char *__realpath_chk(const char *path, char *resolved, size_t room);

DOOR char *__realpath_chk(const char *path, char *resolved, size_t room)
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? real_path(file, resolved) : NEXT(__realpath_chk)(path, resolved, room);
}

/* --- Rights --- */

/* As root, what these programs are run by on a board. */
static int may(const struct file *file, int mode)
{
    if (file->kind != FILE_FOLDER && mode & X_OK) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

static int access_any(int folder, const char *path, int mode, int result)
{
    const struct file *file = result != 0 && was_refused() ? file_find_node(folder, path) : NULL;
    return file ? may(file, mode) : result;
}

DOOR int access(const char *path, int mode)
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? may(file, mode) : access_any(AT_FDCWD, path, mode, NEXT(access)(path, mode));
}

DOOR int eaccess(const char *path, int mode)
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? may(file, mode) : access_any(AT_FDCWD, path, mode, NEXT(eaccess)(path, mode));
}

DOOR int euidaccess(const char *path, int mode)
{
    return eaccess(path, mode);
}

DOOR int faccessat(int folder, const char *path, int mode, int flags)
{
    const struct file *file = file_find(folder, path);
    if (file)
        return may(file, mode);
    return access_any(folder, path, mode, NEXT(faccessat)(folder, path, mode, flags));
}

/* --- Making nodes --- */

static bool is_mailbox_node(mode_t mode, dev_t device)
{
    return S_ISCHR(mode) && file_is_mailbox(device);
}

DOOR int mknod(const char *path, mode_t mode, dev_t device)
{
    return is_mailbox_node(mode, device) ? file_make_node(AT_FDCWD, path, mode)
                                         : NEXT(mknod)(path, mode, device);
}

DOOR int mknodat(int folder, const char *path, mode_t mode, dev_t device)
{
    return is_mailbox_node(mode, device) ? file_make_node(folder, path, mode)
                                         : NEXT(mknodat)(folder, path, mode, device);
}

int __xmknod(int version, const char *path, mode_t mode, dev_t *device);

DOOR int __xmknod(int version, const char *path, mode_t mode, dev_t *device)
{
    return is_mailbox_node(mode, *device) ? file_make_node(AT_FDCWD, path, mode)
                                          : NEXT(__xmknod)(version, path, mode, device);
}
