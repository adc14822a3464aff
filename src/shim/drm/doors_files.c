/* SPDX-License-Identifier: MIT */
/* doors_files.c - the C library's functions that take paths, and fstat(): those of a vc4's nodes, and what /sys and udev say
 * about them, lead to nodes.h and tree.h.
 *
 * In:  calls with paths.
 * Out: descriptors, status, content; all others as the C library has them.
 *
 * Source: the C library's manual; glibc's headers for the names that fortified calls and 64-bit offsets and times have.
 * Left out: changing what is in those folders. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "doors.h"
#include "doors_status.h"
#include "gpu.h"
#include "user.h"

/* --- opening --- */

/* The descriptor that a path in /proc is of: this process's; -1: none. */
static int descriptor_in(const char *path)
{
    int fd, end = 0;
    long process;
    if (strncmp(path, "/proc/", 6) != 0)
        return -1;
    if (sscanf(path, "/proc/self/fd/%d%n", &fd, &end) == 1 && end && !path[end])
        return fd;
    end = 0;
    if (sscanf(path, "/proc/%ld/fd/%d%n", &process, &fd, &end) == 2 && end && !path[end] &&
        process == getpid())
        return fd;
    return -1;
}

/* The node that opening a path opens; links to descriptors open what those are of once more. */
static bool node_of(int folder, const char *path, enum file_node *node)
{
    const int fd = path ? descriptor_in(path) : -1;
    return tree_node(folder, path, node) || (fd >= 0 && nodes_is(fd, node));
}

/* Why a node, which is there and no folder, cannot be opened like that; 0: it can. */
static int refuse_flags(int flags)
{
    if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
        return EEXIST;
    return flags & O_DIRECTORY ? ENOTDIR : 0;
}

static int open_node(enum file_node node, int flags)
{
    const int error = refuse_flags(flags);
    if (!error)
        return nodes_open(node, flags);
    errno = error;
    return -1;
}

/* The descriptor of a path itself is no use of a device. */
static int open_any(int folder, const char *path, int flags, mode_t mode)
{
    enum file_node node;
    unsigned terminal;
    char room[PATH_MAX];
    bool ours;
    if (!(flags & O_PATH) && node_of(folder, path, &node))
        return open_node(node, flags);
    if (!(flags & O_PATH) && terminals_path(path, &terminal))
        return terminals_open(terminal, flags);
    return NEXT(openat64)(folder, tree_lead(folder, path, room, &ours), flags, mode);
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

DOOR FILE *fopen(const char *path, const char *mode)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(fopen)(tree_lead(AT_FDCWD, path, room, &ours), mode);
}

DOOR FILE *fopen64(const char *path, const char *mode)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(fopen64)(tree_lead(AT_FDCWD, path, room, &ours), mode);
}

/* --- status --- */

static dev_t device_of_node(enum file_node node)
{
    return makedev(NODE_MAJOR, node == FILE_CARD ? NODE_CARD_MINOR : NODE_RENDER_MINOR);
}

bool doors_device_of(int fd, dev_t *device)
{
    enum file_node node;
    unsigned terminal;
    if (nodes_is(fd, &node))
        *device = device_of_node(node);
    else if (terminals_is(fd, &terminal))
        *device = makedev(TERMINAL_MAJOR, terminal);
    else
        return false;
    return true;
}

bool doors_device_meant(int folder, const char *path, int flags, dev_t *device)
{
    enum file_node node;
    unsigned terminal;
    if (path && !*path && flags & AT_EMPTY_PATH)
        return doors_device_of(folder, device);
    if (tree_node(folder, path, &node))
        *device = device_of_node(node);
    else if (terminals_path(path, &terminal))
        *device = makedev(TERMINAL_MAJOR, terminal);
    else
        return false;
    return true;
}

int doors_give(void *to, const void *whole, size_t size)
{
    gpu_lock();
    const bool done = user_write((uintptr_t)to, whole, size);
    gpu_unlock();
    if (!done)
        errno = EFAULT;
    return done ? 0 : -1;
}

