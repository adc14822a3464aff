/* SPDX-License-Identifier: MIT */
/* nodes.h - descriptors of DRM nodes.
 *
 * In:  opens, duplicates, closes.
 * Out: the open file (file.h) of a descriptor.
 *
 * All functions except nodes_find() take the device's lock (device_lock.h) themselves. */
#ifndef SHIM_DRM_INTERPOSE_NODES_H
#define SHIM_DRM_INTERPOSE_NODES_H

#include <stdbool.h>
#include <sys/types.h>

#include "shim/drm/calls/file.h"

enum { NODE_MAJOR = 226, NODE_CARD_MINOR = 0, NODE_RENDER_MINOR = 128 };

/* Opens a node with the flags of open(). Returns a descriptor, or -1 with errno set. */
int nodes_open(enum file_node node, int flags);

/* Returns the open file of a descriptor, or NULL if the descriptor is not a node. Another process
 * may have opened the node, or this process before exec. Called with the device's lock. The file is
 * valid until the lock is released. */
struct file *nodes_find(int fd);

/* True if a descriptor is a node. Then sets *node. */
bool nodes_is(int fd, enum file_node *node);

/* True if a descriptor is a node that this process has opened or used for a request. */
bool nodes_knows(int fd);

/* Carries out read() of a node. Reads events while whole events fit. Returns 0 if the first event
 * does not fit. */
ssize_t nodes_read(int fd, void *to, size_t size);

/* Called when the program has made `to` a duplicate of `from`. `to` may have been a node before. */
void nodes_duplicated(int from, int to);

/* Closes a descriptor by calling real(fd), the close() of the C library. */
int nodes_close(int fd, int (*real)(int fd));

/* Called when all descriptors from `first` to `last` except private ones are closed. Closes the
 * open files of these descriptors. */
void nodes_closed(unsigned first, unsigned last);

/* Called in the child after a fork. No thread of the child waits for events. */
void nodes_in_child(void);

#endif
