/* SPDX-License-Identifier: MIT */
/* lima_driver.c - see lima_driver.h.
 *
 * Source: Linux 6.12, drivers/gpu/drm/lima/lima_drv.c (names, features), lima_sched.c (the timeline
 *         of PP jobs), lima_device.c (the end of the address space);
 *         arch/arm/boot/dts/allwinner/sun8i-h3.dtsi (the platform device). */
#include "shim/drm/lima/lima_driver.h"

#include "shim/drm/lima/ioctl_lima.h"
#include "shim/drm/lima/lima_submit.h"

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
    .requests = ioctl_lima_entries,
    .space = {.first = 0x1000, .end = UINT64_C(1) << 32},
    .end = lima_end,
    .in_child = lima_in_child,
};
