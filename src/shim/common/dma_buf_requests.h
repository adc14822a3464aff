/* SPDX-License-Identifier: MIT */
/* dma_buf_requests.h - requests that every dma-buf supports. Memory is coherent, so they only check
 * their arguments. They return 0, EFAULT or EINVAL, and are called with the device's lock.
 *
 * Source: Linux, drivers/dma-buf/dma-buf.c. */
#ifndef SHIM_COMMON_DMA_BUF_REQUESTS_H
#define SHIM_COMMON_DMA_BUF_REQUESTS_H

#include <errno.h>

#include <linux/dma-buf.h>

#include "user.h"

/* Carries out DMA_BUF_IOCTL_SYNC. */
static inline int dma_buf_synchronise(uint64_t argument)
{
    struct dma_buf_sync sync;
    if (!user_read(&sync, argument, sizeof sync))
        return EFAULT;
    return sync.flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK || !(sync.flags & DMA_BUF_SYNC_RW)
               ? EINVAL
               : 0;
}

/* Carries out DMA_BUF_SET_NAME. */
static inline int dma_buf_set_name(uint64_t argument)
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

#endif
