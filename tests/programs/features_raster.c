/* SPDX-License-Identifier: MIT */
/* Tests primitives of the whole machine: vertex layouts, primitive types, culling, window, fill
 * rule, varyings, points and lines, and tile lists. Expected frames come from the integer
 * reference of stage.h and from calculation by hand. A comment at each test states its rules. */
#include "../register.h"
#include "stage.h"

enum { WIDTH = 200, HEIGHT = 136 }; /* 4 x 3 tiles; the last row and column are partly outside */

#define RED   UINT32_C(0xff0000ff)
#define GREEN UINT32_C(0xff00ff00)
#define BACK  UINT32_C(0x80402010)

static const struct pass cleared = {
    .address = STAGE_FRAME, .flags = FRAME_8888, .clear = {BACK, BACK}, .clear_z = 0xffffff};
static const struct pass black = RASTER_PASS;

/* --- one triangle --- */

struct flat_triangle {
    struct grid_point corner[3];
    uint32_t colour;
};

static uint32_t one_triangle(const void *user, unsigned x, unsigned y)
{
    const struct flat_triangle *triangle = user;
    return triangle_covers(triangle->corner, x, y) ? triangle->colour : BACK;
}

static void compare_triangle(const struct stage *stage, const struct corner corners[3],
                             const char *what)
{
    struct flat_triangle triangle = {.colour = RED};
    for (unsigned i = 0; i < 3; i++)
        triangle.corner[i] = grid_point(&corners[i]);
    stage_compare(stage, one_triangle, &triangle, what);
}

static const struct corner big[3] = {
    {.x = 20.25, .y = 7.5, .z = 0.5f, .iw = 1, .size = 3, .v = {7}, .clip = {9, 9, 9, 1}},
    {.x = 190.5, .y = 60, .z = 0.5f, .iw = 1, .size = 3, .v = {7}, .clip = {9, 9, 9, 1}},
    {.x = 33, .y = 130.0625, .z = 0.5f, .iw = 1, .size = 3, .v = {7}, .clip = {9, 9, 9, 1}},
};

/* Vertices in the layouts of manual figure 12: with and without clip header, with and without
 * point size, and with a varying at the end. If the clip flag is clear, the header is skipped. */
TEST(vertex_layouts)
{
    static const uint32_t layouts[] = {0, NV_POINT_SIZE, NV_HEADER, NV_HEADER | NV_POINT_SIZE};
    for (size_t i = 0; i < 4; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        /* If the varying is 7, the colour is red, because ftoi(7) - 7 adds 0. */
        uint32_t code = stage_shader(&stage,
                                     "nop\nfmul r0, vary, ra15\nfadd r0, r0, r5\n"
                                     "ftoi r0, r0\nsub r0, r0, 7\nor tlbc, r0, unif\n" SHADER_END);
        stage_begin(&stage);
        stage_shading(&stage, layouts[i], 1, code, stage_word(&stage, RED),
                      stage_vertices(&stage, layouts[i], 1, big, 3));
        stage_array(&stage, TRIANGLES, 3, 0);
        stage_pass(&stage, &cleared);
        compare_triangle(&stage, big, "layout");
        stage_free(&stage);
    }
}

/* Tests all combinations of record 96's bits 0 to 2 with both windings. With the clockwise bit
 * set, a negative area is forward (docs/hardware/vc4.md, section 7.6). The shader stores
 * rev_flag. */
TEST(culling)
{
    for (unsigned bits = 0; bits < 8; bits++)
        for (unsigned swap = 0; swap < 2; swap++) {
            struct stage stage = stage_new(WIDTH, HEIGHT);
            uint32_t code = stage_shader(&stage, "nop\nnop\nmov tlbc, rev_flag\n" SHADER_END);
            struct corner corners[3] = {big[0], big[1 + swap], big[2 - swap]};
            struct grid_point p[3] = {grid_point(&corners[0]), grid_point(&corners[1]),
                                      grid_point(&corners[2])};
            stage_begin(&stage);
            stage_configuration(&stage, bits | DEPTH_ALWAYS);
            stage_draw(&stage, TRIANGLES, code, 0, 0, corners, 3);
            stage_pass(&stage, &cleared);
            bool negative = edge_side(p[0], p[1], p[2]) < 0;
            bool forward = bits & CLOCKWISE ? negative : !negative;
            bool drawn = bits & (forward ? FORWARD : REVERSE);
            struct flat_triangle want = {{p[0], p[1], p[2]}, drawn ? !forward : BACK};
            stage_compare(&stage, one_triangle, &want, "culling");
            stage_free(&stage);
        }
}

struct window {
    unsigned x, y, width, height;
};

static uint32_t inside_window(const void *user, unsigned x, unsigned y)
{
    const struct window *window = user;
    bool in = x >= window->x && x < window->x + window->width && y >= window->y &&
              y < window->y + window->height;
    return in ? RED : BACK;
}

/* The clip window is in pixels, and excludes its right and lower end. A rectangle over the whole
 * frame is visible inside the window. */
