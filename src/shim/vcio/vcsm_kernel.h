/* SPDX-License-Identifier: MIT */
/* vcsm_kernel.h - requests to the drivers of VideoCore memory: command numbers and structures.
 *
 * Source: raspberrypi/linux, include/linux/broadcom/vmcs_sm_ioctl.h; Idein/rpi-vcsm for
 *         VCSM_CLEAN_BLOCKS and VCSM_IMPORT; raspberrypi/userland,
 *         host_applications/linux/libs/sm/vc_sm_cma_ioctl.h; Linux,
 *         include/uapi/linux/dma-buf.h. */
#ifndef VCIO_VCSM_KERNEL_H
#define VCIO_VCSM_KERNEL_H

#include <stdint.h>

enum { VCSM_TYPE = 'I', CMA_TYPE = 'J' };
enum { VCSM_NAME_WORDS = 8 };

/* Commands of /dev/vcsm. vcsm.c describes the 32-bit words of their structures. VCSM_CLEAN_BLOCKS
 * uses struct vcsm_clean_blocks. */
enum {
    VCSM_ALLOCATE = 0x5a,
    VCSM_SHARE,
    VCSM_LOCK,
    VCSM_LOCK_CACHE,
    VCSM_UNLOCK,
    VCSM_RESIZE,
    VCSM_RELEASE = 0x61,
    VCSM_FLUSH,
    VCSM_INVALIDATE,
    VCSM_SIZE,
    VCSM_CHECK,
    VCSM_HANDLE_FROM_ADDRESS,
    VCSM_ADDRESS_FROM_HANDLE,
    VCSM_VC_HANDLE_FROM_ADDRESS,
    VCSM_VC_HANDLE_FROM_HANDLE,
    VCSM_VC_ADDRESS_FROM_HANDLE,
    VCSM_WALK_VC,
    VCSM_WALK_MAPPINGS,
    VCSM_WALK_PROCESS,
    VCSM_WALK_PROCESS_MAPPINGS,
    VCSM_CLEAN_LIST,
    VCSM_CLEAN_BLOCKS,
    VCSM_IMPORT
};

/* Structure with `count` blocks. Operations of a block: 0 none, 1 invalidate, 2 clean, 3 invalidate
 * and clean. */
struct vcsm_clean_blocks {
    uint8_t count, zero[3];
    struct vcsm_clean_block {
        uint16_t operation, count;
        void *start;
        uint32_t size, stride;
    } block[];
};

/* Commands of /dev/vcsm-cma. */
enum { CMA_ALLOCATE = 0x5a, CMA_IMPORT, CMA_CLEAN_BLOCKS };

struct cma_allocate {
    uint32_t size, number, cached, pad;
    uint32_t name[VCSM_NAME_WORDS];
    int32_t handle; /* descriptor of the dma-buf */
    uint32_t vc_handle;
    uint64_t dma_address;
};

struct cma_import {
    int32_t fd;
    uint32_t cached;
    uint32_t name[VCSM_NAME_WORDS];
    int32_t handle; /* descriptor of the new dma-buf */
    uint32_t vc_handle, size, pad;
    uint64_t dma_address;
};

struct cma_clean_blocks {
    uint32_t count, pad;
    struct cma_clean_block {
        uint32_t operation, count;
        void *start;
        uint32_t size, stride;
    } block[];
};

#endif
