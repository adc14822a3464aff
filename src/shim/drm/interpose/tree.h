/* SPDX-License-Identifier: MIT */
/* tree.h - the paths that a computer with a vc4 has: nodes in /dev/dri, and their descriptions in
 * /sys and in udev's data.
 *
 * In:  paths.
 * Out: paths of real files in a private tree. */
#ifndef SHIM_DRM_INTERPOSE_TREE_H
#define SHIM_DRM_INTERPOSE_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "shim/drm/calls/file.h"

/* Redirects a path that the program passed in a call. `path` is relative to `folder`, an open
 * folder or AT_FDCWD. For a path of the tree, writes the path of the real file to `room`, returns
 * `room`, and sets *ours to true. Returns other paths unchanged. */
const char *tree_lead(int folder, const char *path, char room[PATH_MAX], bool *ours);

/* Returns 0 if the process may open a node with the flags of open(), otherwise an errno. The
 * permissions are those of the tree's file, which access() and stat() also use. If one process
 * changes the permissions, the change applies to all processes that share the tree. */
int tree_refuses(enum file_node node, int flags);

/* True if a path names a node. Then sets *node. */
bool tree_node(int folder, const char *path, enum file_node *node);

/* Removes the path of the tree's folder from the front of a real path, in place. The program then
 * sees the path that it expects. */
void tree_hide(char *path);

/* True if a real path is in the tree. */
bool tree_has(const char *path);

/* The system's listing of a folder may lack names of the tree. Returns the name with index `number`
 * among these names, or NULL after the last one. */
const char *tree_missing(const char *folder, unsigned number);

/* Called when a process has ended. Removes the tree if that process created it. */
void tree_remove(pid_t process);

/* Returns the path of a node. */
const char *tree_path(enum file_node node);

/* The part of a node's stat() that programs can change. By default a node belongs to root, and all
 * users can read and write it. */
struct tree_rights {
    uint32_t mode; /* only the permission bits */
    uint32_t uid, gid;
    struct timespec accessed, modified, changed;
};

/* Fills in *rights. Returns false if there is no tree. */
bool tree_rights(enum file_node node, struct tree_rights *rights);

#endif
