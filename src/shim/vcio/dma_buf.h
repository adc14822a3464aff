/* SPDX-License-Identifier: MIT */
/* dma_buf.h - VideoCore memory as dma-bufs: /dev/vcsm-cma, /dev/dma_heap, and the descriptors that
 * they create. */
#ifndef VCIO_DMA_BUF_H
#define VCIO_DMA_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Carry out ioctl() of the two devices. Return 0, or -1 with errno set. `argument` may be any
 * value. */
int vcsm_cma_ioctl(unsigned long request, uintptr_t argument);
int dma_heap_ioctl(unsigned long request, uintptr_t argument);

/* dma_buf_is() returns true if a descriptor is a dma-buf of the shim. dma_buf_ioctl() and
 * dma_buf_map() carry out ioctl() and mmap() of a dma-buf. */
bool dma_buf_is(int fd);
int dma_buf_ioctl(unsigned long request, uintptr_t argument);
void *dma_buf_map(int fd, void *start, size_t size, int prot, int flags, uint64_t offset);

#endif
