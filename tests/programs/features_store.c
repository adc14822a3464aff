/* SPDX-License-Identifier: MIT */
/* Tests stores, loads and clears of the tile buffer, from shader to bytes in memory. Expected
 * addresses come from walk.h, which follows manual section 11 step by step. Formats and clear
 * rules are worked out by hand from table 38. */
#include "../register.h"
#include "stage.h"
#include "walk.h"

#define RED   UINT32_C(0xff0000ff)
#define GREEN UINT32_C(0xff00ff00)
#define BACK  UINT32_C(0x80402010)

enum {
    SECOND = STAGE_FRAME + 0x80000,
    THIRD = STAGE_FRAME + 0x100000,
    FOURTH = STAGE_FRAME + 0x180000
};
enum { STEP_X = 0x35a7c3, STEP_Y = 0x9be51d };

/* A shader that gives every pixel a different colour: STEP_X * x + STEP_Y * y. */
#define SHADER_PATTERN                                                           \
    "mov r0, unif\nmov r1, unif\nmul24 r0, r0, x_coord\nmul24 r1, r1, y_coord\n" \
    "add tlbc, r0, r1\n" SHADER_END

static uint32_t pattern(const void *user, unsigned x, unsigned y)
{
    (void)user;
    return STEP_X * x + STEP_Y * y;
}

static uint32_t flat(const void *user, unsigned x, unsigned y)
{
    (void)x;
    (void)y;
    return *(const uint32_t *)user;
}

static void draw_pattern(struct stage *stage)
{
    uint32_t code = stage_shader(stage, SHADER_PATTERN);
    stage_begin(stage);
    stage_rectangle(stage, code, stage_words(stage, (uint32_t[]){STEP_X, STEP_Y}, 2), 0, 0,
                    stage->width, stage->height, 0.5f);
}

static const uint32_t walk_to_113[] = {0, FRAME_T, FRAME_LT},
                      walk_to_28[] = {0, GENERAL_T, GENERAL_LT};

/* Converts a colour to 565: R from byte 0 in bits 15:11, G in 10:5, B in 4:0. */
static uint32_t to_565(uint32_t c)
{
    return (c & 0xff) >> 3 << 11 | (c >> 8 & 0xff) >> 2 << 5 | (c >> 16 & 0xff) >> 3;
}

static uint32_t from_565(uint32_t c)
{
    uint32_t r = c >> 11, g = c >> 5 & 63, b = c & 31;
    return 0xff000000 | (b << 3 | b >> 2) << 16 | (g << 2 | g >> 4) << 8 | (r << 3 | r >> 2);
}

static uint32_t pixel_of(const struct stage *stage, uint32_t base, unsigned bytes, uint32_t number)
{
    const uint8_t *at = stage->rig->memory + base + number * bytes;
    return bytes == 4 ? load_le32(at) : at[0] | (uint32_t)at[1] << 8;
}

/* All layouts and both depths, by the stores of records 24 and 28, for sizes that are not
 * multiples of a tile or microtile. Bytes outside of the image keep their values. */
TEST(layouts_and_formats)
{
    static const unsigned sizes[][2] = {{128, 128}, {200, 136}, {99, 70}, {7, 301}, {33, 33}};
    static struct walk walk;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned i = 0; i < 12; i++) {
            unsigned layout = i % 3, bytes = i / 3 % 2 ? 2 : 4;
            bool general = i >= 6;
            struct stage stage = stage_new(sizes[s][0], sizes[s][1]);
            memset(stage.rig->memory + STAGE_FRAME, 0xee, 0x80000);
            draw_pattern(&stage);
            struct pass pass = {.address = STAGE_FRAME};
            pass.flags = (uint16_t)(walk_to_113[layout] | (bytes == 4 ? FRAME_8888 : FRAME_565));
            if (general) {
                pass.address = SECOND;
                pass.flags = FRAME_8888;
                pass.stores = 1;
                pass.store[0] = (struct transfer){28,
                                                  (uint16_t)(GENERAL_COLOUR | walk_to_28[layout] |
                                                             (bytes == 4 ? 0 : GENERAL_565)),
                                                  STAGE_FRAME};
            }
            stage_pass(&stage, &pass);

            walk_image(&walk, layout, bytes, stage.width, stage.height);
            uint8_t *memory = stage.rig->memory + STAGE_FRAME;
            for (unsigned y = 0; y < stage.height; y++)
                for (unsigned x = 0; x < stage.width; x++) {
                    uint32_t want = pattern(NULL, x, y);
                    uint32_t at = walk.at[y][x];
                    assert_int_equal(pixel_of(&stage, STAGE_FRAME, bytes, at),
                                     bytes == 4 ? want : to_565(want));
                    memset(memory + at * bytes, 0xee, bytes);
                }
            for (uint32_t at = 0; at < 0x80000; at++)
                assert_int_equal(memory[at], 0xee);
            stage_free(&stage);
        }
}

