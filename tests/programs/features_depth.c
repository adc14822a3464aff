/* SPDX-License-Identifier: MIT */
/* Tests depth, stencil and alpha mask of the whole machine. Expected values are worked out by
 * hand from manual tables 27, 28 and 38, and by a depth buffer in float64 and integers. A
 * comment at each test states its rules. */
#include "../register.h"
#include "stage.h"

enum { WIDTH = 200, HEIGHT = 136, ZS = STAGE_FRAME + 0x40000, MASK = STAGE_FRAME + 0x80000 };

#define RED   UINT32_C(0xff0000ff)
#define GREEN UINT32_C(0xff00ff00)

/* Stores Z and stencil of each tile, and then its colour. */
static const struct pass with_zs = {
    .address = STAGE_FRAME,
    .flags = FRAME_8888,
    .clear_z = 0xffffff,
    .stores = 2,
    .store = {{28, GENERAL_ZS | GENERAL_KEEP, ZS}, {24, 0, 0}},
};

static uint32_t zs_at(const struct stage *stage, unsigned x, unsigned y)
{
    return stage_pixel_at(stage, ZS, x, y);
}

/* Returns true if the incoming value (on the left) has the relation to the stored value. Codes 0
 * to 7 are never, less, equal, at most, greater, not equal, at least, always. */
static bool relation_holds(unsigned code, double incoming, double stored)
{
    switch (code) {
    case 0: return false;
    case 1: return incoming < stored;
    case 2: return incoming == stored;
    case 3: return incoming <= stored;
    case 4: return incoming > stored;
    case 5: return incoming != stored;
    case 6: return incoming >= stored;
    default: return true;
    }
}

TEST(depth_functions)
{
    static const float z[3] = {0.25f, 0.5f, 0.75f};
    for (unsigned function = 0; function < 8; function++)
        for (unsigned update = 0; update < 2; update++) {
            struct stage stage = stage_new(WIDTH, HEIGHT);
            uint32_t code = stage_shader(&stage, SHADER_DEPTH);
            uint32_t red = stage_word(&stage, RED), green = stage_word(&stage, GREEN);
            stage_begin(&stage);
            stage_configuration(&stage, BOTH_FACES | DEPTH_ALWAYS | Z_UPDATES);
            stage_rectangle(&stage, code, red, 0, 0, WIDTH, HEIGHT, 0.5f);
            stage_configuration(&stage,
                                BOTH_FACES | function << DEPTH_SHIFT | (update ? Z_UPDATES : 0));
            for (unsigned i = 0; i < 3; i++)
                stage_rectangle(&stage, code, green, 60 * i, 10, 60 * i + 50, 100, z[i]);
            stage_pass(&stage, &with_zs);
            for (unsigned i = 0; i < 3; i++) {
                bool passes = relation_holds(function, (double)z[i], 0.5);
                unsigned x = 60 * i + 30;
                assert_int_equal(stage_pixel(&stage, x, 70), passes ? GREEN : RED);
                double stored = passes && update ? (double)z[i] : 0.5;
                assert_true(fabs((zs_at(&stage, x, 70) >> 8) - stored * 0xffffff) <= 0.5);
                assert_int_equal(zs_at(&stage, x, 70) & 0xff, 0);
            }
            assert_int_equal(stage_count(&stage, GREEN) + stage_count(&stage, RED), WIDTH * HEIGHT);
            stage_free(&stage);
        }
}

/* Intersecting triangles are drawn in an order that does not depend on depth. Each pixel must
 * show the nearest triangle. A pixel is not compared if its two nearest triangles differ by less
 * than 2 steps of 2^-24. */
