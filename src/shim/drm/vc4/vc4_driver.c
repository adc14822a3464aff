/* SPDX-License-Identifier: MIT */
/* vc4_driver.c - see vc4_driver.h; the requests of vc4_drm.h: buffer objects, parameters of the
 * GPU, and waiting for jobs.
 *
 * In:  requests.
 * Out: handles, values.
 *
 * A job is finished when its submit request returns. So requests that wait for a job return at
 * once.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_bo.c, vc4_gem.c (waiting, madvise), vc4_drv.c (parameters,
 *         permissions, names), vc4_fence.c (timeline); /sys of a Raspberry Pi 3 with Linux 6.1. */
#include "shim/drm/vc4/vc4_driver.h"

#include <errno.h>
#include <stdlib.h>

#include <libdrm/drm_fourcc.h>
#include <libdrm/vc4_drm.h>

#include "shim/common/user.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/vc4/capture.h"
#include "shim/drm/vc4/gpu.h"
#include "shim/drm/vc4/hang.h"
#include "shim/drm/vc4/perfmon.h"
#include "shim/drm/vc4/submit.h"
#include "shim/drm/vc4/validate_shader.h"

enum { MOST_LABEL = 4096 };

/* --- parameters of the GPU --- */

static int carry_out_get_param(struct file *file, void *argument)
{
    struct drm_vc4_get_param *request = argument;
    (void)file;
    if (request->pad)
        return EINVAL;
    struct tess_vc4 *vc4 = gpu_get();
    if (!vc4)
        return ENOMEM;
    switch (request->param) {
    case DRM_VC4_PARAM_V3D_IDENT0: request->value = tess_vc4_read(vc4, V3D_IDENT0); return 0;
    case DRM_VC4_PARAM_V3D_IDENT1: request->value = tess_vc4_read(vc4, V3D_IDENT1); return 0;
    case DRM_VC4_PARAM_V3D_IDENT2: request->value = tess_vc4_read(vc4, V3D_IDENT2); return 0;
    case DRM_VC4_PARAM_SUPPORTS_BRANCHES:
    case DRM_VC4_PARAM_SUPPORTS_ETC1:
    case DRM_VC4_PARAM_SUPPORTS_THREADED_FS:
    case DRM_VC4_PARAM_SUPPORTS_FIXED_RCL_ORDER:
    case DRM_VC4_PARAM_SUPPORTS_MADVISE:
    case DRM_VC4_PARAM_SUPPORTS_PERFMON: request->value = 1; return 0;
    default: return EINVAL;
    }
}

/* --- creating buffer objects --- */

/* Creates a handle for a new object, and drops the reference that the object has from its
 * creation. */
static int hand_over(struct file *file, struct bo *bo, uint32_t *handle)
{
    *handle = file_new_handle(file, bo);
    bo_release(bo);
    return *handle ? 0 : ENOMEM;
}

static int carry_out_create_bo(struct file *file, void *argument)
{
    struct drm_vc4_create_bo *request = argument;
    struct bo *bo;
    int error = bo_create(&bo, request->size);
    return error ? error : hand_over(file, bo, &request->handle);
}

/* Copies code into a buffer object and validates the whole page, like the kernel: the bytes after
 * the code, too. */
static int fill_shader(struct bo *bo, uint64_t code, uint32_t size)
{
    struct refusal why = {0};
    if (!user_read(bo->memory.host, code, size))
        return EFAULT;
    struct shader *shader;
    int error = shader_validate(&shader, (const uint64_t *)(const void *)bo->memory.host,
                                bo->size / sizeof(uint64_t), &why);
    bo->data = shader;
    bo->is_shader = !error;
    if (error == EINVAL)
        submit_refused(&why);
    return error;
}

static int carry_out_create_shader_bo(struct file *file, void *argument)
{
    struct drm_vc4_create_shader_bo *request = argument;
    struct bo *bo;
    if (request->size == 0 || request->size % sizeof(uint64_t) || request->flags || request->pad)
        return EINVAL;
    int error = bo_create(&bo, request->size);
    if (error)
        return error;
    error = fill_shader(bo, request->data, request->size);
    if (!error)
        return hand_over(file, bo, &request->handle);
    bo_release(bo);
    return error;
}

static int carry_out_mmap_bo(struct file *file, void *argument)
{
    struct drm_vc4_mmap_bo *request = argument;
    const struct bo *bo = file_bo(file, request->handle);
    if (!bo)
        return EINVAL;
    request->offset = bo_offset(bo);
    return 0;
}

/* --- properties of buffer objects --- */

static int carry_out_set_tiling(struct file *file, void *argument)
{
    const struct drm_vc4_set_tiling *request = argument;
    if (request->flags || (request->modifier != DRM_FORMAT_MOD_LINEAR &&
                           request->modifier != DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED))
        return EINVAL;
    struct bo *bo = file_bo(file, request->handle);
    if (!bo)
        return ENOENT;
    bo_set_tiled(bo, request->modifier != DRM_FORMAT_MOD_LINEAR);
    return 0;
}

static int carry_out_get_tiling(struct file *file, void *argument)
{
    struct drm_vc4_get_tiling *request = argument;
    if (request->flags || request->modifier)
        return EINVAL;
    const struct bo *bo = file_bo(file, request->handle);
    if (!bo)
        return ENOENT;
    request->modifier = bo_is_tiled(bo) ? DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED
                                        : DRM_FORMAT_MOD_LINEAR;
    return 0;
}

/* Reads a label like strndup_user() with a limit of len + 1 bytes. Returns EINVAL if the text is
 * longer than len bytes. */
