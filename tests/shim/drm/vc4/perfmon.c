/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/drm/jobs/perfmon.c. Expected errors are those of Linux,
 * drivers/gpu/drm/vc4/vc4_perfmon.c. */
#include "../../../register.h"
#include "../job_rig.h"

#include "shim/drm/vc4/perfmon.h"

/* A program of eight instructions. The sixth one has the signal thrend, and the two after it still
 * execute. */
static const uint64_t program[] = {
    UINT64_C(0x100009e7009e7000), UINT64_C(0x100009e7009e7000), UINT64_C(0x100009e7009e7000),
    UINT64_C(0x100009e7009e7000), UINT64_C(0x100009e7009e7000), UINT64_C(0x300009e7009e7000),
    UINT64_C(0x100009e7009e7000), UINT64_C(0x100009e7009e7000),
};
enum { INSTRUCTIONS = 8, CLOCKS = 4 /* clocks per instruction */ };

static uint32_t create(uint32_t count, const uint8_t *events)
{
    struct drm_vc4_perfmon_create request_create = {.ncounters = count};
    memcpy(request_create.events, events, count);
    assert_int_equal(request(DRM_IOCTL_VC4_PERFMON_CREATE, &request_create), 0);
    return request_create.id;
}

static int get(uint32_t id, uint64_t *values)
{
    struct drm_vc4_perfmon_get_values get_values = {.id = id, .values_ptr = (uintptr_t)values};
    return request(DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get_values);
}

static int destroy(uint32_t id)
{
    struct drm_vc4_perfmon_destroy request_destroy = {.id = id};
    return request(DRM_IOCTL_VC4_PERFMON_DESTROY, &request_destroy);
}

TEST_WITH(what_is_refused, begin, end)
{
    static const struct {
        uint32_t count;
        uint8_t first, last;
        int error;
    } cases[] = {
        /* clang-format off */
        {0,  0,  0,  EINVAL}, /* no counters */
        {17, 0,  0,  EINVAL}, /* V3D has 16 counters */
        {1,  30, 0,  EINVAL}, /* event sources are 0 to 29 */
        {16, 0,  30, EINVAL},
        {16, 29, 29, 0},
        {1,  0,  30, 0},      /* there is one counter, so the last event is not read */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drm_vc4_perfmon_create request_create = {.ncounters = cases[i].count};
        request_create.events[0] = cases[i].first;
        request_create.events[15] = cases[i].last;
        assert_int_equal(request(DRM_IOCTL_VC4_PERFMON_CREATE, &request_create), cases[i].error);
    }
    uint64_t values[16];
    assert_int_equal(get(0, values), EINVAL);
    assert_int_equal(get(99, values), EINVAL);
    assert_int_equal(destroy(99), EINVAL);
    assert_int_equal(get(1, NULL), EFAULT);
    assert_int_equal(destroy(1), 0);
    assert_int_equal(destroy(1), EINVAL);
    assert_int_equal(get(1, values), EINVAL);
}

TEST_WITH(a_job_wants_a_monitor_that_is_there, begin, end)
{
    const uint8_t event = VC4_PERFCNT_FEP_VALID_QUADS;
    uint32_t bo = create_bo(PICTURE_BYTES), id = create(1, &event);
    assert_int_equal(clear(bo, 0, id + 1), ENOENT);
    assert_int_equal(clear(bo, 0, id), 0);
    uint64_t quads = 99;
    assert_int_equal(get(id, &quads), 0);
    assert_int_equal(quads, 0); /* nothing is drawn */
}

static void run_program(struct tess_vc4 *vc4, const struct bo *code)
{
    tess_vc4_write(vc4, V3D_SRQUA, code->memory.address);
    tess_vc4_write(vc4, V3D_SRQUL, 1);
    tess_vc4_write(vc4, V3D_SRQPC, code->memory.address);
    assert_int_equal(gpu_run(), TESS_VC4_IDLE);
}

TEST_WITH(counts_are_summed_up, begin, end)
{
    static const uint8_t events[] = {VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_FRAGMENT_SHADING,
                                     VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_EXEC_VALID_INST};
    uint64_t values[2];
    struct bo *code;
    struct tess_vc4 *vc4 = gpu_get();
    assert_int_equal(bo_create(&code, sizeof program), 0);
    memcpy(code->memory.host, program, sizeof program);
    uint32_t id = create(2, events);
    for (unsigned runs = 1; runs <= 2; runs++) {
        perfmon_start(perfmon_find(node, id));
        run_program(vc4, code);
        perfmon_stop(perfmon_find(node, id));
        run_program(vc4, code); /* no performance monitor is active */
        assert_int_equal(get(id, values), 0);
        assert_int_equal(values[0], 0);
        assert_int_equal(values[1], runs * INSTRUCTIONS * CLOCKS);
    }
    bo_release(code);
}
