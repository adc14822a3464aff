/* SPDX-License-Identifier: MIT */
/* lima_driver.c - see lima_driver.h; parameters of the GPU, buffer objects, waiting, contexts.
 *
 * In:  requests.
 * Out: handles, addresses, values.
 *
 * A job is finished, or refused, when its request returns. So requests that wait return at once.
 *
 * Source: Linux 6.12, drivers/gpu/drm/lima/lima_drv.c (parameters, permissions, names), lima_gem.c,
 *         lima_ctx.c, lima_gp.c and lima_pp.c (version words), lima_sched.c (timeline);
 *         arch/arm/boot/dts/allwinner/sun8i-h3.dtsi (the platform device).
 * Choices: all files of a process share one address space, which begins at the second page. In the
 *          kernel each file has its own, and the first object has address 0. A heap has all of its
 *          memory at once; in the kernel it grows. */
#include "shim/drm/lima/lima_driver.h"

#include <errno.h>

#include "shim/drm/calls/ioctl.h"
#include "shim/drm/lima/lima_drm.h"
#include "shim/drm/lima/lima_submit.h"

/* Version words of an Allwinner H3, as its kernel log prints them: Mali-400 r1p1. */
#define GP_VERSION UINT32_C(0x0b070101)
#define PP_VERSION UINT32_C(0xcd070101)

static int get_param(struct file *file, void *argument)
{
    static const uint64_t values[] = {[LIMA_GPU_ID] = LIMA_MALI400,
                                      [LIMA_NUM_PP] = LIMA_PPS,
                                      [LIMA_GP_VERSION] = GP_VERSION,
                                      [LIMA_PP_VERSION] = PP_VERSION};
    struct lima_get_param *request = argument;
    (void)file;
    if (request->pad || request->param >= sizeof values / sizeof *values)
        return EINVAL;
    request->value = values[request->param];
    return 0;
}

/* --- buffer objects --- */

static int gem_create(struct file *file, void *argument)
{
    struct lima_gem_create *request = argument;
    struct bo *bo;
    if (request->pad || request->flags & ~(uint32_t)LIMA_BO_HEAP || request->size == 0)
        return EINVAL;
    int error = bo_create(&bo, request->size);
    if (error)
        return error;
    bo->is_hidden = request->flags & LIMA_BO_HEAP;
    request->handle = file_new_handle(file, bo);
    bo_release(bo);
    return request->handle ? 0 : ENOMEM;
}

static int gem_info(struct file *file, void *argument)
{
    struct lima_gem_info *request = argument;
    const struct bo *bo = file_bo(file, request->handle);
    if (!bo)
        return ENOENT;
    request->address = bo->memory.address;
    request->offset = bo_offset(bo);
    return 0;
}

static int gem_wait(struct file *file, void *argument)
{
    const struct lima_gem_wait *request = argument;
    if (request->operation & ~(uint32_t)(LIMA_WAIT_READ | LIMA_WAIT_WRITE))
        return EINVAL;
    return !request->operation || file_bo(file, request->handle) ? 0 : EINVAL;
}

/* --- contexts --- */

static int context_create(struct file *file, void *argument)
{
    struct lima_context *request = argument;
    const int64_t id = request->pad ? 0 : lima_context_create(file);
    request->id = (uint32_t)id;
    return request->pad ? EINVAL : id < 0 ? ENOMEM : 0;
}

static int context_free(struct file *file, void *argument)
{
    const struct lima_context *request = argument;
    return !request->pad && lima_context_free(file, request->id) ? 0 : EINVAL;
}

static const struct ioctl_entry requests[] = {
    /* clang-format off */
    {LIMA_IOCTL_GET_PARAM,      get_param,      IOCTL_AUTH | IOCTL_RENDER},
    {LIMA_IOCTL_GEM_CREATE,     gem_create,     IOCTL_AUTH | IOCTL_RENDER},
    {LIMA_IOCTL_GEM_INFO,       gem_info,       IOCTL_AUTH | IOCTL_RENDER},
    {LIMA_IOCTL_GEM_SUBMIT,     lima_submit,    IOCTL_AUTH | IOCTL_RENDER},
    {LIMA_IOCTL_GEM_WAIT,       gem_wait,       IOCTL_AUTH | IOCTL_RENDER},
    {LIMA_IOCTL_CONTEXT_CREATE, context_create, IOCTL_AUTH | IOCTL_RENDER},
    {LIMA_IOCTL_CONTEXT_FREE,   context_free,   IOCTL_AUTH | IOCTL_RENDER},
    {0,                         NULL,           0},
    /* clang-format on */
};

const struct drm_driver lima_driver = {
    .name = "lima",
    .date = "20191231",
    .description = "lima DRM",
    .version_major = 1,
    .version_minor = 1,
    .timeline = "pp",
    .platform = {.device = "1c40000.gpu",
                 .tag = "1c40000_gpu",
                 .driver = "lima",
                 .uevent = "DRIVER=lima\nOF_NAME=gpu\nOF_FULLNAME=/soc/gpu@1c40000\n"
                           "OF_COMPATIBLE_0=allwinner,sun8i-h3-mali\nOF_COMPATIBLE_1=arm,mali-400\n"
                           "OF_COMPATIBLE_N=2\n"
                           "MODALIAS=of:NgpuT(null)Callwinner,sun8i-h3-maliCarm,mali-400\n",
                 .modalias = "of:NgpuT(null)Callwinner,sun8i-h3-maliCarm,mali-400\n"},
    .requests = requests,
    .space = {.first = 0x1000, .end = UINT64_C(1) << 32},
    .end = lima_end,
    .in_child = lima_in_child,
};