static int read_label(const struct drm_vc4_label_bo *request, char **label)
{
    void *text;
    *label = NULL;
    if (request->len == 0 || request->len > MOST_LABEL)
        return EINVAL;
    /* Read byte by byte, because memory after the end of the text need not be mapped. */
    text = calloc(1, request->len + 1);
    if (!text)
        return ENOMEM;
    char *at = text;
    for (uint32_t i = 0; i <= request->len; i++) {
        if (!user_read(&at[i], request->name + i, 1)) {
            free(text);
            return EFAULT;
        }
        if (at[i] == 0) {
            *label = text;
            return 0;
        }
    }
    free(text);
    return EINVAL;
}

static int carry_out_label_bo(struct file *file, void *argument)
{
    char *label;
    const struct drm_vc4_label_bo *request = argument;
    int error = read_label(request, &label);
    if (error)
        return error;
    struct bo *bo = file_bo(file, request->handle);
    if (!bo) {
        free(label);
        return ENOENT;
    }
    free(bo->label);
    bo->label = label;
    return 0;
}

static int carry_out_gem_madvise(struct file *file, void *argument)
{
    struct drm_vc4_gem_madvise *request = argument;
    if ((request->madv != VC4_MADV_WILLNEED && request->madv != VC4_MADV_DONTNEED) || request->pad)
        return EINVAL;
    struct bo *bo = file_bo(file, request->handle);
    if (!bo)
        return ENOENT;
    if (bo->imported)
        return EINVAL;
    bo_set_purgeable(bo, request->madv == VC4_MADV_DONTNEED);
    request->retained = !bo->purged;
    return 0;
}

/* --- waiting --- */

/* Returns ETIME for a job number that does not exist yet, because no pending job can reach that
 * number. */
static int carry_out_wait_seqno(struct file *file, void *argument)
{
    const struct drm_vc4_wait_seqno *request = argument;
    (void)file;
    return request->seqno <= submit_latest() ? 0 : ETIME;
}

static int carry_out_wait_bo(struct file *file, void *argument)
{
    const struct drm_vc4_wait_bo *request = argument;
    return request->pad || !file_bo(file, request->handle) ? EINVAL : 0;
}

static const struct ioctl_entry requests[] = {
    /* clang-format off */
    {DRM_IOCTL_VC4_SUBMIT_CL,          submit_cl,                    IOCTL_AUTH | IOCTL_RENDER},
    {DRM_IOCTL_VC4_PERFMON_CREATE,     perfmon_create,               IOCTL_RENDER},
    {DRM_IOCTL_VC4_PERFMON_DESTROY,    perfmon_destroy,              IOCTL_RENDER},
    {DRM_IOCTL_VC4_PERFMON_GET_VALUES, perfmon_get_values,           IOCTL_RENDER},
    {DRM_IOCTL_VC4_GET_HANG_STATE,     hang_get_state,               0},
    {DRM_IOCTL_VC4_WAIT_SEQNO,         carry_out_wait_seqno,         IOCTL_RENDER},
    {DRM_IOCTL_VC4_WAIT_BO,            carry_out_wait_bo,            IOCTL_RENDER},
    {DRM_IOCTL_VC4_CREATE_BO,          carry_out_create_bo,          IOCTL_RENDER},
    {DRM_IOCTL_VC4_MMAP_BO,            carry_out_mmap_bo,            IOCTL_RENDER},
    {DRM_IOCTL_VC4_CREATE_SHADER_BO,   carry_out_create_shader_bo,   IOCTL_RENDER},
    {DRM_IOCTL_VC4_GET_PARAM,          carry_out_get_param,          IOCTL_RENDER},
    {DRM_IOCTL_VC4_SET_TILING,         carry_out_set_tiling,         IOCTL_RENDER},
    {DRM_IOCTL_VC4_GET_TILING,         carry_out_get_tiling,         IOCTL_RENDER},
    {DRM_IOCTL_VC4_LABEL_BO,           carry_out_label_bo,           IOCTL_RENDER},
    {DRM_IOCTL_VC4_GEM_MADVISE,        carry_out_gem_madvise,        IOCTL_RENDER},
    {0,                                NULL,                         0},
    /* clang-format on */
};

/* --- the driver --- */

static bool map(uint32_t address, uint32_t size, uint8_t *host)
{
    struct tess_vc4 *vc4 = gpu_get();
    return vc4 && tess_vc4_map(vc4, address, size, host) == TESS_OK;
}

static void unmap(uint32_t address)
{
    tess_vc4_unmap(gpu_there(), address);
}

static void free_data(void *data)
{
    shader_free(data);
}

static void end(void)
{
    capture_finish();
    gpu_end();
}

static void in_child(bool whole)
{
    submit_in_child();
    capture_in_child();
    gpu_in_child(whole);
}

const struct drm_driver vc4_driver = {
    .name = "vc4",
    .date = "20140616",
    .description = "Broadcom VC4 graphics",
    .timeline = "vc4-v3d",
    .platform = {.device = "soc:gpu",
                 .tag = "soc_gpu",
                 .driver = "vc4-drm",
                 .uevent = "DRIVER=vc4-drm\nOF_NAME=gpu\nOF_FULLNAME=/soc/gpu\n"
                           "OF_COMPATIBLE_0=brcm,bcm2835-vc4\nOF_COMPATIBLE_N=1\n"
                           "MODALIAS=of:NgpuT(null)Cbrcm,bcm2835-vc4\n",
                 .modalias = "of:NgpuT(null)Cbrcm,bcm2835-vc4\n"},
    .has_display = true,
    .requests = requests,
    .space = {.first = 0x100000, .end = 1 << 30, .map = map, .unmap = unmap},
    .free_data = free_data,
    .end = end,
    .in_child = in_child,
};
