/* SPDX-License-Identifier: MIT */
/* kms.c - tests of src/shim/drm/kms*.c through a mode-setting program: libdrm, no GL, with the shim
 * preloaded.
 *
 * Expected: the answers of Linux, drivers/gpu/drm/drm_mode_object.c, drm_property.c,
 * drm_framebuffer.c, drm_crtc.c, drm_plane.c, drm_atomic_uapi.c, drm_atomic.c, drm_atomic_helper.c,
 * drm_vblank.c, drm_dumb_buffers.c, and vc4_plane.c, vc4_kms.c of its driver vc4 (objects and
 * formats); E-EDID 1.3. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#include "../../../register.h"

enum {
    OVERLAYS = 16,
    WIDTH = 640,
    HEIGHT = 480,
    HERTZ = 20
}; /* the mode that TESSERA_MODE sets in the environment of this test */

static int fd;
static uint32_t crtc, connector;

/* --- helpers --- */

static int set_up(void **state)
{
    (void)state;
    fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    drmModeRes *resources = fd >= 0 ? drmModeGetResources(fd) : NULL;
    if (!resources)
        return -1;
    crtc = resources->crtcs[0];
    connector = resources->connectors[0];
    drmModeFreeResources(resources);
    return drmSetClientCap(fd, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
}

static int tear_down(void **state)
{
    (void)state;
    return close(fd);
}

static int set_up_atomic(void **state)
{
    return set_up(state) || drmSetClientCap(fd, DRM_CLIENT_CAP_ATOMIC, 1);
}

/* Checks a result of libdrm. libdrm returns a negative errno, or returns -1 and sets errno. */
static void expect(int result, int error)
{
    assert_int_equal(result == -1 ? errno : -result, error);
}

static uint32_t make_dumb(uint32_t width, uint32_t height, uint32_t bits)
{
    struct drm_mode_create_dumb create = {.width = width, .height = height, .bpp = bits};
    assert_int_equal(drmIoctl(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
    assert_int_equal(create.pitch, (width * bits + 7) / 8);
    return create.handle;
}

static uint32_t make_fb(uint32_t width, uint32_t height)
{
    uint32_t fb, handle = make_dumb(width, height, 32);
    assert_int_equal(drmModeAddFB(fd, width, height, 24, 32, width * 4, handle, &fb), 0);
    return fb;
}

static drmModeModeInfo preferred(void)
{
    drmModeConnector *found = drmModeGetConnector(fd, connector);
    assert_non_null(found);
    drmModeModeInfo mode = found->modes[0];
    drmModeFreeConnector(found);
    return mode;
}

static int turn_on(uint32_t fb)
{
    drmModeModeInfo mode = preferred();
    return drmModeSetCrtc(fd, crtc, fb, 0, 0, &connector, 1, &mode);
}

/* Returns the number of a property of an object and stores the property's value in *value. Returns
 * 0 if the object has no property with that name. */
static uint32_t find_property(uint32_t object, const char *name, uint64_t *value)
{
    uint32_t id = 0;
    drmModeObjectProperties *all = drmModeObjectGetProperties(fd, object, DRM_MODE_OBJECT_ANY);
    assert_non_null(all);
    for (uint32_t i = 0; i < all->count_props; i++) {
        drmModePropertyRes *one = drmModeGetProperty(fd, all->props[i]);
        assert_non_null(one);
        if (strcmp(one->name, name) == 0) {
            id = one->prop_id;
            *value = all->prop_values[i];
        }
        drmModeFreeProperty(one);
    }
    drmModeFreeObjectProperties(all);
    return id;
}

static uint64_t value_of(uint32_t object, const char *name)
{
    uint64_t value = 0;
    assert_int_not_equal(find_property(object, name, &value), 0);
    return value;
}

static void add(drmModeAtomicReq *request, uint32_t object, const char *name, uint64_t value)
{
    uint64_t before;
    uint32_t id = find_property(object, name, &before);
    assert_int_not_equal(id, 0);
    assert_true(drmModeAtomicAddProperty(request, object, id, value) >= 0);
}

static uint32_t plane_of_type(uint64_t type)
{
    uint32_t found = 0;
    drmModePlaneRes *planes = drmModeGetPlaneResources(fd);
    assert_non_null(planes);
    for (uint32_t i = 0; i < planes->count_planes && !found; i++)
        if (value_of(planes->planes[i], "type") == type)
            found = planes->planes[i];
    drmModeFreePlaneResources(planes);
    return found;
}

/* --- resources --- */

TEST_WITH(test_resources, set_up, tear_down)
{
    drmModeRes *found = drmModeGetResources(fd);
    assert_non_null(found);
    assert_int_equal(found->count_crtcs, 1);
    assert_int_equal(found->count_connectors, 1);
    assert_int_equal(found->count_encoders, 1);
    assert_int_equal(found->count_fbs, 0);
    assert_int_equal(found->max_width, 2048);
    assert_int_equal(found->max_height, 2048);
    drmModeEncoder *encoder = drmModeGetEncoder(fd, found->encoders[0]);
    assert_non_null(encoder);
    assert_int_equal(encoder->encoder_type, DRM_MODE_ENCODER_TMDS);
    assert_int_equal(encoder->possible_crtcs, 1);
    assert_int_equal(encoder->crtc_id, found->crtcs[0]); /* the console is on the CRTC */
    drmModeFreeEncoder(encoder);
    drmModeFreeResources(found);
}

TEST_WITH(test_connector, set_up, tear_down)
{
    drmModeConnector *found = drmModeGetConnector(fd, connector);
    assert_non_null(found);
    assert_int_equal(found->connector_type, DRM_MODE_CONNECTOR_HDMIA);
    assert_int_equal(found->connection, DRM_MODE_CONNECTED);
    assert_int_equal(found->subpixel, DRM_MODE_SUBPIXEL_UNKNOWN);
    assert_int_equal(found->count_encoders, 1);
    assert_true(found->modes[0].type & DRM_MODE_TYPE_PREFERRED);
    assert_int_equal(found->modes[0].hdisplay, WIDTH);
    assert_int_equal(found->modes[0].vdisplay, HEIGHT);
    assert_int_equal(found->modes[0].vrefresh, HERTZ);
    for (int i = 0; i < found->count_modes; i++) {
        const drmModeModeInfo *mode = &found->modes[i];
        double rate = mode->clock * 1000.0 / mode->htotal / mode->vtotal;
        assert_true(rate > mode->vrefresh - 0.6 && rate < mode->vrefresh + 0.6);
        assert_true(mode->hdisplay <= mode->hsync_start && mode->hsync_start < mode->hsync_end &&
                    mode->hsync_end <= mode->htotal);
    }
    drmModeFreeConnector(found);
}

/* Checks that the screen shows the kernel's console (drm_fb_helper.c), in the preferred mode and
 * with 16 bits per pixel (vc4_drv.c). Programs that look for an active screen find the console
 * before any program has set a mode. */
static void expect_console(void)
{
    drmModeConnector *found = drmModeGetConnector(fd, connector);
    assert_non_null(found);
    drmModeEncoder *encoder = drmModeGetEncoder(fd, found->encoder_id);
    assert_non_null(encoder);
    assert_int_equal(encoder->crtc_id, crtc);
    drmModeCrtc *on = drmModeGetCrtc(fd, crtc);
    assert_int_equal(on->mode_valid, 1);
    assert_string_equal(on->mode.name, found->modes[0].name);
    assert_int_equal(on->width, WIDTH);
    drmModeFB *fb = drmModeGetFB(fd, on->buffer_id);
    assert_non_null(fb);
    assert_int_equal(fb->width, WIDTH);
    assert_int_equal(fb->height, HEIGHT);
    assert_int_equal(fb->bpp, 16);
    assert_int_not_equal(fb->handle, 0);
    assert_int_equal(drmCloseBufferHandle(fd, fb->handle), 0);
    /* the console's framebuffer belongs to no client */
    expect(drmModeRmFB(fd, on->buffer_id), ENOENT);
    drmModeFreeFB(fb);
    drmModeFreeCrtc(on);
    drmModeFreeEncoder(encoder);
    drmModeFreeConnector(found);
}

TEST_WITH(test_console, set_up_atomic, tear_down)
{
    drmVBlank wait = {.request = {.type = DRM_VBLANK_RELATIVE, .sequence = 1}};
    expect_console();
    assert_int_equal(value_of(crtc, "ACTIVE"), 1);
    assert_int_equal(drmWaitVBlank(fd, &wait), 0);
}

/* The EDID must have 128 bytes whose sum is 0, and must contain the preferred mode. */
TEST_WITH(test_edid, set_up, tear_down)
{
    static const uint8_t head[8] = {0, 255, 255, 255, 255, 255, 255, 0};
    uint8_t sum = 0;
    drmModePropertyBlobRes *blob = drmModeGetPropertyBlob(fd,
                                                          (uint32_t)value_of(connector, "EDID"));
    assert_non_null(blob);
    assert_int_equal(blob->length, 128);
    const uint8_t *edid = blob->data;
    assert_memory_equal(edid, head, sizeof head);
    for (unsigned i = 0; i < 128; i++)
        sum = (uint8_t)(sum + edid[i]);
    assert_int_equal(sum, 0);
    assert_int_equal(edid[54] | edid[55] << 8, preferred().clock / 10);
    assert_int_equal(edid[56] | (edid[58] & 0xf0) << 4, WIDTH);
    assert_int_equal(edid[59] | (edid[61] & 0xf0) << 4, HEIGHT);
    drmModeFreePropertyBlob(blob);
}

TEST_WITH(test_planes, set_up, tear_down)
{
    unsigned counts[3] = {0};
    drmModePlaneRes *planes = drmModeGetPlaneResources(fd);
    assert_non_null(planes);
    for (uint32_t i = 0; i < planes->count_planes; i++)
        counts[value_of(planes->planes[i], "type")]++;
    assert_int_equal(counts[DRM_PLANE_TYPE_PRIMARY], 1);
    assert_int_equal(counts[DRM_PLANE_TYPE_OVERLAY], OVERLAYS);
    assert_int_equal(counts[DRM_PLANE_TYPE_CURSOR], 1);
    drmModeFreePlaneResources(planes);
    assert_int_equal(drmSetClientCap(fd, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 0), 0);
    planes = drmModeGetPlaneResources(fd);
    assert_int_equal(planes->count_planes, OVERLAYS);
    drmModeFreePlaneResources(planes);
}

/* Returns true if the IN_FORMATS blob lists a format with a modifier. */
static bool may_have(const struct drm_format_modifier_blob *blob, uint32_t format,
                     uint64_t modifier)
{
    const uint8_t *bytes = (const uint8_t *)blob;
    const uint32_t *formats = (const uint32_t *)(bytes + blob->formats_offset);
    const struct drm_format_modifier *modifiers =
        (const struct drm_format_modifier *)(bytes + blob->modifiers_offset);
    for (uint32_t i = 0; i < blob->count_modifiers; i++)
        for (uint32_t j = 0; j < 64 && modifiers[i].offset + j < blob->count_formats; j++)
            if (modifiers[i].modifier == modifier && modifiers[i].formats >> j & 1 &&
                formats[modifiers[i].offset + j] == format)
                return true;
    return false;
}

TEST_WITH(test_formats, set_up, tear_down)
{
    uint32_t primary = plane_of_type(DRM_PLANE_TYPE_PRIMARY);
    drmModePropertyBlobRes *blob = drmModeGetPropertyBlob(
        fd, (uint32_t)value_of(primary, "IN_FORMATS"));
    drmModePlane *plane = drmModeGetPlane(fd, primary);
    assert_non_null(blob);
    assert_non_null(plane);
    assert_true(may_have(blob->data, DRM_FORMAT_XRGB8888, DRM_FORMAT_MOD_LINEAR));
    assert_true(may_have(blob->data, DRM_FORMAT_XRGB8888, DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED));
    assert_true(may_have(blob->data, DRM_FORMAT_RGB565, DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED));
    assert_true(may_have(blob->data, DRM_FORMAT_NV12, DRM_FORMAT_MOD_LINEAR));
    assert_false(may_have(blob->data, DRM_FORMAT_NV12, DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED));
    assert_int_equal(plane->count_formats,
                     ((struct drm_format_modifier_blob *)blob->data)->count_formats);
    assert_int_equal(plane->possible_crtcs, 1);
    drmModeFreePlane(plane);
    drmModeFreePropertyBlob(blob);
}

TEST_WITH(test_unknown_objects, set_up, tear_down)
{
    struct drm_mode_get_property property = {.prop_id = 99999};
    struct drm_mode_obj_get_properties none = {.obj_id = 99999},
                                       wrong = {.obj_id = crtc, .obj_type = DRM_MODE_OBJECT_PLANE};
    struct drm_mode_get_blob blob = {.blob_id = 99999};
    assert_null(drmModeGetCrtc(fd, connector));
    assert_int_equal(errno, ENOENT);
    assert_null(drmModeGetPlane(fd, crtc));
    assert_int_equal(errno, ENOENT);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_GETPROPERTY, &property), ENOENT);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &none), ENOENT);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &wrong), ENOENT);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_GETPROPBLOB, &blob), ENOENT);
}

