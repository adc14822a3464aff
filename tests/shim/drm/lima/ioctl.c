/* SPDX-License-Identifier: MIT */
/* ioctl.c - unit tests of src/shim/drm/lima: the answers of the render node of a Mali-400, and of
 * the shared requests for a driver without a display.
 *
 * Expected: the answers of Linux 6.12, drivers/gpu/drm/lima/lima_drv.c, lima_gem.c, lima_gp.c and
 * lima_pp.c (order of checks and errors), drm_ioctl.c (capabilities without mode setting),
 * drm_dumb_buffers.c; numbers and sizes from include/uapi/drm/lima_drm.h; version words of r1p1, as
 * kernel logs of an Allwinner H3 print them ("mali400 version major 1 minor 1"). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>

#include "../../../register.h"
#include "shim/common/device_lock.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/device/device.h"
#include "shim/drm/lima/lima_drm.h"

enum {
    GP_BYTES = 24,
    PP_BYTES = 272
}; /* sizes of struct drm_lima_gp_frame, drm_lima_m400_pp_frame */

static struct file *card, *render;

static int begin(void **state)
{
    (void)state;
    device_begin();
    card = file_create(FILE_CARD);
    render = file_create(FILE_RENDER);
    return card && render ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    device_lock();
    file_destroy(card);
    file_destroy(render);
    device_unlock();
    return 0;
}

TEST_GROUP(begin, end)

static int ask(unsigned long request, void *argument)
{
    return ioctl_carry_out(render, request, (uintptr_t)argument);
}

static uint32_t create(uint32_t size, uint32_t flags)
{
    struct lima_gem_create request = {.size = size, .flags = flags};
    assert_int_equal(ask(LIMA_IOCTL_GEM_CREATE, &request), 0);
    return request.handle;
}

static struct lima_gem_info info(uint32_t handle)
{
    struct lima_gem_info request = {.handle = handle};
    assert_int_equal(ask(LIMA_IOCTL_GEM_INFO, &request), 0);
    return request;
}

/* The kernel's numbers and sizes, as drm_lima_*.h defines them. */
TEST(has_the_kernels_requests)
{
    assert_int_equal(LIMA_IOCTL_GET_PARAM, 0xc0106440);
    assert_int_equal(LIMA_IOCTL_GEM_CREATE, 0xc0106441);
    assert_int_equal(LIMA_IOCTL_GEM_INFO, 0xc0106442);
    assert_int_equal(LIMA_IOCTL_GEM_SUBMIT, 0x40306443);
    assert_int_equal(LIMA_IOCTL_GEM_WAIT, 0x40106444);
    assert_int_equal(LIMA_IOCTL_CONTEXT_CREATE, 0x80086445);
    assert_int_equal(LIMA_IOCTL_CONTEXT_FREE, 0x40086446);
    assert_int_equal(LIMA_GP_WORDS * 4, GP_BYTES);
    assert_int_equal(LIMA_PP_WORDS * 4, PP_BYTES);
}

TEST(names_the_driver)
{
    char name[8] = "", date[16] = "", words[16] = "";
    struct drm_version version = {.name = name,
                                  .name_len = sizeof name,
                                  .date = date,
                                  .date_len = sizeof date,
                                  .desc = words,
                                  .desc_len = sizeof words};
    assert_int_equal(ask(DRM_IOCTL_VERSION, &version), 0);
    assert_string_equal(name, "lima");
    assert_string_equal(date, "20191231");
    assert_string_equal(words, "lima DRM");
    assert_int_equal(version.version_major, 1);
    assert_int_equal(version.version_minor, 1); /* 1.1 has heaps */
}

TEST(has_parameters)
{
    static const uint64_t values[] = {1, 2, 0x0b070101, 0xcd070101};
    for (uint32_t i = 0; i < 4; i++) {
        struct lima_get_param request = {.param = i};
        assert_int_equal(ask(LIMA_IOCTL_GET_PARAM, &request), 0);
        assert_int_equal(request.value, values[i]);
    }
    struct lima_get_param other = {.param = 4}, padded = {.pad = 1};
    assert_int_equal(ask(LIMA_IOCTL_GET_PARAM, &other), EINVAL);
    assert_int_equal(ask(LIMA_IOCTL_GET_PARAM, &padded), EINVAL);
}

