/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/drm/vc4/render_list.c: the messages for invalid arguments, and the bytes of the
 * control list for valid ones.
 *
 * Expected: values worked out by hand from Linux, drivers/gpu/drm/vc4/vc4_render_cl.c, and from the
 * control records in section 9 of the VideoCore IV 3D Architecture Reference Guide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <errno.h>

#include "../../../register.h"
#include "shim/drm/vc4/render_list.h"
#include "shim/drm/vc4/validate_shader.h"

enum { COLOUR, DEPTH, FULL, SHADER, BOS };
enum { ABSENT = ~0 };

/* Bits of packets 28 and 29: buffer, memory format, pixel format. */
enum { LOAD_COLOUR = 1, LOAD_ZS = 2, TILED = 1 << 4, LINEAR_TILES = 2 << 4, BGR565 = 2 << 8 };

/* Bits of packet 113. */
enum {
    MODE_RGBA8888 = 1 << 2,
    MODE_BGR565 = 2 << 2,
    MODE_TILED = 1 << 6,
    MODE_MULTISAMPLE = 1,
    MODE_DECIMATE = 1 << 4
};

static struct shader shader;
static struct bo objects[BOS], *bos[BOS];
static struct drm_vc4_submit_cl arguments;
static struct render_list list;
static struct refusal why;
static uint32_t tiles_down;
static uint8_t bytes[1024];

#define NOTHING ((struct drm_vc4_submit_rcl_surface){.hindex = (uint32_t)ABSENT})

/* Sets up a job that stores a picture of 64 x 64 pixels, RGBA8888 in T-format, which has 16 KiB. */
static int reset(void **state)
{
    (void)state;
    for (unsigned i = 0; i < BOS; i++) {
        objects[i] = (struct bo){.memory.address = (i + 1) << 20, .size = 0x10000, .number = i + 1};
        bos[i] = &objects[i];
    }
    objects[SHADER].data = &shader;
    objects[SHADER].is_shader = true;
    arguments = (struct drm_vc4_submit_cl){
        .width = 64,
        .height = 64,
        .color_read = NOTHING,
        .color_write = {.hindex = COLOUR, .offset = 0x100, .bits = MODE_RGBA8888 | MODE_TILED},
        .zs_read = NOTHING,
        .zs_write = NOTHING,
        .msaa_color_write = NOTHING,
        .msaa_zs_write = NOTHING,
    };
    list = (struct render_list){0};
    tiles_down = 0;
    return 0;
}

static int check(void)
{
    return render_list_check(&list, &arguments, bos, BOS, tiles_down, &why);
}

static void expect(const char *text)
{
    assert_int_equal(check(), EINVAL);
    assert_string_equal(why.text, text);
    assert_string_equal(why.rule, "drm-render");
    assert_non_null(why.instead);
    reset(NULL);
}

static void expect_bytes(const uint8_t *expected, uint32_t size)
{
    if (check())
        fail_msg("%s", why.text);
    assert_int_equal(render_list_write(&list, NULL), size);
    memset(bytes, 0xcc, sizeof bytes);
    assert_int_equal(render_list_write(&list, bytes), size);
    assert_memory_equal(bytes, expected, size);
    assert_int_equal(bytes[size], 0xcc);
}

#define EXPECT_BYTES(...) \
    expect_bytes((const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

#define TILE(x, y)                         115, x, y
#define WORD(value)                        HALF(value), (value) >> 16 & 0xff, (value) >> 24
#define HALF(value)                        (value) & 0xff, (value) >> 8 & 0xff
#define MODE(address, width, height, bits) 113, WORD(address), HALF(width), HALF(height), HALF(bits)
#define STORE_NOTHING(bits)                28, HALF(bits), WORD(0)

/* --- records --- */

TEST_WITH(test_store, reset, NULL)
{
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(0, 0), 25);
}

TEST_WITH(test_clear, reset, NULL)
{
    arguments.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR;
    arguments.clear_color[0] = 0x11223344;
    arguments.clear_color[1] = 0x55667788;
    arguments.clear_z = 0xffffff;
    arguments.clear_s = 0x80;
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), 114, WORD(0x11223344), WORD(0x55667788),
                 WORD(0xffffff), 0x80, TILE(0, 0), STORE_NOTHING(0), TILE(0, 0), 25);
}