TEST(occlusion)
{
    enum { COUNT = 60 };
    uint32_t seed = 2024;
    for (unsigned round = 0; round < 4; round++) {
        /* Every second round enables early Z, which must not change the result. */
        bool further = round & 1;
        uint32_t early = round >= 2 ? 3u << 16 : 0;
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct corner corners[COUNT][3];
        struct grid_point p[COUNT][3];
        uint32_t code = stage_shader(&stage, SHADER_DEPTH);
        stage_begin(&stage);
        stage_configuration(&stage,
                            BOTH_FACES | (further ? 4u : 1u) << DEPTH_SHIFT | Z_UPDATES | early);
        for (unsigned i = 0; i < COUNT; i++) {
            for (unsigned v = 0; v < 3; v++) {
                corners[i][v] = (struct corner){
                    .x = random_grid(&seed, -20, 220),
                    .y = random_grid(&seed, -20, 160),
                    .z = (float)(next_random(&seed) & 0xffff) / 65536,
                    .iw = 1,
                };
                p[i][v] = grid_point(&corners[i][v]);
            }
            stage_draw(&stage, TRIANGLES, code, stage_word(&stage, i + 1), 0, corners[i], 3);
        }
        struct pass pass = with_zs;
        pass.clear_z = further ? 0 : 0xffffff;
        if (early && further)
            pass.flags |= 1 << 10; /* the update direction of early Z is "greater" */
        stage_pass(&stage, &pass);
        unsigned compared = 0;
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                double best = further ? 0 : 0xffffff, second = best;
                uint32_t colour = 0;
                for (unsigned i = 0; i < COUNT; i++) {
                    double w[3];
                    if (!triangle_covers(p[i], x, y))
                        continue;
                    triangle_weights(p[i], x, y, w);
                    double z = 0;
                    for (unsigned v = 0; v < 3; v++)
                        z += w[v] * (double)corners[i][v].z * 0xffffff;
                    if (further ? z > best : z < best) {
                        second = best;
                        best = z;
                        colour = i + 1;
                    } else if (further ? z > second : z < second) {
                        second = z;
                    }
                }
                if (fabs(best - second) < 2 && colour)
                    continue;
                compared++;
                assert_int_equal(stage_pixel(&stage, x, y), colour);
                assert_true(fabs((zs_at(&stage, x, y) >> 8) - best) <= 0.51);
            }
        assert_true(compared > WIDTH * HEIGHT - 100);
        stage_free(&stage);
    }
}

/* --- random scenes --- */

enum { SCENE_DRAWS = 80, SCENE_TRIANGLES = 4 };

/* A draw with all the state on which its pixels depend. */
struct scene_draw {
    unsigned mode, configuration;
    unsigned left, bottom, width, height; /* the clip window */
    double viewport_x, viewport_y, z;
    struct corner corner[3 * SCENE_TRIANGLES];
    struct grid_point triangle[SCENE_TRIANGLES][3];
};

static void random_draw(struct scene_draw *draw, uint32_t *seed)
{
    if (next_random(seed) % 3 == 0) {
        draw->left = next_random(seed) % 120;
        draw->bottom = next_random(seed) % 90;
        draw->width = next_random(seed) % 200;
        draw->height = next_random(seed) % 130;
    }
    if (next_random(seed) % 3 == 0) {
        draw->viewport_x = random_grid(seed, -300, 300);
        draw->viewport_y = random_grid(seed, -300, 300);
    }
    if (next_random(seed) % 2 == 0)
        draw->configuration = (next_random(seed) & (BOTH_FACES | CLOCKWISE | Z_UPDATES)) |
                              (next_random(seed) & 7) << DEPTH_SHIFT;
    draw->z = (next_random(seed) % 17) / 16.0;
    draw->mode = TRIANGLES + next_random(seed) % 3;
    for (unsigned i = 0; i < 3 * SCENE_TRIANGLES; i++)
        draw->corner[i] = (struct corner){.x = random_grid(seed, -20, 220) - draw->viewport_x,
                                          .y = random_grid(seed, -20, 160) - draw->viewport_y,
                                          .z = (float)draw->z,
                                          .iw = 1};
    for (unsigned t = 0; t < SCENE_TRIANGLES; t++)
        for (unsigned v = 0; v < 3; v++) {
            /* In odd triangles of a strip, the first two vertices are exchanged. */
            unsigned strip = t & 1 && v < 2 ? t + 1 - v : t + v;
            unsigned at = draw->mode == TRIANGLES        ? 3 * t + v
                          : draw->mode == TRIANGLE_STRIP ? strip
                                                         : (v ? t + v : 0);
            draw->triangle[t][v] = grid_point(&draw->corner[at]);
            draw->triangle[t][v].x += lrint(draw->viewport_x * 16);
            draw->triangle[t][v].y += lrint(draw->viewport_y * 16);
        }
}

