/* SPDX-License-Identifier: MIT */
/* Tests tile lists. The rendering thread needs only the binner's lists in memory, wherever their
 * blocks are. Lists that are written by hand from manual tables 39 to 41 and 44 must be drawn as
 * the tables define. */
#include "../register.h"
#include "stage.h"

enum { WIDTH = 200, HEIGHT = 136, MANY = 200, SPILL = 0x200000 };

#define BACK UINT32_C(0x80402010)

struct heap {
    struct grid_point corner[MANY][3];
    unsigned count;
};

static uint32_t hits(const void *user, unsigned x, unsigned y)
{
    const struct heap *heap = user;
    uint32_t count = 0;
    for (unsigned i = 0; i < heap->count; i++)
        count += triangle_covers(heap->corner[i], x, y);
    return count;
}

/* Draws random triangles in groups of five. Between the groups, state changes that do not affect
 * the picture. */
static void bin_heap(struct stage *stage, struct heap *heap)
{
    uint32_t seed = 1717, code = stage_shader(stage, SHADER_ADD), one = stage_word(stage, 1);
    heap->count = MANY;
    stage_begin(stage);
    for (unsigned first = 0; first < MANY; first += 5) {
        struct corner corners[15];
        for (unsigned i = 0; i < 15; i++) {
            corners[i] = (struct corner){.x = random_grid(&seed, -20, 220),
                                         .y = random_grid(&seed, -20, 160),
                                         .z = 0.5f,
                                         .iw = 1};
            heap->corner[first + i / 3][i % 3] = grid_point(&corners[i]);
        }
        stage_float(stage, 98, (float)(first + 1));
        stage_flat_flags(stage, first);
        stage_draw(stage, TRIANGLES, code, one, 0, corners, 15);
    }
}

/* The binner runs out of memory again and again. Each time it receives one piece of 4 KiB, the
 * smallest amount that the hardware uses (docs/hardware/vc4.md, section 2.3), and a block of 256
 * bytes. */
TEST(memory_in_small_pieces)
{
    static struct heap heap;
    for (unsigned flags = 0; flags < 16; flags += 5) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct tess_vc4 *vc4 = stage.rig->vc4;
        stage.bin_flags = (uint8_t)(4 | flags << 3);
        stage.lists_size = 12 * (32u << (flags & 3)); /* size of the initial blocks of 4 x 3
                                                         tiles */
        bin_heap(&stage, &heap);
        struct pass pass = RASTER_PASS;
        enum tess_vc4_stop stop = stage_run(&stage, &pass);
        unsigned pieces = 0;
        while (stop == TESS_VC4_STUCK && pieces < 200) {
            assert_int_equal(tess_vc4_read(vc4, V3D_PCS) & 0x100, 0x100);
            assert_int_equal(tess_vc4_read(vc4, V3D_INTCTL) & V3D_INT_OUTOMEM, V3D_INT_OUTOMEM);
            tess_vc4_write(vc4, V3D_BPOA, SPILL + pieces * 0x2000);
            tess_vc4_write(vc4, V3D_BPOS, 0x1000);
            tess_vc4_write(vc4, V3D_INTCTL, V3D_INT_OUTOMEM);
            pieces++;
            stop = tess_vc4_run(vc4);
        }
        assert_int_equal(stop, TESS_VC4_IDLE);
        assert_int_equal(stage.rig->errors, 0);
        assert_true(pieces >= 2);
        stage_compare(&stage, hits, &heap, "small pieces");
        /* The binner must not write between the supplied pieces. */
        for (unsigned i = 0; i < pieces; i++)
            for (unsigned at = 0x1000; at < 0x2000; at++)
                assert_int_equal(stage.rig->memory[SPILL + i * 0x2000 + at], 0);
        stage_free(&stage);
    }
}

/* One machine bins. Another machine, which has not run a binning list, renders from a copy of
 * the first machine's memory. */
TEST(rendering_needs_only_memory)
{
    static struct heap heap;
    struct stage binner = stage_new(WIDTH, HEIGHT), renderer = stage_new(WIDTH, HEIGHT);
    struct pass pass = RASTER_PASS;
    bin_heap(&binner, &heap);
    rig_u8(binner.rig, 4);
    rig_start(binner.rig, 0, STAGE_BIN, binner.rig->at);
    assert_int_equal(tess_vc4_run(binner.rig->vc4), TESS_VC4_IDLE);
    /* The second machine must not need the binning list, so the test overwrites it. */
    memset(binner.rig->memory + STAGE_BIN, 0xff, STAGE_RENDER - STAGE_BIN);
    memcpy(renderer.rig->memory, binner.rig->memory, RIG_MEMORY);
    for (unsigned round = 0; round < 2; round++) { /* the pass does not change the lists */
        uint32_t end = stage_rendering_list(&renderer, &pass);
        rig_start(renderer.rig, 1, STAGE_RENDER + 1, end); /* skips the record that waits for the
                                                              binner */
        assert_int_equal(tess_vc4_run(renderer.rig->vc4), TESS_VC4_IDLE);
        stage_show_findings(&renderer);
        assert_int_equal(renderer.rig->errors, 0);
        stage_compare_at(&renderer, pass.address, hits, &heap, "other machine");
        pass.address += 0x40000;
    }
    stage_free(&binner);
    stage_free(&renderer);
}

