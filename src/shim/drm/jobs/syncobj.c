/* SPDX-License-Identifier: MIT */
/* syncobj.c - see syncobj.h.
 *
 * In:  requests.
 * Out: handles, descriptors.
 *
 * Choices: a word records if a sync object has a fence. When a sync object is exported, its word
 *          moves to a file in memory, which other processes map. A sync file is an empty file in
 *          memory. Its seals differ from those of all other files, so every process recognizes it.
 *          poll() reports a sync file as ready in every process. A thread that waits for a fence
 *          polls the word, because another process may add the fence.
 * Left out: timelines, which the kernel's drivers vc4 and lima do not support either. */
#include "shim/drm/jobs/syncobj.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <linux/sync_file.h>

#include "shim/common/device_lock.h"
#include "shim/common/next.h"
#include "shim/common/private_fds.h"
#include "shim/common/user.h"
#include "shim/drm/calls/clock.h"
#include "shim/drm/driver.h"

enum {
    PAUSE = 500000, /* time between two polls, in ns */
    OBJECT_SEALS = F_SEAL_SHRINK | F_SEAL_GROW,
    FENCE_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL,
    MOST_HANDLES = 1 << 20, /* largest size of a request's array of handles, in bytes */
};

struct syncobj {
    uint32_t references;
    /* the object's word until the first export: 1 if the object has a fence, otherwise 0 */
    atomic_uint own;
    atomic_uint *fence;     /* points to `own`, or to the word in the file */
    int fd;                 /* descriptor of the file, or -1 before the first export */
    uint64_t device, inode; /* device and inode number of the file */
    struct syncobj *next;   /* list of all objects with a file */
};

static struct syncobj *exported;

static struct syncobj *create(bool signalled)
{
    struct syncobj *syncobj = calloc(1, sizeof *syncobj);
    if (!syncobj)
        return NULL;
    syncobj->references = 1;
    syncobj->own = signalled;
    syncobj->fence = &syncobj->own;
    syncobj->fd = -1;
    return syncobj;
}

static void forget_file(struct syncobj *syncobj)
{
    struct syncobj **link = &exported;
    while (*link != syncobj)
        link = &(*link)->next;
    *link = syncobj->next;
    real_munmap(syncobj->fence, sizeof *syncobj->fence);
    private_fds_close(&syncobj->fd);
}

static void release(void *object)
{
    struct syncobj *syncobj = object;
    if (--syncobj->references > 0)
        return;
    if (syncobj->fd >= 0)
        forget_file(syncobj);
    free(syncobj);
}

static bool has_fence(const struct syncobj *syncobj)
{
    return atomic_load(syncobj->fence) != 0;
}

struct syncobj *file_syncobj(const struct file *file, uint32_t handle)
{
    return file_table_get(&file->syncobjs, handle);
}

int syncobj_check_fence(const struct file *file, uint32_t handle)
{
    const struct syncobj *syncobj = file_syncobj(file, handle);
    if (!syncobj)
        return ENOENT;
    return has_fence(syncobj) ? 0 : EINVAL;
}

void syncobj_signal(struct syncobj *syncobj)
{
    atomic_store(syncobj->fence, 1);
}

static void reset(struct syncobj *syncobj)
{
    atomic_store(syncobj->fence, 0);
}

/* --- sync files --- */

int fence_create(int *fd)
{
    *fd = memfd_create("sync_file", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0)
        return errno;
    if (NEXT(fcntl64)(*fd, F_ADD_SEALS, FENCE_SEALS) == 0)
        return 0;
    real_close(*fd);
    return ENOMEM;
}

static bool is_file(int fd, int seals, off64_t size, struct stat64 *status)
{
    return real_fstat(fd, status) == 0 && S_ISREG(status->st_mode) && status->st_size == size &&
           NEXT(fcntl64)(fd, F_GET_SEALS) == seals;
}

bool fence_is(int fd)
{
    struct stat64 status;
    return is_file(fd, FENCE_SEALS, 0, &status);
}

static int merge(uint64_t argument)
{
    struct sync_merge_data data;
    int fd;
    if (!user_read(&data, argument, sizeof data))
        return EFAULT;
    if (data.flags || data.pad)
        return EINVAL;
    if (!fence_is(data.fd2))
        return ENOENT;
    int error = fence_create(&fd);
    if (error)
        return error;
    data.fence = fd;
    if (user_write(argument, &data, sizeof data))
        return 0;
    real_close(fd);
    return EFAULT;
}

static void name(char *field, size_t size, const char *text)
{
    memset(field, 0, size);
    strncpy(field, text, size - 1);
}