/* Draws tiles 1 and 2 of rows 0 and 1. The list of a tile has 32 bytes. */
TEST_WITH(test_tiles, reset, NULL)
{
    list.has_bin = true;
    list.tile_lists = 0x8000;
    list.tiles_across = tiles_down = 4;
    arguments.bin_cl_size = 1;
    arguments.min_x_tile = 1;
    arguments.max_x_tile = 2;
    arguments.max_y_tile = 1;
    /* the first list must follow the wait for the semaphore (packet 8) */
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(1, 0), 8, 17, WORD(0x8020), 24, /* */
                 TILE(2, 0), 17, WORD(0x8040), 24,                                  /* */
                 TILE(1, 1), 17, WORD(0x80a0), 24,                                  /* */
                 TILE(2, 1), 17, WORD(0x80c0), 25);
}

TEST_WITH(test_order, reset, NULL)
{
    arguments.max_x_tile = arguments.max_y_tile = 1;
    arguments.flags = VC4_SUBMIT_CL_FIXED_RCL_ORDER;
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(1, 1), 24, TILE(0, 1), 24, TILE(1, 0), 24,
                 TILE(0, 0), 25);
    arguments.flags |= VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X;
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(0, 1), 24, TILE(1, 1), 24, TILE(0, 0), 24,
                 TILE(1, 0), 25);
    arguments.flags = VC4_SUBMIT_CL_FIXED_RCL_ORDER | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y;
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(1, 0), 24, TILE(0, 0), 24, TILE(1, 1), 24,
                 TILE(0, 1), 25);
    arguments.flags =
        /* has no effect without VC4_SUBMIT_CL_FIXED_RCL_ORDER */
        VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y;
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(0, 0), 24, TILE(1, 0), 24, TILE(0, 1), 24,
                 TILE(1, 1), 25);
}

TEST_WITH(test_loads, reset, NULL)
{
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){
        .hindex = COLOUR, .offset = 0x200, .bits = LOAD_COLOUR | TILED};
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), 29, HALF(0x11), WORD(0x100200), TILE(0, 0), 25);
    arguments.zs_read = (struct drm_vc4_submit_rcl_surface){.hindex = DEPTH,
                                                            .bits = LOAD_ZS | TILED};
    /* Between the two loads there must be a store of no buffer that clears nothing. */
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), 29, HALF(0x11), WORD(0x100200), TILE(0, 0),
                 STORE_NOTHING(0xe000), 29, HALF(0x12), WORD(0x200000), TILE(0, 0), 25);
}

TEST_WITH(test_depth_store, reset, NULL)
{
    arguments.zs_write = (struct drm_vc4_submit_rcl_surface){.hindex = DEPTH,
                                                             .bits = LOAD_ZS | TILED};
    /* The store of depth does not clear colour, because the store of colour does. */
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(0, 0), 28, HALF(0x2012), WORD(0x200000),
                 TILE(0, 0), 25);
    arguments.color_write.hindex = (uint32_t)ABSENT;
    arguments.max_x_tile = 1;
    EXPECT_BYTES(MODE(0, 64, 64, 0x44), TILE(0, 0), 28, HALF(0x12), WORD(0x200000), TILE(1, 0), 28,
                 HALF(0x12), WORD(0x200008));
}

/* Stores tiles of 32 x 32 pixels with four samples. A row of 64 pixels has two tiles, so tile 1,1
 * is the fourth one. */