/* A tile without primitives has a list that returns at once. The tile is only cleared. */
TEST(empty_frames)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    struct pass pass = {.address = STAGE_FRAME, .flags = FRAME_8888, .clear = {BACK, BACK}};
    for (unsigned i = 0; i < 3; i++) {
        stage_begin(&stage);
        stage_pass(&stage, &pass);
        assert_int_equal(stage_count(&stage, BACK), WIDTH * HEIGHT);
        assert_int_equal(tess_vc4_read(stage.rig->vc4, V3D_BFC), i + 1);
        assert_int_equal(tess_vc4_read(stage.rig->vc4, V3D_RFC), i + 1);
    }
    stage_free(&stage);
}

/* One binning list and one rendering list contain two frames, with a semaphore for each frame.
 * Tiles call their lists twice. */
TEST(two_frames_in_one_list)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    struct rig *rig = stage.rig;
    uint32_t code = stage_shader(&stage, SHADER_ADD), one = stage_word(&stage, 1);
    stage_begin(&stage);
    stage_rectangle(&stage, code, one, 10, 10, 100, 100, 0.5f);
    rig_u8(rig, 4);
    /* The second frame follows in the same list, and has separate tile lists. */
    static const uint8_t second[] = {112, 0, 0, 0x0c, 0, 0, 0, 2, 0, 0, 0x40, 9, 0, 4, 3, 4, 6, 7};
    for (size_t i = 0; i < sizeof second; i++)
        rig_u8(rig, second[i]);
    stage_clip_window(&stage, 0, 0, 50, 136);
    stage_rectangle(&stage, code, one, 20, 20, 190, 130, 0.5f);
    rig_u8(rig, 4);
    rig_start(rig, 0, STAGE_BIN, rig->at);

    rig->at = STAGE_RENDER;
    for (unsigned frame = 0; frame < 2; frame++) {
        rig_u8(rig, 8);
        rig_u8(rig, 113);
        rig_u32(rig, STAGE_FRAME + frame * 0x40000);
        rig_u16(rig, WIDTH);
        rig_u16(rig, HEIGHT);
        rig_u16(rig, FRAME_8888);
        stage_coordinates(&stage, 0, 0);
        stage_store_none(&stage, 0);
        for (unsigned tile = 0; tile < 12; tile++) {
            stage_coordinates(&stage, tile % 4, tile / 4);
            for (unsigned call = 0; call <= frame; call++) {
                rig_u8(rig, 17);
                rig_u32(rig, (frame ? 0xc0000 : STAGE_LISTS) + tile * 32);
            }
            rig_u8(rig, tile == 11 ? 25 : 24);
        }
    }
    rig_start(rig, 1, STAGE_RENDER, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    stage_show_findings(&stage);
    assert_int_equal(rig->errors, 0);
    assert_int_equal(tess_vc4_read(rig->vc4, V3D_RFC), 2);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            bool in_1 = x >= 10 && x < 100 && y >= 10 && y < 100;
            bool in_2 = x >= 20 && x < 50 && y >= 20 && y < 130;
            assert_int_equal(stage_pixel(&stage, x, y), in_1);
            assert_int_equal(stage_pixel_at(&stage, STAGE_FRAME + 0x40000, x, y), in_2 ? 2 : 0);
        }
    stage_free(&stage);
}

/* --- lists by hand --- */

enum {
    HAND_LIST = 0xa0000,
    HAND_NEXT = 0xa0040,
    HAND_FAR = 0xa1000,
    HAND_RECORD = 0xa2000,
    SIDE = 9
};

/* Computes a grid of 9 x 9 vertices, 6 pixels apart, from (4.5, 4.5) on. Varying 0 is the
 * vertex's index. */
static void grid_corners(struct corner corners[SIDE * SIDE])
{
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        corners[i] = (struct corner){.x = 4.5 + 6 * (i % SIDE),
                                     .y = 4.5 + 6 * (i / SIDE),
                                     .z = 0.5f,
                                     .iw = 1,
                                     .v = {(float)i}};
}