TEST(creates_buffer_objects)
{
    const struct lima_gem_create bad[] = {
        {.size = 0}, {.size = 1, .flags = 2}, {.size = 1, .pad = 1}};
    for (size_t i = 0; i < 3; i++) {
        struct lima_gem_create request = bad[i];
        assert_int_equal(ask(LIMA_IOCTL_GEM_CREATE, &request), EINVAL);
    }
    const struct lima_gem_info one = info(create(5000, 0)), two = info(create(1, 0));
    assert_int_equal(one.address % 4096, 0);
    assert_true(one.address + 8192 <= two.address || two.address + 4096 <= one.address);
    device_lock();
    uint32_t *words = file_map(render, NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, one.offset);
    assert_ptr_not_equal(words, MAP_FAILED);
    assert_int_equal(words[2047], 0);
    words[0] = 7;
    munmap(words, 8192);
    device_unlock();
    struct lima_gem_info unknown = {.handle = 99};
    assert_int_equal(ask(LIMA_IOCTL_GEM_INFO, &unknown), ENOENT);
}

TEST(hides_heaps)
{
    const struct lima_gem_info heap = info(create(4096, LIMA_BO_HEAP));
    device_lock();
    void *start = file_map(render, NULL, 4096, PROT_READ, MAP_SHARED, heap.offset);
    assert_ptr_equal(start, MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    device_unlock();
}

TEST(waits_for_buffer_objects)
{
    struct lima_gem_wait wait = {.handle = create(4096, 0), .operation = LIMA_WAIT_WRITE};
    assert_int_equal(ask(LIMA_IOCTL_GEM_WAIT, &wait), 0);
    wait.operation = 4;
    assert_int_equal(ask(LIMA_IOCTL_GEM_WAIT, &wait), EINVAL);
    wait = (struct lima_gem_wait){.handle = 99, .operation = LIMA_WAIT_READ};
    assert_int_equal(ask(LIMA_IOCTL_GEM_WAIT, &wait), EINVAL);
    wait.operation = 0; /* the handle is not looked up */
    assert_int_equal(ask(LIMA_IOCTL_GEM_WAIT, &wait), 0);
}

/* Numbers start at 0, and the smallest free number is used. */
TEST(numbers_contexts)
{
    struct lima_context ids[3] = {0};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(ask(LIMA_IOCTL_CONTEXT_CREATE, &ids[i]), 0);
        assert_int_equal(ids[i].id, i);
    }
    assert_int_equal(ask(LIMA_IOCTL_CONTEXT_FREE, &ids[1]), 0);
    assert_int_equal(ask(LIMA_IOCTL_CONTEXT_FREE, &ids[1]), EINVAL);
    struct lima_context again = {0}, padded = {.id = 0, .pad = 1}, last = {.id = UINT32_MAX};
    assert_int_equal(ask(LIMA_IOCTL_CONTEXT_CREATE, &again), 0);
    assert_int_equal(again.id, 1);
    assert_int_equal(ask(LIMA_IOCTL_CONTEXT_FREE, &padded), EINVAL);
    assert_int_equal(ask(LIMA_IOCTL_CONTEXT_FREE, &last), EINVAL);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(ask(LIMA_IOCTL_CONTEXT_FREE, &ids[i]), 0);
}

static uint32_t create_syncobj(uint32_t flags)
{
    struct drm_syncobj_create request = {.flags = flags};
    assert_int_equal(ask(DRM_IOCTL_SYNCOBJ_CREATE, &request), 0);
    return request.handle;
}