TEST(clip_windows)
{
    static const struct window windows[] = {
        /* clang-format off */
        {0,   0,   WIDTH, HEIGHT},
        {1,   1,   1,     1},
        {63,  63,  2,     2},
        {64,  64,  64,    64},
        {0,   0,   64,    64},
        {127, 0,   73,    136},
        {10,  20,  4000,  3},
        {199, 135, 1,     1},
        {5,   70,  190,   0},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
        stage_begin(&stage);
        stage_clip_window(&stage, windows[i].x, windows[i].y, windows[i].width, windows[i].height);
        stage_rectangle(&stage, code, stage_word(&stage, RED), -100, -100, 500, 500, 0.5f);
        stage_pass(&stage, &cleared);
        stage_compare(&stage, inside_window, &windows[i], "clip window");
        stage_free(&stage);
    }
}

/* The window position is the viewport offset plus Xs, Ys. All are signed 12.4 numbers. */
TEST(viewport_offsets)
{
    static const double offsets[][2] = {{100, 68}, {-50.5, -20.0625}, {-1000, 900}, {2047, -1900}};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
        struct corner moved[3];
        for (unsigned v = 0; v < 3; v++) {
            moved[v] = big[v];
            moved[v].x -= offsets[i][0];
            moved[v].y -= offsets[i][1];
        }
        stage_begin(&stage);
        stage_viewport(&stage, offsets[i][0], offsets[i][1]);
        stage_draw(&stage, TRIANGLES, code, stage_word(&stage, RED), 0, moved, 3);
        stage_pass(&stage, &cleared);
        compare_triangle(&stage, big, "viewport");
        stage_free(&stage);
    }
}

/* --- many triangles, counted by addition --- */

enum { MANY = 240, ONE_HIT = 0x01010101 };

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
    return (count > 255 ? 255 : count) * ONE_HIT;
}

/* Random triangles: many of them far outside the frame, some very thin, and some with corners on
 * pixel centres. Each pixel must be drawn as often as in the reference. */
TEST(random_triangles)
{
    uint32_t seed = 12345;
    for (unsigned round = 0; round < 6; round++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        static struct heap heap;
        static struct corner corners[MANY * 3];
        heap.count = MANY;
        for (unsigned i = 0; i < MANY * 3; i++) {
            int low = round < 2 ? -2000 : -20, high = round < 2 ? 2000 : 220;
            double x = random_grid(&seed, low, high), y = random_grid(&seed, low, high);
            if (round == 3)
                x = floor(x) + 0.5, y = floor(y) + 0.5;
            if (round >= 4 && i % 3) { /* a small triangle */
                x = corners[i - i % 3].x + random_grid(&seed, -4, 4);
                y = corners[i - i % 3].y + random_grid(&seed, -4, 4);
            }
            corners[i] = (struct corner){.x = x, .y = y, .z = 0.5f, .iw = 1};
            heap.corner[i / 3][i % 3] = grid_point(&corners[i]);
        }
        uint32_t code = stage_shader(&stage, SHADER_ADD);
        stage_begin(&stage);
        stage_draw(&stage, TRIANGLES, code, stage_word(&stage, ONE_HIT), 0, corners, MANY * 3);
        stage_pass(&stage, &black);
        stage_compare(&stage, hits, &heap, "random triangles");
        stage_free(&stage);
    }
}

enum { MESH_X = 12, MESH_Y = 9, MESH_POINTS = (MESH_X + 1) * (MESH_Y + 1) };

static const struct window mesh_window = {8, 8, 180, 117};

static uint32_t mesh_hit(const void *user, unsigned x, unsigned y)
{
    return inside_window(user, x, y) == RED ? ONE_HIT : 0;
}

/* Computes a grid from (8, 8) to (188, 125). Its inner points are moved at random, some of them
 * onto pixel centres. */
static void mesh_corners(struct corner corners[MESH_POINTS], uint32_t *seed, bool centres)
{
    for (unsigned y = 0; y <= MESH_Y; y++)
        for (unsigned x = 0; x <= MESH_X; x++) {
            struct corner *c = &corners[y * (MESH_X + 1) + x];
            *c = (struct corner){.x = 8 + 15 * x, .y = 8 + 13 * y, .z = 0.5f, .iw = 1};
            double dx = random_grid(seed, -3, 3), dy = random_grid(seed, -3, 3);
            if (centres)
                dx = floor(dx) + 0.5, dy = floor(dy) + 0.5;
            if (x > 0 && x < MESH_X)
                c->x += dx;
            if (y > 0 && y < MESH_Y)
                c->y += dy;
        }
}

static unsigned mesh_point(unsigned x, unsigned y)
{
    return y * (MESH_X + 1) + x;
}

/* Every pixel of a mesh is drawn exactly once, as indexed triangles (8 and 16 bits) with random
 * diagonals and windings, and as strips. */
