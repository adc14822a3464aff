/* SPDX-License-Identifier: MIT */
/* ioctl.c - unit tests of src/shim/drm/calls/ioctl.c, ioctl_core.c, vc4_driver.c, file.c and
 * options.c: the answers to requests.
 *
 * Expected: the answers of Linux, drivers/gpu/drm/drm_ioctl.c (sizes and directions, permissions,
 * SET_VERSION, GET_UNIQUE, capabilities), drm_auth.c, drm_gem.c, vc4/vc4_bo.c, vc4/vc4_gem.c and
 * vc4/vc4_drv.c; the VideoCore IV 3D Architecture Reference Guide for V3D_IDENT0. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>
#include <libdrm/drm.h>
#include <libdrm/drm_fourcc.h>
#include <libdrm/vc4_drm.h>

#include "../../../register.h"
#include "shim/common/device_lock.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/device/device.h"
#include "shim/drm/options.h"
#include "shim/drm/vc4/gpu.h"

struct nodes {
    struct file *card, *render;
};

static int open_nodes(void **state)
{
    static struct nodes nodes;
    device_begin();
    nodes = (struct nodes){file_create(FILE_CARD), file_create(FILE_RENDER)};
    *state = &nodes;
    return nodes.card && nodes.render ? 0 : -1;
}

static int close_nodes(void **state)
{
    struct nodes *nodes = *state;
    device_lock();
    file_destroy(nodes->card);
    file_destroy(nodes->render);
    device_unlock();
    return 0;
}

static int ask(struct file *file, unsigned long request, void *argument)
{
    return ioctl_carry_out(file, request, (uintptr_t)argument);
}

/* --- the dispatcher --- */

/* Requests are distinguished by their numbers. A program's structure may be shorter or longer than
 * the kernel's. */
TEST_WITH(takes_any_size, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    struct {
        struct drm_get_cap request;
        uint64_t more;
    } longer = {{.capability = DRM_CAP_PRIME}, 5};
    unsigned long number = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, 0x0c, sizeof longer);
    assert_int_equal(ask(nodes->render, number, &longer), 0);
    assert_int_equal(longer.request.value, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT);
    assert_int_equal(longer.more, 5);
    uint64_t shorter[2] = {DRM_CAP_PRIME, 99}; /* the answer is truncated */
    number = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, 0x0c, 8);
    assert_int_equal(ask(nodes->render, number, shorter), 0);
    assert_int_equal(shorter[1], 99);
    struct drm_get_cap unread = {.capability = DRM_CAP_PRIME}; /* the kernel does not read the
                                                                * argument, and uses zeros */
    number = _IOC(_IOC_READ, DRM_IOCTL_BASE, 0x0c, sizeof unread);
    assert_int_equal(ask(nodes->render, number, &unread), EINVAL);
    assert_int_equal(unread.capability, 0); /* the structure is copied back after an error, too */
    assert_int_equal(ask(nodes->card, _IO(DRM_IOCTL_BASE, 0xfe), NULL), EINVAL);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_GET_CAP, NULL), EFAULT);
}

TEST_WITH(asks_for_permission, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    struct file *second = file_create(FILE_CARD);
    struct drm_auth auth = {0};
    struct drm_gem_flink flink = {0};
    struct drm_set_version version = {1, 1, -1, -1};
    assert_int_equal(second->is_authenticated, geteuid() == 0); /* as in drm_open_helper() */
    second->is_authenticated = false;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_GET_MAGIC, &auth), EACCES);
    assert_int_equal(ask(second, DRM_IOCTL_GEM_FLINK, &flink), EACCES);
    assert_int_equal(ask(second, DRM_IOCTL_SET_VERSION, &version), EACCES);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_VERSION, &version), 0);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_GEM_FLINK, &flink), ENOENT);
    assert_int_equal(ask(second, DRM_IOCTL_GET_MAGIC, &auth), 0);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_AUTH_MAGIC, &auth), 0);
    /* a magic number is accepted once */
    assert_int_equal(ask(nodes->card, DRM_IOCTL_AUTH_MAGIC, &auth), EINVAL);
    assert_int_equal(ask(second, DRM_IOCTL_GEM_FLINK, &flink), ENOENT);
    assert_int_equal(ask(second, DRM_IOCTL_SET_VERSION, &version), EACCES);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_DROP_MASTER, NULL), 0);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_VERSION, &version), EACCES);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_MASTER, NULL), 0);
    file_destroy(second);
}

/* --- all drivers' requests --- */

