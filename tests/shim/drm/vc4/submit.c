/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/drm/vc4/submit.c and run.c: jobs that draw, jobs that need more memory during
 * the run, jobs that hang, and the error for each mistake in a request.
 *
 * Expected: the errors of Linux 6.1, drivers/gpu/drm/vc4/vc4_gem.c (vc4_submit_cl_ioctl and the
 * functions that it calls), in the order of its checks; the requested colours as pixels. */
#include "shim/drm/vc4/submit.h"
#include "../../../register.h"
#include "../../../vc4/qpu/program.h"
#include "../job_rig.h"
#include "base/bits.h"
#include "shim/drm/vc4/run.h"

enum { RED = (int)0xff0000ff, BLUE = (int)0xffff0000, CODE_BYTES = 4096 };

enum { PICTURE, FRAGMENT, VERTEX, COORDINATE, VERTICES, BOS };
enum { RECORD = 4 * 4, RECORD_BYTES = RECORD + 44 };

/* A job that draws triangles. */
static struct {
    uint32_t handles[BOS];
    /* the second uniform is for a shader with a loop */
    uint8_t list[128], records[RECORD_BYTES], uniforms[8];
    uint32_t list_bytes;
    /* Positions in `list`: number of tiles, number of pixels, centre of the viewport, number of
     * vertices. */
    uint8_t *tiles, *window, *centre, *length;
    struct drm_vc4_submit_cl submit;
} draw;

#define END "nop; thrend\nnop\nnop\n"

/* The position of a vertex, one word, becomes the first output. */
#define TAKE_VERTEX "ldi vr_setup, 0x00101a00\nldi vw_setup, 0x00001a00\nnop\nnop\nmov ra0, vpm\n"

static const char fill[] = "nop\nnop\nnop; sbwait\nmov tlbc, unif\nnop; thrend\nnop\nnop; sbdone\n";
static const char hang[] = "nop\nnop\n:loop\nnop\nbrr -, :loop\nnop\nnop\nnop\n" END;
static const char place[] = TAKE_VERTEX "nop\nmov vpm, ra0\nldi vpm, 0.5\nldi vpm, 1.0\n" END;
static const char clip[] = TAKE_VERTEX "nop\nmov vpm, 0\nmov vpm, 0\nmov vpm, 0\nldi vpm, 1.0\n"
                                       "mov vpm, ra0\nldi vpm, 0.5\nldi vpm, 1.0\n" END;

static uint32_t create_shader(const char *text)
{
    uint8_t code[CODE_BYTES] = {0};
    program_assemble(code, text);
    struct drm_vc4_create_shader_bo create = {.size = sizeof code, .data = (uintptr_t)code};
    assert_int_equal(request(DRM_IOCTL_VC4_CREATE_SHADER_BO, &create), 0);
    return create.handle;
}

static uint8_t *bytes_of(uint32_t handle)
{
    return file_bo(node, handle)->memory.host;
}

static uint32_t pixel(uint32_t x, uint32_t y)
{
    return load_le32(bytes_of(draw.handles[PICTURE]) + 4 * (SIDE * y + x));
}

/* Writes `count` equal triangles. Coordinates are in 1/16 pixel. */
static void put_triangles(const int16_t corners[6], uint32_t count)
{
    uint8_t *to = bytes_of(draw.handles[VERTICES]);
    for (uint32_t i = 0; i < 6 * count; i++)
        store_le16(to + 2 * i, (uint16_t)corners[i % 6]);
    store_le32(draw.length, 3 * count);
}

static uint8_t *append(const uint8_t *bytes, uint32_t size)
{
    uint8_t *to = draw.list + draw.list_bytes;
    assert_true(draw.list_bytes + size <= sizeof draw.list);
    memcpy(to, bytes, size);
    draw.list_bytes += size;
    return to;
}