TEST(meshes_have_no_gaps)
{
    uint32_t seed = 99;
    for (unsigned round = 0; round < 6; round++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct corner corners[MESH_POINTS];
        mesh_corners(corners, &seed, round & 1);
        uint32_t code = stage_shader(&stage, SHADER_ADD);
        stage_begin(&stage);
        stage_shading(&stage, 0, 0, code, stage_word(&stage, ONE_HIT),
                      stage_vertices(&stage, 0, 0, corners, MESH_POINTS));
        uint16_t indices[MESH_X * MESH_Y * 6];
        unsigned count = 0;
        for (unsigned y = 0; y < MESH_Y; y++) {
            if (round >= 4) {
                for (unsigned x = 0; x <= MESH_X; x++)
                    for (unsigned i = 0; i < 2; i++)
                        indices[count++] = (uint16_t)mesh_point(x, y + i);
                stage_indexed(&stage, TRIANGLE_STRIP, indices, count, 1);
                count = 0;
                continue;
            }
            for (unsigned x = 0; x < MESH_X; x++) {
                uint16_t q[4] = {(uint16_t)mesh_point(x, y), (uint16_t)mesh_point(x + 1, y),
                                 (uint16_t)mesh_point(x + 1, y + 1),
                                 (uint16_t)mesh_point(x, y + 1)};
                unsigned turn = next_random(&seed) & 1;
                for (unsigned i = 0; i < 2; i++) {
                    unsigned flip = next_random(&seed) & 1;
                    indices[count++] = q[turn];
                    indices[count++] = q[(turn + 1 + i + flip) & 3];
                    indices[count++] = q[(turn + 2 + i - flip) & 3];
                }
            }
        }
        if (count)
            stage_indexed(&stage, TRIANGLES, indices, count, 1 + round / 2 % 2);
        stage_pass(&stage, &black);
        stage_compare(&stage, mesh_hit, &mesh_window, "mesh");
        stage_free(&stage);
    }
}

/* A fan covers a convex polygon over many tiles. Every pixel must be drawn exactly once. */
TEST(fans)
{
    for (unsigned round = 0; round < 3; round++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        enum { RAYS = 40 };
        struct corner corners[RAYS + 2] = {{.x = 99.5, .y = 60.5 + 0.1875 * round, .iw = 1}};
        static struct heap heap;
        heap.count = RAYS;
        for (unsigned i = 0; i <= RAYS; i++) {
            double angle = 6.283185307179586 * (i % RAYS) / RAYS;
            corners[i + 1] = (struct corner){.x = rint(16 * (99.5 + 90 * cos(angle))) / 16,
                                             .y = rint(16 * (60.5 + 55 * sin(angle))) / 16,
                                             .iw = 1};
        }
        for (unsigned i = 0; i < RAYS; i++) {
            heap.corner[i][0] = grid_point(&corners[0]);
            heap.corner[i][1] = grid_point(&corners[i + 1]);
            heap.corner[i][2] = grid_point(&corners[i + 2]);
        }
        uint32_t code = stage_shader(&stage, SHADER_ADD);
        stage_begin(&stage);
        stage_draw(&stage, TRIANGLE_FAN, code, stage_word(&stage, ONE_HIT), 0, corners, RAYS + 2);
        stage_pass(&stage, &black);
        stage_compare(&stage, hits, &heap, "fan");
        assert_int_equal(stage_count(&stage, 0) + stage_count(&stage, ONE_HIT), WIDTH * HEIGHT);
        stage_free(&stage);
    }
}

/* The picture must not depend on where the binner writes its lists. The test uses all block
 * sizes, and supplies memory in small pieces. */
TEST(tile_lists_in_all_block_sizes)
{
    uint32_t seed = 777;
    static struct heap heap;
    static struct corner corners[MANY * 3];
    heap.count = MANY;
    for (unsigned i = 0; i < MANY * 3; i++) {
        corners[i] = (struct corner){
            .x = random_grid(&seed, -20, 220), .y = random_grid(&seed, -20, 160), .iw = 1};
        heap.corner[i / 3][i % 3] = grid_point(&corners[i]);
    }
    for (unsigned flags = 0; flags < 16; flags++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        stage.bin_flags = (uint8_t)(4 | flags << 3);
        uint32_t code = stage_shader(&stage, SHADER_ADD);
        stage_begin(&stage);
        stage_draw(&stage, TRIANGLES, code, stage_word(&stage, ONE_HIT), 0, corners, MANY * 3);
        stage_pass(&stage, &black);
        stage_compare(&stage, hits, &heap, "block sizes");
        stage_free(&stage);
    }
}

/* Draws may start at any vertex of an array. Vertices of an incomplete last primitive are
 * dropped. */
TEST(starts_and_trailing_vertices)
{
    static const struct {
        unsigned mode, first, count, triangles;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {TRIANGLES,      0, 9, 3},
        {TRIANGLES,      3, 5, 1},
        {TRIANGLES,      5, 2, 0},
        {TRIANGLES,      4, 0, 0},
        {TRIANGLE_STRIP, 2, 7, 5},
        {TRIANGLE_STRIP, 1, 2, 0},
        {TRIANGLE_STRIP, 7, 3, 1},
        {TRIANGLE_FAN,   2, 6, 4},
        {TRIANGLE_FAN,   9, 1, 0},
        /* clang-format on */
        /* clang-format on */
    };
    uint32_t seed = 60;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct corner corners[12];
        static struct heap heap;
        for (unsigned v = 0; v < 12; v++)
            corners[v] = (struct corner){
                .x = random_grid(&seed, 0, 200), .y = random_grid(&seed, 0, 130), .iw = 1};
        heap.count = cases[i].triangles;
        for (unsigned t = 0; t < heap.count; t++)
            for (unsigned v = 0; v < 3; v++) {
                unsigned at = cases[i].mode == TRIANGLES      ? 3 * t + v
                              : cases[i].mode == TRIANGLE_FAN ? (v ? t + v : 0)
                                                              : t + v;
                heap.corner[t][v] = grid_point(&corners[cases[i].first + at]);
            }
        uint32_t code = stage_shader(&stage, SHADER_ADD);
        stage_begin(&stage);
        stage_shading(&stage, 0, 0, code, stage_word(&stage, ONE_HIT),
                      stage_vertices(&stage, 0, 0, corners, 12));
        stage_array(&stage, cases[i].mode, cases[i].count, cases[i].first);
        stage_pass(&stage, &black);
        stage_compare(&stage, hits, &heap, "first and count");
        stage_free(&stage);
    }
}

