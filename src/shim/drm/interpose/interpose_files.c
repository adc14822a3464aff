/* SPDX-License-Identifier: MIT */
/* interpose_files.c - interposes functions that take paths. nodes.h handles the paths of a vc4's
 * nodes. tree.h handles the paths in /sys and in udev's data that describe the nodes.
 *
 * In:  calls with paths; the callbacks of shim/common/interpose.h.
 * Out: descriptors, status and content; the C library's answers for all other paths.
 *
 * Source: the C library's manual; glibc's headers for the names used by fortified calls and by
 *         64-bit offsets.
 * Left out: creating and removing files in the folders of the tree. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "shim/common/interpose.h"
#include "shim/drm/interpose/nodes.h"
#include "shim/drm/interpose/terminals.h"
#include "shim/drm/interpose/tree.h"

const char *interpose_redirect(int folder, const char *path, char room[PATH_MAX])
{
    bool ours;
    return tree_lead(folder, path, room, &ours);
}

/* --- opening --- */

/* Returns the descriptor in a path such as /proc/self/fd/3. Returns -1 for a path that does not
 * name a descriptor of this process. */
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

/* Finds the node that a path opens, directly or through a link in /proc/self/fd. */
static bool node_of(int folder, const char *path, enum file_node *node)
{
    const int fd = path ? descriptor_in(path) : -1;
    return tree_node(folder, path, node) || (fd >= 0 && nodes_is(fd, node));
}

/* Returns the error for flags that cannot open an existing file that is not a folder, or 0. */
static int refuse_flags(int flags)
{
    if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
        return EEXIST;
    return flags & O_DIRECTORY ? ENOTDIR : 0;
}

static int open_node(enum file_node node, int flags)
{
    int error = refuse_flags(flags);
    if (!error)
        error = tree_refuses(node, flags);
    if (!error)
        return nodes_open(node, flags);
    errno = error;
    return -1;
}

/* With O_PATH, opens the tree's file, because a descriptor opened with O_PATH cannot be used as a
 * device. */
int interpose_open(int folder, const char *path, int flags, mode_t mode)
{
    enum file_node node;
    unsigned terminal;
    char room[PATH_MAX];
    if (!(flags & O_PATH) && node_of(folder, path, &node))
        return open_node(node, flags);
    if (!(flags & O_PATH) && terminals_path(path, &terminal))
        return terminals_open(terminal, flags);
    return NEXT(openat64)(folder, interpose_redirect(folder, path, room), flags, mode);
}

INTERPOSE_PATH(FILE *, fopen, AT_FDCWD, (const char *path, const char *mode), (path, mode),
               NEXT(fopen)(lead, mode))
INTERPOSE_PATH(FILE *, fopen64, AT_FDCWD, (const char *path, const char *mode), (path, mode),
               NEXT(fopen64)(lead, mode))

/* --- status --- */

static void look(unsigned major_number, unsigned minor_number, struct stat_result *looks)
{
    /* The inode number is 2 for card0 and 130 for renderD128. */
    *looks = (struct stat_result){.mode = S_IFCHR | 0666,
                                  .device_major = major_number,
                                  .device_minor = minor_number,
                                  .number = 2 + minor_number};
}

static struct stat_time looks_time(const struct timespec *time)
{
    return (struct stat_time){time->tv_sec, (int64_t)time->tv_nsec};
}

static void look_at_node(enum file_node node, struct stat_result *looks)
{
    struct tree_rights rights;
    const int before = errno;
    look(NODE_MAJOR, node == FILE_CARD ? NODE_CARD_MINOR : NODE_RENDER_MINOR, looks);
    if (tree_rights(node, &rights)) {
        looks->mode = S_IFCHR | rights.mode;
        looks->uid = rights.uid;
        looks->gid = rights.gid;
        looks->times[0] = looks_time(&rights.accessed);
        looks->times[1] = looks_time(&rights.modified);
        looks->times[2] = looks_time(&rights.changed);
    }
    errno = before;
}

bool interpose_stat_of(int fd, struct stat_result *looks)
{
    enum file_node node;
    unsigned terminal;
    if (nodes_is(fd, &node))
        look_at_node(node, looks);
    else if (terminals_is(fd, &terminal))
        look(TERMINAL_MAJOR, terminal, looks);
    else
        return false;
    return true;
}

bool interpose_stat_at(int folder, const char *path, int flags, struct stat_result *looks)
{
    enum file_node node;
    unsigned terminal;
    if (path && !*path && flags & AT_EMPTY_PATH)
        return interpose_stat_of(folder, looks);
    if (tree_node(folder, path, &node))
        look_at_node(node, looks);
    else if (terminals_path(path, &terminal))
        look(TERMINAL_MAJOR, terminal, looks);
    else
        return false;
    return true;
}

/* interpose_stat_at() has already found all files of the shim. */
bool interpose_stat_without(int folder, const char *path, int flags, struct stat_result *looks)
{
    (void)folder, (void)path, (void)flags, (void)looks;
    return false;
}

/* --- file systems --- */

