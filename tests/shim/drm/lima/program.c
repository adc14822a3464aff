/* SPDX-License-Identifier: MIT */
/* program.c - a program that uses the render node of a Mali-400 through libdrm, with the shim
 * preloaded and TESSERA_GPU=lima: what Mesa's lima driver does to create a screen and a context.
 *
 * Expected: Mesa 22.3.6, src/gallium/drivers/lima/lima_screen.c and lima_context.c (the requests);
 * libdrm's xf86drm.c (which files describe a platform device); Linux, sun8i-h3.dtsi (the
 * device). */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <xf86drm.h>

#include "../../../register.h"
#include "shim/drm/lima/lima_drm.h"

static int node;

static int begin(void **state)
{
    (void)state;
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    return node < 0 ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    return close(node);
}

TEST_GROUP(begin, end)

TEST(has_a_name)
{
    drmVersionPtr version = drmGetVersion(node);
    assert_non_null(version);
    assert_string_equal(version->name, "lima");
    assert_int_equal(version->version_minor, 1);
    drmFreeVersion(version);
}

TEST(is_a_platform_device)
{
    drmDevicePtr device;
    assert_int_equal(drmGetDevice2(node, 0, &device), 0);
    assert_int_equal(device->bustype, DRM_BUS_PLATFORM);
    assert_string_equal(device->businfo.platform->fullname, "/soc/gpu@1c40000");
    assert_string_equal(device->deviceinfo.platform->compatible[0], "allwinner,sun8i-h3-mali");
    assert_string_equal(device->deviceinfo.platform->compatible[1], "arm,mali-400");
    assert_null(device->deviceinfo.platform->compatible[2]);
    assert_string_equal(device->nodes[DRM_NODE_RENDER], "/dev/dri/renderD128");
    drmFreeDevice(&device);
    drmDevicePtr devices[4];
    assert_int_equal(drmGetDevices2(0, devices, 4), 1);
    drmFreeDevices(devices, 1);
}

/* There is a card without a connector. */
TEST(has_no_connector)
{
    struct stat status;
    assert_int_equal(stat("/sys/class/drm/card0", &status), 0);
    assert_int_equal(stat("/sys/bus/platform/devices/1c40000.gpu", &status), 0);
    assert_int_equal(stat("/sys/class/drm/card0-HDMI-A-1", &status), -1);
    assert_int_equal(errno, ENOENT);
}

TEST(creates_what_a_context_needs)
{
    struct lima_get_param gpu = {.param = LIMA_GPU_ID};
    struct lima_context context = {0};
    struct lima_gem_create heap = {.size = 16 << 20, .flags = LIMA_BO_HEAP}, page = {.size = 4096};
    uint32_t syncobj, first;
    assert_int_equal(drmIoctl(node, LIMA_IOCTL_GET_PARAM, &gpu), 0);
    assert_int_equal(gpu.value, LIMA_MALI400);
    assert_int_equal(drmIoctl(node, LIMA_IOCTL_CONTEXT_CREATE, &context), 0);
    assert_int_equal(drmSyncobjCreate(node, DRM_SYNCOBJ_CREATE_SIGNALED, &syncobj), 0);
    assert_int_equal(drmSyncobjWait(node, &syncobj, 1, 0, 0, &first), 0);
    assert_int_equal(drmIoctl(node, LIMA_IOCTL_GEM_CREATE, &heap), 0);
    assert_int_equal(drmIoctl(node, LIMA_IOCTL_GEM_CREATE, &page), 0);
    struct lima_gem_info info = {.handle = page.handle};
    assert_int_equal(drmIoctl(node, LIMA_IOCTL_GEM_INFO, &info), 0);
    uint32_t *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, node,
                           (off_t)info.offset);
    assert_ptr_not_equal(words, MAP_FAILED);
    words[0] = 1;
    struct lima_gem_wait wait = {.handle = page.handle, .operation = LIMA_WAIT_WRITE};
    assert_int_equal(drmIoctl(node, LIMA_IOCTL_GEM_WAIT, &wait), 0);
    assert_int_equal(munmap(words, 4096), 0);
    assert_int_equal(drmIoctl(node, LIMA_IOCTL_CONTEXT_FREE, &context), 0);
}