/* Writes the state records that differ from those of the previous draw, and the draw. */
static void send_draw(struct stage *stage, const struct scene_draw *draw,
                      const struct scene_draw *before, uint32_t code, uint32_t colour)
{
    if (!before || memcmp(&draw->left, &before->left, 4 * sizeof draw->left) != 0)
        stage_clip_window(stage, draw->left, draw->bottom, draw->width, draw->height);
    if (!before || draw->viewport_x != before->viewport_x || draw->viewport_y != before->viewport_y)
        stage_viewport(stage, draw->viewport_x, draw->viewport_y);
    if (!before || draw->configuration != before->configuration)
        stage_configuration(stage, draw->configuration);
    unsigned count = draw->mode == TRIANGLES ? 3 * SCENE_TRIANGLES : SCENE_TRIANGLES + 2;
    stage_draw(stage, draw->mode, code, stage_word(stage, colour), 0, draw->corner, count);
}

/* Computes the expected colour and Z of a pixel after all draws. */
static uint32_t scene_pixel(const struct scene_draw *draws, unsigned x, unsigned y, uint32_t *depth)
{
    uint32_t colour = 0;
    *depth = 0x800000;
    for (unsigned i = 0; i < SCENE_DRAWS; i++) {
        const struct scene_draw *d = &draws[i];
        if (x < d->left || x >= d->left + d->width || y < d->bottom || y >= d->bottom + d->height)
            continue;
        for (unsigned t = 0; t < SCENE_TRIANGLES; t++) {
            const struct grid_point *p = d->triangle[t];
            bool negative = edge_side(p[0], p[1], p[2]) < 0;
            bool forward = d->configuration & CLOCKWISE ? negative : !negative;
            if (!(d->configuration & (forward ? FORWARD : REVERSE)) || !triangle_covers(p, x, y))
                continue;
            uint32_t z = (uint32_t)floor(d->z * 0xffffff + 0.5);
            if (!relation_holds(d->configuration >> DEPTH_SHIFT & 7, z, *depth))
                continue;
            colour = i + 1;
            if (d->configuration & Z_UPDATES)
                *depth = z;
        }
    }
    return colour;
}

/* Draws with random windows, viewports, faces, depth functions and types, with all sizes of tile
 * list blocks. Each tile list contains only the state that it needs. Every pixel and every Z
 * must equal the reference. */
TEST(random_scenes)
{
    uint32_t seed = 20240;
    for (unsigned round = 0; round < 16; round++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        static struct scene_draw draws[SCENE_DRAWS];
        stage.bin_flags = (uint8_t)(4 | round << 3);
        uint32_t code = stage_shader(&stage, SHADER_DEPTH);
        stage_begin_bare(&stage);
        draws[0] = (struct scene_draw){
            .configuration = BOTH_FACES | DEPTH_ALWAYS, .width = WIDTH, .height = HEIGHT};
        for (unsigned i = 0; i < SCENE_DRAWS; i++) {
            if (i)
                draws[i] = draws[i - 1];
            random_draw(&draws[i], &seed);
            send_draw(&stage, &draws[i], i ? &draws[i - 1] : NULL, code, i + 1);
        }
        struct pass pass = with_zs;
        pass.clear_z = 0x800000;
        stage_pass(&stage, &pass);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                uint32_t depth, colour = scene_pixel(draws, x, y, &depth);
                if (stage_pixel(&stage, x, y) != colour)
                    print_message("round %u (%u, %u)\n", round, x, y);
                assert_int_equal(stage_pixel(&stage, x, y), colour);
                assert_int_equal(zs_at(&stage, x, y) >> 8, depth);
            }
        stage_free(&stage);
    }
}

/* Draws a decal on a slope. With a negative offset, by units or by factor, the decal passes
 * "less" everywhere. With a positive offset it passes nowhere. Without the enable bit the offset
 * has no effect. */