/* Writes the state at the start of a tile list. Record 56 needs a shader state record after it. */
static void begin_hand_list(struct stage *stage, uint32_t format, const char *shader,
                            uint32_t uniform, unsigned varyings)
{
    struct corner corners[SIDE * SIDE];
    grid_corners(corners);
    stage->rig->at = HAND_LIST -
                     64; /* these state records precede the lists, which start at fixed addresses */
    stage_clip_window(stage, 0, 0, 64, 64);
    stage_configuration(stage, BOTH_FACES | DEPTH_ALWAYS);
    stage_viewport(stage, 0, 0);
    stage_float(stage, 98, 2);
    stage_float(stage, 99, 1);
    rig_u8(stage->rig, 56);
    rig_u8(stage->rig, format);
    stage_shading(stage, 0, varyings, stage_shader(stage, shader), stage_word(stage, uniform),
                  stage_vertices(stage, 0, varyings, corners, SIDE * SIDE));
    while (stage->rig->at < HAND_LIST)
        rig_u8(stage->rig, 1);
}

static void put(struct stage *stage, uint32_t at, const uint8_t *bytes, size_t size)
{
    memcpy(stage->rig->memory + at, bytes, size);
}

static void run_hand_list(struct stage *stage)
{
    struct rig *rig = stage->rig;
    rig->at = STAGE_RENDER;
    rig_u8(rig, 113);
    rig_u32(rig, STAGE_FRAME);
    rig_u16(rig, 64);
    rig_u16(rig, 64);
    rig_u16(rig, FRAME_8888);
    stage_coordinates(stage, 0, 0);
    stage_store_none(stage, 0);
    stage_coordinates(stage, 0, 0);
    rig_u8(rig, 17);
    rig_u32(rig, HAND_LIST - 64);
    rig_u8(rig, 25);
    rig_start(rig, 1, STAGE_RENDER, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    stage_show_findings(stage);
    assert_int_equal(rig->errors, 0);
}

/* Triangles in all codings of table 39, with an embedded branch, and a list that continues after
 * record 16. Comments beside the bytes list the indices of the vertices. */
TEST(triangles_by_hand)
{
    static const uint8_t first[] = {
        48,                         /* starts 16-bit triangles */
        129,  0,    0,  1, 0, 9, 0, /* indices 0 1 9 */
        0x04,                       /* shares (2,1): 9 1, and 9 + 1 = 10 */
        0x21,                       /* shares (0,2): 9 10, and 10 + 8 = 18 */
        0xca,                       /* shares (1,0): 10 9, and 18 - 14 = 4 */
        0x23, 0xf4,                 /* 10 + 2, 9 + 4, 4 - 1 */
        0x1f, 0xdc, 40, 0,          /* 40, 40 + 1, 40 - 9 */
        130,  2,    0,              /* skips to the second 32-byte block after this one */
    };
    static const uint8_t next[] = {
        0x04,                       /* shares (2,1): 31 41, and 31 + 1 = 32 */
        128,  16, 0, 0x10, 0x0a, 0, /* end, then a branch to HAND_FAR */
    };
    static const uint8_t far[] = {48, 129, 60, 0, 61, 0, 69, 0, 0x04, 128, 18}; /* then 69 61 70 */
    static const uint8_t want[][3] = {
        /* clang-format off */
        {0,  1,  9},
        {9,  1,  10},
        {9,  10, 18},
        {10, 9,  4},
        {12, 13, 3},
        {40, 41, 31},
        {31, 41, 32},
        {60, 61, 69},
        {69, 61, 70},
        /* clang-format on */
    };
    static struct heap heap;
    struct corner corners[SIDE * SIDE];
    grid_corners(corners);
    heap.count = sizeof want / sizeof *want;
    for (unsigned i = 0; i < heap.count; i++)
        for (unsigned v = 0; v < 3; v++)
            heap.corner[i][v] = grid_point(&corners[want[i][v]]);
    struct stage stage = stage_new(64, 64);
    begin_hand_list(&stage, 0x12, SHADER_ADD, 1, 0);
    put(&stage, HAND_LIST, first, sizeof first);
    put(&stage, HAND_NEXT, next, sizeof next);
    put(&stage, HAND_FAR, far, sizeof far);
    run_hand_list(&stage);
    stage_compare(&stage, hits, &heap, "hand-made triangles");
    stage_free(&stage);
}

/* Lines by table 40. Each line runs along a row or column of pixel centres and draws 6 pixels,
 * without its end point. */
TEST(lines_by_hand)
{
    static const uint8_t list[] = {
        48,                  /* starts 16-bit lines */
        129,  0,    0, 1, 0, /* indices 0 1 */
        0x04,                /* 1, 1 + 1 = 2 */
        0x25,                /* 1 again, and 2 + 9 = 11: a steep diagonal, 6 pixels */
        0x73, 0x0f,          /* 1 + 7 = 8, 11 - 1 = 10: 12 pixels */
        0x06, 72,   0,       /* indices 72 73 */
        128,  18,
    };
    struct stage stage = stage_new(64, 64);
    begin_hand_list(
        &stage, 0x11,
        "mov r0, unif\nnop; mov r1, vary\nnop; nop; loadc\nv8adds tlbc, r0, r4\n" SHADER_END, 1, 0);
    put(&stage, HAND_LIST, list, sizeof list);
    run_hand_list(&stage);
    unsigned sum = 0;
    for (unsigned y = 0; y < 64; y++)
        for (unsigned x = 0; x < 64; x++)
            sum += stage_pixel(&stage, x, y);
    /* The line from index 8 (x = 52.5) to 10 (x = 10.5) draws 42 columns. */
    assert_int_equal(sum, 6 + 6 + 6 + 42 + 6);
    assert_int_equal(stage_pixel(&stage, 4, 4), 1);
    assert_int_equal(stage_pixel(&stage, 15, 4), 1);
    assert_int_equal(stage_pixel(&stage, 4, 52), 1);
    stage_free(&stage);
}

/* Points by table 41, each a square of 2 x 2 pixels. */
TEST(points_by_hand)
{
    static const uint8_t list[] = {
        48,            /* starts 16-bit points */
        129,  80,   0, /* index 80 */
        0xf4,          /* 80 - 3 = 77 */
        0x05,          /* 77 + 1 = 78; the low bits may also be 1 */
        0xdb, 0xfe,    /* 78 - 74 = 4: -74 in 14 bits is 0x3fb6; << 2 | 3 is 0xfedb */
        128,  18,
    };
    static const uint8_t want[] = {80, 77, 78, 4};
    struct corner corners[SIDE * SIDE];
    grid_corners(corners);
    struct stage stage = stage_new(64, 64);
    begin_hand_list(&stage, 0x10,
                    "nop; mov r1, vary\nnop; mov r1, vary\nmov tlbc, unif\n" SHADER_END, 1, 0);
    put(&stage, HAND_LIST, list, sizeof list);
    run_hand_list(&stage);
    for (size_t i = 0; i < sizeof want; i++)
        assert_int_equal(
            stage_pixel(&stage, (unsigned)corners[want[i]].x, (unsigned)corners[want[i]].y), 1);
    assert_int_equal(stage_count(&stage, 1), 4 * 4);
    stage_free(&stage);
}

/* Tests record 49 and table 44: vertices 0 and 2 of the next triangle are replaced by clipped
 * vertices with weights. */
TEST(clipped_by_hand)
{
    static const uint8_t list[] = {49, 5, 0x20, 0x0a, 0, 129, 10, 0, 16, 0, 70, 0, 128, 18};
    struct stage stage = stage_new(64, 64);
    begin_hand_list(&stage, 0x12, SHADER_VARYING, 0, 1);
    put(&stage, HAND_LIST, list, sizeof list);
    static const struct {
        double x, y;
        float weight[3], iw;
    } entries[2] = {{8, 8, {0.5f, 0.25f, 0.25f}, 0.5f}, {20.25, 60, {0, 0, 2}, 2}};
    stage.rig->at = HAND_RECORD;
    for (unsigned i = 0; i < 2; i++) {
        rig_u16(stage.rig, (uint32_t)(entries[i].x * 16));
        rig_u16(stage.rig, (uint32_t)(entries[i].y * 16));
        rig_f32(stage.rig, 0.5f);
        rig_f32(stage.rig, entries[i].iw);
        for (unsigned k = 0; k < 3; k++)
            rig_f32(stage.rig, entries[i].weight[k]);
        rig_u32(stage.rig, 0);
        rig_u32(stage.rig, 0);
    }
    run_hand_list(&stage);
    struct corner middle = {.x = 4.5 + 6 * 7, .y = 4.5 + 6}; /* the position of vertex 16 */
    struct grid_point p[3] = {{8 * 16, 8 * 16}, grid_point(&middle), {324, 960}};
    /* The values of the corners are 0.5 * 10 + 0.25 * 16 + 0.25 * 70, the value of vertex 16,
     * and 2 * 70. */
    const double value[3] = {26.5, 16, 140}, iw[3] = {0.5, 1, 2};
    for (unsigned y = 0; y < 64; y++)
        for (unsigned x = 0; x < 64; x++) {
            bool in = triangle_covers(p, x, y);
            uint32_t pixel = stage_pixel(&stage, x, y);
            if (!in) {
                assert_int_equal(pixel, 0);
                continue;
            }
            double w[3], up = 0, down = 0;
            triangle_weights(p, x, y, w);
            for (unsigned i = 0; i < 3; i++) {
                up += w[i] * iw[i] * value[i];
                down += w[i] * iw[i];
            }
            assert_true(fabs((double)bits_float(pixel) - up / down) < 1e-4);
        }
    stage_free(&stage);
}
