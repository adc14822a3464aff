/* SPDX-License-Identifier: MIT */
/* job_rig.h - common code for the tests of perfmon.c, hang.c and capture.c: an open node, requests,
 * and the smallest job. That job clears a picture of one tile, 64x64 pixels. */
#ifndef TESTS_JOB_RIG_H
#define TESTS_JOB_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/vc4_drm.h>

#include "shim/common/device_lock.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/device/device.h"
#include "shim/drm/vc4/gpu.h"

enum { SIDE = 64, PICTURE_BYTES = SIDE * SIDE * 4 };

static struct file *node;

static inline int request(unsigned long number, void *argument)
{
    return ioctl_carry_out(node, number, (uintptr_t)argument);
}

static inline uint32_t create_bo(uint32_t size)
{
    struct drm_vc4_create_bo create = {.size = size};
    assert_int_equal(request(DRM_IOCTL_VC4_CREATE_BO, &create), 0);
    return create.handle;
}

/* Clears a picture in a buffer object. The picture is RGBA8888 in raster order. Both clear words
 * are `colour`. */
static inline int clear(uint32_t handle, uint32_t colour, uint32_t perfmon)
{
    const struct drm_vc4_submit_rcl_surface none = {.hindex = ~0u};
    struct drm_vc4_submit_cl submit = {
        .bo_handles = (uintptr_t)&handle,
        .bo_handle_count = 1,
        .width = SIDE,
        .height = SIDE,
        .color_read = none,
        .color_write = {.bits = 1 << 2}, /* record 113: RGBA8888, raster order */
        .zs_read = none,
        .zs_write = none,
        .msaa_color_write = none,
        .msaa_zs_write = none,
        .clear_color = {colour, colour},
        .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
        .perfmonid = perfmon,
    };
    return request(DRM_IOCTL_VC4_SUBMIT_CL, &submit);
}

/* Takes the lock, because the tested functions are called with it, and opens a node. */
static inline int begin(void **state)
{
    (void)state;
    device_begin();
    device_lock();
    node = file_create(FILE_CARD);
    return node ? 0 : -1;
}

static inline int end(void **state)
{
    (void)state;
    file_destroy(node);
    device_unlock();
    return 0;
}

#endif