/* Dithered 565: a channel may be one step above the truncated value, unless truncation loses
 * nothing. Black and white do not change. Over a flat area the mean is close to the exact value. */
TEST(dither)
{
    static const uint32_t colours[] = {0xff000000, 0xffffffff, 0xff8080f8, 0xff03c5a1, 0xff426281};
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        struct stage stage = stage_new(64, 64);
        uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
        stage_begin(&stage);
        stage_rectangle(&stage, code, stage_word(&stage, colours[i]), 0, 0, 64, 64, 0.5f);
        struct pass pass = {.address = STAGE_FRAME, .flags = FRAME_565_DITHERED};
        stage_pass(&stage, &pass);
        static const struct {
            unsigned byte, low, bits;
        } channels[3] = {{0, 11, 5}, {1, 5, 6}, {2, 0, 5}};
        for (unsigned c = 0; c < 3; c++) {
            unsigned value = colours[i] >> 8 * channels[c].byte & 0xff, cut = 8 - channels[c].bits;
            unsigned sum = 0, most = (1u << channels[c].bits) - 1;
            for (uint32_t n = 0; n < 64 * 64; n++) {
                unsigned got = pixel_of(&stage, STAGE_FRAME, 2, n) >> channels[c].low & most;
                assert_true(got == value >> cut || got == (value >> cut) + 1);
                sum += got;
            }
            double mean = sum / 4096.0, exact = (double)value / (1 << cut);
            if (value & ((1u << cut) - 1) && value >> cut < most)
                assert_true(fabs(mean - exact) < 0.15);
            else
                assert_true(mean == value >> cut);
        }
        stage_free(&stage);
    }
}

/* A picture in memory is loaded by record 29 and stored by record 24, without tile lists. */
TEST(loads)
{
    static struct walk walk;
    for (unsigned i = 0; i < 6; i++) {
        unsigned layout = i % 3, bytes = i / 3 ? 2 : 4;
        struct stage stage = stage_new(150, 90);
        walk_image(&walk, layout, bytes, stage.width, stage.height);
        for (unsigned y = 0; y < stage.height; y++)
            for (unsigned x = 0; x < stage.width; x++) {
                uint32_t colour = pattern(NULL, x, y);
                uint8_t *at = stage.rig->memory + SECOND + walk.at[y][x] * bytes;
                if (bytes == 4)
                    store_le32(at, colour);
                else
                    memcpy(at, (uint8_t[]){(uint8_t)to_565(colour), (uint8_t)(to_565(colour) >> 8)},
                           2);
            }
        struct pass pass = {
            .address = STAGE_FRAME,
            .flags = FRAME_8888,
            .no_lists = true,
            .clear = {RED, RED},
            .loads = 1,
            .load = {{29,
                      (uint16_t)(GENERAL_COLOUR | walk_to_28[layout] |
                                 (bytes == 4 ? 0 : GENERAL_565)),
                      SECOND}},
        };
        stage_pass(&stage, &pass);
        for (unsigned y = 0; y < stage.height; y++)
            for (unsigned x = 0; x < stage.width; x++) {
                uint32_t want = pattern(NULL, x, y);
                assert_int_equal(stage_pixel(&stage, x, y),
                                 bytes == 4 ? want : from_565(to_565(want)));
            }
        stage_free(&stage);
    }
}