static int tell(uint64_t argument)
{
    struct sync_file_info info;
    struct sync_fence_info fence = {.status = 1};
    const struct drm_driver *driver = drm_driver();
    if (!user_read(&info, argument, sizeof info))
        return EFAULT;
    if (info.flags || info.pad)
        return EINVAL;
    if (info.num_fences > 0) {
        fence.timestamp_ns = clock_now();
        name(fence.obj_name, sizeof fence.obj_name, driver->timeline);
        name(fence.driver_name, sizeof fence.driver_name, driver->name);
        if (!user_write(info.sync_fence_info, &fence, sizeof fence))
            return EFAULT;
    }
    snprintf(info.name, sizeof info.name, "%s-%s", driver->name, driver->timeline);
    info.status = 1;
    info.num_fences = 1;
    return user_write(argument, &info, sizeof info) ? 0 : EFAULT;
}

int fence_ioctl(unsigned long request, uint64_t argument)
{
    switch ((uint32_t)request) {
    case SYNC_IOC_MERGE: return merge(argument);
    case SYNC_IOC_FILE_INFO: return tell(argument);
    default: return ENOTTY;
    }
}

/* --- sync objects as files --- */

/* Maps the file's word, and makes the sync object use that word. Becomes the owner of fd. */
static int attach(struct syncobj *syncobj, int fd, const struct stat64 *status)
{
    void *word = real_mmap(NULL, sizeof *syncobj->fence, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (word == MAP_FAILED) {
        real_close(fd);
        return ENOMEM;
    }
    syncobj->fence = word;
    syncobj->fd = fd;
    private_fds_keep(&syncobj->fd);
    syncobj->device = status->st_dev;
    syncobj->inode = status->st_ino;
    syncobj->next = exported;
    exported = syncobj;
    return 0;
}

static int make_file(struct syncobj *syncobj)
{
    struct stat64 status;
    int fd = private_fds_memory_file("syncobj_file", sizeof *syncobj->fence, OBJECT_SEALS);
    if (fd < 0)
        return errno;
    if (real_fstat(fd, &status) != 0) {
        real_close(fd);
        return ENOMEM;
    }
    int error = attach(syncobj, fd, &status);
    if (!error)
        atomic_store(syncobj->fence, atomic_load(&syncobj->own));
    return error;
}

static int export_object(struct syncobj *syncobj, int *fd)
{
    int error = syncobj->fd < 0 ? make_file(syncobj) : 0;
    if (error)
        return error;
    *fd = NEXT(fcntl64)(syncobj->fd, F_DUPFD_CLOEXEC, 0);
    return *fd < 0 ? errno : 0;
}

/* Returns the sync object of a file, with a reference. If this process does not have that sync
 * object yet, creates it. */
static int import_object(int fd, struct syncobj **out)
{
    struct stat64 status;
    if (!is_file(fd, OBJECT_SEALS, sizeof(atomic_uint), &status))
        return EINVAL;
    for (struct syncobj *syncobj = exported; syncobj; syncobj = syncobj->next)
        if (syncobj->device == status.st_dev && syncobj->inode == status.st_ino) {
            syncobj->references++;
            *out = syncobj;
            return 0;
        }
    struct syncobj *syncobj = create(false);
    int own = syncobj ? NEXT(fcntl64)(fd, F_DUPFD_CLOEXEC, 0) : -1;
    int error = own < 0 ? ENOMEM : attach(syncobj, own, &status);
    if (error)
        free(syncobj);
    else
        *out = syncobj;
    return error;
}

/* --- requests --- */

/* Creates a handle. The caller's reference becomes the handle's reference. */
static int enter(struct file *file, struct syncobj *syncobj, uint32_t *handle)
{
    *handle = file_table_add(&file->syncobjs, syncobj, release);
    if (*handle)
        return 0;
    release(syncobj);
    return ENOMEM;
}

static int carry_out_create(struct file *file, void *argument)
{
    struct drm_syncobj_create *request = argument;
    if (request->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
        return EINVAL;
    struct syncobj *syncobj = create(request->flags & DRM_SYNCOBJ_CREATE_SIGNALED);
    return syncobj ? enter(file, syncobj, &request->handle) : ENOMEM;
}

static int carry_out_destroy(struct file *file, void *argument)
{
    const struct drm_syncobj_destroy *request = argument;
    if (request->pad)
        return EINVAL;
    struct syncobj *syncobj = file_table_remove(&file->syncobjs, request->handle);
    if (!syncobj)
        return EINVAL;
    release(syncobj);
    return 0;
}

static int export_fence(const struct file *file, uint32_t handle, int *fd)
{
    int error = syncobj_check_fence(file, handle);
    return error ? error : fence_create(fd);
}

static int carry_out_handle_to_fd(struct file *file, void *argument)
{
    struct drm_syncobj_handle *request = argument;
    if (request->pad || request->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
        return EINVAL;
    if (request->flags)
        return export_fence(file, request->handle, &request->fd);
    struct syncobj *syncobj = file_syncobj(file, request->handle);
    return syncobj ? export_object(syncobj, &request->fd) : EINVAL;
}

static int import_fence(const struct file *file, int fd, uint32_t handle)
{
    if (!fence_is(fd))
        return EINVAL;
    struct syncobj *syncobj = file_syncobj(file, handle);
    if (!syncobj)
        return ENOENT;
    syncobj_signal(syncobj);
    return 0;
}

static int carry_out_fd_to_handle(struct file *file, void *argument)
{
    struct drm_syncobj_handle *request = argument;
    struct syncobj *syncobj;
    if (request->pad || request->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return EINVAL;
    if (request->flags)
        return import_fence(file, request->fd, request->handle);
    int error = import_object(request->fd, &syncobj);
    return error ? error : enter(file, syncobj, &request->handle);
}

/* --- several objects in one request --- */

static void release_all(struct syncobj **all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        release(all[i]);
    free(all);
}

/* Looks up an array of handles. Adds a reference to each object, because the file may be closed
 * while this thread waits. */
static int take_all(const struct file *file, uint64_t handles, uint32_t count,
                    struct syncobj ***out)
{
    void *copy;
    if (count == 0)
        return EINVAL;
    int error = user_array(&copy, handles, count, sizeof(uint32_t), MOST_HANDLES);
    if (error)
        return error;
    const uint32_t *numbers = copy;
    struct syncobj **all = calloc(count, sizeof *all);
    error = all ? 0 : ENOMEM;
    uint32_t i = 0;
    for (; !error && i < count; i++) {
        all[i] = file_syncobj(file, numbers[i]);
        if (!all[i])
            break;
        all[i]->references++;
    }
    free(copy);
    if (!error && i < count) {
        release_all(all, i);
        error = ENOENT;
    }
    *out = all;
    return error;
}

static int for_all(const struct file *file, const struct drm_syncobj_array *request,
                   void (*act)(struct syncobj *syncobj))
{
    struct syncobj **all;
    if (request->pad)
        return EINVAL;
    int error = take_all(file, request->handles, request->count_handles, &all);
    if (error)
        return error;
    for (uint32_t i = 0; i < request->count_handles; i++)
        act(all[i]);
    release_all(all, request->count_handles);
    return 0;
}

static int carry_out_reset(struct file *file, void *argument)
{
    return for_all(file, argument, reset);
}

static int carry_out_signal(struct file *file, void *argument)
{
    return for_all(file, argument, syncobj_signal);
}

/* Returns the number of objects that have a fence. Sets *first to the index of the first one. */
static uint32_t count_fences(struct syncobj **all, uint32_t count, uint32_t *first)
{
    uint32_t found = 0;
    for (uint32_t i = count; i-- > 0;)
        if (has_fence(all[i])) {
            *first = i;
            found++;
        }
    return found;
}

/* Waits until one of the objects, or all of them (WAIT_ALL), have fences. */
static int wait_for(struct syncobj **all, struct drm_syncobj_wait *request)
{
    uint32_t count = request->count_handles, first = UINT32_MAX;
    uint32_t wanted = request->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? count : 1;
    uint32_t found = count_fences(all, count, &first);
    if (found < count && !(request->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
        return EINVAL;
    while (found < wanted) {
        if (request->timeout_nsec == 0 || (int64_t)clock_now() >= request->timeout_nsec)
            return ETIME;
        device_give_way(PAUSE);
        found = count_fences(all, count, &first);
    }
    request->first_signaled = first;
    return 0;
}

static int carry_out_wait(struct file *file, void *argument)
{
    struct drm_syncobj_wait *request = argument;
    const uint32_t known = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    struct syncobj **all;
    if (request->flags & ~known)
        return EINVAL;
    int error = take_all(file, request->handles, request->count_handles, &all);
    if (error)
        return error;
    error = wait_for(all, request);
    release_all(all, request->count_handles);
    return error;
}

const struct ioctl_entry ioctl_syncobj_entries[] = {
    /* clang-format off */
    {DRM_IOCTL_SYNCOBJ_CREATE,          carry_out_create,       IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_DESTROY,         carry_out_destroy,      IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,    carry_out_handle_to_fd, IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,    carry_out_fd_to_handle, IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_WAIT,            carry_out_wait,         IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_RESET,           carry_out_reset,        IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_SIGNAL,          carry_out_signal,       IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,   ioctl_unsupported,      IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_QUERY,           ioctl_unsupported,      IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_TRANSFER,        ioctl_unsupported,      IOCTL_RENDER},
    {DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, ioctl_unsupported,      IOCTL_RENDER},
    {0,                                 NULL,                   0},
    /* clang-format on */
};
