/* SPDX-License-Identifier: MIT */
/* file.c - see file.h.
 *
 * In:  opens, requests, events to send.
 * Out: objects by number, and events that the program reads.
 *
 * Choices: a new number is the lowest free one, as in the kernel (lib/idr.c).
 * Source: Linux, drivers/gpu/drm/drm_file.c, drm_auth.c (masters), drm_gem.c (handles). */
#include "shim/drm/calls/file.h"

#include <errno.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shim/common/next.h"
#include "shim/drm/gem/flink.h"

static struct {
    struct file *first;
    uint32_t number;
    void (*at_destroy)(struct file *file);
} all;

/* --- tables --- */

static bool grow(struct file_table *table)
{
    uint32_t count = table->count ? 2 * table->count : 16;
    void **objects = realloc(table->objects, count * sizeof *objects);
    if (!objects)
        return false;
    memset(objects + table->count, 0, (count - table->count) * sizeof *objects);
    table->objects = objects;
    table->count = count;
    return true;
}

uint32_t file_table_add(struct file_table *table, void *object, void (*release)(void *object))
{
    uint32_t number = table->lowest ? table->lowest : 1;
    while (number < table->count && table->objects[number])
        number++;
    if (number >= table->count && !grow(table))
        return 0;
    table->objects[number] = object;
    table->lowest = number + 1;
    table->release = release;
    return number;
}

void *file_table_get(const struct file_table *table, uint32_t number)
{
    return number < table->count ? table->objects[number] : NULL;
}

void *file_table_remove(struct file_table *table, uint32_t number)
{
    void *object = file_table_get(table, number);
    if (!object)
        return NULL;
    table->objects[number] = NULL;
    if (number < table->lowest)
        table->lowest = number;
    return object;
}

static void release_all(struct file_table *table)
{
    for (uint32_t number = 1; number < table->count; number++)
        if (table->objects[number])
            table->release(file_table_remove(table, number));
    free(table->objects);
    *table = (struct file_table){0};
}

/* --- handles --- */

struct bo *file_bo(const struct file *file, uint32_t handle)
{
    return file_table_get(&file->bos, handle);
}

/* Drops a handle and its reference. Deletes the object's global name with the last handle. */
static void drop_handle(void *object)
{
    struct bo *bo = object;
    if (--bo->handles == 0)
        flink_forget(bo);
    bo_release(bo);
}

uint32_t file_new_handle(struct file *file, struct bo *bo)
{
    uint32_t handle = file_table_add(&file->bos, bo, drop_handle);
    if (!handle)
        return 0;
    bo_take(bo);
    bo->handles++;
    return handle;
}

/* Returns the handle of a buffer object, or 0 if the file has none. */
static uint32_t find_handle(const struct file *file, const struct bo *bo)
{
    for (uint32_t handle = 1; handle < file->bos.count; handle++)
        if (file->bos.objects[handle] == bo)
            return handle;
    return 0;
}

uint32_t file_handle(struct file *file, struct bo *bo)
{
    const uint32_t handle = find_handle(file, bo);
    return handle ? handle : file_new_handle(file, bo);
}

int file_close_handle(struct file *file, uint32_t handle)
{
    struct bo *bo = file_table_remove(&file->bos, handle);
    if (!bo)
        return EINVAL;
    drop_handle(bo);
    return 0;
}

/* --- memory --- */

/* Returns the error with which the kernel refuses a mapping, or 0. */
static int refuse_map(const struct file *file, const struct bo *bo, uint64_t length, int protection)
{
    if (!bo || length > bo->size)
        return EINVAL;
    if (!find_handle(file, bo))
        return EACCES;
    return (bo->is_shader && protection & PROT_WRITE) || bo->purgeable || bo->is_hidden ? EINVAL
                                                                                        : 0;
}

void *file_map(const struct file *file, void *start, uint64_t length, int protection, int flags,
               uint64_t offset)
{
    const struct bo *bo = bo_of_offset(offset);
    int error = refuse_map(file, bo, length, protection);
    if (!error && bo->is_shader)
        return memory_map_for_reading(&bo->memory, start, length, protection, flags);
    if (!error)
        return memory_map(&bo->memory, start, length, protection, flags, 0);
    errno = error;
    return MAP_FAILED;
}

/* --- files --- */

/* Returns the current master, or NULL. */
static const struct file *find_master(void)
{
    for (const struct file *file = all.first; file; file = file->next)
        if (file->is_master)
            return file;
    return NULL;
}

void file_set_master(struct file *file)
{
    if (!file->was_master)
        file->master = file->number;
    file->is_master = file->was_master = file->is_authenticated = true;
}

bool file_is_admin(void)
{
    return geteuid() == 0;
}

/* If there is a master, makes the new file a client of that master. Otherwise makes the new file
 * master if it is a card's file. */
static void join_master(struct file *file)
{
    const struct file *master = find_master();
    if (master)
        file->master = master->master;
    else if (file->node == FILE_CARD)
        file_set_master(file);
}

struct file *file_create(enum file_node node)
{
    struct file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->node = node;
    file->descriptor = -1;
    file->number = ++all.number;
    file->opener = getpid();
    file->is_authenticated = file_is_admin(); /* as in the kernel's drm_open_helper() */
    join_master(file);
    file->next = all.first;
    all.first = file;
    return file;
}

static void leave(const struct file *file)
{
    struct file **link = &all.first;
    while (*link != file)
        link = &(*link)->next;
    *link = file->next;
}

void file_destroy(struct file *file)
{
    leave(file);
    if (all.at_destroy)
        all.at_destroy(file);
    release_all(&file->bos);
    release_all(&file->of_driver);
    release_all(&file->syncobjs);
    free(file);
}

void file_at_destroy(void (*call)(struct file *file))
{
    all.at_destroy = call;
}

struct file *file_first(void)
{
    return all.first;
}

/* --- events --- */

/* Returns the number of bytes that one event takes in a socket's queue, as the system counts them,
 * or 0 if unknown. Measures the number with a socket pair. */
static int queued_by_one(void)
{
    static int taken;
    const uint8_t event[FILE_EVENT_BYTES] = {0};
    int ends[2];
    if (taken || socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) != 0)
        return taken;
    if (send(ends[0], event, sizeof event, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
        NEXT(ioctl)(ends[0], SIOCOUTQ, &taken);
    real_close(ends[0]);
    real_close(ends[1]);
    return taken;
}

/* The file's events are in one queue, which all processes that share the file read. The system
 * counts the queued bytes of each sending socket. Here the sender is the file's own socket. */
size_t file_unread(const struct file *file)
{
    int queued = 0;
    const int one = queued_by_one();
    if (file->descriptor < 0 || !one || NEXT(ioctl)(file->descriptor, SIOCOUTQ, &queued) != 0)
        return 0;
    return (size_t)(queued / one) * FILE_EVENT_BYTES;
}

/* Sends the event from the file's socket to itself, so that every process with a descriptor of the
 * file can read the event. */
bool file_send_event(struct file *file, const void *event, size_t size)
{
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    if (file->descriptor < 0 ||
        getsockname(file->descriptor, (struct sockaddr *)&address, &length) != 0)
        return false;
    return sendto(file->descriptor, event, size, MSG_DONTWAIT | MSG_NOSIGNAL,
                  (struct sockaddr *)&address, length) == (ssize_t)size;
}