TEST_WITH(test_full_resolution, reset, NULL)
{
    arguments.color_write.hindex = (uint32_t)ABSENT;
    arguments.color_write.bits = MODE_MULTISAMPLE;
    arguments.msaa_color_write.hindex = COLOUR;
    arguments.min_x_tile = arguments.min_y_tile = arguments.max_x_tile = arguments.max_y_tile = 1;
    EXPECT_BYTES(MODE(0, 64, 64, 1), TILE(1, 1), 26, WORD(0x10c000 | 1 << 3 | 1 << 1));
    arguments.msaa_zs_write.hindex = DEPTH;
    EXPECT_BYTES(MODE(0, 64, 64, 1), TILE(1, 1), 26, WORD(0x10c000 | 1 << 2 | 1 << 1), TILE(1, 1),
                 26, WORD(0x20c000 | 1 << 3 | 1 << 0));
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = FULL, .flags = 1};
    arguments.zs_read = (struct drm_vc4_submit_rcl_surface){.hindex = DEPTH, .flags = 1};
    EXPECT_BYTES(MODE(0, 64, 64, 1), 27, WORD(0x30c000 | 1 << 1), TILE(1, 1), STORE_NOTHING(0xe000),
                 27, WORD(0x20c000 | 1 << 0), TILE(1, 1), 26, WORD(0x10c000 | 1 << 2 | 1 << 1),
                 TILE(1, 1), 26, WORD(0x20c000 | 1 << 3 | 1 << 0));
}

TEST_WITH(test_everything_is_stored, reset, NULL)
{
    arguments.msaa_color_write.hindex = FULL;
    arguments.msaa_zs_write.hindex = FULL;
    arguments.zs_write = (struct drm_vc4_submit_rcl_surface){.hindex = DEPTH,
                                                             .bits = LOAD_ZS | LINEAR_TILES};
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44), TILE(0, 0), 26, WORD(0x300000 | 1 << 2 | 1 << 1),
                 TILE(0, 0), 26, WORD(0x300000 | 1 << 2 | 1 << 0), TILE(0, 0), 28, HALF(0x2022),
                 WORD(0x200000), TILE(0, 0), 25);
    struct bo *written[RENDER_SURFACES];
    assert_int_equal(render_list_written(&list, written), 4);
}

/* The kernel counts in bytes, so 256 columns become 0 columns. Nothing must be drawn. */
TEST_WITH(test_too_many_tiles, reset, NULL)
{
    arguments.max_x_tile = 255;
    EXPECT_BYTES(MODE(0x100100, 64, 64, 0x44));
}

/* --- rejected arguments --- */

TEST_WITH(test_refused_tiles, reset, NULL)
{
    arguments.min_x_tile = 1;
    expect("the minimum tile 1,0 is after the maximum tile 0,0");
    arguments.min_y_tile = 1;
    expect("the minimum tile 0,1 is after the maximum tile 0,0");
    list.has_bin = true;
    list.tiles_across = tiles_down = 2;
    arguments.max_x_tile = 3;
    expect("the maximum tile is 3,0, but packet 112 configures 2 x 2 tiles");
    list.has_bin = true;
    list.tiles_across = tiles_down = 2;
    arguments.max_y_tile = 2; /* one row more than packet 112 configures; the kernel accepts it */
    assert_int_equal(check(), 0);
}

TEST_WITH(test_refused_mode, reset, NULL)
{
    arguments.color_write.flags = 1;
    expect("color_write: invalid flags 0x1");
    arguments.color_write.bits |= 1 << 8;
    expect("color_write: invalid bits 0x0144");
    arguments.color_write.bits = 3 << 6;
    expect("color_write: invalid memory format 3");
    arguments.color_write.bits = 3 << 2;
    expect("color_write: invalid pixel format 3");
    arguments.color_write.hindex = BOS;
    expect("color_write: buffer object index 4 is out of range; the job has 4 buffer objects");
    arguments.color_write.hindex = SHADER;
    expect("color_write: buffer object 4 is a shader");
    arguments.width = 4097;
    expect("color_write: the picture is too large: 4097 x 64 pixels");
    arguments.width = 129; /* padded to 160 x 64 pixels of 4 bytes */
    arguments.color_write.offset = 0x6001;
    expect("color_write: a picture of 129 x 64 pixels needs 40960 bytes from byte 24577 on, but "
           "buffer object 1 has only 65536 bytes");
    arguments.color_write.offset = 0xffffff00;
    expect("color_write: a picture of 64 x 64 pixels needs 16384 bytes from byte 4294967040 on, "
           "but buffer object 1 has only 65536 bytes");
    arguments.color_write.hindex = (uint32_t)ABSENT;
    expect("the job stores neither colour nor depth");
    arguments.color_write.bits = MODE_BGR565 | MODE_MULTISAMPLE | MODE_DECIMATE;
    assert_int_equal(check(), 0);
}

