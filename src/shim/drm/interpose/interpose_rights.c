/* SPDX-License-Identifier: MIT */
/* interpose_rights.c - interposes functions that change the mode, the owner and the times of a
 * file. For a node or another file of the tree, these functions change the tree's file (tree.h).
 * stat() of a node returns the values of the tree's file.
 *
 * In:  calls with paths and descriptors.
 * Out: the C library's answers. A user who does not own a node receives EPERM, as from the kernel.
 *      By default root owns the nodes.
 *
 * Source: the C library's manual; Linux, fs/attr.c (setattr_prepare).
 * Left out: functions with 64-bit times for 32-bit programs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "shim/common/interpose.h"
#include "shim/drm/interpose/nodes.h"
#include "shim/drm/interpose/tree.h"

/* --- ownership --- */

static bool may_change(enum file_node node)
{
    struct tree_rights rights;
    if (geteuid() == 0 || (tree_rights(node, &rights) && rights.uid == geteuid()))
        return true;
    errno = EPERM;
    return false;
}

static bool may_change_at(int folder, const char *path)
{
    enum file_node node;
    return !tree_node(folder, path, &node) || may_change(node);
}

/* is_nothing() is true for a call that changes no owner. is_now() is true for a call that sets the
 * times to the present. Neither call requires that the caller owns the file. */
static bool is_nothing(uid_t owner, gid_t group)
{
    return owner == (uid_t)-1 && group == (gid_t)-1;
}

static bool is_now(const struct timespec times[2])
{
    return !times || (times[0].tv_nsec == UTIME_NOW && times[1].tv_nsec == UTIME_NOW);
}

/* Returns the tree's path of a node, or NULL if fd is not a node. */
static const char *path_of(int fd)
{
    enum file_node node;
    return nodes_is(fd, &node) ? tree_path(node) : NULL;
}

/* Defines a function of a descriptor. For a node, returns `result`, which uses the node's path in
 * the variable `path`. */
#define OF_DESCRIPTOR(name, result, parameters, arguments) \
    INTERPOSE(int, name, parameters, arguments)            \
    {                                                      \
        const char *path = path_of(fd);                    \
        return path ? result : NEXT(name) arguments;       \
    }

/* --- modes --- */

INTERPOSE_PATH(int, fchmodat, folder, (int folder, const char *path, mode_t mode, int flags),
               (folder, path, mode, flags),
               may_change_at(folder, path) ? NEXT(fchmodat)(folder, lead, mode, flags) : -1)
INTERPOSE_PATH(int, chmod, AT_FDCWD, (const char *path, mode_t mode), (path, mode),
               may_change_at(AT_FDCWD, path) ? NEXT(chmod)(lead, mode) : -1)
OF_DESCRIPTOR(fchmod, chmod(path, mode), (int fd, mode_t mode), (fd, mode))

/* --- owners --- */

INTERPOSE(int, fchownat, (int folder, const char *path, uid_t owner, gid_t group, int flags),
          (folder, path, owner, group, flags))
{
    char room[PATH_MAX];
    const char *node = flags & AT_EMPTY_PATH && !*path ? path_of(folder) : NULL;
    if (node)
        return fchownat(AT_FDCWD, node, owner, group, 0);
    if (!is_nothing(owner, group) && !may_change_at(folder, path))
        return -1;
    return NEXT(fchownat)(folder, interpose_redirect(folder, path, room), owner, group, flags);
}

INTERPOSE_RESULT(int, chown, (const char *path, uid_t owner, gid_t group), (path, owner, group),
                 fchownat(AT_FDCWD, path, owner, group, 0))
INTERPOSE_RESULT(int, lchown, (const char *path, uid_t owner, gid_t group), (path, owner, group),
                 fchownat(AT_FDCWD, path, owner, group, AT_SYMLINK_NOFOLLOW))
OF_DESCRIPTOR(fchown, chown(path, owner, group), (int fd, uid_t owner, gid_t group),
              (fd, owner, group))

/* --- times --- */

INTERPOSE_PATH(int, utimensat, folder,
               (int folder, const char *path, const struct timespec times[2], int flags),
               (folder, path, times, flags),
               is_now(times) || may_change_at(folder, path)
                   ? NEXT(utimensat)(folder, lead, times, flags)
                   : -1)
OF_DESCRIPTOR(futimens, utimensat(AT_FDCWD, path, times, 0),
              (int fd, const struct timespec times[2]), (fd, times))
INTERPOSE_PATH(int, utimes, AT_FDCWD, (const char *path, const struct timeval times[2]),
               (path, times),
               !times || may_change_at(AT_FDCWD, path) ? NEXT(utimes)(lead, times) : -1)
INTERPOSE_PATH(int, lutimes, AT_FDCWD, (const char *path, const struct timeval times[2]),
               (path, times),
               !times || may_change_at(AT_FDCWD, path) ? NEXT(lutimes)(lead, times) : -1)
INTERPOSE_PATH(int, futimesat, folder,
               (int folder, const char *path, const struct timeval times[2]), (folder, path, times),
               !times || may_change_at(folder, path) ? NEXT(futimesat)(folder, lead, times) : -1)
OF_DESCRIPTOR(futimes, utimes(path, times), (int fd, const struct timeval times[2]), (fd, times))
INTERPOSE_PATH(int, utime, AT_FDCWD, (const char *path, const struct utimbuf *times), (path, times),
               !times || may_change_at(AT_FDCWD, path) ? NEXT(utime)(lead, times) : -1)