/* A program that has not enabled DRM_CLIENT_CAP_ATOMIC must not see the properties for atomic
 * requests. */
TEST_WITH(test_atomic_properties_are_hidden, set_up, tear_down)
{
    uint64_t value;
    assert_int_equal(find_property(crtc, "MODE_ID", &value), 0);
    assert_int_equal(drmSetClientCap(fd, DRM_CLIENT_CAP_ATOMIC, 1), 0);
    assert_int_not_equal(find_property(crtc, "MODE_ID", &value), 0);
}

/* --- buffers --- */

TEST_WITH(test_dumb_buffers, set_up, tear_down)
{
    struct drm_mode_create_dumb bad[] = {{.height = 0, .width = 1, .bpp = 32},
                                         {.height = 1, .width = 0, .bpp = 32},
                                         {.height = 1, .width = 1, .bpp = 0},
                                         {.height = UINT32_MAX, .width = UINT32_MAX, .bpp = 32}};
    struct drm_mode_map_dumb map = {.handle = make_dumb(33, 7, 32)}, none = {.handle = 12345};
    struct drm_mode_destroy_dumb destroy = {.handle = map.handle};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect(drmIoctl(fd, DRM_IOCTL_MODE_CREATE_DUMB, &bad[i]), EINVAL);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_MAP_DUMB, &none), ENOENT);
    assert_int_equal(drmIoctl(fd, DRM_IOCTL_MODE_MAP_DUMB, &map), 0);
    uint8_t *bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
    assert_true(bytes != MAP_FAILED);
    assert_int_equal(bytes[0], 0);
    memset(bytes, 1, 4096);
    munmap(bytes, 4096);
    assert_int_equal(drmIoctl(fd, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy), 0);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy), EINVAL);
}