#define APPEND(...) append((const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static void put_list(void)
{
    draw.list_bytes = 0;
    draw.tiles = APPEND(112, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0) + 13;
    APPEND(6, 56, 0x12, 96, 3, 0, 0); /* triangles, front and back faces */
    draw.window = APPEND(102, 0, 0, 0, 0, SIDE, 0, SIDE, 0) + 5;
    draw.centre = APPEND(103, 0, 0, 0, 0) + 1;
    APPEND(105, 0, 0, 0, 0x44, 0, 0, 0, 0x44, 106, 0, 0, 0, 0x3f, 0, 0, 0,
           0x3f); /* viewport scale 512, 512; depth scale 0.5, depth offset 0.5 */
    APPEND(64, 1, 0, 0, 0);
    draw.length = APPEND(33, 4, 3, 0, 0, 0, 0, 0, 0, 0) + 2;
    APPEND(7, 4);
}

/* Writes a shader record. Its only attribute has four bytes, which are the first word of both
 * shaders' input. */
static void put_record(void)
{
    static const uint8_t indices[] = {FRAGMENT, VERTEX, COORDINATE, VERTICES};
    uint8_t *record = draw.records + RECORD;
    memset(draw.records, 0, sizeof draw.records);
    for (unsigned i = 0; i < sizeof indices; i++)
        draw.records[4 * i] = indices[i];
    record[0] = 1;                            /* single-threaded */
    record[14] = record[26] = 1;              /* attribute 0 */
    record[15] = record[27] = record[41] = 4; /* bytes in total, bytes per vertex */
    record[40] = 4 - 1;
}

static void prepare(const char *fragment, uint32_t colour)
{
    const struct drm_vc4_submit_rcl_surface none = {.hindex = ~0u};
    draw.handles[PICTURE] = create_bo(PICTURE_BYTES);
    draw.handles[FRAGMENT] = create_shader(fragment);
    draw.handles[VERTEX] = create_shader(place);
    draw.handles[COORDINATE] = create_shader(clip);
    draw.handles[VERTICES] = create_bo(1 << 16);
    put_list();
    put_record();
    store_le32(draw.uniforms, colour);
    put_triangles((const int16_t[]){0, 0, 16 * 2 * SIDE, 0, 0, 16 * 2 * SIDE}, 1);
    draw.submit = (struct drm_vc4_submit_cl){
        .bin_cl = (uintptr_t)draw.list,
        .bin_cl_size = draw.list_bytes,
        .shader_rec = (uintptr_t)draw.records,
        .shader_rec_size = sizeof draw.records,
        .shader_rec_count = 1,
        .uniforms = (uintptr_t)draw.uniforms,
        .uniforms_size = sizeof draw.uniforms,
        .bo_handles = (uintptr_t)draw.handles,
        .bo_handle_count = BOS,
        .width = SIDE,
        .height = SIDE,
        .color_read = none,
        .color_write = {.hindex = PICTURE, .bits = 1 << 2},
        .zs_read = none,
        .zs_write = none,
        .msaa_color_write = none,
        .msaa_zs_write = none,
        .clear_color = {(uint32_t)RED, (uint32_t)RED},
        .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
    };
}

static int submit(void)
{
    return request(DRM_IOCTL_VC4_SUBMIT_CL, &draw.submit);
}

static uint64_t errors(void)
{
    return tess_vc4_error_count(gpu_get());
}

/* --- jobs --- */

TEST_WITH(test_clear, begin, end)
{
    const uint32_t handle = draw.handles[PICTURE] = create_bo(PICTURE_BYTES);
    const uint64_t before = submit_latest();
    assert_int_equal(clear(handle, (uint32_t)BLUE, 0), 0);
    assert_int_equal(submit_latest(), before + 1);
    assert_int_equal(pixel(0, 0), (uint32_t)BLUE);
    assert_int_equal(pixel(SIDE - 1, SIDE - 1), (uint32_t)BLUE);
    struct drm_vc4_wait_seqno wait = {.seqno = before + 1};
    assert_int_equal(request(DRM_IOCTL_VC4_WAIT_SEQNO, &wait), 0);
    assert_int_equal(file_bo(node, handle)->seqno, before + 1);
    assert_int_equal(file_bo(node, handle)->write_seqno, before + 1);
}

