/* SPDX-License-Identifier: MIT */
/* dma_buf.h - requests to the files that PRIME gives. */
#ifndef SHIM_DRM_DMA_BUF_H
#define SHIM_DRM_DMA_BUF_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a descriptor is of such a file, of whatever process. */
bool dma_buf_is(int fd);

/* ioctl() of one: 0, or an errno. */
int dma_buf_ioctl(unsigned long request, uint64_t argument);

#endif
