/* SPDX-License-Identifier: MIT */
/* ioctl_core.c - the requests of all DRM drivers: versions, capabilities, masters, handles, names,
 * PRIME.
 *
 * In:  requests.
 * Out: values, handles, descriptors.
 *
 * Source: Linux, drivers/gpu/drm/drm_ioctl.c, drm_auth.c, drm_gem.c, drm_prime.c.
 * Choices: each process has its own device, which does not have the magic numbers of other
 *          processes. A magic number that contains another process's number is accepted if that
 *          process exists. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/drm.h>

#include "shim/common/user.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/driver.h"
#include "shim/drm/gem/flink.h"

/* --- identification --- */

/* Copies the part of a text that fits in *room bytes, and sets *room to the length of the whole
 * text, like the kernel. */
static int copy_text(void *to, __kernel_size_t *room, const char *text)
{
    size_t length = strlen(text), part = *room < length ? (size_t)*room : length;
    *room = length;
    return part && to && !user_write((uintptr_t)to, text, part) ? EFAULT : 0;
}

static int carry_out_version(struct file *file, void *argument)
{
    struct drm_version *request = argument;
    const struct drm_driver *driver = drm_driver();
    (void)file;
    request->version_major = driver->version_major;
    request->version_minor = driver->version_minor;
    request->version_patchlevel = 0;
    int error = copy_text(request->name, &request->name_len, driver->name);
    if (!error)
        error = copy_text(request->date, &request->date_len, driver->date);
    if (!error)
        error = copy_text(request->desc, &request->desc_len, driver->description);
    return error;
}

/* Only the current master has a unique name, and only after SET_VERSION. The name is copied only if
 * the whole name fits. */
static int carry_out_get_unique(struct file *file, void *argument)
{
    const char *name = drm_driver()->platform.device;
    struct drm_unique *request = argument;
    size_t length = file->is_master && file->has_unique ? strlen(name) : 0;
    bool fits = request->unique_len >= length;
    request->unique_len = length;
    return fits && !user_write((uintptr_t)request->unique, name, length) ? EFAULT : 0;
}

static int carry_out_set_version(struct file *file, void *argument)
{
    struct drm_set_version *request = argument;
    bool bad_interface = request->drm_di_major != -1 &&
                         (request->drm_di_major != 1 || request->drm_di_minor < 0 ||
                          request->drm_di_minor > 4);
    const struct drm_driver *driver = drm_driver();
    bool bad_driver = request->drm_dd_major != -1 &&
                      (request->drm_dd_major != driver->version_major ||
                       request->drm_dd_minor < 0 || request->drm_dd_minor > driver->version_minor);
    file->has_unique |= !bad_interface && request->drm_di_major != -1 && request->drm_di_minor >= 1;
    *request = (struct drm_set_version){.drm_di_major = 1,
                                        .drm_di_minor = 4,
                                        .drm_dd_major = driver->version_major,
                                        .drm_dd_minor = driver->version_minor};
    return bad_interface || bad_driver ? EINVAL : 0;
}

enum { OVERFLOW_UID = 65534 }; /* the kernel's number for unknown users */

static int carry_out_get_client(struct file *file, void *argument)
{
    struct drm_client *request = argument;
    if (request->idx != 0)
        return EINVAL;
    *request = (struct drm_client){
        .auth = file->is_authenticated, .pid = (unsigned long)getpid(), .uid = OVERFLOW_UID};
    return 0;
}

static int carry_out_get_stats(struct file *file, void *argument)
{
    (void)file;
    memset(argument, 0, sizeof(struct drm_stats));
    return 0;
}

static int carry_out_nothing(struct file *file, void *argument)
{
    (void)file;
    (void)argument;
    return 0;
}

/* --- capabilities --- */

/* Supported capabilities and their values. Requests for other capabilities fail with EINVAL. A
 * device without a display has those before DISPLAY_CAPABILITIES only. */
enum { DISPLAY_CAPABILITIES = 4 };

static const struct {
    uint64_t capability, value;
} capabilities[] = {
    /* clang-format off */
    {DRM_CAP_TIMESTAMP_MONOTONIC,  1},
    {DRM_CAP_PRIME,                DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT},
    {DRM_CAP_SYNCOBJ,              1},
    {DRM_CAP_SYNCOBJ_TIMELINE,     0},
    {DRM_CAP_DUMB_BUFFER,          1},
    {DRM_CAP_VBLANK_HIGH_CRTC,     1},
    {DRM_CAP_DUMB_PREFERRED_DEPTH, 24},
    {DRM_CAP_DUMB_PREFER_SHADOW,   1},
    {DRM_CAP_ASYNC_PAGE_FLIP,      1},
    {DRM_CAP_CURSOR_WIDTH,         64},
    {DRM_CAP_CURSOR_HEIGHT,        64},
    {DRM_CAP_ADDFB2_MODIFIERS,     1},
    {DRM_CAP_PAGE_FLIP_TARGET,     0},
    {DRM_CAP_CRTC_IN_VBLANK_EVENT, 1},
    /* clang-format on */
};