DOOR int stat(const char *restrict path, struct stat *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(stat)(lead, status));
}

DOOR int stat64(const char *restrict path, struct stat64 *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(stat64)(lead, status));
}

DOOR int lstat(const char *restrict path, struct stat *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(lstat)(lead, status));
}

DOOR int lstat64(const char *restrict path, struct stat64 *restrict status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(lstat64)(lead, status));
}

DOOR int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags)
{
    STATUS_AT(folder, path, status, flags, NEXT(fstatat)(folder, lead, status, flags));
}

DOOR int fstatat64(int folder, const char *restrict path, struct stat64 *restrict status, int flags)
{
    STATUS_AT(folder, path, status, flags, NEXT(fstatat64)(folder, lead, status, flags));
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
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(__xstat)(version, lead, status));
}

DOOR int __xstat64(int version, const char *path, struct stat64 *status)
{
    STATUS_AT(AT_FDCWD, path, status, 0, NEXT(__xstat64)(version, lead, status));
}

DOOR int __lxstat(int version, const char *path, struct stat *status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(__lxstat)(version, lead, status));
}

DOOR int __lxstat64(int version, const char *path, struct stat64 *status)
{
    STATUS_AT(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, NEXT(__lxstat64)(version, lead, status));
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
    STATUS_AT(folder, path, status, flags, NEXT(__fxstatat)(version, folder, lead, status, flags));
}

DOOR int __fxstatat64(int version, int folder, const char *path, struct stat64 *status, int flags)
{
    STATUS_AT(folder, path, status, flags,
              NEXT(__fxstatat64)(version, folder, lead, status, flags));
}

DOOR int statx(int folder, const char *restrict path, int flags, unsigned mask,
               struct statx *restrict status)
{
    dev_t device;
    char room[PATH_MAX];
    bool ours;
    if (!doors_device_meant(folder, path, flags, &device))
        return NEXT(statx)(folder, tree_lead(folder, path, room, &ours), flags, mask, status);
    const struct statx whole = {.stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_INO,
                                .stx_mode = S_IFCHR | 0666,
                                .stx_ino = 2 + minor(device),
                                .stx_nlink = 1,
                                .stx_blksize = 4096,
                                .stx_rdev_major = major(device),
                                .stx_rdev_minor = minor(device)};
    return doors_give(status, &whole, sizeof whole);
}

/* --- file systems --- */

