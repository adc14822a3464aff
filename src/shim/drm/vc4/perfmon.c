/* SPDX-License-Identifier: MIT */
/* perfmon.c - see perfmon.h.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_perfmon.c (errors, order of registers); VideoCore IV 3D
 *         Architecture Reference Guide, tables 82 to 86. */
#include "shim/drm/vc4/perfmon.h"

#include <errno.h>
#include <stdlib.h>

#include "shim/common/user.h"
#include "shim/drm/vc4/gpu.h"

enum { REGISTER_PITCH = 8 }; /* distance in bytes between the registers of two counters */

#define PCTRE_ENABLE (UINT32_C(1) << 31)

struct perfmon {
    uint32_t count;
    uint8_t events[DRM_VC4_MAX_PERF_COUNTERS];
    uint64_t values[DRM_VC4_MAX_PERF_COUNTERS];
};

int perfmon_create(struct file *file, void *argument)
{
    struct drm_vc4_perfmon_create *request = argument;
    if (request->ncounters == 0 || request->ncounters > DRM_VC4_MAX_PERF_COUNTERS)
        return EINVAL;
    for (uint32_t i = 0; i < request->ncounters; i++)
        if (request->events[i] >= VC4_PERFCNT_NUM_EVENTS)
            return EINVAL;
    struct perfmon *perfmon = calloc(1, sizeof *perfmon);
    if (!perfmon)
        return ENOMEM;
    perfmon->count = request->ncounters;
    for (uint32_t i = 0; i < request->ncounters; i++)
        perfmon->events[i] = request->events[i];
    const uint32_t id = file_table_add(&file->of_driver, perfmon, free);
    if (!id) {
        free(perfmon);
        return ENOMEM;
    }
    request->id = id;
    return 0;
}

int perfmon_destroy(struct file *file, void *argument)
{
    const struct drm_vc4_perfmon_destroy *request = argument;
    struct perfmon *perfmon = file_table_remove(&file->of_driver, request->id);
    free(perfmon);
    return perfmon ? 0 : EINVAL;
}

int perfmon_get_values(struct file *file, void *argument)
{
    const struct drm_vc4_perfmon_get_values *request = argument;
    const struct perfmon *perfmon = perfmon_find(file, request->id);
    if (!perfmon)
        return EINVAL;
    return user_write(request->values_ptr, perfmon->values,
                      perfmon->count * sizeof *perfmon->values)
               ? 0
               : EFAULT;
}

struct perfmon *perfmon_find(const struct file *file, uint32_t id)
{
    return file_table_get(&file->of_driver, id);
}

void perfmon_start(const struct perfmon *perfmon)
{
    struct tess_vc4 *vc4 = gpu_get();
    const uint32_t mask = (UINT32_C(1) << perfmon->count) - 1;
    if (!vc4)
        return;
    for (uint32_t i = 0; i < perfmon->count; i++)
        tess_vc4_write(vc4, V3D_PCTRS0 + REGISTER_PITCH * i, perfmon->events[i]);
    tess_vc4_write(vc4, V3D_PCTRC, mask);
    tess_vc4_write(vc4, V3D_PCTRE, PCTRE_ENABLE | mask);
}

void perfmon_stop(struct perfmon *perfmon)
{
    struct tess_vc4 *vc4 = gpu_get();
    if (!vc4)
        return;
    for (uint32_t i = 0; i < perfmon->count; i++)
        perfmon->values[i] += tess_vc4_read(vc4, V3D_PCTR0 + REGISTER_PITCH * i);
    tess_vc4_write(vc4, V3D_PCTRE, 0);
}
