/* SPDX-License-Identifier: MIT */
/* dma_buf.h - VideoCore memory as dma-bufs: /dev/vcsm-cma, /dev/dma_heap, and the descriptors that
 * they create. */
#ifndef VCIO_DMA_BUF_H
#define VCIO_DMA_BUF_H

#include <stddef.h>
#include <stdint.h>

#include "files.h"

/* Carry out ioctl() of the two devices. Return 0, or -1 with errno set. `argument` may be any
 * value. */
int vcsm_cma_ioctl(unsigned long request, uintptr_t argument);
int dma_heap_ioctl(unsigned long request, uintptr_t argument);

/* Returns the kind of the faked file of a descriptor, or FILE_NONE. */
enum file_kind dma_buf_file_kind(int fd);

/* dma_buf_ioctl() and dma_buf_map() carry out ioctl() and mmap() of a dma-buf. */
int dma_buf_ioctl(unsigned long request, uintptr_t argument);
void *dma_buf_map(int fd, void *start, size_t size, int prot, int flags, uint64_t offset);

#endif