/* All triangles of a strip have the same facing. All triangles of a fan also have the same
 * facing. */
TEST(strips_and_fans_have_one_face)
{
    for (unsigned fan = 0; fan < 2; fan++)
        for (unsigned bits = FORWARD; bits <= REVERSE; bits++) {
            struct stage stage = stage_new(WIDTH, HEIGHT);
            struct corner corners[8] = {{.x = 0}};
            for (unsigned i = 0; i < 8; i++) {
                corners[i].iw = 1;
                corners[i].x = fan ? i * 20 : i / 2 * 60;
                corners[i].y = fan ? (i == 0 ? 120 : i % 2 ? 16 : 10) : i % 2 * 130;
            }
            uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
            stage_begin(&stage);
            stage_configuration(&stage, bits | DEPTH_ALWAYS);
            stage_draw(&stage, fan ? TRIANGLE_FAN : TRIANGLE_STRIP, code, stage_word(&stage, RED),
                       0, corners, 8);
            stage_pass(&stage, &cleared);
            struct grid_point p[3] = {grid_point(&corners[0]), grid_point(&corners[1]),
                                      grid_point(&corners[2])};
            bool drawn = (edge_side(p[0], p[1], p[2]) > 0) == (bits == FORWARD);
            unsigned count = stage_count(&stage, RED);
            assert_true(drawn ? count > 4000 : count == 0);
            if (drawn && !fan)
                assert_int_equal(count, 180 * 130);
            stage_free(&stage);
        }
}

/* Frames of 2048 pixels in one direction reach the end of the coordinate range. */
TEST(large_frames)
{
    uint32_t seed = 2048;
    for (unsigned tall = 0; tall < 2; tall++) {
        unsigned width = tall ? 72 : 2048, height = tall ? 2048 : 72;
        struct stage stage = stage_new(width, height);
        static struct heap heap;
        static struct corner corners[180];
        heap.count = 60;
        for (unsigned i = 0; i < 180; i++) {
            corners[i] = (struct corner){.x = random_grid(&seed, -20, tall ? 90 : 2047),
                                         .y = random_grid(&seed, -20, tall ? 2047 : 90),
                                         .iw = 1};
            heap.corner[i / 3][i % 3] = grid_point(&corners[i]);
        }
        uint32_t code = stage_shader(&stage, SHADER_ADD);
        stage_begin(&stage);
        stage_draw(&stage, TRIANGLES, code, stage_word(&stage, ONE_HIT), 0, corners, 180);
        stage_pass(&stage, &black);
        stage_compare(&stage, hits, &heap, "large frame");
        stage_free(&stage);
    }
}

static void send_prefix(struct stage *stage)
{
    stage_clip_window(stage, 0, 0, WIDTH, HEIGHT);
    stage_configuration(stage, BOTH_FACES | DEPTH_ALWAYS);
    stage_viewport(stage, 0, 0);
}

/* State before Start Tile Binning is not in the tile lists(manual section 8). The rendering list
 * therefore starts with the same state. The binning list ends with Flush All State. */
