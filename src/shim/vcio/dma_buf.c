/* SPDX-License-Identifier: MIT */
/* dma_buf.c - see devices.h.
 *
 * In:  requests with a structure; mmap() of descriptors.
 * Out: descriptors whose mappings show VideoCore memory, and bus addresses.
 *
 * Source: raspberrypi/linux, drivers/staging/vc04_services/vc-sm-cma/vc_sm.c, vcsm_kernel.h; Linux,
 *         include/uapi/linux/dma-heap.h, drivers/dma-buf/dma-heap.c and dma-buf.c.
 * Choices: a dma-buf is an empty file in memory of the right size. The inode number of the file
 *          identifies the dma-buf. All dma-bufs are in VideoCore's memory. On a board, those of
 *          /dev/dma_heap are in the ARM's memory. */
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "shared.h"
#include "shim/common/device_lock.h"
#include "shim/common/dma_buf_requests.h"
#include "shim/common/next.h"
#include "shim/common/user.h"
#include "shim/vcio/vcio_machine.h"
#include "vcsm_kernel.h"

#define UNCACHED UINT32_C(0xc0000000) /* cache alias of all dma-bufs */

struct heap_alloc {
    uint64_t size;
    uint32_t fd, fd_flags;
    uint64_t heap_flags;
};

/* --- Descriptors --- */

/* Creates the first descriptor of a reference. On error, drops the reference and returns a negative
 * errno. */
static int give_fd(struct shared *way, int flags)
{
    int fd = memfd_create("dmabuf", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (fd >= 0 && ftruncate64(fd, way->block->size) == 0) {
        shared_give_file(way, fd);
        return fd;
    }
    int reason = errno;
    if (fd >= 0)
        real_close(fd);
    shared_drop(way);
    return -reason;
}

static int new_fd(struct shared *way, int flags)
{
    return way ? give_fd(way, flags) : -ENOMEM;
}

static uint64_t dma_address(const struct shared *way)
{
    return way->block->address | UNCACHED;
}

enum file_kind dma_buf_file_kind(int fd)
{
    const struct file *file = file_behind(fd);
    if (file)
        return file->kind;
    return shared_by_fd(fd) ? FILE_DMA_BUF : FILE_NONE;
}

/* --- /dev/vcsm-cma --- */

static int cma_allocate(struct cma_allocate *alloc)
{
    if (alloc->size == 0)
        return EINVAL;
    struct shared *way = shared_new(alloc->size, SHARED_DIRECT);
    int fd = new_fd(way, O_CLOEXEC);
    if (fd < 0)
        return -fd;
    alloc->handle = fd;
    alloc->vc_handle = way->block->handle;
    alloc->dma_address = dma_address(way);
    return 0;
}

static int cma_import(struct cma_import *import)
{
    struct shared *other = shared_by_fd(import->fd);
    if (!other)
        return EINVAL;
    struct shared *way = shared_again(other);
    int fd = new_fd(way, O_CLOEXEC);
    if (fd < 0)
        return -fd;
    import->handle = fd;
    import->vc_handle = way->block->handle;
    import->size = way->block->size;
    import->dma_address = dma_address(way);
    return 0;
}

static int answer(uintptr_t argument, const void *reply, size_t size, int fd)
{
    if (user_write(argument, reply, size))
        return 0;
    real_close(fd);
    return EFAULT;
}

static int allocate(uintptr_t argument)
{
    struct cma_allocate alloc;
    if (!user_read(&alloc, argument, sizeof alloc))
        return EFAULT;
    int error = cma_allocate(&alloc);
    return error ? error : answer(argument, &alloc, sizeof alloc, alloc.handle);
}

static int import(uintptr_t argument)
{
    struct cma_import import;
    if (!user_read(&import, argument, sizeof import))
        return EFAULT;
    int error = cma_import(&import);
    return error ? error : answer(argument, &import, sizeof import, import.handle);
}

/* A request of an earlier driver. Later drivers refuse it, but libvcsm still uses it. */
static int clean(uintptr_t argument)
{
    enum { OPERATIONS = 4 };
    struct cma_clean_block block;
    uint32_t count;
    if (!user_read(&count, argument, sizeof count))
        return EFAULT;
    argument += offsetof(struct cma_clean_blocks, block);
    for (uint32_t i = 0; i < count; i++, argument += sizeof block) {
        if (!user_read(&block, argument, sizeof block))
            return EFAULT;
        if (block.operation && (!block.size || block.operation >= OPERATIONS))
            return EINVAL;
    }
    return 0;
}

static int cma_carry_out(unsigned long request, uintptr_t argument)
{
    switch (_IOC_NR(request)) {
    case CMA_ALLOCATE: return allocate(argument);
    case CMA_IMPORT: return import(argument);
    case CMA_CLEAN_BLOCKS: return clean(argument);
    default: return EINVAL;
    }
}

/* --- /dev/dma_heap --- */

static int heap_allocate(uintptr_t argument)
{
    struct heap_alloc alloc;
    if (!user_read(&alloc, argument, sizeof alloc))
        return EFAULT;
    if (alloc.fd || alloc.heap_flags || !alloc.size ||
        alloc.fd_flags & ~(uint32_t)(O_CLOEXEC | O_ACCMODE))
        return EINVAL;
    int fd = new_fd(shared_new(alloc.size, SHARED_DIRECT), (int)alloc.fd_flags);
    if (fd < 0)
        return -fd;
    alloc.fd = (uint32_t)fd;
    return answer(argument, &alloc, sizeof alloc, fd);
}

static int heap_carry_out(unsigned long request, uintptr_t argument)
{
    return (uint32_t)request == _IOWR('H', 0, struct heap_alloc) ? heap_allocate(argument) : ENOTTY;
}

/* --- dma-bufs --- */

static int buffer_carry_out(unsigned long request, uintptr_t argument)
{
    switch ((uint32_t)request) {
    case DMA_BUF_IOCTL_SYNC: return dma_buf_synchronise(argument);
    case DMA_BUF_SET_NAME_A:
    case DMA_BUF_SET_NAME_B: return dma_buf_set_name(argument);
    default: return ENOTTY;
    }
}

void *dma_buf_map(int fd, void *start, size_t size, int prot, int flags, uint64_t offset)
{
    void *result = MAP_FAILED;
    device_lock();
    struct shared *way = shared_by_fd(fd);
    if (way)
        result = shared_map(way, start, size, prot, flags, offset);
    else
        errno = EBADF;
    device_unlock();
    return result;
}

/* --- Interface --- */

int vcsm_cma_ioctl(unsigned long request, uintptr_t argument)
{
    return machine_request(cma_carry_out, request, argument);
}

int dma_heap_ioctl(unsigned long request, uintptr_t argument)
{
    return machine_request(heap_carry_out, request, argument);
}

int dma_buf_ioctl(unsigned long request, uintptr_t argument)
{
    return machine_request(buffer_carry_out, request, argument);
}
