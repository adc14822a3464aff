/* SPDX-License-Identifier: MIT */
/* doors_status.h - what functions like stat() have in common, whatever structure they fill in. */
#ifndef SHIM_DRM_DOORS_STATUS_H
#define SHIM_DRM_DOORS_STATUS_H

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "nodes.h"
#include "tree.h"

/* The node that fstatat() and the like mean; false: none. */
bool doors_node_meant(int folder, const char *path, int flags, enum file_node *node);

static inline unsigned doors_minor(enum file_node node)
{
    return node == FILE_CARD ? NODE_CARD_MINOR : NODE_RENDER_MINOR;
}

/* Fills in a structure of any of the C library's kinds. */
#define FILL(status, node)                                          \
    do {                                                            \
        memset(status, 0, sizeof *(status));                        \
        (status)->st_mode = S_IFCHR | 0666;                         \
        (status)->st_rdev = makedev(NODE_MAJOR, doors_minor(node)); \
        (status)->st_nlink = 1;                                     \
        (status)->st_ino = 2 + doors_minor(node);                   \
        (status)->st_blksize = 4096;                                \
    } while (0)

/* The body of a function with the meaning of fstatat(): a node, or the call with the path that it leads to. */
#define STATUS_AT(folder, path, status, flags, call)         \
    enum file_node node;                                     \
    char room[PATH_MAX];                                     \
    bool ours;                                               \
    if (doors_node_meant(folder, path, flags, &node)) {      \
        FILL(status, node);                                  \
        return 0;                                            \
    }                                                        \
    const char *lead = tree_lead(folder, path, room, &ours); \
    return call

/* Likewise of fstat(). */
#define STATUS_OF(fd, status, call) \
    enum file_node node;            \
    if (nodes_is(fd, &node)) {      \
        FILL(status, node);         \
        return 0;                   \
    }                               \
    return call

#endif