TEST_WITH(has_a_version, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    char name[16] = "";
    struct drm_unique unique = {.unique = name, .unique_len = 7};
    struct drm_set_version version = {.drm_di_major = 1, .drm_di_minor = 5, -1, -1};
    assert_int_equal(ask(nodes->card, DRM_IOCTL_GET_UNIQUE, &unique), 0);
    assert_int_equal(unique.unique_len, 0);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_VERSION, &version), EINVAL);
    assert_int_equal(version.drm_di_minor, 4);
    version = (struct drm_set_version){1, 4, -1, -1};
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_VERSION, &version), 0);
    assert_int_equal(version.drm_dd_major, 0);
    unique.unique_len = 6;
    assert_int_equal(ask(nodes->card, DRM_IOCTL_GET_UNIQUE, &unique), 0);
    assert_string_equal(name, ""); /* the name is copied only if the whole name fits */
    assert_int_equal(unique.unique_len, 7);
    assert_int_equal(ask(nodes->card, DRM_IOCTL_GET_UNIQUE, &unique), 0);
    assert_string_equal(name, "soc:gpu");
}

TEST_WITH(has_capabilities, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    static const struct {
        uint64_t capability, value;
    } expected[] = {
        /* clang-format off */
        {DRM_CAP_DUMB_BUFFER,         1},
        {DRM_CAP_TIMESTAMP_MONOTONIC, 1},
        {DRM_CAP_ADDFB2_MODIFIERS,    1},
        {DRM_CAP_CURSOR_WIDTH,        64},
        {DRM_CAP_SYNCOBJ,             1},
        {DRM_CAP_SYNCOBJ_TIMELINE,    0},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct drm_get_cap request = {.capability = expected[i].capability, .value = 77};
        assert_int_equal(ask(nodes->render, DRM_IOCTL_GET_CAP, &request), 0);
        assert_int_equal(request.value, expected[i].value);
    }
    struct drm_get_cap none = {.capability = 0x1000};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_GET_CAP, &none), EINVAL);
}

TEST_WITH(sets_capabilities, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    struct drm_set_client_cap request = {DRM_CLIENT_CAP_WRITEBACK_CONNECTORS, 1};
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_CLIENT_CAP, &request), EINVAL);
    request = (struct drm_set_client_cap){DRM_CLIENT_CAP_ATOMIC, 3};
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_CLIENT_CAP, &request), EINVAL);
    request.value = 1;
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_CLIENT_CAP, &request), 0);
    assert_int_equal(nodes->card->client_caps, 1 << DRM_CLIENT_CAP_ATOMIC |
                                                   1 << DRM_CLIENT_CAP_UNIVERSAL_PLANES |
                                                   1 << DRM_CLIENT_CAP_ASPECT_RATIO);
    request = (struct drm_set_client_cap){DRM_CLIENT_CAP_WRITEBACK_CONNECTORS, 1};
    assert_int_equal(ask(nodes->card, DRM_IOCTL_SET_CLIENT_CAP, &request), 0);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_SET_CLIENT_CAP, &request), EACCES);
}

/* --- vc4's requests --- */

static uint32_t make_bo(struct file *file, uint32_t size)
{
    struct drm_vc4_create_bo request = {.size = size};
    assert_int_equal(ask(file, DRM_IOCTL_VC4_CREATE_BO, &request), 0);
    return request.handle;
}

TEST_WITH(tells_parameters, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    struct drm_vc4_get_param request = {.param = DRM_VC4_PARAM_V3D_IDENT0};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GET_PARAM, &request), 0);
    assert_int_equal(request.value, 0x02443356);
    for (request.param = DRM_VC4_PARAM_SUPPORTS_BRANCHES;
         request.param <= DRM_VC4_PARAM_SUPPORTS_PERFMON; request.param++) {
        assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GET_PARAM, &request), 0);
        assert_int_equal(request.value, 1);
    }
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GET_PARAM, &request), EINVAL);
    request = (struct drm_vc4_get_param){.pad = 1};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GET_PARAM, &request), EINVAL);
}

TEST_WITH(gives_handles, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    uint32_t first = make_bo(nodes->render, 1), second = make_bo(nodes->render, 1);
    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    struct drm_gem_close close_it = {.handle = first};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_GEM_CLOSE, &close_it), 0);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_GEM_CLOSE, &close_it), EINVAL);
    assert_int_equal(make_bo(nodes->render, 1), first); /* a new handle is the lowest free one */
    assert_int_equal(make_bo(nodes->render, 1), 3);
    assert_int_equal(make_bo(nodes->card, 1), 1);
    struct drm_vc4_create_bo nothing = {.size = 0};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_BO, &nothing), EINVAL);
    for (unsigned i = 4; i < 100; i++)
        assert_int_equal(make_bo(nodes->render, 1), i);
}

TEST_WITH(keeps_tilings, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    uint32_t handle = make_bo(nodes->render, 1);
    struct drm_vc4_set_tiling set = {.handle = handle,
                                     .modifier = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED};
    struct drm_vc4_get_tiling get = {.handle = handle};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GET_TILING, &get), 0);
    assert_int_equal(get.modifier, DRM_FORMAT_MOD_LINEAR);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_SET_TILING, &set), 0);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GET_TILING, &get), 0);
    assert_true(get.modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GET_TILING, &get),
                     EINVAL); /* flags must be 0 */
    set.modifier = DRM_FORMAT_MOD_BROADCOM_SAND64;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_SET_TILING, &set), EINVAL);
    set = (struct drm_vc4_set_tiling){.handle = 99};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_SET_TILING, &set), ENOENT);
}

