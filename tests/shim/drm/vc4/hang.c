/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/drm/jobs/hang.c. Expected: GET_HANG_STATE answers like Linux,
 * drivers/gpu/drm/vc4/vc4_gem.c. The file has the format of anholt/vc4-gpu-tools,
 * tools/vc4_dump_hang_state.c. */
#include "../../../register.h"
#include "../job_rig.h"

#include <tessera/scene.h>

#include "base/bits.h"
#include "shim/drm/vc4/hang.h"

enum { HEADER_BYTES = 4 + 160, ENTRY_BYTES = 16, PAGE = 4096 };

static char file_name[] = "/tmp/tessera-hang-XXXXXX";

/* A job that has not run. It has a buffer object of the program, a list for the binner and a list
 * for the renderer. */
static struct {
    struct bo *bo;
    struct job job;
} made;

static void make_job(void)
{
    struct job *job = &made.job;
    *job = (struct job){.number = 7, .bos = &made.bo, .bo_count = 1};
    assert_int_equal(bo_create(&made.bo, 2 * PAGE), 0);
    for (unsigned i = 0; i < JOB_MEMORIES; i++)
        assert_int_equal(bo_create(&job->memories[i], PAGE), 0);
    memcpy(job->memories[JOB_LISTS]->memory.host, "\x01\x01\x07\x04",
           4); /* two nops, semaphore, flush */
    memset(made.bo->memory.host, 0x5a, 2 * PAGE);
    job->bin_start = job->memories[JOB_LISTS]->memory.address;
    job->bin_end = job->bin_start + 4;
    job->render_start = job->memories[JOB_RENDER]->memory.address;
    job->render_end = job->render_start + 16;
    tess_vc4_write(gpu_get(), V3D_CT0CA, job->bin_start + 2);
}

static void release_job(void)
{
    bo_release(made.bo);
    for (unsigned i = 0; i < JOB_MEMORIES; i++)
        bo_release(made.job.memories[i]);
}

TEST_WITH(nothing_has_hung, begin, end)
{
    struct drm_vc4_get_hang_state get = {.bo_count = 100};
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &get), ENOENT);
    node->node = FILE_RENDER;
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &get), EACCES);
}

TEST_WITH(the_first_call_counts_the_second_gets, begin, end)
{
    struct drm_vc4_get_hang_state_bo bos[4] = {0};
    struct drm_vc4_get_hang_state get = {.bo = (uintptr_t)bos};
    make_job();
    hang_keep(&made.job, false);
    made.job.bin_start += 4;
    /* a second hang before the program has read the first one; it must be dropped */
    hang_keep(&made.job, false);
    made.job.bin_start -= 4;
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &get), 0);
    /* the program's buffer object, and the three of the job's memory */
    assert_int_equal(get.bo_count, 4);
    assert_int_equal(get.start_bin, 0);
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &get), 0);
    assert_int_equal(get.bo_count, 4);
    assert_int_equal(get.bo, (uintptr_t)bos);
    assert_int_equal(get.start_bin, made.job.bin_start);
    assert_int_equal(get.start_render, 0); /* the renderer's list has not started */
    assert_int_equal(get.ct0ca, made.job.bin_start + 2);
    assert_int_equal(bos[0].paddr, made.bo->memory.address);
    assert_int_equal(bos[0].size, 2 * PAGE);
    assert_ptr_equal(file_bo(node, bos[0].handle), made.bo);
    assert_ptr_equal(file_bo(node, bos[1].handle), made.job.memories[JOB_RENDER]);
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &get), ENOENT);
    release_job();
}

TEST_WITH(a_bad_pointer_loses_it, begin, end)
{
    struct drm_vc4_get_hang_state get = {.bo_count = 4};
    make_job();
    hang_keep(&made.job, true);
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &get), EFAULT);
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &get), ENOENT);
    release_job();
}

/* Checks the file that the first test with a hang has written. */
TEST(the_file)
{
    static uint8_t bytes[HEADER_BYTES + 4 * ENTRY_BYTES + 5 * PAGE + 1];
    FILE *file = fopen(file_name, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes - 1);
    fclose(file);
    assert_int_equal(load_le32(bytes), 0);                                      /* version */
    assert_int_equal(load_le32(bytes + 4 + 8), 4);                              /* bo_count */
    assert_int_not_equal(load_le32(bytes + 4 + 12), 0);                         /* start_bin */
    assert_int_equal(load_le32(bytes + 4 + 16), 0);                             /* start_render */
    assert_int_equal(load_le32(bytes + 4 + 20), load_le32(bytes + 4 + 12) + 2); /* ct0ca */
    assert_int_equal(load_le32(bytes + HEADER_BYTES + 8), 2 * PAGE);
    assert_int_equal(bytes[HEADER_BYTES + 4 * ENTRY_BYTES], 0x5a);
    assert_memory_equal(bytes + HEADER_BYTES + 4 * ENTRY_BYTES + 3 * PAGE, "\x01\x01\x07\x04", 4);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(file_name);
}

TEST_GROUP(NULL, remove_file)

int main(void)
{
    int fd = mkstemp(file_name);
    if (fd < 0)
        return 1;
    close(fd);
    setenv("TESSERA_HANG", file_name, 1);
    return tests_run();
}
