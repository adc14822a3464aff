/* SPDX-License-Identifier: MIT */
/* record.c - see record.h. This file is separate from device.c, so that tests of scenes can replace
 * the device. */
#include "vc4/device/record.h"

#include "vc4/device/device.h"

void vc4_record(struct tess_vc4 *vc4, const struct vc4_recorder *recorder, struct bus_watch *watch)
{
    vc4->recorder = recorder;
    vc4->bus.watch = watch;
}

bool vc4_is_recorded(const struct tess_vc4 *vc4)
{
    return vc4->recorder != NULL;
}

const struct bus_region *vc4_regions(const struct tess_vc4 *vc4, size_t *count)
{
    *count = vc4->bus.count;
    return vc4->bus.regions;
}

uint32_t vc4_qpus(const struct tess_vc4 *vc4)
{
    return vc4->options.qpus;
}