static int carry_out_get_cap(struct file *file, void *argument)
{
    struct drm_get_cap *request = argument;
    const bool has_display = drm_driver()->has_display;
    const size_t count = has_display ? sizeof capabilities / sizeof *capabilities
                                     : DISPLAY_CAPABILITIES;
    (void)file;
    request->value = 0;
    for (size_t i = 0; i < count; i++)
        if (capabilities[i].capability == request->capability) {
            request->value = capabilities[i].value;
            return 0;
        }
    return has_display ? EINVAL : EOPNOTSUPP;
}

int ioctl_unsupported(struct file *file, void *argument)
{
    (void)file;
    (void)argument;
    return EOPNOTSUPP;
}

static void set_client_caps(struct file *file, uint64_t bits, bool on)
{
    file->client_caps = on ? file->client_caps | bits : file->client_caps & ~bits;
}

static int carry_out_set_client_cap(struct file *file, void *argument)
{
    const struct drm_set_client_cap *request = argument;
    uint64_t bit = request->capability < 64 ? UINT64_C(1) << request->capability : 0;
    uint64_t most = request->capability == DRM_CLIENT_CAP_ATOMIC ? 2 : 1;
    if (!drm_driver()->has_display)
        return EOPNOTSUPP;
    switch (request->capability) {
    case DRM_CLIENT_CAP_ATOMIC:
        bit |= 1 << DRM_CLIENT_CAP_UNIVERSAL_PLANES | 1 << DRM_CLIENT_CAP_ASPECT_RATIO;
        break;
    case DRM_CLIENT_CAP_WRITEBACK_CONNECTORS:
        if (!(file->client_caps & 1 << DRM_CLIENT_CAP_ATOMIC))
            return EINVAL;
        break;
    case DRM_CLIENT_CAP_STEREO_3D:
    case DRM_CLIENT_CAP_UNIVERSAL_PLANES:
    case DRM_CLIENT_CAP_ASPECT_RATIO: break;
    default: return EINVAL;
    }
    if (request->value > most)
        return EINVAL;
    set_client_caps(file, bit, request->value);
    return 0;
}

/* --- masters --- */

/* The first magic numbers of a process contain the process number, so that they differ from those
 * of other processes. When these numbers are used up, the remaining ones do not contain the process
 * number. */
enum { MAGIC_BITS = 9 };

#define MAGIC_WITHOUT_PROCESS (1u << 31)

static uint32_t new_magic(void)
{
    static uint32_t count;
    bool has_process = ++count < 1u << MAGIC_BITS;
    return has_process ? (uint32_t)getpid() << MAGIC_BITS | count : MAGIC_WITHOUT_PROCESS | count;
}

static int carry_out_get_magic(struct file *file, void *argument)
{
    struct drm_auth *request = argument;
    if (!file->magic) {
        file->magic = new_magic();
        file->magic_of = file->master;
    }
    request->magic = file->magic;
    return 0;
}

static bool is_of_other_process(uint32_t magic)
{
    pid_t process = (pid_t)(magic >> MAGIC_BITS);
    if (magic & MAGIC_WITHOUT_PROCESS || process <= 0 || process == getpid())
        return false;
    return kill(process, 0) == 0 || errno == EPERM;
}

/* Accepts each magic number once, and only from clients of the same master. */
static int carry_out_auth_magic(struct file *file, void *argument)
{
    const struct drm_auth *request = argument;
    for (struct file *other = file_first(); request->magic && other; other = other->next) {
        if (other->magic != request->magic)
            continue;
        if (other->magic_is_used || other->magic_of != file->master)
            return EINVAL;
        other->is_authenticated = other->magic_is_used = true;
        return 0;
    }
    return is_of_other_process(request->magic) ? 0 : EINVAL;
}

/* A file may become master if this process opened it and it has been master before. Other files
 * need root. */
static bool may_be_master(const struct file *file)
{
    return (file->was_master && file->opener == getpid()) || file_is_admin();
}