TEST(state_before_the_start)
{
    enum { PREFIX = STAGE_RENDER - 32 };
    struct stage stage = stage_new(WIDTH, HEIGHT);
    struct rig *rig = stage.rig;
    uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
    stage_begin_bare(&stage);
    rig->at -= 2; /* overwrites records 6 and 7, which are written again later */
    send_prefix(&stage);
    rig_u8(rig, 6);
    rig_u8(rig, 7);
    stage_draw(&stage, TRIANGLES, code, stage_word(&stage, RED), 0, big, 3);
    rig_u8(rig, 5);
    rig_start(rig, 0, STAGE_BIN, rig->at);
    rig->at = PREFIX;
    send_prefix(&stage);
    while (rig->at < STAGE_RENDER)
        rig_u8(rig, 1);
    uint32_t end = stage_rendering_list(&stage, &cleared);
    rig_start(rig, 1, PREFIX, end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(rig->errors, 0);
    compare_triangle(&stage, big, "prefix state");
    stage_free(&stage);
}

/* Many small draws with state changes between them, and with alternating shaders and culling. In
 * every tile, each pixel must show the last draw that covers it. */
struct painted {
    struct grid_point corner[60][3];
    uint32_t colour[60];
};

static uint32_t last_painter(const void *user, unsigned x, unsigned y)
{
    const struct painted *painted = user;
    for (unsigned i = 60; i-- > 0;)
        if (painted->colour[i] && triangle_covers(painted->corner[i], x, y))
            return painted->colour[i];
    return BACK;
}

TEST(draws_with_state_between)
{
    uint32_t seed = 4242;
    struct stage stage = stage_new(WIDTH, HEIGHT);
    static struct painted painted;
    bool culling = false;
    uint32_t codes[2] = {stage_shader(&stage, SHADER_UNIFORM),
                         stage_shader(&stage, "mov r0, unif\nnop\nnot tlbc, r0\n" SHADER_END)};
    stage_begin(&stage);
    for (unsigned i = 0; i < 60; i++) {
        struct corner corners[3];
        for (unsigned v = 0; v < 3; v++) {
            corners[v] = (struct corner){
                .x = random_grid(&seed, -20, 220), .y = random_grid(&seed, -20, 160), .iw = 1};
            painted.corner[i][v] = grid_point(&corners[v]);
        }
        bool positive = edge_side(painted.corner[i][0], painted.corner[i][1],
                                  painted.corner[i][2]) > 0;
        if (i % 7 == 3)
            stage_configuration(&stage, BOTH_FACES | DEPTH_ALWAYS);
        if (i % 7 == 6)
            stage_configuration(&stage, FORWARD | DEPTH_ALWAYS);
        if (i % 7 == 3 || i % 7 == 6)
            culling = i % 7 == 6;
        uint32_t colour = 0x10000001u + i * 0x010305u;
        painted.colour[i] = !culling || positive ? colour : 0;
        stage_draw(&stage, TRIANGLES, codes[i & 1], stage_word(&stage, i & 1 ? ~colour : colour), 0,
                   corners, 3);
    }
    stage_pass(&stage, &cleared);
    stage_compare(&stage, last_painter, &painted, "draws");
    stage_free(&stage);
}

/* The binning lists of a second and a third frame send no state except the shader, or only the
 * draw. The binner keeps the state of the previous frame. */
TEST(frames_without_state)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint32_t code = stage_shader(&stage, SHADER_UNIFORM);
    stage_begin(&stage);
    stage_viewport(&stage, 3, 5);
    struct corner moved[3];
    for (unsigned i = 0; i < 3; i++) {
        moved[i] = big[i];
        moved[i].x -= 3;
        moved[i].y -= 5;
    }
    stage_draw(&stage, TRIANGLES, code, stage_word(&stage, RED), 0, moved, 3);
    stage_pass(&stage, &cleared);
    compare_triangle(&stage, big, "first frame");
    for (unsigned frame = 1; frame < 4; frame++) {
        struct pass pass = cleared;
        pass.address += frame * 0x40000;
        pass.keep = true;
        stage_begin_bare(&stage);
        stage_array(&stage, TRIANGLES, 3, 0);
        stage_pass(&stage, &pass);
        struct flat_triangle want = {
            {grid_point(&big[0]), grid_point(&big[1]), grid_point(&big[2])}, RED};
        stage_compare_at(&stage, pass.address, one_triangle, &want, "later frame");
    }
    stage_free(&stage);
}

/* --- inputs of shaders --- */

struct smooth {
    struct grid_point corner[3];
    double value[3], iw[3];
    double tolerance; /* largest error, relative to the largest value */
    double (*rule)(const struct smooth *smooth, const double weight[3]);
};

/* Interpolates with perspective: sum(w v / W) / sum(w / W). */
static double perspective(const struct smooth *smooth, const double weight[3])
{
    double up = 0, down = 0;
    for (unsigned i = 0; i < 3; i++) {
        up += weight[i] * smooth->value[i] * smooth->iw[i];
        down += weight[i] * smooth->iw[i];
    }
    return up / down;
}

static double inverse_w(const struct smooth *smooth, const double weight[3])
{
    double down = 0;
    for (unsigned i = 0; i < 3; i++)
        down += weight[i] * smooth->iw[i];
    return 1 / down;
}

static void compare_smooth(const struct stage *stage, const struct smooth *smooth, const char *what)
{
    unsigned covered = 0;
    double largest = 0;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            if (!triangle_covers(smooth->corner, x, y))
                continue;
            double weight[3];
            triangle_weights(smooth->corner, x, y, weight);
            double want = smooth->rule(smooth, weight);
            double error = fabs((double)bits_float(stage_pixel(stage, x, y)) - want) /
                           fmax(fabs(want), 1);
            largest = fmax(largest, error);
            covered++;
        }
    if (largest > smooth->tolerance)
        print_message("%s: error %g\n", what, largest);
    assert_true(covered > 1000);
    assert_true(largest <= smooth->tolerance);
}

/* Varyings with 1/Wc from 0.05 to 2, are stored as raw floats. W is tested in the same way. The
 * errors of the shader's two roundings, and of VP, C and W, are each at most 2^-23 of values
 * below 120. */