/* Checks the result of ADDFB2. Callers change one field of a valid command. */
static void expect_fb(int error, const struct drm_mode_fb_cmd2 *command)
{
    struct drm_mode_fb_cmd2 copy = *command;
    expect(drmIoctl(fd, DRM_IOCTL_MODE_ADDFB2, &copy), error);
}

TEST_WITH(test_framebuffers, set_up, tear_down)
{
    const uint64_t tiled = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
    const struct drm_mode_fb_cmd2 good = {.width = 64,
                                          .height = 64,
                                          .pixel_format = DRM_FORMAT_XRGB8888,
                                          .handles = {make_dumb(64, 64, 32)},
                                          .pitches = {256}};
    struct drm_mode_fb_cmd2 c = good;
    expect_fb(0, &c);
    c.handles[0] = 0, expect_fb(EINVAL, &c);
    c.handles[0] = 999, expect_fb(ENOENT, &c), c = good;
    c.pixel_format = DRM_FORMAT_XRGB2101010, expect_fb(EINVAL, &c), c = good;
    c.width = 0, expect_fb(EINVAL, &c), c = good;
    c.height = 2049, expect_fb(EINVAL, &c), c = good;
    c.height = 65, expect_fb(EINVAL, &c), c = good; /* too large for the buffer object */
    c.pitches[0] = 255, expect_fb(EINVAL, &c), c = good;
    c.pitches[0] = UINT32_MAX, expect_fb(ERANGE, &c), c = good;
    c.offsets[0] = 4, expect_fb(EINVAL, &c), c = good;
    c.flags = 4, expect_fb(EINVAL, &c), c = good;
    c.modifier[0] = tiled, expect_fb(EINVAL, &c);
    c.flags = DRM_MODE_FB_MODIFIERS, expect_fb(0, &c);
    c.modifier[0] = DRM_FORMAT_MOD_BROADCOM_UIF, expect_fb(EINVAL, &c);
    c.modifier[0] = tiled, c.modifier[1] = tiled, expect_fb(EINVAL, &c), c = good;
    c.flags = DRM_MODE_FB_MODIFIERS, c.pitches[1] = 256, expect_fb(EINVAL, &c), c = good;
    /* must succeed, because old programs do not clear unused fields */
    c.pitches[1] = 256, expect_fb(0, &c);
}

/* Creates a framebuffer with two planes in one buffer object. */
TEST_WITH(test_framebuffer_of_parts, set_up, tear_down)
{
    uint32_t handle = make_dumb(64, 96, 8), handles[4] = {handle, handle}, pitches[4] = {64, 64},
             offsets[4] = {0, 64 * 64}, fb;
    assert_int_equal(drmModeAddFB2(fd, 64, 64, DRM_FORMAT_NV12, handles, pitches, offsets, &fb, 0),
                     0);
    assert_null(drmModeGetFB(fd, fb)); /* GETFB does not support several planes */
    assert_int_equal(errno, EINVAL);
    drmModeFB2 *found = drmModeGetFB2(fd, fb);
    assert_non_null(found);
    assert_int_equal(found->pixel_format, DRM_FORMAT_NV12);
    assert_int_not_equal(found->handles[0], handle); /* a new handle, the same for both planes */
    assert_int_equal(found->handles[0], found->handles[1]);
    assert_int_equal(found->offsets[1], 64 * 64);
    assert_int_equal(drmCloseBufferHandle(fd, found->handles[0]), 0);
    drmModeFreeFB2(found);
    offsets[1] = 64 * 100; /* the second plane ends after the end of the buffer object */
    expect(drmModeAddFB2(fd, 64, 64, DRM_FORMAT_NV12, handles, pitches, offsets, &fb, 0), EINVAL);
}

/* Each GETFB returns a new handle (drm_gem_handle_create). If the program closes one of the
 * handles, the others must stay open. */
TEST_WITH(test_handles_of_framebuffers, set_up, tear_down)
{
    uint32_t fb, handle = make_dumb(WIDTH, HEIGHT, 32);
    struct drm_mode_map_dumb map = {.handle = handle};
    assert_int_equal(drmModeAddFB(fd, WIDTH, HEIGHT, 24, 32, WIDTH * 4, handle, &fb), 0);
    drmModeFB *first = drmModeGetFB(fd, fb), *second = drmModeGetFB(fd, fb);
    assert_non_null(first);
    assert_non_null(second);
    assert_int_not_equal(first->handle, handle);
    assert_int_not_equal(second->handle, handle);
    assert_int_not_equal(first->handle, second->handle);
    assert_int_equal(drmCloseBufferHandle(fd, first->handle), 0);
    assert_int_equal(drmCloseBufferHandle(fd, second->handle), 0);
    assert_int_equal(drmIoctl(fd, DRM_IOCTL_MODE_MAP_DUMB, &map), 0);
    drmModeFreeFB(first);
    drmModeFreeFB(second);
    int other = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    first = drmModeGetFB(other, fb);
    assert_non_null(first);
    assert_int_equal(first->handle != 0, geteuid() == 0); /* this file is not the master, so only
                                                           * root receives a handle */
    drmModeFreeFB(first);
    close(other);
}

TEST_WITH(test_removing_framebuffers, set_up, tear_down)
{
    uint32_t fb = make_fb(WIDTH, HEIGHT);
    int other = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    expect(drmModeRmFB(other, fb), ENOENT); /* the framebuffer belongs to another client */
    assert_int_equal(turn_on(fb), 0);
    assert_int_equal(drmModeRmFB(fd, fb), 0);
    expect(drmModeRmFB(fd, fb), ENOENT);
    drmModeCrtc *found = drmModeGetCrtc(fd, crtc);
    assert_int_equal(found->buffer_id, 0);
    assert_int_equal(found->mode_valid, 1);
    drmModeFreeCrtc(found);
    close(other);
}

