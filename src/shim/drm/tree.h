/* SPDX-License-Identifier: MIT */
/* tree.h - the paths that a computer with a vc4 has: nodes in /dev/dri, and their descriptions in
 * /sys and in udev's data.
 *
 * In:  paths.
 * Out: paths of real files in a private tree. */
#ifndef SHIM_DRM_TREE_H
#define SHIM_DRM_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "file.h"

/* Redirects a path of a call, relative to an open folder or AT_FDCWD. A path of the tree becomes
 * the path of a real file, in `room`, and *ours is true. Other paths are returned as they are. */
const char *tree_lead(int folder, const char *path, char room[PATH_MAX], bool *ours);

/* Returns 0 if the process may open a node with the flags of open(), or an errno. The permissions
 * are those of the tree's file, as for access() and stat(). Changes by one process count for all
 * processes that share the tree. */
int tree_refuses(enum file_node node, int flags);

/* True if a path names a node; sets *node. */
bool tree_node(int folder, const char *path, enum file_node *node);

/* Removes the tree's folder from the front of a real path, in place, so that the program sees the
 * path it expects. */
void tree_hide(char *path);

/* True if a real path is in the tree. */
bool tree_has(const char *path);

/* Returns the names that the system's listing of a folder lacks, one by one, or NULL after the last
 * one. */
const char *tree_missing(const char *folder, unsigned number);

/* Called when a process has ended. Removes the tree if that process created it. */
void tree_remove(pid_t process);

/* Returns the path of a node. */
const char *tree_path(enum file_node node);

/* The changeable part of stat() of a node. By default a node belongs to root, and all users may
 * read and write it. */
struct tree_rights {
    uint32_t mode; /* permission bits only */
    uint32_t uid, gid;
    struct timespec accessed, modified, changed;
};

/* Returns false if there is no tree. */
bool tree_rights(enum file_node node, struct tree_rights *rights);

#endif