TEST(perspective_varyings)
{
    static const float iw[][3] = {{1, 1, 1}, {2, 0.25f, 0.05f}, {0.1f, 0.1f, 1}, {0.5f, 1, 0.5f}};
    for (size_t i = 0; i < sizeof iw / sizeof *iw; i++)
        for (unsigned w = 0; w < 2; w++) {
            struct stage stage = stage_new(WIDTH, HEIGHT);
            struct corner corners[3];
            struct smooth smooth = {.tolerance = w ? 3e-7 : 4e-5,
                                    .rule = w ? inverse_w : perspective};
            static const float values[3] = {-3, 100, 41.5f};
            for (unsigned v = 0; v < 3; v++) {
                corners[v] = big[v];
                corners[v].iw = iw[i][v];
                corners[v].v[0] = values[v];
                smooth.corner[v] = grid_point(&big[v]);
                smooth.value[v] = (double)values[v];
                smooth.iw[v] = (double)iw[i][v];
            }
            uint32_t code = stage_shader(&stage, w ? "nop\nnop\nmov tlbc, ra15\n" SHADER_END
                                                   : SHADER_VARYING);
            stage_begin(&stage);
            stage_draw(&stage, TRIANGLES, code, 0, !w, corners, 3);
            stage_pass(&stage, &cleared);
            compare_smooth(&stage, &smooth, w ? "W" : "varying");
            stage_free(&stage);
        }
}

/* Six varyings arrive in order. Each shader computes the sum of 2^i * varying i. All varyings
 * are constant. */
TEST(varyings_in_order)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    struct corner corners[3] = {big[0], big[1], big[2]};
    for (unsigned v = 0; v < 3; v++)
        for (unsigned i = 0; i < 6; i++)
            corners[v].v[i] = (float)(i + 1);
    uint32_t code = stage_shader(&stage, "mov r1, 0\n"
                                         ".rep i, 6\n"
                                         "fmul r0, vary, ra15; mov r2, r1\n"
                                         "fadd r0, r0, r5\n"
                                         "fadd r1, r1, r1\n"
                                         "fadd r1, r1, r0\n"
                                         ".endr\n"
                                         "mov tlbc, r1\n" SHADER_END);
    stage_begin(&stage);
    stage_draw(&stage, TRIANGLES, code, 0, 6, corners, 3);
    stage_pass(&stage, &cleared);
    /* The expected sum is ((((1*2+2)*2+3)*2+4)*2+5)*2+6 = 120. */
    assert_int_equal(stage_pixel(&stage, 60, 60), float_bits(120.0f));
    stage_free(&stage);
}

/* Returns the expected word of pixel coordinates, Z and coverage that the shader reads. */
static uint32_t coordinates(const void *user, unsigned x, unsigned y)
{
    (void)user;
    return y << 16 | x;
}

TEST(pixel_coordinates)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    uint32_t code = stage_shader(&stage, "mov r0, y_coord\nshl r0, r0, 8\nshl r0, r0, 8\n"
                                         "or tlbc, r0, x_coord\n" SHADER_END);
    stage_begin(&stage);
    stage_rectangle(&stage, code, 0, 0, 0, WIDTH, HEIGHT, 0.5f);
    stage_pass(&stage, &cleared);
    stage_compare(&stage, coordinates, NULL, "coordinates");
    stage_free(&stage);
}

/* Z is linear in the window, rounded to 24 bits. Near 1.0 and 0.0 it must not wrap. */
TEST(z_values)
{
    static const float z[][3] = {{0, 1, 0.5f}, {1, 1, 1}, {0, 0, 0}, {0.25f, 0.75f, 1}};
    for (size_t i = 0; i < sizeof z / sizeof *z; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct corner corners[3] = {big[0], big[1], big[2]};
        struct grid_point p[3];
        for (unsigned v = 0; v < 3; v++) {
            corners[v].z = z[i][v];
            corners[v].iw = (float)(v + 1); /* 1/Wc must not affect Z */
            p[v] = grid_point(&corners[v]);
        }
        uint32_t code = stage_shader(&stage, "nop\nnop\nmov tlbc, rb15\n" SHADER_END);
        stage_begin(&stage);
        stage_draw(&stage, TRIANGLES, code, 0, 0, corners, 3);
        stage_pass(&stage, &cleared);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                double w[3];
                if (!triangle_covers(p, x, y))
                    continue;
                triangle_weights(p, x, y, w);
                double want = w[0] * (double)z[i][0] + w[1] * (double)z[i][1] +
                              w[2] * (double)z[i][2];
                assert_true(fabs(stage_pixel(&stage, x, y) - want * 0xffffff) <= 0.501);
            }
        stage_free(&stage);
    }
}

/* --- flat shading --- */

/* Record 97 bit 0: the provoking vertex is the last vertex of each primitive, in the order of
 * the list. Vertex i has the value i, so a triangle's value is the index of its provoking
 * vertex. The second varying is not flat. */
