/* SPDX-License-Identifier: MIT */
/* dma_buf.h - VideoCore memory as dma-bufs: /dev/vcsm-cma, /dev/dma_heap, and the descriptors that they give. */
#ifndef VCIO_DMA_BUF_H
#define VCIO_DMA_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the drivers do for ioctl(fd, request, argument): 0, or -1 and errno. argument may be anything. */
int vcsm_cma_ioctl(unsigned long request, uintptr_t argument);
int dma_heap_ioctl(unsigned long request, uintptr_t argument);

/* Whether a descriptor is a dma-buf of ours; its ioctl(); and mmap() of it. */
bool dma_buf_is(int fd);
int dma_buf_ioctl(unsigned long request, uintptr_t argument);
void *dma_buf_map(int fd, void *start, size_t size, int prot, int flags, uint64_t offset);

#endif