TEST(depth_offset)
{
    static const struct {
        float factor, units;
        bool enable, drawn;
    } cases[] = {
        /* clang-format off */
        {0,  -2, true,  true},
        {0,  2,  true,  false},
        {-1, 0,  true,  true},
        {1,  0,  true,  false},
        {0,  -2, false, false},
        {-4, 2,  true,  true},
        {0,  0,  true,  false},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        uint32_t code = stage_shader(&stage, SHADER_DEPTH);
        struct corner corners[4];
        rectangle_corners(corners, 10, 10, 170, 110, 0.25f);
        corners[1].z = corners[3].z = 0.75f;
        corners[2].z += 0.125f;
        corners[3].z += 0.125f;
        stage_begin(&stage);
        stage_configuration(&stage, BOTH_FACES | 1 << DEPTH_SHIFT | Z_UPDATES);
        stage_draw(&stage, TRIANGLE_STRIP, code, stage_word(&stage, RED), 0, corners, 4);
        stage_configuration(&stage, BOTH_FACES | 1 << DEPTH_SHIFT | Z_UPDATES |
                                        (cases[i].enable ? DEPTH_OFFSET : 0));
        rig_u8(stage.rig, 101);
        rig_u16(stage.rig, float_bits(cases[i].factor) >> 16);
        rig_u16(stage.rig, float_bits(cases[i].units) >> 16);
        stage_draw(&stage, TRIANGLE_STRIP, code, stage_word(&stage, GREEN), 0, corners, 4);
        stage_pass(&stage, &with_zs);
        assert_int_equal(stage_count(&stage, cases[i].drawn ? GREEN : RED), 160 * 100);
        /* Z at pixel (90, 60) is 0.25 + 0.5 * (80.5 / 160) + 0.125 * (50.5 / 100) plus the
         * offset. */
        double slope = 0.5 / 160, z = 0.25 + 0.5 * 80.5 / 160 + 0.125 * 50.5 / 100;
        if (cases[i].drawn)
            z += (double)cases[i].factor * slope + (double)cases[i].units / 16777216;
        assert_true(fabs((zs_at(&stage, 90, 60) >> 8) - z * 0xffffff) < 1.1);
        stage_free(&stage);
    }
}

/* By record 104, fragments outside of its range are dropped. Fragments exactly at the limits are
 * kept. */
TEST(depth_range)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint32_t code = stage_shader(&stage, SHADER_UNIFORM), red = stage_word(&stage, RED);
    static const float z[4] = {0.2f, 0.25f, 0.5f, 0.6f};
    stage_begin(&stage);
    rig_u8(stage.rig, 104);
    rig_f32(stage.rig, 0.25f);
    rig_f32(stage.rig, 0.5f);
    for (unsigned i = 0; i < 4; i++)
        stage_rectangle(&stage, code, red, 10 + 40 * i, 10, 40 + 40 * i, 60, z[i]);
    stage_pass(&stage, &with_zs);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(stage_pixel(&stage, 20 + 40 * i, 30), i == 1 || i == 2 ? RED : 0);
    stage_free(&stage);
}

/* --- stencil --- */

enum { ZERO, KEEP, REPLACE, INC_SAT, DEC_SAT, INVERT, INC, DEC };

/* Returns a stencil setup word (manual table 27). */
static uint32_t stencil_word(unsigned faces, unsigned mask_code, unsigned z_fail, unsigned z_pass,
                             unsigned stencil_fail, unsigned function, unsigned reference,
                             unsigned mask)
{
    return faces << 30 | mask_code << 28 | z_fail << 25 | z_pass << 22 | stencil_fail << 19 |
           function << 16 | reference << 8 | mask;
}

static unsigned stencil_operation(unsigned operation, unsigned stored, unsigned reference)
{
    switch (operation) {
    case ZERO: return 0;
    case KEEP: return stored;
    case REPLACE: return reference;
    case INC_SAT: return stored < 255 ? stored + 1 : 255;
    case DEC_SAT: return stored ? stored - 1 : 0;
    case INVERT: return 255 - stored;
    case INC: return (stored + 1) % 256;
    default: return (stored + 255) % 256;
    }
}

