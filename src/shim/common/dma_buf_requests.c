/* SPDX-License-Identifier: MIT */
/* dma_buf_requests.c - see dma_buf_requests.h. */
#include "dma_buf_requests.h"

#include <errno.h>

#include <linux/dma-buf.h>

#include "user.h"

int dma_buf_synchronise(uint64_t argument)
{
    struct dma_buf_sync sync;
    if (!user_read(&sync, argument, sizeof sync))
        return EFAULT;
    return sync.flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK || !(sync.flags & DMA_BUF_SYNC_RW)
               ? EINVAL
               : 0;
}

int dma_buf_set_name(uint64_t argument)
{
    char letter = 1;
    for (uint32_t i = 0; letter; i++) {
        if (i == DMA_BUF_NAME_LEN)
            return EINVAL;
        if (!user_read(&letter, argument + i, 1))
            return EFAULT;
    }
    return 0;
}