TEST_WITH(test_blobs, set_up, tear_down)
{
    uint32_t id, other;
    int file = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    expect(drmModeCreatePropertyBlob(fd, "x", 0, &id), EINVAL);
    expect(drmModeCreatePropertyBlob(fd, "x", UINT32_C(1) << 31, &id), EINVAL);
    assert_int_equal(drmModeCreatePropertyBlob(fd, "seven!", 7, &id), 0);
    drmModePropertyBlobRes *blob = drmModeGetPropertyBlob(file, id);
    assert_non_null(blob);
    assert_int_equal(blob->length, 7);
    assert_string_equal(blob->data, "seven!");
    drmModeFreePropertyBlob(blob);
    expect(drmModeDestroyPropertyBlob(file, id), EPERM);
    assert_int_equal(drmModeDestroyPropertyBlob(fd, id), 0);
    expect(drmModeDestroyPropertyBlob(fd, id), ENOENT);
    assert_int_equal(drmModeCreatePropertyBlob(file, "x", 1, &other), 0);
    close(file);
    assert_null(drmModeGetPropertyBlob(fd, other));
}

/* --- the legacy requests --- */

TEST_WITH(test_set_crtc, set_up, tear_down)
{
    uint32_t fb = make_fb(WIDTH, HEIGHT), small = make_fb(WIDTH, HEIGHT - 1), wrong = crtc;
    drmModeModeInfo mode = preferred(), bad = mode;
    bad.hsync_start = 1;
    expect(drmModeSetCrtc(fd, crtc, fb, 0, 0, &connector, 1, &bad), EINVAL);
    expect(drmModeSetCrtc(fd, connector, fb, 0, 0, &connector, 1, &mode), ENOENT);
    expect(drmModeSetCrtc(fd, crtc, 9999, 0, 0, &connector, 1, &mode), ENOENT);
    assert_int_equal(drmModeSetCrtc(fd, crtc, 0, 0, 0, NULL, 0, NULL), 0);
    expect(drmModeSetCrtc(fd, crtc, UINT32_MAX, 0, 0, &connector, 1, &mode),
           EINVAL); /* no framebuffer is on the screen that could be kept */
    expect(drmModeSetCrtc(fd, crtc, small, 0, 0, &connector, 1, &mode), ENOSPC);
    expect(drmModeSetCrtc(fd, crtc, fb, 1, 0, &connector, 1, &mode), ENOSPC);
    expect(drmModeSetCrtc(fd, crtc, fb, 0x10000, 0, &connector, 1, &mode), ERANGE);
    expect(drmModeSetCrtc(fd, crtc, fb, 0, 0, &connector, 0, &mode), EINVAL);
    expect(drmModeSetCrtc(fd, crtc, fb, 0, 0, &wrong, 1, &mode), ENOENT);
    assert_int_equal(drmModeSetCrtc(fd, crtc, fb, 0, 0, &connector, 1, &mode), 0);
    drmModeCrtc *found = drmModeGetCrtc(fd, crtc);
    assert_int_equal(found->buffer_id, fb);
    assert_int_equal(found->width, WIDTH);
    drmModeFreeCrtc(found);
    assert_int_equal(drmModeSetCrtc(fd, crtc, 0, 0, 0, NULL, 0, NULL), 0);
    found = drmModeGetCrtc(fd, crtc);
    assert_int_equal(found->mode_valid, 0);
    assert_int_equal(found->buffer_id, 0);
    drmModeFreeCrtc(found);
}

static struct drm_event_vblank read_event(uint32_t type)
{
    struct drm_event_vblank event;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 2000), 1);
    assert_int_equal(read(fd, &event, sizeof event), sizeof event);
    assert_int_equal(event.base.type, type);
    assert_int_equal(event.crtc_id, crtc);
    return event;
}

