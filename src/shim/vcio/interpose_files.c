/* SPDX-License-Identifier: MIT */
/* interpose_files.c - interposes functions that take paths. files.h handles the paths of a
 * Raspberry Pi's files.
 *
 * In:  calls with paths; the callbacks of shim/common/interpose.h.
 * Out: descriptors, status and content of faked files; the C library's answers for all other paths.
 *
 * Source: the C library's manual; glibc's headers for the names used by fortified calls and by
 *         64-bit offsets.
 * Left out: listing folders; renaming and removing faked files. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "shim/common/interpose.h"

/* --- Opening --- */

static bool was_refused(void)
{
    return errno == ENOENT || errno == ENXIO || errno == ENODEV || errno == EACCES ||
           errno == EPERM || errno == ENOTDIR;
}

/* Calls the C library's open(). If that fails, checks if the path is a node of the mailbox. */
static int open_other(int folder, const char *path, int flags, mode_t mode)
{
    int fd = NEXT(openat64)(folder, path, flags, mode);
    if (fd >= 0 || !was_refused())
        return fd;
    const struct file *file = file_find_node(folder, path);
    return file ? file_open(file, flags) : -1;
}

int interpose_open(int folder, const char *path, int flags, mode_t mode)
{
    const struct file *file = file_find(folder, path);
    return file ? file_open(file, flags) : open_other(folder, path, flags, mode);
}

/* --- Streams --- */

/* Returns the flags of open() for a mode of fopen(). */
static int stream_flags(const char *mode)
{
    int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    return strchr(mode, 'e') ? flags | O_CLOEXEC : flags;
}

static FILE *open_stream(const struct file *file, const char *mode)
{
    int fd = file_open(file, stream_flags(mode));
    return fd < 0 ? NULL : NEXT(fdopen)(fd, mode);
}

static FILE *stream_of_node(const char *path, const char *mode)
{
    const struct file *file = was_refused() ? file_find_node(AT_FDCWD, path) : NULL;
    return file ? open_stream(file, mode) : NULL;
}

#define OPEN_STREAM(name)                                                       \
    INTERPOSE(FILE *, name, (const char *path, const char *mode), (path, mode)) \
    {                                                                           \
        const struct file *file = file_find(AT_FDCWD, path);                    \
        FILE *stream = file ? open_stream(file, mode) : NEXT(name)(path, mode); \
        return stream || file ? stream : stream_of_node(path, mode);            \
    }

OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

/* Reopens a stream on a faked file. The C library opens the path of the file's descriptor in
 * /proc. */