TEST(flat_shading)
{
    static const struct {
        unsigned mode, count;
        unsigned x[3], y[3], provoking[3]; /* for each triangle: one of its pixels, and its
                                              provoking vertex */
        unsigned triangles;
    } cases[] = {
        {TRIANGLES, 6, {20, 180}, {20, 110}, {2, 5}, 2},
        {TRIANGLE_STRIP, 5, {20, 40, 80}, {20, 80, 20}, {2, 3, 4}, 3},
        {TRIANGLE_FAN, 5, {80, 80, 40}, {20, 60, 80}, {2, 3, 4}, 3},
    };
    for (size_t i = 0; i < 3; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        /* The list has the triangles (0,0)(60,0)(0,60) and (190,60)(190,130)(130,130). The strip
         * has columns of width 60. The third draw is a fan. */
        static const double list[6][2] = {
            /* clang-format off */
            {0,   0},
            {60,  0},
            {0,   60},
            {190, 60},
            {190, 130},
            {130, 130},
            /* clang-format on */
        };
        static const double fan[5][2] = {{0, 0}, {120, 0}, {120, 60}, {120, 120}, {0, 120}};
        struct corner corners[6] = {{.x = 0}};
        for (unsigned v = 0; v < 6; v++) {
            corners[v] = (struct corner){.x = list[v][0], .y = list[v][1], .iw = 0.5f};
            if (cases[i].mode == TRIANGLE_STRIP) {
                corners[v].x = 60.0 * (v / 2);
                corners[v].y = v & 1 ? 120 : 0;
            }
            if (cases[i].mode == TRIANGLE_FAN && v < 5) {
                corners[v].x = fan[v][0];
                corners[v].y = fan[v][1];
            }
            corners[v].v[0] = (float)v;
            corners[v].v[1] = (float)corners[v].x;
        }
        uint32_t code = stage_shader(&stage, "fmul r0, vary, ra15\n"
                                             "fadd r0, r0, r5\n"
                                             "fmul r1, vary, ra15\n"
                                             "fadd r1, r1, r5\n"
                                             "ftoi r0, r0\n"
                                             "ftoi r1, r1\n"
                                             "shl r0, r0, 8\n"
                                             "add tlbc, r0, r1\n" SHADER_END);
        stage_begin(&stage);
        stage_flat_flags(&stage, 1);
        stage_draw(&stage, cases[i].mode, code, 0, 2, corners, cases[i].count);
        stage_pass(&stage, &cleared);
        for (unsigned t = 0; t < cases[i].triangles; t++) {
            uint32_t pixel = stage_pixel(&stage, cases[i].x[t], cases[i].y[t]);
            assert_int_equal(pixel >> 8, cases[i].provoking[t]);
            assert_in_range(pixel & 0xff, cases[i].x[t], cases[i].x[t] + 1);
        }
        stage_free(&stage);
    }
}

/* --- points and lines --- */

/* A point is the square [x - s/2, x + s/2) x [y - s/2, y + s/2) of pixel centres. Its implicit
 * varyings are the position in the square. x is 0 at the left, and y is 0 at the side with the
 * larger row numbers. */