/* --- a frame drawn in two halves --- */

enum { PARTS = 40 };

/* Draws triangles that add to the colour if they pass the depth test. If a triangle fails the
 * test, it increments the stencil. */
static void draw_part(struct stage *stage, uint32_t *seed, unsigned count)
{
    uint32_t code = stage_shader(
        stage, "mov r0, unif\nnop\nmov stencil, unif\nmov tlbz, rb15\nnop; nop; loadc\n"
               "v8adds tlbc, r0, r4\n" SHADER_END);
    stage_configuration(stage, BOTH_FACES | 1 << DEPTH_SHIFT | Z_UPDATES);
    for (unsigned i = 0; i < count; i++) {
        struct corner corners[3];
        for (unsigned v = 0; v < 3; v++)
            corners[v] = (struct corner){.x = random_grid(seed, -20, 220),
                                         .y = random_grid(seed, -20, 160),
                                         .z = (float)(next_random(seed) & 0xffff) / 65536,
                                         .iw = 1};
        /* Setup for both faces with all bits: z fail increments, z pass and stencil fail keep,
         * and the function is always. */
        uint32_t uniforms[2] = {next_random(seed) & 0x1f1f1f1f, 0xc0000000 | 3u << 28 | 6u << 25 |
                                                                    1u << 22 | 1u << 19 | 7u << 16 |
                                                                    0xff};
        stage_draw(stage, TRIANGLES, code, stage_words(stage, uniforms, 2), 0, corners, 3);
    }
}

/* The stores of the first half, and the loads that restore them for the second half. */
struct round_trip {
    const char *name;
    struct transfer store[2], load[2];
    unsigned stores, loads;
};

static const struct round_trip round_trips[] = {
    {"raster",
     {{28, GENERAL_ZS | GENERAL_KEEP, SECOND}, {24, 0, 0}},
     {{29, GENERAL_COLOUR, STAGE_FRAME}, {29, GENERAL_ZS, SECOND}},
     2,
     2},
    {"Z in T-format",
     {{28, GENERAL_ZS | GENERAL_T | GENERAL_KEEP, SECOND}, {24, 0, 0}},
     {{29, GENERAL_ZS | GENERAL_T, SECOND}, {29, GENERAL_COLOUR, STAGE_FRAME}},
     2,
     2},
    {"Z in LT-format",
     {{28, GENERAL_ZS | GENERAL_LT | GENERAL_KEEP, SECOND}, {24, 0, 0}},
     {{29, GENERAL_ZS | GENERAL_LT, SECOND}, {29, GENERAL_COLOUR, STAGE_FRAME}},
     2,
     2},
    {"full resolution", {{26, 4, SECOND}, {24, 0, 0}}, {{27, 0, SECOND}}, 2, 1},
    {"full resolution in two",
     {{26, 4 | 2, SECOND}, {26, 1, SECOND + 0x4000}},
     {{27, 2, SECOND}, {27, 1, SECOND + 0x4000}},
     2,
     2},
    {"colour from the frame, Z full",
     {{26, 4 | 1, SECOND}, {24, 0, 0}},
     {{29, GENERAL_COLOUR, STAGE_FRAME}, {27, 1, SECOND}},
     2,
     2},
};

static void picture_of_all(struct stage *stage)
{
    uint32_t seed = 808;
    stage_begin(stage);
    draw_part(stage, &seed, PARTS);
    draw_part(stage, &seed, PARTS);
    struct pass pass = {.address = THIRD,
                        .flags = FRAME_8888,
                        .clear_z = 0xc00000,
                        .clear_stencil = 7,
                        .stores = 2,
                        .store = {{28, GENERAL_ZS | GENERAL_KEEP, FOURTH}, {24, 0, 0}}};
    stage_pass(stage, &pass);
}