/* True if a descriptor refers to a file below /sys in the tree. */
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

/* Defines fstatfs() and statfs() with `suffix` at the end of each name, for the structure
 * `type`. */
#define FILE_SYSTEM(suffix, type)                                                                  \
    INTERPOSE(int, fstatfs##suffix, (int fd, type *status), (fd, status))                          \
    {                                                                                              \
        const int result = NEXT(fstatfs##suffix)(fd, status);                                      \
        if (result == 0 && is_of_sysfs(fd))                                                        \
            status->f_type = SYSFS_MAGIC;                                                          \
        return result;                                                                             \
    }                                                                                              \
    INTERPOSE(int, statfs##suffix, (const char *path, type *status), (path, status))               \
    {                                                                                              \
        char room[PATH_MAX];                                                                       \
        const int result = NEXT(statfs##suffix)(interpose_redirect(AT_FDCWD, path, room), status); \
        if (result == 0 && is_sysfs(path))                                                         \
            status->f_type = SYSFS_MAGIC;                                                          \
        return result;                                                                             \
    }

FILE_SYSTEM(, struct statfs)
FILE_SYSTEM(64, struct statfs64)

/* --- canonical names --- */

/* Removes the path of the tree from a path that the C library returned, in place. */
static char *shown(char *path)
{
    if (path)
        tree_hide(path);
    return path;
}

char *__realpath_chk(const char *path, char *resolved, size_t size);

INTERPOSE_PATH(char *, realpath, AT_FDCWD, (const char *restrict path, char *restrict resolved),
               (path, resolved), shown(NEXT(realpath)(lead, resolved)))
INTERPOSE_RESULT(char *, canonicalize_file_name, (const char *path), (path), realpath(path, NULL))
INTERPOSE_PATH(char *, __realpath_chk, AT_FDCWD, (const char *path, char *resolved, size_t size),
               (path, resolved, size), shown(NEXT(__realpath_chk)(lead, resolved, size)))

/* --- links --- */

static ssize_t copy_link(const char *text, char *target, size_t size)
{
    size_t length = strlen(text);
    memcpy(target, text, length < size ? length : size);
    return (ssize_t)(length < size ? length : size);
}

/* Reads the link of a descriptor in /proc. For a node, the target is the node's path. For a file of
 * the tree, the target does not contain the path of the tree. */
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
    int fd = path ? descriptor_in(path) : -1;
    if (fd >= 0)
        return read_descriptor(fd, path, target, size);
    return NEXT(readlinkat)(folder, interpose_redirect(folder, path, room), target, size);
}

INTERPOSE_RESULT(ssize_t, readlink, (const char *restrict path, char *restrict target, size_t size),
                 (path, target, size), read_link(AT_FDCWD, path, target, size))
INTERPOSE_RESULT(ssize_t, readlinkat,
                 (int folder, const char *restrict path, char *restrict target, size_t size),
                 (folder, path, target, size), read_link(folder, path, target, size))

ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
ssize_t __readlinkat_chk(int folder, const char *path, char *target, size_t size, size_t room);

INTERPOSE(ssize_t, __readlink_chk, (const char *path, char *target, size_t size, size_t room),
          (path, target, size, room))
{
    if (size > room)
        abort();
    return read_link(AT_FDCWD, path, target, size);
}

INTERPOSE(ssize_t, __readlinkat_chk,
          (int folder, const char *path, char *target, size_t size, size_t room),
          (folder, path, target, size, room))
{
    if (size > room)
        abort();
    return read_link(folder, path, target, size);
}

/* --- rights --- */

INTERPOSE_PATH(int, access, AT_FDCWD, (const char *path, int mode), (path, mode),
               NEXT(access)(lead, mode))
INTERPOSE_PATH(int, eaccess, AT_FDCWD, (const char *path, int mode), (path, mode),
               NEXT(eaccess)(lead, mode))
INTERPOSE_RESULT(int, euidaccess, (const char *path, int mode), (path, mode), eaccess(path, mode))
INTERPOSE_PATH(int, faccessat, folder, (int folder, const char *path, int mode, int flags),
               (folder, path, mode, flags), NEXT(faccessat)(folder, lead, mode, flags))

/* --- extended attributes --- */

INTERPOSE_PATH(ssize_t, getxattr, AT_FDCWD,
               (const char *path, const char *name, void *value, size_t size),
               (path, name, value, size), NEXT(getxattr)(lead, name, value, size))
INTERPOSE_PATH(ssize_t, lgetxattr, AT_FDCWD,
               (const char *path, const char *name, void *value, size_t size),
               (path, name, value, size), NEXT(lgetxattr)(lead, name, value, size))
INTERPOSE_PATH(ssize_t, listxattr, AT_FDCWD, (const char *path, char *list, size_t size),
               (path, list, size), NEXT(listxattr)(lead, list, size))
INTERPOSE_PATH(ssize_t, llistxattr, AT_FDCWD, (const char *path, char *list, size_t size),
               (path, list, size), NEXT(llistxattr)(lead, list, size))