/* A triangle with the corners 0,0 - 128,0 - 0,128 must cover the picture. A triangle of half that
 * size must cover half of the picture. */
TEST_WITH(test_draw, begin, end)
{
    prepare(fill, (uint32_t)BLUE);
    const uint64_t before = errors();
    assert_int_equal(submit(), 0);
    assert_int_equal(draw.submit.seqno, submit_latest());
    assert_int_equal(pixel(0, 0), (uint32_t)BLUE);
    assert_int_equal(pixel(SIDE - 1, SIDE - 1), (uint32_t)BLUE);
    put_triangles((const int16_t[]){0, 0, 16 * SIDE, 0, 0, 16 * SIDE}, 1);
    assert_int_equal(submit(), 0);
    assert_int_equal(pixel(0, 0), (uint32_t)BLUE);
    assert_int_equal(pixel(SIDE / 2 - 2, SIDE / 2 - 2), (uint32_t)BLUE);
    assert_int_equal(pixel(SIDE / 2 + 2, SIDE / 2 + 2), (uint32_t)RED);
    assert_int_equal(errors(), before);
}

/* Prepares a job with the largest number of tiles, 64 x 64. All triangles cover the same half of
 * the tiles. The job draws only the first tile. */
static void prepare_many(uint32_t triangles)
{
    prepare(fill, (uint32_t)BLUE);
    draw.tiles[0] = draw.tiles[1] = 64;
    store_le16(draw.window, 4096);
    store_le16(draw.window + 2, 4096);
    store_le16(draw.centre, 32767);
    store_le16(draw.centre + 2, 32767);
    put_triangles((const int16_t[]){-32768, -32768, 32767, -32768, -32768, 32767}, triangles);
}

/* At its start, a job has 512 KiB. 4096 tiles use 320 KiB of it. A triangle needs at least two
 * bytes in the list of each tile that it covers, so that the lists need more memory. */
TEST_WITH(test_more_memory, begin, end)
{
    prepare_many(100);
    const uint64_t before = errors();
    assert_int_equal(submit(), 0);
    assert_int_equal(errors(), before);
    assert_int_equal(pixel(SIDE - 1, SIDE - 1), (uint32_t)BLUE);
    /* The next job must be able to use all of the memory again. */
    assert_int_equal(submit(), 0);
    assert_int_equal(errors(), before);
}

/* 5000 triangles with two bytes in each of 2048 tiles need more than 16 MiB. */
TEST_WITH(test_too_much_memory, begin, end)
{
    prepare_many(5000);
    const uint64_t before = errors();
    assert_int_equal(submit(), 0);
    assert_true(errors() > before);
    test_draw(fixture);
}

/* The kernel counts in bytes, so 256 columns become 0 columns. Nothing is drawn, and the frame does
 * not end. */
TEST_WITH(test_no_tiles, begin, end)
{
    prepare(fill, (uint32_t)BLUE);
    draw.submit.bin_cl_size = 0;
    draw.submit.max_x_tile = 255;
    const uint64_t number = submit_latest();
    assert_int_equal(submit(), 0);
    assert_int_equal(draw.submit.seqno, number + 1);
    struct drm_vc4_get_hang_state state_of_hang = {0};
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &state_of_hang), 0);
    test_draw(fixture);
}

static void hang_in(unsigned shader)
{
    prepare(fill, (uint32_t)BLUE);
    draw.handles[shader] = create_shader(hang);
    const uint64_t before = errors(), number = submit_latest();
    assert_int_equal(submit(), 0);
    assert_int_equal(draw.submit.seqno, number + 1);
    assert_true(errors() > before);
    struct drm_vc4_get_hang_state state_of_hang = {0};
    assert_int_equal(request(DRM_IOCTL_VC4_GET_HANG_STATE, &state_of_hang), 0);
    assert_true(state_of_hang.bo_count > BOS);
}