/* Shaders that write three, two or one stencil setup words, then Z and colour. */
#define SHADER_STENCIL_1 "nop\nnop\nmov stencil, unif\nmov tlbz, rb15\nmov tlbc, unif\n" SHADER_END
#define SHADER_STENCIL_2 \
    "nop\nnop\nmov stencil, unif\nmov stencil, unif\nmov tlbz, rb15\nmov tlbc, unif\n" SHADER_END

/* Tests each operation in each of the three operation fields, for several stored values. The
 * colour shows the results of the tests. */
TEST(stencil_operations)
{
    static const uint8_t stored[] = {0, 5, 0xfe, 0xff};
    enum { S_FAILS, Z_FAILS, PASSES };
    for (size_t s = 0; s < sizeof stored; s++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        uint32_t code = stage_shader(&stage, SHADER_STENCIL_1);
        stage_begin(&stage);
        stage_configuration(&stage, BOTH_FACES | 1 << DEPTH_SHIFT | Z_UPDATES);
        for (unsigned op = 0; op < 8; op++)
            for (unsigned place = 0; place < 3; place++) {
                /* The other two fields have an operation with another result: zero or replace. */
                unsigned other = op == ZERO ? REPLACE : ZERO;
                uint32_t uniforms[2] = {stencil_word(3, 3, place == Z_FAILS ? op : other,
                                                     place == PASSES ? op : other,
                                                     place == S_FAILS ? op : other,
                                                     place == S_FAILS ? 0 : 7, 0x5a, 0xff),
                                        GREEN};
                stage_rectangle(&stage, code, stage_words(&stage, uniforms, 2), 24 * op, 40 * place,
                                24 * op + 20, 40 * place + 30, place == Z_FAILS ? 1.0f : 0.5f);
            }
        struct pass pass = with_zs;
        pass.clear_stencil = stored[s];
        stage_pass(&stage, &pass);
        for (unsigned op = 0; op < 8; op++)
            for (unsigned place = 0; place < 3; place++) {
                unsigned x = 24 * op + 7, y = 40 * place + 9;
                uint32_t zs = zs_at(&stage, x, y);
                assert_int_equal(zs & 0xff, stencil_operation(op, stored[s], 0x5a));
                assert_int_equal(zs >> 8 == 0xffffff, place != PASSES);
                assert_int_equal(stage_pixel(&stage, x, y), place == PASSES ? GREEN : 0);
                assert_int_equal(zs_at(&stage, 24 * op + 22, y), 0xffffff00u | stored[s]);
            }
        stage_free(&stage);
    }
}

/* Compares (reference & mask) with (stored & mask), for all eight functions. */
TEST(stencil_functions)
{
    static const struct {
        uint8_t reference, stored, mask;
    } values[] = {
        /* clang-format off */
        {3,    3,    255},
        {2,    3,    255},
        {4,    3,    255},
        {0x13, 0x23, 0x0f},
        {0xf0, 0x10, 0x1f},
        {0x80, 0x7f, 0},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        uint32_t code = stage_shader(&stage, SHADER_STENCIL_1);
        stage_begin(&stage);
        for (unsigned function = 0; function < 8; function++) {
            uint32_t uniforms[2] = {
                stencil_word(3, 3, KEEP, KEEP, KEEP, function, values[i].reference, values[i].mask),
                GREEN};
            stage_rectangle(&stage, code, stage_words(&stage, uniforms, 2), 24 * function, 0,
                            24 * function + 20, 100, 0.5f);
        }
        struct pass pass = with_zs;
        pass.clear_stencil = values[i].stored;
        stage_pass(&stage, &pass);
        for (unsigned function = 0; function < 8; function++) {
            bool want = relation_holds(function, values[i].reference & values[i].mask,
                                       values[i].stored & values[i].mask);
            assert_int_equal(stage_pixel(&stage, 24 * function + 3, 66), want ? GREEN : 0);
        }
        stage_free(&stage);
    }
}

/* Write-mask codes 0 to 3 are 0x01, 0x03, 0x0f and 0xff. A later word with full masks replaces the
 * code. */