static uint64_t time_of(const struct drm_event_vblank *event)
{
    return event->tv_sec * 1000000ull + event->tv_usec;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* Each flip must be counted. It must complete one period after the previous flip if the program is
 * fast enough. */
TEST_WITH(test_page_flips, set_up, tear_down)
{
    enum { FLIPS = 5 };
    uint32_t fbs[2] = {make_fb(WIDTH, HEIGHT), make_fb(WIDTH, HEIGHT)};
    struct drm_event_vblank last = {0};
    assert_int_equal(turn_on(fbs[0]), 0);
    for (unsigned i = 0; i < FLIPS; i++) {
        assert_int_equal(
            drmModePageFlip(fd, crtc, fbs[i & 1], DRM_MODE_PAGE_FLIP_EVENT, &fbs[i & 1]), 0);
        struct drm_event_vblank event = read_event(DRM_EVENT_FLIP_COMPLETE);
        assert_true(event.user_data == (uintptr_t)&fbs[i & 1]);
        assert_true(time_of(&event) <= now());
        assert_true(event.sequence > last.sequence);
        if (i)
            assert_true(time_of(&event) - time_of(&last) >= 1000000 / HERTZ - 100);
        last = event;
    }
}

TEST_WITH(test_page_flip_errors, set_up, tear_down)
{
    uint32_t fb = make_fb(WIDTH, HEIGHT), small = make_fb(WIDTH, HEIGHT - 1),
             handle = make_dumb(WIDTH, HEIGHT, 32), alpha;
    assert_int_equal(drmModeAddFB(fd, WIDTH, HEIGHT, 32, 32, WIDTH * 4, handle, &alpha), 0);
    /* the console's framebuffer has another format */
    expect(drmModePageFlip(fd, crtc, fb, 0, NULL), EINVAL);
    assert_int_equal(drmModeSetCrtc(fd, crtc, 0, 0, 0, NULL, 0, NULL), 0);
    /* no framebuffer is on the screen that could be replaced */
    expect(drmModePageFlip(fd, crtc, fb, 0, NULL), EBUSY);
    assert_int_equal(turn_on(fb), 0);
    expect(drmModePageFlip(fd, connector, fb, 0, NULL), ENOENT);
    expect(drmModePageFlip(fd, crtc, 9999, 0, NULL), ENOENT);
    expect(drmModePageFlip(fd, crtc, fb, 0x10, NULL), EINVAL);
    expect(drmModePageFlip(fd, crtc, fb, DRM_MODE_PAGE_FLIP_TARGET_ABSOLUTE, NULL), EINVAL);
    expect(drmModePageFlip(fd, crtc, small, 0, NULL), ENOSPC);
    /* the framebuffer on the screen has another format */
    expect(drmModePageFlip(fd, crtc, alpha, 0, NULL), EINVAL);
    assert_int_equal(drmModePageFlip(fd, crtc, fb, DRM_MODE_PAGE_FLIP_EVENT, NULL), 0);
    expect(drmModePageFlip(fd, crtc, fb, DRM_MODE_PAGE_FLIP_EVENT, NULL),
           EBUSY); /* the first flip is not complete yet */
    read_event(DRM_EVENT_FLIP_COMPLETE);
    assert_int_equal(drmModePageFlip(fd, crtc, fb, DRM_MODE_PAGE_FLIP_ASYNC, NULL), 0);
    assert_int_equal(drmModePageFlip(fd, crtc, fb, DRM_MODE_PAGE_FLIP_ASYNC, NULL), 0);
}

TEST_WITH(test_set_plane, set_up, tear_down)
{
    uint32_t fb = make_fb(64, 64), plane = plane_of_type(DRM_PLANE_TYPE_OVERLAY);
    assert_int_equal(turn_on(make_fb(WIDTH, HEIGHT)), 0);
    expect(drmModeSetPlane(fd, crtc, crtc, fb, 0, 0, 0, 64, 64, 0, 0, 64 << 16, 64 << 16), ENOENT);
    expect(drmModeSetPlane(fd, plane, plane, fb, 0, 0, 0, 64, 64, 0, 0, 64 << 16, 64 << 16),
           ENOENT);
    expect(drmModeSetPlane(fd, plane, crtc, 9999, 0, 0, 0, 64, 64, 0, 0, 64 << 16, 64 << 16),
           ENOENT);
    expect(drmModeSetPlane(fd, plane, crtc, fb, 0, 0, 0, 64, 64, 1, 0, 64 << 16, 64 << 16), ENOSPC);
    expect(drmModeSetPlane(fd, plane, crtc, fb, 0, 0, 0, 1u << 31, 64, 0, 0, 64 << 16, 64 << 16),
           ERANGE);
    expect(drmModeSetPlane(fd, plane, crtc, fb, 0, INT32_MAX, 0, 64, 64, 0, 0, 64 << 16, 64 << 16),
           ERANGE);
    expect(drmModeSetPlane(fd, plane, crtc, fb, 0, 0, 0, 0, 64, 0, 0, 64 << 16, 64 << 16), ERANGE);
    assert_int_equal(
        drmModeSetPlane(fd, plane, crtc, fb, 0, -20, 500, 128, 64, 0, 0, 64 << 16, 64 << 16), 0);
    drmModePlane *found = drmModeGetPlane(fd, plane);
    assert_int_equal(found->fb_id, fb);
    assert_int_equal(found->crtc_id, crtc);
    drmModeFreePlane(found);
    assert_int_equal(drmModeSetPlane(fd, plane, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
    found = drmModeGetPlane(fd, plane);
    assert_int_equal(found->fb_id, 0);
    drmModeFreePlane(found);
    static const char *const places[] = {"CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H",
                                         "SRC_X",  "SRC_Y",  "SRC_W",  "SRC_H"};
    assert_int_equal(drmSetClientCap(fd, DRM_CLIENT_CAP_ATOMIC, 1), 0);
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        /* as in __drm_atomic_helper_disable_plane() */
        assert_int_equal(value_of(plane, places[i]), 0);
}

TEST_WITH(test_cursor, set_up, tear_down)
{
    uint32_t handle = make_dumb(64, 64, 32), plane = plane_of_type(DRM_PLANE_TYPE_CURSOR);
    struct drm_mode_cursor none = {.crtc_id = crtc}, odd = {.flags = 4, .crtc_id = crtc};
    assert_int_equal(turn_on(make_fb(WIDTH, HEIGHT)), 0);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_CURSOR, &none), EINVAL);
    expect(drmIoctl(fd, DRM_IOCTL_MODE_CURSOR, &odd), EINVAL);
    expect(drmModeSetCursor(fd, connector, handle, 64, 64), ENOENT);
    expect(drmModeSetCursor(fd, crtc, 999, 64, 64), ENOENT);
    expect(drmModeSetCursor(fd, crtc, handle, 64, 65), EINVAL);
    assert_int_equal(drmModeSetCursor(fd, crtc, handle, 64, 64), 0);
    assert_int_equal(drmModeMoveCursor(fd, crtc, -5, 7), 0);
    drmModePlane *found = drmModeGetPlane(fd, plane);
    assert_int_not_equal(found->fb_id, 0);
    drmModeFreePlane(found);
    assert_int_equal(drmModeSetCursor(fd, crtc, 0, 0, 0), 0);
    found = drmModeGetPlane(fd, plane);
    assert_int_equal(found->fb_id, 0);
    drmModeFreePlane(found);
}

TEST_WITH(test_gamma, set_up, tear_down)
{
    uint16_t set[3][256], got[3][256];
    for (unsigned i = 0; i < 256; i++) {
        set[0][i] = (uint16_t)(i * 3);
        set[1][i] = (uint16_t)(i * 5);
        set[2][i] = (uint16_t)(i * 7);
    }
    assert_int_equal(drmModeCrtcGetGamma(fd, crtc, 256, got[0], got[1], got[2]), 0);
    assert_int_equal(got[1][255], 0xffff);
    assert_int_equal(drmModeCrtcSetGamma(fd, crtc, 256, set[0], set[1], set[2]), 0);
    assert_int_equal(drmModeCrtcGetGamma(fd, crtc, 256, got[0], got[1], got[2]), 0);
    assert_memory_equal(set, got, sizeof set);
    expect(drmModeCrtcSetGamma(fd, crtc, 255, set[0], set[1], set[2]), EINVAL);
    expect(drmModeCrtcSetGamma(fd, crtc, 256, set[0], set[1], (uint16_t *)8), EFAULT);
}

TEST_WITH(test_properties, set_up, tear_down)
{
    uint64_t value;
    uint32_t plane = plane_of_type(DRM_PLANE_TYPE_OVERLAY),
             zpos = find_property(plane, "zpos", &value);
    uint32_t rotation = find_property(plane, "rotation", &value),
             type = find_property(plane, "type", &value);
    assert_int_equal(turn_on(make_fb(WIDTH, HEIGHT)), 0);
    assert_int_equal(drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_PLANE, zpos, 9), 0);
    assert_int_equal(value_of(plane, "zpos"), 9);
    expect(drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_PLANE, zpos, 18), EINVAL);
    expect(drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_PLANE, zpos, 0), EINVAL);
    expect(drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_PLANE, type, 0),
           EINVAL); /* the property is immutable */
    expect(drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_PLANE, rotation, DRM_MODE_ROTATE_90),
           EINVAL);
    expect(drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_PLANE, rotation, DRM_MODE_REFLECT_X),
           EINVAL);
    assert_int_equal(
        drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_PLANE, rotation, DRM_MODE_ROTATE_180),
        0);
    expect(drmModeObjectSetProperty(fd, plane, DRM_MODE_OBJECT_CRTC, rotation, DRM_MODE_ROTATE_0),
           ENOENT);
    expect(drmModeObjectSetProperty(fd, crtc, DRM_MODE_OBJECT_CRTC, zpos, 1),
           EINVAL); /* the CRTC has no zpos */
    uint32_t dpms = find_property(connector, "DPMS", &value);
    assert_int_equal(drmModeConnectorSetProperty(fd, connector, dpms, DRM_MODE_DPMS_OFF), 0);
    assert_int_equal(value_of(connector, "DPMS"), DRM_MODE_DPMS_OFF);
    assert_int_equal(drmModeConnectorSetProperty(fd, connector, dpms, DRM_MODE_DPMS_ON), 0);
}