static FILE *reopen(const struct file *file, const char *mode, FILE *stream)
{
    char path[32];
    int fd = file_open(file, stream_flags(mode));
    if (fd < 0) {
        int reason = errno;
        NEXT(fclose)(stream);
        errno = reason;
        return NULL;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FILE *again = NEXT(freopen)(path, mode, stream);
    real_close(fd);
    return again;
}

#define REOPEN_STREAM(name)                                                                  \
    INTERPOSE(FILE *, name,                                                                  \
              (const char *restrict path, const char *restrict mode, FILE *restrict stream), \
              (path, mode, stream))                                                          \
    {                                                                                        \
        const struct file *file = file_find(AT_FDCWD, path);                                 \
        return file ? reopen(file, mode, stream) : NEXT(name)(path, mode, stream);           \
    }

REOPEN_STREAM(freopen)
REOPEN_STREAM(freopen64)

/* --- Status --- */

static struct stat_result looks_of(const struct file *file)
{
    struct stat_result looks = {.mode = S_IFCHR | 0666,
                                .device_major = file->device_major,
                                .device_minor = file->device_minor,
                                .number = file_number(file)};
    if (file->kind == FILE_FOLDER)
        looks.mode = S_IFDIR | 0555;
    if (file->kind == FILE_TEXT) {
        looks.mode = S_IFREG | 0444;
        looks.size = file->content(NULL, 0);
    }
    return looks;
}

static bool look(const struct file *file, struct stat_result *looks)
{
    if (file)
        *looks = looks_of(file);
    return file != NULL;
}

bool interpose_stat_of(int fd, struct stat_result *looks)
{
    return look(file_behind(fd), looks);
}

bool interpose_stat_at(int folder, const char *path, int flags, struct stat_result *looks)
{
    if (path && !*path && flags & AT_EMPTY_PATH)
        return interpose_stat_of(folder, looks);
    return look(file_find(folder, path), looks);
}

/* The path may be a node of the mailbox. */
bool interpose_stat_without(int folder, const char *path, int flags, struct stat_result *looks)
{
    return was_refused() && !(flags & AT_SYMLINK_NOFOLLOW) &&
           look(file_find_node(folder, path), looks);
}

const char *interpose_redirect(int folder, const char *path, char room[PATH_MAX])
{
    (void)folder, (void)room;
    return path;
}

/* --- Canonical names --- */

/* Returns the canonical path in `resolved`, which has PATH_MAX bytes. If `resolved` is NULL, the
 * path is in memory that the caller frees. */
static char *real_path(const struct file *file, char *resolved)
{
    char path[PATH_MAX];
    if (!file_real_path(file, path))
        return NULL;
    return resolved ? strcpy(resolved, path) : NEXT(strdup)(path);
}

INTERPOSE(char *, realpath, (const char *restrict path, char *restrict resolved), (path, resolved))
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? real_path(file, resolved) : NEXT(realpath)(path, resolved);
}

INTERPOSE_RESULT(char *, canonicalize_file_name, (const char *path), (path), realpath(path, NULL))

char *__realpath_chk(const char *path, char *resolved, size_t room);

INTERPOSE(char *, __realpath_chk, (const char *path, char *resolved, size_t room),
          (path, resolved, room))
{
    const struct file *file = file_find(AT_FDCWD, path);
    return file ? real_path(file, resolved) : NEXT(__realpath_chk)(path, resolved, room);
}

/* --- Rights --- */

/* Permits everything that root may do, because these programs run as root on a board. */
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

#define ACCESS(name, folder, parameters, arguments)                                           \
    INTERPOSE(int, name, parameters, arguments)                                               \
    {                                                                                         \
        const struct file *file = file_find(folder, path);                                    \
        return file ? may(file, mode) : access_any(folder, path, mode, NEXT(name) arguments); \
    }

ACCESS(access, AT_FDCWD, (const char *path, int mode), (path, mode))
ACCESS(eaccess, AT_FDCWD, (const char *path, int mode), (path, mode))
ACCESS(faccessat, folder, (int folder, const char *path, int mode, int flags),
       (folder, path, mode, flags))
INTERPOSE_RESULT(int, euidaccess, (const char *path, int mode), (path, mode), eaccess(path, mode))

/* --- Creating nodes --- */

static bool is_mailbox_node(mode_t mode, dev_t device)
{
    return S_ISCHR(mode) && file_is_mailbox(device);
}

int __xmknod(int version, const char *path, mode_t mode, dev_t *device);

/* Defines a function that creates the node `device` at `path`. */
#define MAKE_NODE(name, folder, device, parameters, arguments)                          \
    INTERPOSE_RESULT(int, name, parameters, arguments,                                  \
                     is_mailbox_node(mode, device) ? file_make_node(folder, path, mode) \
                                                   : NEXT(name) arguments)

MAKE_NODE(mknod, AT_FDCWD, device, (const char *path, mode_t mode, dev_t device),
          (path, mode, device))
MAKE_NODE(mknodat, folder, device, (int folder, const char *path, mode_t mode, dev_t device),
          (folder, path, mode, device))
MAKE_NODE(__xmknod, AT_FDCWD, *device, (int version, const char *path, mode_t mode, dev_t *device),
          (version, path, mode, device))
