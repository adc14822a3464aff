/* SPDX-License-Identifier: MIT */
/* dma_buf.h - requests to the files that PRIME exports. */
#ifndef SHIM_DRM_JOBS_DMA_BUF_H
#define SHIM_DRM_JOBS_DMA_BUF_H

#include <stdbool.h>
#include <stdint.h>

/* True if a descriptor refers to a file exported by PRIME, from this or another process. */
bool dma_buf_is(int fd);

/* Carries out ioctl() of a file exported by PRIME. Returns 0 or an errno. */
int dma_buf_ioctl(unsigned long request, uint64_t argument);

#endif