/* --- vertical blanks --- */

TEST_WITH(test_vertical_blanks, set_up, tear_down)
{
    drmVBlank wait = {.request = {.type = DRM_VBLANK_RELATIVE}};
    assert_int_equal(drmModeSetCrtc(fd, crtc, 0, 0, 0, NULL, 0, NULL), 0);
    expect(drmWaitVBlank(fd, &wait), EINVAL); /* the screen is off */
    assert_int_equal(turn_on(make_fb(WIDTH, HEIGHT)), 0);
    wait = (drmVBlank){.request = {.type = DRM_VBLANK_RELATIVE}};
    assert_int_equal(drmWaitVBlank(fd, &wait), 0);
    unsigned first = wait.reply.sequence;
    uint64_t begin = now();
    wait = (drmVBlank){.request = {.type = DRM_VBLANK_RELATIVE, .sequence = 4}};
    assert_int_equal(drmWaitVBlank(fd, &wait), 0);
    assert_true(wait.reply.sequence >= first + 4);
    assert_true(now() - begin >= 3 * 1000000 / HERTZ - 100);
    wait = (drmVBlank){.request = {.type = DRM_VBLANK_ABSOLUTE | DRM_VBLANK_EVENT,
                                   .sequence = wait.reply.sequence + 2,
                                   .signal = 77}};
    unsigned wanted = wait.request.sequence;
    assert_int_equal(drmWaitVBlank(fd, &wait), 0);
    struct drm_event_vblank event = read_event(DRM_EVENT_VBLANK);
    assert_int_equal(event.sequence, wanted);
    assert_int_equal(event.user_data, 77);
    wait = (drmVBlank){.request = {.type = DRM_VBLANK_RELATIVE | DRM_VBLANK_SECONDARY}};
    expect(drmWaitVBlank(fd, &wait), EINVAL);
}

TEST_WITH(test_sequences, set_up, tear_down)
{
    uint64_t sequence, queued, time;
    struct drm_event_crtc_sequence event;
    expect(drmCrtcGetSequence(fd, connector, &sequence, &time), ENOENT);
    assert_int_equal(turn_on(make_fb(WIDTH, HEIGHT)), 0);
    assert_int_equal(drmCrtcGetSequence(fd, crtc, &sequence, &time), 0);
    assert_true(time / 1000 <= now());
    assert_int_equal(drmCrtcQueueSequence(fd, crtc, DRM_CRTC_SEQUENCE_RELATIVE, 2, &queued, 5), 0);
    assert_true(queued >= sequence + 2);
    assert_int_equal(read(fd, &event, sizeof event), sizeof event);
    assert_int_equal(event.base.type, DRM_EVENT_CRTC_SEQUENCE);
    assert_int_equal(event.user_data, 5);
    assert_int_equal(event.sequence, queued);
}

/* As in drm_read(), events stay queued until the buffer has room for a whole event. A read returns
 * all events that fit. */
TEST_WITH(test_reading, set_up, tear_down)
{
    uint64_t queued;
    struct drm_event_crtc_sequence events[3];
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    assert_int_equal(turn_on(make_fb(WIDTH, HEIGHT)), 0);
    for (uint64_t i = 1; i <= 2; i++)
        assert_int_equal(drmCrtcQueueSequence(fd, crtc, DRM_CRTC_SEQUENCE_RELATIVE, i, &queued, i),
                         0);
    drmVBlank until = {.request = {.type = DRM_VBLANK_ABSOLUTE, .sequence = (unsigned)queued + 1}};
    assert_int_equal(drmWaitVBlank(fd, &until), 0);
    assert_int_equal(read(fd, events, sizeof events[0] - 1), 0);
    assert_int_equal(poll(&wait, 1, 0), 1);
    assert_int_equal(read(fd, events, sizeof events), 2 * sizeof events[0]);
    assert_int_equal(events[0].user_data, 1);
    assert_int_equal(events[1].user_data, 2);
    assert_int_equal(poll(&wait, 1, 0), 0);
}

/* As in drm_event_reserve_init(), pending and unread events together may have 4096 bytes. */
TEST_WITH(test_room_for_events, set_up, tear_down)
{
    enum { MOST = 4096 / sizeof(struct drm_event_vblank) };
    struct drm_event_crtc_sequence events[MOST];
    uint64_t queued = 0;
    const uint32_t fb = make_fb(WIDTH, HEIGHT);
    assert_int_equal(turn_on(fb), 0);
    for (unsigned i = 0; i < MOST; i++)
        assert_int_equal(
            drmCrtcQueueSequence(fd, crtc, DRM_CRTC_SEQUENCE_RELATIVE, i < 10 ? 0 : 2, &queued, i),
            0);
    for (int round = 0; round < 2; round++) { /* in round 0 events are pending, in round 1 unread */
        drmVBlank wait = {
            .request = {.type = DRM_VBLANK_RELATIVE | DRM_VBLANK_EVENT, .sequence = 1}};
        expect(drmWaitVBlank(fd, &wait), ENOMEM);
        expect(drmCrtcQueueSequence(fd, crtc, DRM_CRTC_SEQUENCE_RELATIVE, 1, &queued, 1), ENOMEM);
        expect(drmModePageFlip(fd, crtc, fb, DRM_MODE_PAGE_FLIP_EVENT, NULL), ENOMEM);
        wait = (drmVBlank){.request = {.type = DRM_VBLANK_RELATIVE, .sequence = 4}};
        assert_int_equal(drmWaitVBlank(fd, &wait), 0);
    }
    assert_int_equal(drmModePageFlip(fd, crtc, fb, 0, NULL), 0); /* without an event */
    assert_int_equal(read(fd, events, sizeof events[0]), sizeof events[0]);
    assert_int_equal(drmCrtcQueueSequence(fd, crtc, DRM_CRTC_SEQUENCE_RELATIVE, 0, &queued, 99), 0);
    assert_int_equal(read(fd, events, sizeof events), sizeof events);
    assert_int_equal(events[0].user_data, 1);
    assert_int_equal(events[MOST - 1].user_data, 99);
}

/* The event does not fit in the buffer of any thread. The event must stay queued, and each thread's
 * read must fail. */
static void *read_little(void *unused)
{
    char little[4];
    (void)unused;
    return (void *)(intptr_t)read(fd, little, sizeof little);
}

TEST_WITH(test_readers_without_room, set_up, tear_down)
{
    enum { READERS = 4, BLANKS = 4 };
    pthread_t readers[READERS];
    struct drm_event_crtc_sequence event;
    uint64_t queued;
    void *got;
    for (unsigned i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&readers[i], NULL, read_little, NULL), 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(
            drmCrtcQueueSequence(fd, crtc, DRM_CRTC_SEQUENCE_RELATIVE, BLANKS, &queued, i), 0);
    for (unsigned i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i], &got), 0);
        assert_null(got);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(read(fd, &event, sizeof event), sizeof event);
        assert_int_equal(event.user_data, i);
    }
}

