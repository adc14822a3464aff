/* SPDX-License-Identifier: MIT */
/* vc4_driver.c - see vc4_driver.h.
 *
 * Source: Linux 6.1, drivers/gpu/drm/vc4/vc4_drv.c (names), vc4_fence.c (timeline); /sys of a
 *         Raspberry Pi 3 with Linux 6.1. */
#include "shim/drm/vc4/vc4_driver.h"

#include "shim/drm/vc4/capture.h"
#include "shim/drm/vc4/gpu.h"
#include "shim/drm/vc4/ioctl_vc4.h"
#include "shim/drm/vc4/submit.h"
#include "shim/drm/vc4/validate_shader.h"

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
    .requests = ioctl_vc4_entries,
    .space = {.first = 0x100000, .end = 1 << 30, .map = map, .unmap = unmap},
    .free_data = free_data,
    .end = end,
    .in_child = in_child,
};
