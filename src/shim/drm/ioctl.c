/* SPDX-License-Identifier: MIT */
/* ioctl.c - see ioctl.h.
 *
 * In:  requests. Out: what the tables' functions answer.
 *
 * Source: Linux, drivers/gpu/drm/drm_ioctl.c: requests are told apart by their number alone, structures may be shorter or longer
 *         than this kernel's, and are copied back after errors, too. */
#include "ioctl.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gpu.h"
#include "kms.h"
#include "user.h"

enum { MOST = 1 << _IOC_SIZEBITS, NUMBERS = 1 << _IOC_NRBITS };

static const struct ioctl_entry *const tables[] = {ioctl_core_entries, ioctl_syncobj_entries,
                                                   ioctl_vc4_entries, ioctl_kms_entries};

/* The entry of each number. */
static const struct ioctl_entry *by_number[NUMBERS];

static void fill(void)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct ioctl_entry *entry = tables[i]; entry->request; entry++)
            by_number[_IOC_NR(entry->request)] = entry;
}

static const struct ioctl_entry *find(unsigned long request)
{
    static bool filled;
    if (!filled)
        fill();
    filled = true;
    return by_number[_IOC_NR(request)];
}

static bool is_permitted(const struct file *file, unsigned permissions)
{
    if (file->node == FILE_RENDER)
        return permissions & IOCTL_RENDER;
    if (permissions & IOCTL_AUTH && !file->is_authenticated)
        return false;
    return !(permissions & IOCTL_MASTER) || file->is_master;
}

/* Bytes that are copied in one direction: those that both the program and the kernel think of. */
static size_t copied(unsigned long request, const struct ioctl_entry *entry, unsigned direction)
{
    return _IOC_DIR(request) & _IOC_DIR(entry->request) & direction ? _IOC_SIZE(request) : 0;
}

static int carry_out(struct file *file, const struct ioctl_entry *entry, unsigned long request,
                     uint64_t argument)
{
    _Alignas(16) uint8_t bytes[MOST];
    size_t in = copied(request, entry, _IOC_WRITE), out = copied(request, entry, _IOC_READ);
    size_t own = _IOC_SIZE(entry->request), whole = own > out ? own : out;
    if (!user_read(bytes, argument, in))
        return EFAULT;
    if (whole > in)
        memset(bytes + in, 0, whole - in);
    int error = is_permitted(file, entry->permissions) ? entry->carry_out(file, bytes) : EACCES;
    return user_write(argument, bytes, out) ? error : EFAULT;
}

int ioctl_locked(struct file *file, unsigned long request, uint64_t argument)
{
    const struct ioctl_entry *entry = find(request);
    if (!entry)
        return EINVAL;
    return gpu_is_running() ? EIO : carry_out(file, entry, request, argument);
}

int ioctl_carry_out(struct file *file, unsigned long request, uint64_t argument)
{
    gpu_lock();
    int error = ioctl_locked(file, request, argument);
    gpu_unlock();
    kms_wait();
    return error;
}