/* As in vfs_read(), the address is checked first. An event that cannot be copied must stay
 * queued. */
TEST_WITH(test_reading_to_nowhere, set_up, tear_down)
{
    void *volatile nowhere = (void *)-1, *volatile unmapped = (void *)16;
    struct drm_event_crtc_sequence event;
    uint64_t queued;
    expect((int)read(fd, nowhere, sizeof event), EFAULT);
    assert_int_equal(drmCrtcQueueSequence(fd, crtc, DRM_CRTC_SEQUENCE_RELATIVE, 1, &queued, 6), 0);
    expect((int)read(fd, unmapped, sizeof event), EFAULT);
    assert_int_equal(read(fd, &event, sizeof event), sizeof event);
    assert_int_equal(event.user_data, 6);
}

/* --- atomic requests --- */

/* Returns an atomic request that shows a framebuffer on the whole screen. */
static drmModeAtomicReq *picture(uint32_t fb, bool with_mode)
{
    drmModeAtomicReq *request = drmModeAtomicAlloc();
    drmModeModeInfo mode = preferred();
    uint32_t blob, plane = plane_of_type(DRM_PLANE_TYPE_PRIMARY);
    assert_non_null(request);
    if (with_mode) {
        assert_int_equal(drmModeCreatePropertyBlob(fd, &mode, sizeof mode, &blob), 0);
        add(request, connector, "CRTC_ID", crtc);
        add(request, crtc, "MODE_ID", blob);
        add(request, crtc, "ACTIVE", 1);
    }
    add(request, plane, "CRTC_ID", crtc);
    add(request, plane, "FB_ID", fb);
    add(request, plane, "SRC_W", WIDTH << 16);
    add(request, plane, "SRC_H", HEIGHT << 16);
    add(request, plane, "CRTC_W", WIDTH);
    add(request, plane, "CRTC_H", HEIGHT);
    return request;
}

TEST_WITH(test_atomic, set_up_atomic, tear_down)
{
    uint32_t fb = make_fb(WIDTH, HEIGHT), plane = plane_of_type(DRM_PLANE_TYPE_PRIMARY);
    drmModeAtomicReq *request = picture(fb, true);
    assert_int_equal(drmModeSetCrtc(fd, crtc, 0, 0, 0, NULL, 0, NULL), 0);
    expect(drmModeAtomicCommit(fd, request, 0, NULL), EINVAL); /* without ALLOW_MODESET */
    assert_int_equal(drmModeAtomicCommit(fd, request,
                                         DRM_MODE_ATOMIC_ALLOW_MODESET | DRM_MODE_ATOMIC_TEST_ONLY,
                                         NULL),
                     0);
    assert_int_equal(value_of(plane, "FB_ID"), 0);
    assert_int_equal(drmModeAtomicCommit(fd, request, DRM_MODE_ATOMIC_ALLOW_MODESET, NULL), 0);
    assert_int_equal(value_of(plane, "FB_ID"), fb);
    assert_int_equal(value_of(crtc, "ACTIVE"), 1);
    drmModeAtomicFree(request);
    request = picture(make_fb(WIDTH, HEIGHT), false);
    assert_int_equal(drmModeAtomicCommit(fd, request,
                                         DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT,
                                         (void *)99),
                     0);
    expect(drmModeAtomicCommit(fd, request, DRM_MODE_ATOMIC_NONBLOCK, NULL), EBUSY);
    assert_int_equal(read_event(DRM_EVENT_FLIP_COMPLETE).user_data, 99);
    drmModeAtomicFree(request);
}

/* When a blocking commit returns, its event must have been sent
 * (drm_atomic_helper_wait_for_flip_done). */
TEST_WITH(test_events_of_commits, set_up_atomic, tear_down)
{
    enum { COMMITS = 20 };
    drmModeAtomicReq *request = picture(make_fb(WIDTH, HEIGHT), true);
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    for (unsigned i = 0; i < COMMITS; i++) {
        assert_int_equal(
            drmModeAtomicCommit(fd, request,
                                DRM_MODE_ATOMIC_ALLOW_MODESET | DRM_MODE_PAGE_FLIP_EVENT, NULL),
            0);
        assert_int_equal(poll(&wait, 1, 0), 1);
        read_event(DRM_EVENT_FLIP_COMPLETE);
    }
    drmModeAtomicFree(request);
}

static void expect_commit(int error, drmModeAtomicReq *request)
{
    expect(drmModeAtomicCommit(fd, request,
                               DRM_MODE_ATOMIC_ALLOW_MODESET | DRM_MODE_ATOMIC_TEST_ONLY, NULL),
           error);
    drmModeAtomicFree(request);
}

static drmModeAtomicReq *changed(uint32_t object, const char *name, uint64_t value)
{
    drmModeAtomicReq *request = picture(make_fb(WIDTH, HEIGHT), true);
    add(request, object, name, value);
    return request;
}

TEST_WITH(test_atomic_errors, set_up_atomic, tear_down)
{
    uint32_t plane = plane_of_type(DRM_PLANE_TYPE_PRIMARY), blob;
    expect_commit(EINVAL, changed(plane, "FB_ID", 0));
    expect_commit(EINVAL, changed(plane, "FB_ID", crtc));
    expect_commit(EINVAL, changed(plane, "CRTC_ID", 0));
    /* a mode is set, but no connector is attached */
    expect_commit(EINVAL, changed(connector, "CRTC_ID", 0));
    expect_commit(EINVAL, changed(crtc, "MODE_ID", 0));
    expect_commit(ENOSPC, changed(plane, "SRC_X", 1));
    expect_commit(ERANGE, changed(plane, "CRTC_X", INT32_MAX));
    expect_commit(ERANGE, changed(plane, "CRTC_W", 0));
    expect_commit(EINVAL, changed(plane, "alpha", 0x10000));
    expect_commit(EINVAL, changed(plane, "IN_FENCE_FD", 0)); /* not a fence */
    expect_commit(EFAULT, changed(crtc, "OUT_FENCE_PTR", 8));
    assert_int_equal(drmModeCreatePropertyBlob(fd, "short", 5, &blob), 0);
    expect_commit(EINVAL, changed(crtc, "MODE_ID", blob));
    expect_commit(EINVAL, changed(crtc, "GAMMA_LUT", blob));
    expect_commit(0, changed(plane, "CRTC_X", (uint64_t)-10));
    drmModeAtomicReq *request = drmModeAtomicAlloc();
    assert_true(drmModeAtomicAddProperty(request, plane, 9999, 1) >= 0);
    expect_commit(ENOENT, request);
    request = drmModeAtomicAlloc();
    expect(drmModeAtomicCommit(fd, request, DRM_MODE_PAGE_FLIP_EVENT, NULL),
           0); /* the request is empty, so libdrm does not call the kernel */
    drmModeAtomicFree(request);
}

