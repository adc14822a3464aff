/* SPDX-License-Identifier: MIT */
/* interpose.c - interposes ioctl(), mmap() and functions for descriptors. See interpose_files.c
 * for paths, interpose_io.c for reading and waiting, and shim/common/interpose.c for functions
 * that other shims interpose, too.
 *
 * In:  calls.
 * Out: the answers of a vc4 device, or of the C library.
 *
 * Source: the C library's manual; glibc's names for functions with 64-bit file offsets. */
#include "shim/drm/interpose/interpose_io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/common/device_lock.h"
#include "shim/common/interpose.h"
#include "shim/common/private_fds.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/gem/flink.h"
#include "shim/drm/gem/memory.h"
#include "shim/drm/interpose/nodes.h"
#include "shim/drm/interpose/terminals.h"
#include "shim/drm/jobs/dma_buf.h"
#include "shim/drm/jobs/syncobj.h"
#include "shim/drm/kms/kms.h"

/* --- ioctl() --- */

enum { TYPE_DMA_BUF = 'b', TYPE_SYNC_FILE = '>' };

typedef bool is_file(int fd);
typedef int carry_out_file(unsigned long request, uint64_t argument);

/* If is(fd) is true, carries out the request and returns its errno. Otherwise returns -1. */
static int ask_file(int fd, is_file *is, carry_out_file *carry_out, unsigned long request,
                    uint64_t argument)
{
    if (!is(fd))
        return -1;
    device_lock();
    int error = carry_out(request, argument);
    device_unlock();
    return error;
}

/* Carries out a request to a node or a terminal. Tests whether fd is a node or a terminal before it
 * takes the lock, because it may have to wait long for the lock. */
static int ask_node(int fd, unsigned long request, uint64_t argument)
{
    enum file_node node;
    unsigned terminal;
    if (interpose_is_of_descriptors(request))
        return -1;
    if (!nodes_is(fd, &node))
        return terminals_is(fd, &terminal) ? terminals_ioctl(terminal, request, argument) : -1;
    device_lock();
    struct file *file = nodes_find(fd);
    int error = file ? ioctl_locked(file, request, argument) : EBADF;
    device_unlock();
    clock_wait();
    return error;
}

static int ask(int fd, unsigned long request, uint64_t argument)
{
    int error = -1;
    if (_IOC_TYPE(request) == TYPE_DMA_BUF)
        error = ask_file(fd, dma_buf_is, dma_buf_ioctl, request, argument);
    else if (_IOC_TYPE(request) == TYPE_SYNC_FILE)
        error = ask_file(fd, fence_is, fence_ioctl, request, argument);
    return error >= 0 ? error : ask_node(fd, (uint32_t)request, argument);
}

bool interpose_ioctl(int fd, unsigned long request, void *argument, int *result)
{
    int before = errno, error = ask(fd, request, (uintptr_t)argument);
    *result = error ? -1 : 0;
    errno = error > 0 ? error : before;
    return error >= 0;
}

/* --- memory --- */

static void *map_node(void *start, size_t size, int prot, int flags, int fd, uint64_t offset)
{
    device_lock();
    const struct file *file = nodes_find(fd);
    errno = EBADF;
    void *mapped = file ? file_map(file, start, size, prot, flags, offset) : MAP_FAILED;
    int error = errno;
    device_unlock();
    errno = error;
    return mapped;
}

void *interpose_map(void *start, size_t size, int prot, int flags, int fd, off64_t offset)
{
    enum file_node node;
    bool of_file = !(flags & MAP_ANONYMOUS), ours = of_file && nodes_is(fd, &node);
    if (of_file && !ours && memory_is_past(fd, size, (uint64_t)offset)) {
        errno = EINVAL; /* as dma_buf_mmap() does */
        return MAP_FAILED;
    }
    return ours ? map_node(start, size, prot, flags, fd, (uint64_t)offset)
                : real_mmap(start, size, prot, flags, fd, offset);
}

/* --- descriptors --- */

INTERPOSE(int, close, (int fd), (fd))
{
    if (!private_fds_has(fd))
        return nodes_close(fd, real_close);
    errno = EBADF;
    return -1;
}

int interpose_close_range(unsigned first, unsigned last, int flags)
{
    if (!(flags & (int)CLOSE_RANGE_CLOEXEC))
        nodes_closed(first, last);
    return NEXT(close_range)(first, last, flags);
}

bool interpose_refuse(int fd)
{
    enum file_node node;
    const bool ours = nodes_is(fd, &node);
    if (ours)
        errno = EIO;
    return ours;
}

static int duplicated(int from, int to)
{
    int error = errno;
    if (to >= 0 && !lock_is_inside())
        nodes_duplicated(from, to);
    errno = error;
    return to;
}

INTERPOSE(int, dup, (int fd), (fd))
{
    return duplicated(fd, NEXT(dup)(fd));
}

/* Moves a private descriptor of the shim away from the number `to`, which the program is about to
 * use. */
static void make_way(int to)
{
    if (!private_fds_has(to))
        return;
    device_lock();
    int moved = private_fds_make_way(to);
    if (moved >= 0)
        flink_moved(to, moved);
    device_unlock();
}

INTERPOSE(int, dup2, (int from, int to), (from, to))
{
    make_way(to);
    return duplicated(from, NEXT(dup2)(from, to));
}

INTERPOSE(int, dup3, (int from, int to, int flags), (from, to, flags))
{
    make_way(to);
    return duplicated(from, NEXT(dup3)(from, to, flags));
}

int interpose_fcntl(int fd, int command, int result)
{
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result;
}

INTERPOSE_FCNTL(fcntl, NEXT(fcntl))
INTERPOSE_FCNTL(fcntl64, NEXT(fcntl64))
