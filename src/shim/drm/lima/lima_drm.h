/* SPDX-License-Identifier: MIT */
/* lima_drm.h - the requests of the kernel's lima driver. libdrm has no header for them.
 *
 * Source: Linux, include/uapi/drm/lima_drm.h (numbers, sizes, order of the members). */
#ifndef SHIM_DRM_LIMA_LIMA_DRM_H
#define SHIM_DRM_LIMA_LIMA_DRM_H

#include <stdint.h>

#include <libdrm/drm.h>

enum { LIMA_GPU_ID, LIMA_NUM_PP, LIMA_GP_VERSION, LIMA_PP_VERSION }; /* parameters */
enum { LIMA_MALI400 = 1 };                                           /* value of LIMA_GPU_ID */

struct lima_get_param {
    uint32_t param, pad;
    uint64_t value;
};

/* A heap is backed with memory when the GPU needs it. Programs cannot map it. */
enum { LIMA_BO_HEAP = 1 << 0 };

struct lima_gem_create {
    uint32_t size, flags, handle, pad;
};

struct lima_gem_info {
    uint32_t handle, address; /* address in the GPU's address space */
    uint64_t offset;          /* offset for mmap() of the node */
};

enum lima_pipe { LIMA_GP, LIMA_PP, LIMA_PIPES };

struct lima_submit_bo {
    uint32_t handle, flags;
};

/* Words of the GP's frame: start and end of the streams and of the heap. */
enum { LIMA_VS, LIMA_VS_END, LIMA_PLBU, LIMA_PLBU_END, LIMA_HEAP, LIMA_HEAP_END, LIMA_GP_WORDS };

/* Words of the PP's frame of a Mali-400: registers, number of PPs, three write-back units,
 * addresses of the PPs' streams and stacks. */
enum { LIMA_PP_REGISTERS = 23, LIMA_PP_COUNT = 23, LIMA_PP_WORDS = 23 + 1 + 3 * 12 + 4 + 4 };

enum { LIMA_EXPLICIT_FENCE = 1 << 0 };

struct lima_gem_submit {
    uint32_t context, pipe, bo_count, frame_size;
    uint64_t bos, frame;
    uint32_t flags, out_sync, in_sync[2];
};

enum { LIMA_WAIT_READ = 1 << 0, LIMA_WAIT_WRITE = 1 << 1 };

struct lima_gem_wait {
    uint32_t handle, operation;
    int64_t timeout; /* in nanoseconds of CLOCK_MONOTONIC */
};

struct lima_context {
    uint32_t id, pad;
};

#define LIMA_IOCTL_GET_PARAM      DRM_IOWR(DRM_COMMAND_BASE + 0, struct lima_get_param)
#define LIMA_IOCTL_GEM_CREATE     DRM_IOWR(DRM_COMMAND_BASE + 1, struct lima_gem_create)
#define LIMA_IOCTL_GEM_INFO       DRM_IOWR(DRM_COMMAND_BASE + 2, struct lima_gem_info)
#define LIMA_IOCTL_GEM_SUBMIT     DRM_IOW(DRM_COMMAND_BASE + 3, struct lima_gem_submit)
#define LIMA_IOCTL_GEM_WAIT       DRM_IOW(DRM_COMMAND_BASE + 4, struct lima_gem_wait)
#define LIMA_IOCTL_CONTEXT_CREATE DRM_IOR(DRM_COMMAND_BASE + 5, struct lima_context)
#define LIMA_IOCTL_CONTEXT_FREE   DRM_IOW(DRM_COMMAND_BASE + 6, struct lima_context)

#endif