TEST(points)
{
    static const struct {
        double x, y;
        float size;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {20,     20,    1},
        {40.5,   20.5,  1},
        {70,     30,    8},
        {64,     64,    30},
        {150.25, 100.5, 17.5},
        {0,      0,     20},
        {199,    135,   60},
        {100,    100,   0.5f},
        /* clang-format on */
        /* clang-format on */
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    for (unsigned per_vertex = 0; per_vertex < 2; per_vertex++)
        for (unsigned i = 0; i < COUNT; i++) {
            struct stage stage = stage_new(WIDTH, HEIGHT);
            struct corner corner = {
                .x = cases[i].x, .y = cases[i].y, .iw = 0.25f, .size = cases[i].size, .v = {1}};
            /* Stores x * 1024 in the low half and y * 1024 in the high half. The explicit
             * varying is 1. */
            uint32_t code = stage_shader(&stage, "fmul r0, vary, ra15\n"
                                                 "fadd r0, r0, r5; fmul r1, vary, ra15\n"
                                                 "fadd r1, r1, r5; fmul r2, vary, ra15\n"
                                                 "fadd r2, r2, r5\n"
                                                 "mov r3, unif\n"
                                                 "fmul r3, r2, r3\n"
                                                 "fmul r0, r0, r3\n"
                                                 "fmul r1, r1, r3\n"
                                                 "ftoi r0, r0\n"
                                                 "ftoi r1, r1\n"
                                                 "shl r1, r1, 15\n"
                                                 "shl r1, r1, 1\n"
                                                 "add tlbc, r0, r1\n" SHADER_END);
            stage_begin(&stage);
            stage_float(&stage, 98, per_vertex ? 3 : cases[i].size);
            uint32_t flags = per_vertex ? NV_POINT_SIZE : 0;
            stage_shading(&stage, flags, 1, code, stage_word(&stage, float_bits(1024)),
                          stage_vertices(&stage, flags, 1, &corner, 1));
            stage_array(&stage, POINTS, 1, 0);
            stage_pass(&stage, &cleared);
            double size = (double)cases[i].size, left = cases[i].x - size / 2,
                   top = cases[i].y - size / 2;
            for (unsigned y = 0; y < HEIGHT; y++)
                for (unsigned x = 0; x < WIDTH; x++) {
                    double u = x + 0.5 - left, v = y + 0.5 - top;
                    bool in = u >= 0 && u < size && v >= 0 && v < size;
                    uint32_t pixel = stage_pixel(&stage, x, y);
                    assert_int_equal(pixel != BACK, in);
                    if (!in)
                        continue;
                    assert_true(fabs((pixel & 0xffff) - 1024 * u / size) <= 1.01);
                    assert_true(fabs((pixel >> 16) - 1024 * (1 - v / size)) <= 1.01);
                }
            stage_free(&stage);
        }
}

/* True if a pixel is on a line by the rule of docs/hardware/vc4.md, section 7.6. The line is a
 * parallelogram. Its width is along the minor axis, and its ends are cut across the major axis.
 * Centres on its sides at the smaller coordinates are inside. */
static bool on_line(const struct corner end[2], double width, unsigned x, unsigned y)
{
    double dx = end[1].x - end[0].x, dy = end[1].y - end[0].y;
    bool steep = fabs(dy) > fabs(dx);
    double along = (steep ? y : x) + 0.5, across = (steep ? x : y) + 0.5;
    double from = steep ? end[0].y : end[0].x, to = steep ? end[1].y : end[1].x;
    double middle = (steep ? end[0].x + dx * (along - from) / dy
                           : end[0].y + dy * (along - from) / dx);
    return along >= fmin(from, to) && along < fmax(from, to) && across >= middle - width / 2 &&
           across < middle + width / 2;
}

TEST(lines)
{
    uint32_t seed = 31337;
    static const float widths[] = {1, 2, 3.5f, 7, 32};
    for (unsigned i = 0; i < 60; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        float width = widths[i % 5];
        struct corner end[2];
        for (unsigned v = 0; v < 2; v++)
            end[v] = (struct corner){.x = random_grid(&seed, 5, 190) + 0.0625,
                                     .y = random_grid(&seed, 5, 130),
                                     .iw = 1,
                                     .v = {(float)v}};
        if (i >= 40) { /* a line that crosses the whole frame */
            end[0].x -= 400;
            end[1].y += 300;
        }
        if (i < 5)
            end[1].y = end[0].y;
        else if (i < 10)
            end[1].x = end[0].x;
        uint32_t code = stage_shader(&stage, "fmul r0, vary, ra15\n"
                                             "fadd r0, r0, r5; fmul r1, vary, ra15\n"
                                             "fadd r1, r1, r5\n"
                                             "mov tlbc, r1\n" SHADER_END);
        stage_begin(&stage);
        stage_float(&stage, 99, width);
        stage_draw(&stage, LINES, code, 0, 1, end, 2);
        stage_pass(&stage, &cleared);
        unsigned wrong = 0, drawn = 0;
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                uint32_t pixel = stage_pixel(&stage, x, y);
                bool in = on_line(end, (double)width, x, y);
                /* Half widths are rounded, so a centre within 1/256 pixel of a side may be drawn
                 * or not. */
                if ((pixel != BACK) != in && on_line(end, (double)width + 0.008, x, y) ==
                                                 on_line(end, (double)width - 0.008, x, y))
                    wrong++;
                if (pixel == BACK)
                    continue;
                drawn++;
                double dx = end[1].x - end[0].x, dy = end[1].y - end[0].y;
                double want = fabs(dy) > fabs(dx) ? (y + 0.5 - end[0].y) / dy
                                                  : (x + 0.5 - end[0].x) / dx;
                assert_true(fabs((double)bits_float(pixel) - want) < 1e-5);
            }
        assert_int_equal(wrong, 0);
        assert_true(drawn > 0 || i >= 40);
        stage_free(&stage);
    }
}

/* Draws lines, a strip and a loop. Each is a square of segments through pixel centres, with
 * width 1. Colours of overlapping pixels are added. */
TEST(line_types)
{
    static const struct {
        unsigned mode, count, pixels;
    } cases[] = {{LINES, 4, 100}, {LINE_STRIP, 4, 150}, {LINE_LOOP, 4, 200}, {LINES, 3, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        static const double square[4][2] = {{40.5, 40.5}, {90.5, 40.5}, {90.5, 90.5}, {40.5, 90.5}};
        struct corner corners[4];
        for (unsigned v = 0; v < 4; v++)
            corners[v] = (struct corner){.x = square[v][0], .y = square[v][1], .iw = 1};
        uint32_t code = stage_shader(&stage, "mov r0, unif\nnop; mov r1, vary\nnop; nop; loadc\n"
                                             "v8adds tlbc, r0, r4\n" SHADER_END);
        stage_begin(&stage);
        stage_float(&stage, 99, 1);
        stage_draw(&stage, cases[i].mode, code, stage_word(&stage, 1), 0, corners, cases[i].count);
        if (cases[i].pixels == 0) { /* drawn as on silicon, with a warning (Mesa, vc4_draw.c) */
            assert_int_equal(stage_run(&stage, &black), TESS_VC4_IDLE);
            assert_int_equal(stage.rig->errors, 0);
            assert_string_equal(stage.rig->rules[0], "cl-line-loop");
        } else {
            stage_pass(&stage, &black);
        }
        unsigned sum = 0;
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                sum += stage_pixel(&stage, x, y);
        assert_int_equal(sum, cases[i].pixels);
        stage_free(&stage);
    }
}