TEST(stencil_write_masks)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint32_t one = stage_shader(&stage, SHADER_STENCIL_1),
             two = stage_shader(&stage, SHADER_STENCIL_2);
    static const uint8_t masks[6] = {0x01, 0x03, 0x0f, 0xff, 0xa5, 0x00};
    stage_begin(&stage);
    for (unsigned i = 0; i < 6; i++) {
        uint32_t word = stencil_word(3, i & 3, KEEP, REPLACE, KEEP, 7, 0x3c, 0xff);
        uint32_t uniforms[3] = {word, i < 4 ? GREEN : masks[i] | 0x100u * masks[i], GREEN};
        stage_rectangle(&stage, i < 4 ? one : two, stage_words(&stage, uniforms, 3), 30 * i, 0,
                        30 * i + 20, 100, 0.5f);
    }
    struct pass pass = with_zs;
    pass.clear_stencil = 0x96;
    stage_pass(&stage, &pass);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(zs_at(&stage, 30 * i + 3, 66) & 0xff,
                         (0x96 & ~masks[i]) | (0x3c & masks[i]));
    stage_free(&stage);
}

/* Front and back faces in one draw have different operations, masks and functions. */
TEST(stencil_faces)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint32_t code = stage_shader(
        &stage, "nop\nnop\nmov stencil, unif\nmov stencil, unif\nmov stencil, unif\n"
                "mov tlbz, rb15\nmov tlbc, unif\n" SHADER_END);
    /* Draws small triangles with alternating facing, so that batches contain both. A positive
     * area is forward here. */
    enum { COUNT = 64 };
    struct corner corners[COUNT * 3];
    for (unsigned i = 0; i < COUNT; i++) {
        double x = 12 * (i % 16), y = 16 * (i / 16);
        static const double local[3][2] = {{0, 0}, {10, 0}, {0, 10}};
        for (unsigned v = 0; v < 3; v++) {
            const double *at = local[i & 1 ? (3 - v) % 3 : v];
            corners[3 * i + v] = (struct corner){
                .x = x + at[0], .y = y + at[1], .z = 0.5f, .iw = 1};
        }
    }
    uint32_t uniforms[4] = {stencil_word(1, 0, KEEP, REPLACE, KEEP, 7, 0x77, 0xff),
                            stencil_word(2, 0, KEEP, KEEP, INC, 0, 0, 0xff), 0x3f << 8 | 0xf0,
                            GREEN};
    stage_begin(&stage);
    stage_draw(&stage, TRIANGLES, code, stage_words(&stage, uniforms, 4), 0, corners, COUNT * 3);
    struct pass pass = with_zs;
    pass.clear_stencil = 0x7f;
    assert_int_equal(stage_run(&stage, &pass), TESS_VC4_IDLE);
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned x = 12 * (i % 16) + 2, y = 16 * (i / 16) + 2;
        /* Front faces: 0x7f with its upper half replaced from 0x77. Back faces: 0x80 in the six
         * low bits of 0x7f is 0x40. */
        assert_int_equal(zs_at(&stage, x, y) & 0xff, i & 1 ? 0x40 : 0x7f);
        assert_int_equal(stage_pixel(&stage, x, y), i & 1 ? 0 : GREEN);
    }
    /* Erratum HW-2924 is the only finding. */
    assert_int_equal(stage.rig->errors, 0);
    assert_true(stage.rig->warnings > 0);
    for (unsigned i = 0; i < stage.rig->kept; i++)
        assert_string_equal(stage.rig->rules[i], "tlb-stencil-faces");
    stage_free(&stage);
}