static int carry_out_set_master(struct file *file, void *argument)
{
    (void)argument;
    if (!may_be_master(file))
        return EACCES;
    if (file->is_master)
        return 0;
    for (const struct file *other = file_first(); other; other = other->next)
        if (other->is_master)
            return EBUSY;
    file_set_master(file);
    return 0;
}

static int carry_out_drop_master(struct file *file, void *argument)
{
    (void)argument;
    if (!may_be_master(file))
        return EACCES;
    if (!file->is_master)
        return EINVAL;
    file->is_master = false;
    return 0;
}

/* --- handles and names --- */

static int carry_out_gem_close(struct file *file, void *argument)
{
    const struct drm_gem_close *request = argument;
    return file_close_handle(file, request->handle);
}

static int carry_out_gem_flink(struct file *file, void *argument)
{
    struct drm_gem_flink *request = argument;
    struct bo *bo = file_bo(file, request->handle);
    if (!bo)
        return ENOENT;
    int error = flink_name(bo);
    request->name = bo->name;
    return error;
}

static int carry_out_gem_open(struct file *file, void *argument)
{
    struct drm_gem_open *request = argument;
    struct bo *bo;
    int error = flink_open(&bo, request->name);
    if (error)
        return error;
    request->handle = file_new_handle(file, bo);
    request->size = bo->size;
    bo_release(bo);
    return request->handle ? 0 : ENOMEM;
}

/* --- PRIME --- */

static int carry_out_prime_handle_to_fd(struct file *file, void *argument)
{
    struct drm_prime_handle *request = argument;
    if (request->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
        return EINVAL;
    struct bo *bo = file_bo(file, request->handle);
    if (!bo)
        return ENOENT;
    if (bo->is_shader || bo->purged || (bo->purgeable && !bo->shared))
        return EINVAL;
    int error = memory_export(&bo->memory, request->flags & DRM_CLOEXEC, request->flags & DRM_RDWR,
                              &request->fd);
    bo->shared |= !error;
    return error;
}

/* Errors: EINVAL for a file that is not a buffer, EBADF for a descriptor that is not open. */
static int carry_out_prime_fd_to_handle(struct file *file, void *argument)
{
    struct drm_prime_handle *request = argument;
    struct bo *bo;
    if (fcntl(request->fd, F_GETFD) < 0)
        return EBADF;
    int error = bo_import(&bo, request->fd);
    if (error)
        return error;
    request->handle = file_handle(file, bo);
    bo_release(bo);
    return request->handle ? 0 : ENOMEM;
}

const struct ioctl_entry ioctl_core_entries[] = {
    /* clang-format off */
    {DRM_IOCTL_VERSION,            carry_out_version,            IOCTL_RENDER},
    {DRM_IOCTL_GET_UNIQUE,         carry_out_get_unique,         0},
    {DRM_IOCTL_GET_MAGIC,          carry_out_get_magic,          0},
    {DRM_IOCTL_GET_CLIENT,         carry_out_get_client,         0},
    {DRM_IOCTL_GET_STATS,          carry_out_get_stats,          0},
    {DRM_IOCTL_GET_CAP,            carry_out_get_cap,            IOCTL_RENDER},
    {DRM_IOCTL_SET_CLIENT_CAP,     carry_out_set_client_cap,     0},
    {DRM_IOCTL_SET_VERSION,        carry_out_set_version,        IOCTL_MASTER},
    {DRM_IOCTL_AUTH_MAGIC,         carry_out_auth_magic,         IOCTL_MASTER},
    {DRM_IOCTL_BLOCK,              carry_out_nothing,            IOCTL_AUTH | IOCTL_MASTER},
    {DRM_IOCTL_UNBLOCK,            carry_out_nothing,            IOCTL_AUTH | IOCTL_MASTER},
    {DRM_IOCTL_SET_MASTER,         carry_out_set_master,         0},
    {DRM_IOCTL_DROP_MASTER,        carry_out_drop_master,        0},
    {DRM_IOCTL_GEM_CLOSE,          carry_out_gem_close,          IOCTL_RENDER},
    {DRM_IOCTL_GEM_FLINK,          carry_out_gem_flink,          IOCTL_AUTH},
    {DRM_IOCTL_GEM_OPEN,           carry_out_gem_open,           IOCTL_AUTH},
    {DRM_IOCTL_PRIME_HANDLE_TO_FD, carry_out_prime_handle_to_fd, IOCTL_RENDER},
    {DRM_IOCTL_PRIME_FD_TO_HANDLE, carry_out_prime_fd_to_handle, IOCTL_RENDER},
    {0,                            NULL,                         0},
    /* clang-format on */
};
