/* SPDX-License-Identifier: MIT */
/* tree.h - the paths that a computer with a vc4 has: nodes in /dev/dri, and what /sys and udev say about them.
 *
 * In:  paths. Out: where they lead. */
#ifndef SHIM_DRM_TREE_H
#define SHIM_DRM_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "file.h"

/* The path that a call means, relative to an open folder or AT_FDCWD: the given one, or, where it is one of ours, a real one in
 * the tree that stands for it, which is in room. *ours: whether it is. */
const char *tree_lead(int folder, const char *path, char room[PATH_MAX], bool *ours);

/* Whether the process may open a node with open()'s flags: 0, or an errno. It is the tree's file that says so, as it does for
 * access() and stat(): what one process has changed counts for all that share the tree. */
int tree_refuses(enum file_node node, int flags);

/* Whether a path is that of a node, and which. */
bool tree_node(int folder, const char *path, enum file_node *node);

/* What the program is to take a real path for: without the tree's folder in front. In place. */
void tree_hide(char *path);

/* Whether a real path is in the tree. */
bool tree_has(const char *path);

/* Names that are missing in a folder as the system lists it, one after another; NULL: no more. */
const char *tree_missing(const char *folder, unsigned number);

/* A process has ended: the tree is removed, if it is its own. */
void tree_remove(pid_t process);

/* The path of a node. */
const char *tree_path(enum file_node node);

/* What stat() shows of a node that programs may change. Without changes it is root's, and everybody may read and write it. */
struct tree_rights {
    uint32_t mode; /* the permissions alone */
    uint32_t uid, gid;
    struct timespec accessed, modified, changed;
};

/* False: there is no tree. */
bool tree_rights(enum file_node node, struct tree_rights *rights);

#endif
