/* SPDX-License-Identifier: MIT */
/* dma_buf.c - see dma_buf.h.
 *
 * In:  requests.
 * Out: errnos, sync files.
 *
 * Memory is coherent, and a job is finished when its request returns. So a request only has to
 * check its arguments. It checks them as strictly as the kernel.
 *
 * Source: Linux, drivers/dma-buf/dma-buf.c. */
#include "shim/drm/jobs/dma_buf.h"

#include <errno.h>
#include <sys/ioctl.h>

#include <linux/dma-buf.h>

#include "shim/common/dma_buf_requests.h"
#include "shim/common/next.h"
#include "shim/common/user.h"
#include "shim/drm/gem/memory.h"
#include "shim/drm/jobs/syncobj.h"

bool dma_buf_is(int fd)
{
    return memory_is_file(fd);
}

static bool bad_direction(uint32_t flags)
{
    return flags & ~(uint32_t)DMA_BUF_SYNC_RW || !(flags & DMA_BUF_SYNC_RW);
}

static int export_fence(uint64_t argument)
{
    struct dma_buf_export_sync_file request;
    if (!user_read(&request, argument, sizeof request))
        return EFAULT;
    if (bad_direction(request.flags))
        return EINVAL;
    int error = fence_create(&request.fd);
    if (error || user_write(argument, &request, sizeof request))
        return error;
    real_close(request.fd);
    return EFAULT;
}

static int import_fence(uint64_t argument)
{
    struct dma_buf_import_sync_file request;
    if (!user_read(&request, argument, sizeof request))
        return EFAULT;
    return bad_direction(request.flags) || !fence_is(request.fd) ? EINVAL : 0;
}

int dma_buf_ioctl(unsigned long request, uint64_t argument)
{
    switch ((uint32_t)request) {
    case DMA_BUF_IOCTL_SYNC: return dma_buf_synchronise(argument);
    case DMA_BUF_SET_NAME_A:
    case DMA_BUF_SET_NAME_B: return dma_buf_set_name(argument);
    case DMA_BUF_IOCTL_EXPORT_SYNC_FILE: return export_fence(argument);
    case DMA_BUF_IOCTL_IMPORT_SYNC_FILE: return import_fence(argument);
    default: return ENOTTY;
    }
}