TEST_WITH(test_refused_loads, reset, NULL)
{
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR, .flags = 2};
    expect("color_read: invalid flags 0x2");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR,
                                                               .bits = LOAD_COLOUR | 1 << 6};
    expect("color_read: invalid bits 0x0041");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR,
                                                               .bits = LOAD_COLOUR | 3 << 4};
    expect("color_read: invalid memory format 3");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR, .bits = 3};
    expect("color_read: invalid buffer 3");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR};
    expect("color_read: invalid buffer 0");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR,
                                                               .bits = LOAD_COLOUR | 3 << 8};
    expect("color_read: invalid pixel format 3");
    arguments.zs_read = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR,
                                                            .bits = LOAD_ZS | BGR565};
    expect("zs_read: invalid pixel format 2");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){
        .hindex = COLOUR, .offset = 8, .bits = LOAD_COLOUR};
    expect("color_read: offset 8 is not a multiple of 16");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){
        .hindex = COLOUR, .flags = 1, .bits = LOAD_COLOUR};
    expect("color_read: bits 0x0001 are not allowed for a load in full resolution");
    arguments.zs_write = (struct drm_vc4_submit_rcl_surface){.hindex = COLOUR, .flags = 1};
    expect("zs_write: full resolution is not allowed");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){
        .hindex = COLOUR, .offset = 0xd000, .bits = LOAD_COLOUR};
    expect("color_read: a picture of 64 x 64 pixels needs 16384 bytes from byte 53248 on, but "
           "buffer object 1 has only 65536 bytes");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){
        .hindex = COLOUR, .offset = 0xd000, .bits = LOAD_COLOUR | BGR565};
    assert_int_equal(check(), 0);
}

TEST_WITH(test_refused_full_resolution, reset, NULL)
{
    arguments.msaa_color_write = (struct drm_vc4_submit_rcl_surface){.hindex = FULL, .bits = 1};
    expect("msaa_color_write: flags 0x0 and bits 0x0001 are not allowed");
    arguments.msaa_zs_write = (struct drm_vc4_submit_rcl_surface){.hindex = FULL, .flags = 1};
    expect("msaa_zs_write: flags 0x1 and bits 0x0000 are not allowed");
    arguments.msaa_zs_write = (struct drm_vc4_submit_rcl_surface){.hindex = FULL, .offset = 4};
    expect("msaa_zs_write: offset 4 is not a multiple of 16");
    arguments.msaa_color_write = (struct drm_vc4_submit_rcl_surface){.hindex = FULL,
                                                                     .offset = 0x10010};
    expect("msaa_color_write: tile 0,0 begins at byte 65552, but buffer object 3 has only 65536 "
           "bytes");
    /* A row has two tiles of 16 KiB each, so 64 KiB contain four tiles. The kernel accepts a fifth
     * tile. */
    arguments.msaa_color_write.hindex = FULL;
    arguments.max_y_tile = 2;
    assert_int_equal(check(), 0);
    arguments.max_x_tile = 1;
    expect("msaa_color_write: tile 1,2 begins at byte 81920, but buffer object 3 has only 65536 "
           "bytes");
    arguments.color_read = (struct drm_vc4_submit_rcl_surface){.hindex = FULL, .flags = 1};
    arguments.max_x_tile = 1;
    arguments.max_y_tile = 2;
    expect("color_read: tile 1,2 begins at byte 81920, but buffer object 3 has only 65536 bytes");
}
