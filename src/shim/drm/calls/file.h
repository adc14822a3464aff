/* SPDX-License-Identifier: MIT */
/* file.h - an open DRM node: the kernel's struct drm_file.
 *
 * In:  opens, dups and closes of /dev/dri/card0 and renderD128; requests.
 * Out: handles, events.
 *
 * All functions are called with the device's lock (device_lock.h). */
#ifndef SHIM_DRM_CALLS_FILE_H
#define SHIM_DRM_CALLS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shim/drm/gem/bo.h"

enum file_node { FILE_CARD, FILE_RENDER };

enum { FILE_EVENT_BYTES = 32 }; /* size of every kind of event */

/* Table of a file's objects by number. A file has three tables: buffer objects (the number is the
 * handle), sync objects, and objects of the driver, such as performance monitors or contexts. */
struct file_table {
    void **objects;  /* objects by number, NULL for a free number */
    uint32_t lowest; /* all numbers below this one are in use */
    uint32_t count;
    void (*release)(void *object);
};

struct file {
    enum file_node node;
    bool is_master, is_authenticated;
    bool was_master;      /* true if the file is master or has been master */
    bool has_unique;      /* true if SET_VERSION has been called */
    bool magic_is_used;   /* true if AUTH_MAGIC has accepted the magic number */
    uint32_t magic;       /* magic number, or 0 before GET_MAGIC */
    uint32_t master;      /* number of the file's master, which may be the file itself */
    uint32_t magic_of;    /* number of the file's master at the time of GET_MAGIC */
    pid_t opener;         /* process that opened the file */
    uint64_t client_caps; /* bit n is set if DRM_CLIENT_CAP_* number n is on */
    struct file_table bos, syncobjs, of_driver;
    int descriptor;    /* one of the program's descriptors of the file, or -1 */
    uint64_t inode;    /* inode number of the file's socket */
    uint32_t number;   /* number of the file, unique in the process */
    struct file *next; /* next file in the list of all files */
};

/* Creates a file as open() does. Returns NULL if there is no memory. */
struct file *file_create(enum file_node node);

/* Called after the last descriptor has been closed. Releases all objects of the file. */
void file_destroy(struct file *file);

/* Registers a function that file_destroy() calls first. */
void file_at_destroy(void (*call)(struct file *file));

/* Makes the file master. If the file has never been master, it becomes its own master, with no
 * clients yet. */
void file_set_master(struct file *file);

/* True if the process has CAP_SYS_ADMIN, as root does. */
bool file_is_admin(void);

/* Returns the first of all files, or NULL if none exists. */
struct file *file_first(void);

/* Adds an object and returns its number, which is at least 1. Returns 0 if there is no memory. When
 * the file is closed, `release` releases each object of the table. */
uint32_t file_table_add(struct file_table *table, void *object, void (*release)(void *object));
/* Returns the object with a number, or NULL. */
void *file_table_get(const struct file_table *table, uint32_t number);
/* Removes and returns an object. Returns NULL if none exists. */
void *file_table_remove(struct file_table *table, uint32_t number);

/* Returns the buffer object of a handle, or NULL if none exists. Does not add a reference. */
struct bo *file_bo(const struct file *file, uint32_t handle);

/* Creates a handle for a buffer object. The handle holds a reference. Returns 0 if there is no
 * memory. */
uint32_t file_new_handle(struct file *file, struct bo *bo);

/* Returns the existing handle of a buffer object. If none exists, creates one, which holds a
 * reference. Returns 0 if there is no memory. */
uint32_t file_handle(struct file *file, struct bo *bo);

/* Closes a handle. Returns 0, or EINVAL for an unknown handle. */
int file_close_handle(struct file *file, uint32_t handle);

/* Carries out mmap() of the node. Returns MAP_FAILED with errno EINVAL, EACCES or ENOMEM on
 * error. */
void *file_map(const struct file *file, void *start, uint64_t length, int protection, int flags,
               uint64_t offset);

/* Returns the size of all unread events, in bytes. */
size_t file_unread(const struct file *file);

/* Queues an event for read() and poll(). Returns false if the file has no descriptor or the queue
 * is full. */
bool file_send_event(struct file *file, const void *event, size_t size);

#endif