/* Two frames with all planes stored and loaded between them must equal one frame. */
TEST(frames_in_two_halves)
{
    for (size_t i = 0; i < sizeof round_trips / sizeof *round_trips; i++) {
        const struct round_trip *trip = &round_trips[i];
        struct stage stage = stage_new(200, 136);
        picture_of_all(&stage);

        uint32_t seed = 808;
        stage_begin(&stage);
        draw_part(&stage, &seed, PARTS);
        struct pass pass = {.address = STAGE_FRAME,
                            .flags = FRAME_8888,
                            .clear_z = 0xc00000,
                            .clear_stencil = 7,
                            .stores = trip->stores,
                            .store = {trip->store[0], trip->store[1]}};
        stage_pass(&stage, &pass);

        stage_begin(&stage);
        draw_part(&stage, &seed, PARTS);
        struct pass second = {
            .address = STAGE_FRAME,
            .flags = FRAME_8888,
            .clear = {RED, RED},
            .loads = trip->loads,
            .load = {trip->load[0], trip->load[1]},
            .stores = 2,
            .store = {{28, GENERAL_ZS | GENERAL_KEEP, STAGE_FRAME + 0x40000}, {24, 0, 0}}};
        stage_pass(&stage, &second);
        for (unsigned y = 0; y < stage.height; y++)
            for (unsigned x = 0; x < stage.width; x++) {
                uint32_t colour = stage_pixel(&stage, x, y),
                         want = stage_pixel_at(&stage, THIRD, x, y);
                uint32_t zs = stage_pixel_at(&stage, STAGE_FRAME + 0x40000, x, y);
                if (colour != want || zs != stage_pixel_at(&stage, FOURTH, x, y))
                    print_message("%s (%u, %u)\n", trip->name, x, y);
                assert_int_equal(colour, want);
                assert_int_equal(zs, stage_pixel_at(&stage, FOURTH, x, y));
            }
        stage_free(&stage);
    }
}

/* --- clears --- */

static uint32_t two_colours(const void *user, unsigned x, unsigned y)
{
    (void)y;
    return ((const uint32_t *)user)[x & 1];
}

TEST(clear_colours)
{
    struct stage stage = stage_new(200, 136);
    stage_begin(&stage);
    struct pass pass = {.address = STAGE_FRAME, .flags = FRAME_8888, .clear = {RED, GREEN}};
    stage_pass(&stage, &pass);
    stage_compare(&stage, two_colours, pass.clear, "two clear colours");
    stage_free(&stage);
}

/* Tests whether the first store clears the buffer. If it does, the second store writes the clear
 * colour, otherwise the drawn colour. */
TEST(clear_on_store)
{
    static const struct {
        struct transfer first;
        uint32_t colour, zs; /* expected from the second store, and from a third store, of Z and
                                stencil */
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {{28, GENERAL_COLOUR,                       SECOND}, BACK,  0x12345678},
        {{28, GENERAL_COLOUR | GENERAL_KEEP_COLOUR, SECOND}, GREEN, 0x12345678},
        {{28, GENERAL_COLOUR | GENERAL_KEEP_ZS,     SECOND}, BACK,  0x80000078},
        {{28, GENERAL_COLOUR | GENERAL_KEEP,        SECOND}, GREEN, 0x80000078},
        {{28, GENERAL_NONE,                         0},      BACK,  0x12345678},
        {{28, GENERAL_NONE | GENERAL_KEEP,          0},      GREEN, 0x80000078},
        {{28, GENERAL_ZS | GENERAL_KEEP_COLOUR,     SECOND}, GREEN, 0x12345678},
        {{26, 0,                                    SECOND}, BACK,  0x12345678},
        {{26, 4,                                    SECOND}, GREEN, 0x80000078},
        {{24, 0,                                    0},      BACK,  0x12345678},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage = stage_new(64, 64);
        uint32_t code = stage_shader(&stage, SHADER_DEPTH);
        stage_begin(&stage);
        stage_configuration(&stage, BOTH_FACES | DEPTH_ALWAYS | Z_UPDATES);
        stage_rectangle(&stage, code, stage_word(&stage, GREEN), 0, 0, 64, 64, 0.5f);
        struct pass pass = {
            .address = STAGE_FRAME,
            .flags = FRAME_8888,
            .clear = {BACK, BACK},
            .clear_z = 0x123456,
            .clear_stencil = 0x78,
            .stores = 3,
            .store = {cases[i].first,
                      {28, GENERAL_COLOUR | GENERAL_KEEP, THIRD},
                      {28, GENERAL_ZS, FOURTH}},
        };
        stage_pass(&stage, &pass);
        stage_compare_at(&stage, THIRD, flat, &cases[i].colour, "colour after a store");
        stage_compare_at(&stage, FOURTH, flat, &cases[i].zs, "Z after a store");
        stage_free(&stage);
    }
}

