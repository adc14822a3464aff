/* SPDX-License-Identifier: MIT */
/* nodes.h - descriptors of DRM nodes.
 *
 * In:  opens, duplicates, closes. Out: which open file (file.h) a descriptor is of.
 *
 * All other functions take the device's lock (gpu.h) themselves. */
#ifndef SHIM_DRM_NODES_H
#define SHIM_DRM_NODES_H

#include <stdbool.h>
#include <sys/types.h>

#include "file.h"

enum { NODE_MAJOR = 226, NODE_CARD_MINOR = 0, NODE_RENDER_MINOR = 128 };

/* Opens a node with open()'s flags: a descriptor, or -1 and errno. */
int nodes_open(enum file_node node, int flags);

/* The open file that a descriptor is of, also if it came from another process or through exec; NULL: no node's. It is there as
 * long as the lock is held: the only function that wants it. */
struct file *nodes_find(int fd);

/* Whether a descriptor is of a node, and which. */
bool nodes_is(int fd, enum file_node *node);

/* Whether the process knows that a descriptor is of a node: one that it has opened, or sent requests to. */
bool nodes_knows(int fd);

/* read() of such a descriptor: as many whole events as there is room for, 0 if there is none for the first. */
ssize_t nodes_read(int fd, void *to, size_t size);

/* to is a duplicate of from now, whatever it was before. */
void nodes_duplicated(int from, int to);

/* Closes the descriptor by the given function of the C library. */
int nodes_close(int fd, int (*real)(int fd));

/* Descriptors from one number to another, all but the shim's own, are gone: what has been open of them is closed. */
void nodes_closed(unsigned first, unsigned last);

/* Whether this is the process, and not a child that has its memory (vfork). */
bool nodes_is_process(void);

/* After a fork, in the child. */
void nodes_in_child(void);

#endif