/* The stencil counts overdraw. No colour is written, and Z is tested but not updated. */
TEST(stencil_counts_overdraw)
{
    enum { COUNT = 300 };
    uint32_t seed = 5;
    for (unsigned saturate = 0; saturate < 2; saturate++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        static struct corner corners[COUNT * 3];
        static struct grid_point p[COUNT][3];
        for (unsigned i = 0; i < COUNT * 3; i++) {
            corners[i] = (struct corner){.x = random_grid(&seed, -300, 500),
                                         .y = random_grid(&seed, -300, 400),
                                         .z = 0.5f,
                                         .iw = 1};
            p[i / 3][i % 3] = grid_point(&corners[i]);
        }
        uint32_t code = stage_shader(&stage,
                                     "nop\nnop\nmov stencil, unif\nmov tlbz, rb15\n" SHADER_END);
        stage_begin(&stage);
        stage_configuration(&stage, BOTH_FACES | 1 << DEPTH_SHIFT);
        uint32_t word = stencil_word(3, 3, ZERO, saturate ? INC_SAT : INC, ZERO, 7, 0, 0xff);
        stage_draw(&stage, TRIANGLES, code, stage_word(&stage, word), 0, corners, COUNT * 3);
        struct pass pass = with_zs;
        pass.clear_stencil = 200;
        pass.clear[0] = pass.clear[1] = RED;
        stage_pass(&stage, &pass);
        unsigned beyond = 0;
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                unsigned count = 200;
                for (unsigned i = 0; i < COUNT; i++)
                    count += triangle_covers(p[i], x, y);
                beyond += count > 255;
                unsigned want = saturate && count > 255 ? 255 : count & 0xff;
                assert_int_equal(zs_at(&stage, x, y), 0xffffff00u | want);
            }
        assert_true(beyond > 100);
        assert_int_equal(stage_count(&stage, RED), WIDTH * HEIGHT);
        stage_free(&stage);
    }
}

/* --- discarding pixels --- */

static uint32_t checker(const void *user, unsigned x, unsigned y)
{
    (void)user;
    return (x ^ y) & 1 ? GREEN : 0;
}

/* A shader can discard pixels by conditions on TLB writes, or by clearing multisample flags.
 * Both work per pixel. */
TEST(discards)
{
    static const char *const shaders[] = {
        /* Both the Z write and the colour write have a condition. */
        "mov r0, x_coord\nxor r0, r0, y_coord\nand.setf -, r0, 1\nmov.ifnz tlbz, rb15\n"
        "mov.ifnz tlbc, unif\n" SHADER_END,
        /* Flags are cleared before the writes. */
        "mov r0, x_coord\nxor r0, r0, y_coord\nand.setf -, r0, 1\nmov.ifz ms_mask, 0\n"
        "nop\nnop\nmov tlbz, rb15\nmov tlbc, unif\n" SHADER_END,
    };
    for (size_t i = 0; i < 2; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        uint32_t code = stage_shader(&stage, shaders[i]);
        stage_begin(&stage);
        stage_configuration(&stage, BOTH_FACES | DEPTH_ALWAYS | Z_UPDATES);
        stage_rectangle(&stage, code, stage_word(&stage, GREEN), 0, 0, WIDTH, HEIGHT, 0.0f);
        stage_pass(&stage, &with_zs);
        stage_compare(&stage, checker, NULL, "discard");
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                assert_int_equal(zs_at(&stage, x, y), (x ^ y) & 1 ? 0 : 0xffffff00);
        stage_free(&stage);
    }
}

/* --- alpha mask --- */

/* One draw writes x into the mask, and the next reads it into colour. The mask is stored with 8
 * bits per pixel in raster rows of 208 bytes (200 rounded up to a multiple of 16). Outside the
 * draws the mask has its clear value. */
TEST(alpha_mask)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint32_t write = stage_shader(&stage, "nop\nnop\nmov tlbam, x_coord\n" SHADER_END);
    uint32_t read = stage_shader(&stage, "nop\nnop\nnop; nop; loadam\nmov tlbc, r4\n" SHADER_END);
    stage_begin(&stage);
    stage_rectangle(&stage, write, 0, 30, 30, 150, 100, 0.5f);
    stage_rectangle(&stage, read, 0, 0, 0, WIDTH, HEIGHT, 0.5f);
    struct pass pass = {
        .address = STAGE_FRAME,
        .flags = FRAME_8888 | FRAME_MASK,
        .clear = {RED, RED},
        .clear_mask = 0xc3,
        .stores = 2,
        .store = {{28, GENERAL_MASK | GENERAL_KEEP, MASK}, {24, 0, 0}},
    };
    stage_pass(&stage, &pass);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            bool in = x >= 30 && x < 150 && y >= 30 && y < 100;
            assert_int_equal(stage_pixel(&stage, x, y) & 0xff, in ? x : 0xc3);
            assert_int_equal(stage.rig->memory[MASK + y * 208 + x], in ? x : 0xc3);
        }
    stage_free(&stage);
}
