/* SPDX-License-Identifier: MIT */
/* ioctl.c - see ioctl.h.
 *
 * In:  requests.
 * Out: the results of the functions in the tables.
 *
 * Source: Linux, drivers/gpu/drm/drm_ioctl.c: only the number in a request identifies it. A
 *         program's structure may be shorter or longer than the kernel's. The structure is copied
 *         back even after an error. */
#include "shim/drm/calls/ioctl.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "shim/common/device_lock.h"
#include "shim/common/user.h"
#include "shim/drm/calls/clock.h"

enum { SMALL = 256, NUMBERS = 1 << _IOC_NRBITS };

/* Table entries by the number in the request. */
static const struct ioctl_entry *by_number[NUMBERS];

void ioctl_add(const struct ioctl_entry *entries)
{
    for (const struct ioctl_entry *entry = entries; entry->request; entry++)
        by_number[_IOC_NR(entry->request)] = entry;
}

const struct ioctl_entry *ioctl_at(unsigned number)
{
    return number < NUMBERS ? by_number[number] : NULL;
}

static bool is_permitted(const struct file *file, unsigned permissions)
{
    if (file->node == FILE_RENDER)
        return permissions & IOCTL_RENDER;
    if (permissions & IOCTL_AUTH && !file->is_authenticated)
        return false;
    return !(permissions & IOCTL_MASTER) || file->is_master;
}

/* Returns the number of bytes to copy in one direction. Returns 0 unless the program's request and
 * the kernel's request both have that direction. */
static size_t copied(unsigned long request, const struct ioctl_entry *entry, unsigned direction)
{
    return _IOC_DIR(request) & _IOC_DIR(entry->request) & direction ? _IOC_SIZE(request) : 0;
}

/* Number of bytes to copy in and out, and size of the argument of the function that carries out the
 * request. */
struct copies {
    size_t in, out, whole;
};

static int carry_out_in(uint8_t *bytes, const struct copies *sizes, struct file *file,
                        const struct ioctl_entry *entry, uint64_t argument)
{
    if (!user_read(bytes, argument, sizes->in))
        return EFAULT;
    memset(bytes + sizes->in, 0, sizes->whole - sizes->in);
    int error = is_permitted(file, entry->permissions) ? entry->carry_out(file, bytes) : EACCES;
    return user_write(argument, bytes, sizes->out) ? error : EFAULT;
}

static size_t most_of(size_t one, size_t other)
{
    return one > other ? one : other;
}

/* Carries out a request. Copies small structures to the stack, like the kernel, and larger ones to
 * the heap. */
static int carry_out(struct file *file, const struct ioctl_entry *entry, unsigned long request,
                     uint64_t argument)
{
    _Alignas(16) uint8_t small[SMALL];
    struct copies sizes = {.in = copied(request, entry, _IOC_WRITE),
                           .out = copied(request, entry, _IOC_READ)};
    sizes.whole = most_of(_IOC_SIZE(entry->request), most_of(sizes.in, sizes.out));
    if (sizes.whole <= sizeof small)
        return carry_out_in(small, &sizes, file, entry, argument);
    uint8_t *bytes = malloc(sizes.whole);
    int error = bytes ? carry_out_in(bytes, &sizes, file, entry, argument) : ENOMEM;
    free(bytes);
    return error;
}

int ioctl_locked(struct file *file, unsigned long request, uint64_t argument)
{
    const struct ioctl_entry *entry = ioctl_at(_IOC_NR(request));
    return entry ? carry_out(file, entry, request, argument) : EINVAL;
}

int ioctl_carry_out(struct file *file, unsigned long request, uint64_t argument)
{
    device_lock();
    int error = ioctl_locked(file, request, argument);
    device_unlock();
    clock_wait();
    return error;
}