TEST_WITH(test_fences, set_up_atomic, tear_down)
{
    int32_t fence = 0, again = 0;
    uint32_t plane = plane_of_type(DRM_PLANE_TYPE_PRIMARY);
    drmModeAtomicReq *request = picture(make_fb(WIDTH, HEIGHT), true);
    add(request, crtc, "OUT_FENCE_PTR", (uintptr_t)&fence);
    assert_int_equal(drmModeAtomicCommit(fd, request, DRM_MODE_ATOMIC_ALLOW_MODESET, NULL), 0);
    assert_true(fence >= 0);
    struct pollfd wait = {.fd = fence, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 1000), 1);
    drmModeAtomicFree(request);
    request = picture(make_fb(WIDTH, HEIGHT), false);
    add(request, plane, "IN_FENCE_FD", (uint64_t)fence);
    add(request, crtc, "OUT_FENCE_PTR", (uintptr_t)&again);
    assert_int_equal(drmModeAtomicCommit(fd, request, DRM_MODE_ATOMIC_NONBLOCK, NULL), 0);
    assert_int_equal(drmModeAtomicCommit(fd, request, DRM_MODE_ATOMIC_NONBLOCK, NULL),
                     0); /* the fence is already signalled, so this commit need not wait */
    drmModeAtomicFree(request);
    close(fence);
}

TEST_WITH(test_atomic_needs_the_capability, set_up, tear_down)
{
    struct drm_mode_atomic atomic = {0};
    expect(drmIoctl(fd, DRM_IOCTL_MODE_ATOMIC, &atomic), EINVAL);
    assert_int_equal(drmSetClientCap(fd, DRM_CLIENT_CAP_ATOMIC, 1), 0);
    assert_int_equal(drmIoctl(fd, DRM_IOCTL_MODE_ATOMIC, &atomic), 0);
    atomic.flags = DRM_MODE_ATOMIC_TEST_ONLY | DRM_MODE_PAGE_FLIP_EVENT;
    expect(drmIoctl(fd, DRM_IOCTL_MODE_ATOMIC, &atomic), EINVAL);
    atomic.flags = DRM_MODE_PAGE_FLIP_EVENT;
    expect(drmIoctl(fd, DRM_IOCTL_MODE_ATOMIC, &atomic),
           EINVAL); /* no CRTC is part of the request, so no event could be sent */
    atomic = (struct drm_mode_atomic){.count_objs = 1, .objs_ptr = 8};
    expect(drmIoctl(fd, DRM_IOCTL_MODE_ATOMIC, &atomic), EFAULT);
}

/* --- masters --- */

TEST_WITH(test_masters, set_up, tear_down)
{
    uint32_t fb = make_fb(WIDTH, HEIGHT);
    assert_int_equal(drmDropMaster(fd), 0);
    expect(turn_on(fb), EACCES);
    assert_int_equal(drmSetMaster(fd), 0);
    assert_int_equal(turn_on(fb), 0);
    int render = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    assert_null(drmModeGetResources(render));
    assert_int_equal(errno, EACCES);
    close(render);
}

/* After the last card node is closed, the console must be on the screen for the next client
 * (drm_lastclose). */
TEST_WITH(test_the_last_close, set_up, tear_down)
{
    uint32_t fb = make_fb(64, 64), plane = plane_of_type(DRM_PLANE_TYPE_OVERLAY);
    assert_int_equal(turn_on(make_fb(WIDTH, HEIGHT)), 0);
    assert_int_equal(
        drmModeSetPlane(fd, plane, crtc, fb, 0, 0, 0, 64, 64, 0, 0, 64 << 16, 64 << 16), 0);
    close(fd);
    assert_int_equal(set_up(fixture), 0);
    expect_console();
    drmModePlane *found = drmModeGetPlane(fd, plane);
    assert_int_equal(found->fb_id, 0);
    drmModeFreePlane(found);
}

/* Magic numbers are unique per client (drm_getmagic). Each number must be accepted once, and only
 * from clients of the master. */
TEST_WITH(test_magic_numbers, set_up, tear_down)
{
    enum { CLIENTS = 1100 };
    static int clients[2];
    drm_magic_t own, magic, last = 0;
    assert_int_equal(drmGetMagic(fd, &own), 0);
    for (unsigned i = 0; i < CLIENTS; i++) {
        int client = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
        assert_int_equal(drmGetMagic(client, &magic), 0);
        assert_int_not_equal(magic, own);
        assert_int_not_equal(magic, last);
        last = magic;
        close(client);
    }
    for (unsigned i = 0; i < 2; i++)
        clients[i] = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    assert_int_equal(drmGetMagic(clients[0], &magic), 0);
    assert_int_equal(drmAuthMagic(fd, magic), 0);
    expect(drmAuthMagic(fd, magic), EINVAL);
    assert_int_equal(drmGetMagic(clients[0], &last), 0);
    assert_int_equal(magic, last);
    if (geteuid() == 0) { /* only root may become master if it has never been master */
        assert_int_equal(drmGetMagic(clients[1], &magic), 0); /* the client's master is fd */
        assert_int_equal(drmDropMaster(fd), 0);
        assert_int_equal(drmSetMaster(clients[0]), 0);
        expect(drmAuthMagic(clients[0], magic), EINVAL);
        assert_int_equal(drmDropMaster(clients[0]), 0);
        assert_int_equal(drmSetMaster(fd), 0);
        assert_int_equal(drmAuthMagic(fd, magic), 0);
    }
    for (unsigned i = 0; i < 2; i++)
        close(clients[i]);
}

/* As in drm_open_helper(), root's clients are authenticated from the beginning. Other clients must
 * be authenticated by the master. */
TEST_WITH(test_authentication, set_up, tear_down)
{
    int client = open("/dev/dri/card0", O_RDWR | O_CLOEXEC), auth = -1, pid, uid;
    unsigned long version, count;
    assert_int_equal(drmGetClient(client, 0, &auth, &pid, &uid, &version, &count), 0);
    assert_int_equal(auth, geteuid() == 0);
    close(client);
}

/* As in drm_master_check_perm(), a child does not inherit its parent's right to become master. */
TEST_WITH(test_masters_children, set_up, tear_down)
{
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
            _exit(9);
        bool refused = drmDropMaster(fd) != 0 && errno == EACCES && drmSetMaster(fd) != 0 &&
                       errno == EACCES;
        _exit(!refused);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(drmDropMaster(fd), 0);
    assert_int_equal(drmSetMaster(fd), 0);
}

TEST_WITH(test_leases, set_up, tear_down)
{
    uint32_t lessee;
    expect(drmModeCreateLease(fd, &crtc, 1, 0, &lessee), EOPNOTSUPP);
    expect(drmModeRevokeLease(fd, 1), ENOENT);
    drmModeLesseeListPtr list = drmModeListLessees(fd);
    assert_non_null(list);
    assert_int_equal(list->count, 0);
    drmFree(list);
}