/* A store that stores nothing must not change memory. It must still end the frame. */
TEST(store_none)
{
    struct stage stage = stage_new(128, 64);
    memset(stage.rig->memory + STAGE_FRAME, 0xee, 0x10000);
    draw_pattern(&stage);
    struct pass pass = {
        .address = STAGE_FRAME, .flags = FRAME_8888, .stores = 1, .store = {{28, 0, 0}}};
    stage_pass(&stage, &pass);
    for (uint32_t at = 0; at < 0x10000; at++)
        assert_int_equal(stage.rig->memory[STAGE_FRAME + at], 0xee);
    assert_int_equal(tess_vc4_read(stage.rig->vc4, V3D_RFC), 1);
    stage_free(&stage);
}

/* One tile is stored in several formats. Coordinates precede each store. */
TEST(several_stores)
{
    static struct walk walk;
    struct stage stage = stage_new(200, 136);
    draw_pattern(&stage);
    struct pass pass = {
        .address = STAGE_FRAME,
        .flags = FRAME_8888,
        .stores = 3,
        .store = {{28, GENERAL_COLOUR | GENERAL_565 | GENERAL_LT | GENERAL_KEEP, SECOND},
                  {28, GENERAL_COLOUR | GENERAL_T | GENERAL_KEEP, THIRD},
                  {24, 0, 0}}};
    stage_pass(&stage, &pass);
    stage_compare(&stage, pattern, NULL, "resolved");
    walk_image(&walk, WALK_LT, 2, 200, 136);
    for (unsigned y = 0; y < 136; y++)
        for (unsigned x = 0; x < 200; x++)
            assert_int_equal(pixel_of(&stage, SECOND, 2, walk.at[y][x]),
                             to_565(pattern(NULL, x, y)));
    walk_image(&walk, WALK_T, 4, 200, 136);
    for (unsigned y = 0; y < 136; y++)
        for (unsigned x = 0; x < 200; x++)
            assert_int_equal(pixel_of(&stage, THIRD, 4, walk.at[y][x]), pattern(NULL, x, y));
    stage_free(&stage);
}

/* A full dump has 16 KiB of colour and then 16 KiB of Z and stencil. Its quads are in raster
 * order (docs/hardware/vc4.md, section 8.4). */
TEST(full_dump)
{
    struct stage stage = stage_new(128, 128);
    draw_pattern(&stage);
    struct pass pass = {.address = STAGE_FRAME,
                        .flags = FRAME_8888,
                        .clear_z = 0xabcdef,
                        .clear_stencil = 0x42,
                        .stores = 1,
                        .store = {{26, 0, SECOND}}};
    stage_pass(&stage, &pass);
    for (unsigned y = 0; y < 128; y++)
        for (unsigned x = 0; x < 128; x++) {
            uint32_t block = SECOND + (y / 64 * 2 + x / 64) * FULL_BLOCK;
            unsigned tx = x % 64, ty = y % 64;
            uint32_t at = (ty / 2 * 32 + tx / 2) * 16 + (ty & 1) * 8 + (tx & 1) * 4;
            assert_int_equal(stage_u32(&stage, block + at), pattern(NULL, x, y));
            assert_int_equal(stage_u32(&stage, block + 0x4000 + at), 0xabcdef42);
        }
    stage_free(&stage);
}