/* Whether a descriptor is of something below /sys in the tree. */
static bool is_of_sysfs(int fd)
{
    char link[32], target[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = NEXT(readlink)(link, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = 0;
    if (!tree_has(target))
        return false;
    tree_hide(target);
    return strncmp(target, "/sys", 4) == 0;
}

static bool is_sysfs(const char *path)
{
    char room[PATH_MAX];
    bool ours;
    tree_lead(AT_FDCWD, path, room, &ours);
    return ours && strncmp(path, "/sys", 4) == 0;
}

#define FILE_SYSTEM(condition, status, call) \
    int result = call;                       \
    if (result == 0 && (condition))          \
        (status)->f_type = SYSFS_MAGIC;      \
    return result

DOOR int fstatfs(int fd, struct statfs *status)
{
    FILE_SYSTEM(is_of_sysfs(fd), status, NEXT(fstatfs)(fd, status));
}

DOOR int fstatfs64(int fd, struct statfs64 *status)
{
    FILE_SYSTEM(is_of_sysfs(fd), status, NEXT(fstatfs64)(fd, status));
}

DOOR int statfs(const char *path, struct statfs *status)
{
    char room[PATH_MAX];
    bool ours;
    const char *lead = tree_lead(AT_FDCWD, path, room, &ours);
    FILE_SYSTEM(is_sysfs(path), status, NEXT(statfs)(lead, status));
}

DOOR int statfs64(const char *path, struct statfs64 *status)
{
    char room[PATH_MAX];
    bool ours;
    const char *lead = tree_lead(AT_FDCWD, path, room, &ours);
    FILE_SYSTEM(is_sysfs(path), status, NEXT(statfs64)(lead, status));
}

/* --- canonical names --- */

/* The C library's answer, without the tree in front; never longer than that. */
static char *shown(char *path)
{
    if (path)
        tree_hide(path);
    return path;
}

DOOR char *realpath(const char *restrict path, char *restrict resolved)
{
    char room[PATH_MAX];
    bool ours;
    return shown(NEXT(realpath)(tree_lead(AT_FDCWD, path, room, &ours), resolved));
}

DOOR char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}

char *__realpath_chk(const char *path, char *resolved, size_t size);

DOOR char *__realpath_chk(const char *path, char *resolved, size_t size)
{
    char room[PATH_MAX];
    bool ours;
    return shown(NEXT(__realpath_chk)(tree_lead(AT_FDCWD, path, room, &ours), resolved, size));
}

/* --- links --- */

static ssize_t copy_link(const char *text, char *target, size_t size)
{
    size_t length = strlen(text);
    memcpy(target, text, length < size ? length : size);
    return (ssize_t)(length < size ? length : size);
}

/* What descriptors are of is shown as if nodes were nodes, and the tree was not there. */
static ssize_t read_descriptor(int fd, const char *path, char *target, size_t size)
{
    enum file_node node;
    char whole[PATH_MAX];
    if (nodes_is(fd, &node))
        return copy_link(node == FILE_CARD ? "/dev/dri/card0" : "/dev/dri/renderD128", target,
                         size);
    ssize_t length = NEXT(readlink)(path, whole, sizeof whole - 1);
    if (length < 0)
        return length;
    whole[length] = 0;
    return copy_link(shown(whole), target, size);
}

static ssize_t read_link(int folder, const char *path, char *target, size_t size)
{
    char room[PATH_MAX];
    bool ours;
    int fd = path ? descriptor_in(path) : -1;
    if (fd >= 0)
        return read_descriptor(fd, path, target, size);
    return NEXT(readlinkat)(folder, tree_lead(folder, path, room, &ours), target, size);
}

DOOR ssize_t readlink(const char *restrict path, char *restrict target, size_t size)
{
    return read_link(AT_FDCWD, path, target, size);
}

DOOR ssize_t readlinkat(int folder, const char *restrict path, char *restrict target, size_t size)
{
    return read_link(folder, path, target, size);
}

ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
ssize_t __readlinkat_chk(int folder, const char *path, char *target, size_t size, size_t room);

DOOR ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room)
{
    if (size > room)
        abort();
    return read_link(AT_FDCWD, path, target, size);
}

DOOR ssize_t __readlinkat_chk(int folder, const char *path, char *target, size_t size, size_t room)
{
    if (size > room)
        abort();
    return read_link(folder, path, target, size);
}

/* --- rights --- */

DOOR int access(const char *path, int mode)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(access)(tree_lead(AT_FDCWD, path, room, &ours), mode);
}

DOOR int eaccess(const char *path, int mode)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(eaccess)(tree_lead(AT_FDCWD, path, room, &ours), mode);
}

DOOR int euidaccess(const char *path, int mode)
{
    return eaccess(path, mode);
}

DOOR int faccessat(int folder, const char *path, int mode, int flags)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(faccessat)(folder, tree_lead(folder, path, room, &ours), mode, flags);
}

/* --- extended attributes --- */

DOOR ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(getxattr)(tree_lead(AT_FDCWD, path, room, &ours), name, value, size);
}

DOOR ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(lgetxattr)(tree_lead(AT_FDCWD, path, room, &ours), name, value, size);
}

DOOR ssize_t listxattr(const char *path, char *list, size_t size)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(listxattr)(tree_lead(AT_FDCWD, path, room, &ours), list, size);
}

DOOR ssize_t llistxattr(const char *path, char *list, size_t size)
{
    char room[PATH_MAX];
    bool ours;
    return NEXT(llistxattr)(tree_lead(AT_FDCWD, path, room, &ours), list, size);
}