TEST_WITH(takes_labels, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    char text[] = "vertices";
    struct drm_vc4_label_bo request = {
        .handle = make_bo(nodes->render, 1), .len = 8, .name = (uintptr_t)text};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_LABEL_BO, &request), 0);
    assert_string_equal(file_bo(nodes->render, request.handle)->label, "vertices");
    request.len = 7; /* the text is longer than len */
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_LABEL_BO, &request), EINVAL);
    request.len = 0;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_LABEL_BO, &request), EINVAL);
    request = (struct drm_vc4_label_bo){.handle = 99, .len = 8, .name = (uintptr_t)text};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_LABEL_BO, &request), ENOENT);
    request.name = 0;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_LABEL_BO, &request), EFAULT);
}

TEST_WITH(makes_shaders, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    /* The program "nop; thrend", "nop", "nop" (VideoCore IV 3D Architecture Reference Guide,
     * section 3). */
    static const uint64_t code[] = {0x300009e7009e7000, 0x100009e7009e7000, 0x100009e7009e7000};
    struct drm_vc4_create_shader_bo request = {.size = sizeof code, .data = (uintptr_t)code};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_SHADER_BO, &request), 0);
    assert_non_null(file_bo(nodes->render, request.handle)->data);
    struct drm_prime_handle prime = {.handle = request.handle};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), EINVAL);
    request.size = 12;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_SHADER_BO, &request), EINVAL);
    request.size = 0;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_SHADER_BO, &request), EINVAL);
    request = (struct drm_vc4_create_shader_bo){.size = 8, .data = 16};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_SHADER_BO, &request), EFAULT);
    static const uint64_t endless[] = {0x100009e7009e7000}; /* a program without an end */
    request.data = (uintptr_t)endless;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_SHADER_BO, &request), EINVAL);
}

TEST_WITH(waits_for_nothing, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    struct drm_vc4_wait_seqno seqno = {.seqno = 0};
    struct drm_vc4_wait_bo bo = {.handle = make_bo(nodes->render, 1), .timeout_ns = UINT64_MAX};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_WAIT_SEQNO, &seqno), 0);
    seqno.seqno = 1000;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_WAIT_SEQNO, &seqno), ETIME);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_WAIT_BO, &bo), 0);
    bo.handle = 99;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_WAIT_BO, &bo), EINVAL);
}

TEST_WITH(purges_memory, open_nodes, close_nodes)
{
    const struct nodes *nodes = *fixture;
    struct drm_vc4_gem_madvise request = {.handle = make_bo(nodes->render, 3 << 20),
                                          .madv = VC4_MADV_DONTNEED};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GEM_MADVISE, &request), 0);
    assert_int_equal(request.retained, 1);
    struct drm_prime_handle prime = {.handle = request.handle};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), EINVAL);
    request.madv = VC4_MADV_WILLNEED;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GEM_MADVISE, &request), 0);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
    close(prime.fd);
    request.madv = VC4_MADV_DONTNEED; /* the object was exported, so it is never purged */
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GEM_MADVISE, &request), 0);
    struct drm_vc4_create_bo more = {.size = 6 << 20};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_BO, &more), ENOMEM);
    request = (struct drm_vc4_gem_madvise){.handle = make_bo(nodes->render, 4 << 20),
                                           .madv = VC4_MADV_DONTNEED};
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GEM_MADVISE, &request), 0);
    more.size = 4 << 20;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_CREATE_BO, &more), 0);
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GEM_MADVISE, &request), 0);
    assert_int_equal(request.retained, 0);
    request.madv = 2;
    assert_int_equal(ask(nodes->render, DRM_IOCTL_VC4_GEM_MADVISE, &request), EINVAL);
}

/* --- options --- */

TEST(reads_options)
{
    const struct options *options = options_get();
    assert_int_equal(options->memory, 8 << 20);
    assert_int_equal(options->first_job, 2);
    assert_int_equal(options->last_job, 5);
    assert_int_equal(options->width, 320);
    assert_int_equal(options->height, 200);
    assert_int_equal(options->hertz, 75);
    assert_true(options->show_rate);
    assert_int_equal(options->rate, 25);
    assert_true(options->common.sanitize); /* TESSERA_STRICT also turns the sanitizer on */
}

int main(void)
{
    setenv("TESSERA_MEMORY", "8388608", 1);
    setenv("TESSERA_JOBS", "2-5", 1);
    setenv("TESSERA_MODE", "320x200@75", 1);
    setenv("TESSERA_FPS", "25", 1);
    setenv("TESSERA_STRICT", "1", 1);
    return tests_run();
}
