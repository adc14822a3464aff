/* SPDX-License-Identifier: MIT */
/* file.h - an open DRM node: what the kernel calls struct drm_file.
 *
 * In:  opens, dups and closes of /dev/dri/card0 and renderD128; requests. Out: handles, events.
 *
 * All functions are called with the device's lock (gpu.h). */
#ifndef SHIM_DRM_FILE_H
#define SHIM_DRM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bo.h"

enum file_node { FILE_CARD, FILE_RENDER };

enum { FILE_EVENT_BYTES = 32 }; /* all kinds of events have as many */

struct perfmon; /* perfmon.c */
struct syncobj; /* syncobj.c */

/* Objects of a file by number: handles of buffer objects, sync objects, performance monitors. */
struct file_table {
    void **objects;  /* by number; NULL: free */
    uint32_t lowest; /* number that may be free */
    uint32_t count;
};

struct file {
    enum file_node node;
    bool is_master, is_authenticated;
    bool was_master;      /* is, or has been */
    bool has_unique;      /* SET_VERSION has been called */
    bool magic_is_used;   /* AUTH_MAGIC has found it */
    uint32_t magic;       /* 0: GET_MAGIC has not been called */
    uint32_t master;      /* number of the master that it is a client of, or is */
    uint32_t magic_of;    /* the master when it got its magic number */
    pid_t opener;         /* process */
    uint64_t client_caps; /* bit per DRM_CLIENT_CAP_* that is on */
    struct file_table bos, syncobjs, perfmons;
    int descriptor;    /* one that the program has of it; -1: none */
    uint64_t inode;    /* of its socket */
    uint32_t number;   /* tells it from all others of the process */
    struct file *next; /* of all files */
};

/* A new one, as open() makes it; NULL: no memory. */
struct file *file_create(enum file_node node);

/* The last descriptor has been closed. */
void file_destroy(struct file *file);

/* Makes it master, with clients of its own if it has never been one. */
void file_set_master(struct file *file);

/* Whether the process has CAP_SYS_ADMIN: as root has. */
bool file_is_admin(void);

/* All files; NULL: none. */
struct file *file_first(void);

/* Enters an object and returns its number, from 1; 0: no memory. */
uint32_t file_table_add(struct file_table *table, void *object);
void *file_table_get(const struct file_table *table, uint32_t number); /* NULL: none */
/* The object, which is no longer there; NULL: none. */
void *file_table_remove(struct file_table *table, uint32_t number);

/* The buffer object behind a handle, without a reference; NULL: none. */
struct bo *file_bo(const struct file *file, uint32_t handle);

/* A new handle for a buffer object, which takes a reference. 0: no memory. */
uint32_t file_new_handle(struct file *file, struct bo *bo);

/* A handle for a buffer object: the one that the file has for it already, or a new one, which takes a reference. 0:
 * no memory. */
uint32_t file_handle(struct file *file, struct bo *bo);

/* Closes a handle. Error: EINVAL. */
int file_close_handle(struct file *file, uint32_t handle);

/* mmap() of the node. MAP_FAILED and errno: EINVAL, EACCES, ENOMEM. */
void *file_map(const struct file *file, void *start, uint64_t length, int protection, int flags,
               uint64_t offset);

/* The bytes of events that nobody has read yet. */
size_t file_unread(const struct file *file);

/* Puts an event where read() finds it; poll() says that there is one. False: nobody reads them, there is no room. */
bool file_send_event(struct file *file, const void *event, size_t size);

#endif
