/* SPDX-License-Identifier: MIT */
/* dma_buf_requests.h - checks the arguments of requests that every dma-buf supports. Memory is
 * coherent, so these requests have no other effect.
 *
 * Source: Linux, drivers/dma-buf/dma-buf.c. */
#ifndef SHIM_COMMON_DMA_BUF_REQUESTS_H
#define SHIM_COMMON_DMA_BUF_REQUESTS_H

#include <stdint.h>

/* Carry out DMA_BUF_IOCTL_SYNC and DMA_BUF_SET_NAME. Return 0, EFAULT or EINVAL. Called with the
 * device's lock (device_lock.h). */
int dma_buf_synchronise(uint64_t argument);
int dma_buf_set_name(uint64_t argument);

#endif