TEST(waits_for_syncobjs)
{
    const uint32_t signalled = create_syncobj(DRM_SYNCOBJ_CREATE_SIGNALED),
                   empty = create_syncobj(0);
    struct drm_syncobj_wait wait = {.handles = (uintptr_t)&signalled, .count_handles = 1};
    assert_int_equal(ask(DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
    wait.handles = (uintptr_t)&empty;
    assert_int_equal(ask(DRM_IOCTL_SYNCOBJ_WAIT, &wait), EINVAL);
    wait.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    assert_int_equal(ask(DRM_IOCTL_SYNCOBJ_WAIT, &wait), ETIME);
}

/* --- jobs --- */

struct job {
    struct lima_submit_bo bos[2];
    uint32_t frame[PP_BYTES / 4];
    struct lima_gem_submit request;
};

/* Fills in a job that the kernel accepts. */
static void make_job(struct job *job, uint32_t pipe)
{
    struct lima_context context = {0};
    assert_int_equal(ask(LIMA_IOCTL_CONTEXT_CREATE, &context), 0);
    *job = (struct job){.bos = {{create(4096, 0), 1}, {create(4096, 0), 2}}};
    job->frame[1] = 64;               /* a VS stream of 64 bytes */
    job->frame[23] = pipe == LIMA_PP; /* number of PPs */
    job->request = (struct lima_gem_submit){.context = context.id,
                                            .pipe = pipe,
                                            .bo_count = 2,
                                            .frame_size = pipe == LIMA_GP ? GP_BYTES : PP_BYTES,
                                            .bos = (uintptr_t)job->bos,
                                            .frame = (uintptr_t)job->frame};
}

static int submit(struct job *job)
{
    return ask(LIMA_IOCTL_GEM_SUBMIT, &job->request);
}

/* Jobs that the kernel accepts are refused with another error than those that it refuses. */
TEST(refuses_jobs)
{
    for (uint32_t pipe = LIMA_GP; pipe <= LIMA_PP; pipe++) {
        struct job job;
        make_job(&job, pipe);
        assert_int_equal(submit(&job), EOPNOTSUPP);
        job.request.flags = LIMA_EXPLICIT_FENCE;
        job.request.out_sync = create_syncobj(0);
        job.request.in_sync[0] = create_syncobj(DRM_SYNCOBJ_CREATE_SIGNALED);
        assert_int_equal(submit(&job), EOPNOTSUPP);
    }
}

/* Expects an error after a change of a job's request. */
#define AFTER(pipe, change, error)             \
    do {                                       \
        struct job job;                        \
        make_job(&job, pipe);                  \
        change;                                \
        assert_int_equal(submit(&job), error); \
    } while (0)

TEST(checks_jobs_like_the_kernel)
{
    AFTER(LIMA_GP, job.request.pipe = 2, EINVAL);
    AFTER(LIMA_GP, job.request.bo_count = 0, EINVAL);
    AFTER(LIMA_GP, job.request.flags = 2, EINVAL);
    AFTER(LIMA_GP, job.request.frame_size = PP_BYTES, EINVAL);
    AFTER(LIMA_GP, job.request.bos = 1, EFAULT);
    AFTER(LIMA_GP, job.request.frame = 1, EFAULT);
    AFTER(LIMA_GP, job.request.bo_count = UINT32_MAX, ENOMEM);
    AFTER(LIMA_GP, job.frame[0] = 65, EINVAL); /* the VS stream ends before it begins */
    AFTER(LIMA_GP, job.frame[2] = 1, EINVAL);  /* and so does the PLBU stream */
    AFTER(LIMA_GP, job.frame[4] = 1, EINVAL);  /* and the heap */
    AFTER(LIMA_GP, job.frame[1] = 0, EINVAL);  /* both streams are empty */
    AFTER(LIMA_PP, job.frame[23] = 0, EINVAL); /* no PP */
    AFTER(LIMA_PP, job.frame[23] = 3, EINVAL); /* more PPs than there are */
    AFTER(LIMA_GP, job.request.context = 9999, ENOENT);
    AFTER(LIMA_GP, job.request.context = UINT32_MAX, ENOENT);
    AFTER(LIMA_GP, job.request.out_sync = 9999, ENOENT);
    AFTER(LIMA_GP, job.bos[1].handle = 9999, ENOENT);
    AFTER(LIMA_GP, job.bos[1].handle = job.bos[0].handle, EALREADY);
    AFTER(LIMA_GP, job.request.in_sync[1] = 9999, ENOENT);
    AFTER(LIMA_GP, job.request.in_sync[1] = create_syncobj(0), EINVAL); /* it has no fence */
}

/* --- a driver without a display --- */

TEST(has_no_display)
{
    struct drm_mode_card_res resources = {0};
    struct drm_mode_create_dumb dumb = {.width = 1, .height = 1, .bpp = 32};
    struct drm_get_cap cap = {.capability = DRM_CAP_DUMB_BUFFER};
    struct drm_set_client_cap client = {.capability = DRM_CLIENT_CAP_ATOMIC, .value = 1};
    assert_int_equal(ioctl_carry_out(card, DRM_IOCTL_MODE_GETRESOURCES, (uintptr_t)&resources),
                     EOPNOTSUPP);
    assert_int_equal(ioctl_carry_out(card, DRM_IOCTL_MODE_CREATE_DUMB, (uintptr_t)&dumb), ENOSYS);
    assert_int_equal(ask(DRM_IOCTL_MODE_GETRESOURCES, &resources), EACCES); /* on a render node */
    assert_int_equal(ask(DRM_IOCTL_GET_CAP, &cap), EOPNOTSUPP);
    assert_int_equal(ioctl_carry_out(card, DRM_IOCTL_SET_CLIENT_CAP, (uintptr_t)&client),
                     EOPNOTSUPP);
    static const struct {
        uint64_t capability, value;
    } caps[] = {{DRM_CAP_PRIME, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT},
                {DRM_CAP_SYNCOBJ, 1},
                {DRM_CAP_SYNCOBJ_TIMELINE, 0},
                {DRM_CAP_TIMESTAMP_MONOTONIC, 1}};
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        cap.capability = caps[i].capability;
        assert_int_equal(ask(DRM_IOCTL_GET_CAP, &cap), 0);
        assert_int_equal(cap.value, caps[i].value);
    }
}

int main(void)
{
    setenv("TESSERA_MEMORY", "8388608", 1);
    setenv("TESSERA_GPU", "lima", 1);
    return tests_run();
}