TEST_WITH(test_hang, begin, end)
{
    hang_in(FRAGMENT);
    test_draw(fixture);
}

TEST_WITH(test_hanging_binner, begin, end)
{
    hang_in(COORDINATE);
    test_draw(fixture);
}

/* --- errors: each request has one mistake, and all mistakes that the kernel checks later --- */

TEST_WITH(test_refused, begin, end)
{
    uint32_t wrong[BOS] = {12345};
    prepare(fill, (uint32_t)BLUE);
    const uint64_t before = submit_latest();
    const struct drm_vc4_submit_cl good = draw.submit;
    struct drm_vc4_submit_cl *s = &draw.submit;

    s->out_sync = 99;
    assert_int_equal(submit(), EINVAL);
    s->color_write.hindex = BOS;
    assert_int_equal(submit(), EINVAL);
    s->uniforms = 0;
    assert_int_equal(submit(), EFAULT);
    s->shader_rec_count = UINT32_MAX;
    assert_int_equal(submit(), EINVAL);
    s->in_sync = 99;
    assert_int_equal(submit(), ENOENT);
    s->perfmonid = 77;
    assert_int_equal(submit(), ENOENT);
    s->bo_handles = (uintptr_t)wrong;
    assert_int_equal(submit(), EINVAL);
    s->bo_handles = 0;
    assert_int_equal(submit(), EFAULT);
    s->bo_handle_count = UINT32_MAX;
    assert_int_equal(submit(), ENOMEM);
    s->bo_handle_count = 0;
    assert_int_equal(submit(), EINVAL);
    s->pad2 = 1;
    assert_int_equal(submit(), EINVAL);

    *s = good;
    s->flags |= 1 << 4;
    assert_int_equal(submit(), EINVAL);
    *s = good;
    s->shader_rec = 1;
    assert_int_equal(submit(), EFAULT);
    *s = good;
    s->bin_cl = 1;
    assert_int_equal(submit(), EFAULT);
    *s = good;
    s->uniforms_size = UINT32_MAX - 16;
    assert_int_equal(submit(), EINVAL);
    s->uniforms_size = UINT32_MAX / 2;
    assert_int_equal(submit(), ENOMEM);
    assert_int_equal(submit_latest(), before);
    *s = good;
    assert_int_equal(submit(), 0);
}

TEST_WITH(test_purgeable, begin, end)
{
    prepare(fill, (uint32_t)BLUE);
    struct drm_vc4_gem_madvise advice = {.handle = draw.handles[VERTICES],
                                         .madv = VC4_MADV_DONTNEED};
    assert_int_equal(request(DRM_IOCTL_VC4_GEM_MADVISE, &advice), 0);
    assert_int_equal(submit(), EINVAL);
    advice.madv = VC4_MADV_WILLNEED;
    assert_int_equal(request(DRM_IOCTL_VC4_GEM_MADVISE, &advice), 0);
    assert_int_equal(submit(), 0);
}

TEST_WITH(test_sync_objects, begin, end)
{
    struct drm_syncobj_create create = {0};
    prepare(fill, (uint32_t)BLUE);
    assert_int_equal(request(DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
    draw.submit.in_sync = create.handle;
    assert_int_equal(submit(), EINVAL); /* the sync object has no fence yet */
    draw.submit.in_sync = 0;
    draw.submit.out_sync = create.handle;
    assert_int_equal(submit(), 0);
    draw.submit.out_sync = 0;
    draw.submit.in_sync = create.handle;
    assert_int_equal(submit(), 0);
}

TEST_WITH(test_refused_shader, begin, end)
{
    uint8_t code[64] = {0};
    struct drm_vc4_create_shader_bo create = {.size = sizeof code, .data = (uintptr_t)code};
    assert_int_equal(request(DRM_IOCTL_VC4_CREATE_SHADER_BO, &create), EINVAL);
}
