/* SPDX-License-Identifier: MIT */
/* Tests of the coverage pipe. Expected samples of simple shapes are worked out by hand, with the
 * sample positions of docs/vc4/cap.md. Winding numbers of paths are counted by crossings of a
 * ray from each sample. Whole frames use shaders that read coverage levels. */
#include "../../register.h"
#include "vg_frame.h"

#include "vc4/raster/cap.h"
#include "vc4/raster/samples.h"
#include "vc4/raster/vg.h"

enum {
    FACES = CONFIGURATION_FACES,
    X16 = FACES | CONFIGURATION_16X,
    X4 = FACES | CONFIGURATION_4X
};
enum { RHT_STRIP = 3, TRIANGLES = 4, FAN = 6 };

static const struct cap_read_mode as_level = {0}, as_mask = {.mask = true};
static const struct fep_window tile = {.right = 64, .top = 64};

/* --- one block --- */

static struct cap *new_cap(void)
{
    struct cap *cap = calloc(1, sizeof *cap);
    assert_non_null(cap);
    return cap;
}

/* Adds a triangle. With two corners, adds a right-hand trapezoid (RHT) between the edge and x =
 * 0. Coordinates are in 1/16 pixel. */
static void add(struct cap *cap, uint32_t configuration, unsigned corners, const int corner[][2])
{
    const struct cl_state state = {.configuration = configuration};
    enum primitive_type type = corners == 3 ? PRIMITIVE_TRIANGLE : PRIMITIVE_RHT;
    uint32_t xy[3] = {0};
    for (unsigned i = 0; i < corners; i++)
        xy[i] = (uint32_t)(uint16_t)corner[i][0] | (uint32_t)(uint16_t)corner[i][1] << 16;
    struct vg_part part[VG_MAX_PARTS];
    unsigned parts = vg_parts(part, &state, type, xy);
    for (unsigned i = 0; i < parts; i++) {
        struct pse_primitive primitive;
        vg_setup(&primitive, &state, type, &part[i]);
        cap_draw(cap, &primitive, configuration, &tile);
    }
}

/* Adds a square over pixels 0 to 7 in both directions. Its winding is downwards if down is true,
 * else upwards. */
static void add_square(struct cap *cap, uint32_t configuration, bool down)
{
    const int edge[2][2] = {{128, down ? 0 : 128}, {128, down ? 128 : 0}};
    add(cap, configuration, 2, edge);
}

/* Returns what a shader reads for pixel (x, y) from the coverage pipe. */
static uint32_t read_pixel(struct cap *cap, unsigned x, unsigned y, struct cap_read_mode mode)
{
    struct cap_quads quads = {.x = {(uint16_t)(x & ~1u)}, .y = {(uint16_t)(y & ~1u)}, .lanes = 0xf};
    lanes out;
    for (unsigned i = 1; i < 4; i++)
        quads.x[i] = quads.y[i] = 62;
    cap_read(cap, &quads, mode, &out);
    return out[(x & 1) + 2 * (y & 1)];
}

/* Samples lie at odd eighths of a pixel. The number of a sample is 4 * row + column. The level
 * is 255 * samples / 16; comments have its value before rounding. */
TEST(samples_by_hand)
{
    static const struct {
        uint32_t configuration;
        unsigned corners;
        int corner[3][2];
        uint32_t mask, level;
    } rows[] = {
        {X16, 2, {{8, 0}, {8, 16}}, 0x3333, 0x80},          /* x < 1/2: 8 samples, level 127.5 */
        {X16, 2, {{4, 4}, {4, 12}}, 0x0110, 0x20},          /* 2 samples, level 31.875 */
        {X16, 2, {{2, 0}, {2, 16}}, 0x0000, 0x00},          /* x < 1/8: no sample is to the left */
        {X16, 2, {{3, 0}, {3, 16}}, 0x1111, 0x40},          /* 4 samples, level 63.75 */
        {X16, 2, {{16, 2}, {16, 14}}, 0x0fff, 0xbf},        /* 1/8 <= y < 7/8: 12 samples, level
                                                               191.25 */
        {X16, 3, {{0, 0}, {16, 0}, {0, 16}}, 0x0137, 0x60}, /* x + y < 1: 6 samples, level 95.6 */
        {X16, 3, {{16, 0}, {16, 16}, {0, 16}}, 0xfec8, 0x9f}, /* x + y >= 1: 10 samples, level
                                                                 159.4 */
        {X16, 2, {{16, 0}, {16, 16}}, 0xffff, 0xff},
        {X4, 2, {{8, 0}, {8, 16}}, 0xf0f0, 0x80}, /* samples at x = 5, 1, 7 and 3 eighths */
        {X4, 2, {{16, 0}, {16, 4}}, 0x000f, 0x40},
        {X4, 3, {{0, 0}, {16, 0}, {0, 16}}, 0x00ff, 0x80}, /* samples 0 and 1: 5 + 1 and 1 + 3 <
                                                              8 */
        {FACES, 2, {{8, 0}, {8, 16}}, 0x0000, 0x00},       /* the centre is on the right edge */
        {FACES, 2, {{9, 0}, {9, 16}}, 0xffff, 0xff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cap *cap = new_cap();
        add(cap, rows[i].configuration | CONFIGURATION_OR, rows[i].corners, rows[i].corner);
        const struct cap_read_mode leave = {.mask = true, .leave = true};
        assert_int_equal(read_pixel(cap, 0, 0, leave), rows[i].mask);
        assert_int_equal(read_pixel(cap, 0, 0, as_level), rows[i].level * 0x01010101u);
        assert_int_equal(read_pixel(cap, 0, 0, as_level), 0); /* the first read has cleared the
                                                                 coverage */
        free(cap);
    }
}

/* The coverage pipe's four samples (X4) have the same positions as those of the tile buffer with
 * multisampling. */
TEST(same_samples_as_multisampling)
{
    const struct samples_pattern *pattern = samples_pattern(CONFIGURATION_4X);
    for (unsigned i = 0; i < FEP_SAMPLES; i++) {
        assert_int_equal(pattern->row[i].x, samples_positions.x[i] * 8);
        assert_int_equal(pattern->row[i].y, samples_positions.y[i] * 8);
    }
}

TEST(reading)
{
    struct cap *cap = new_cap();
    lanes out;
    add_square(cap, X16, true);
    const struct cap_quads quads = {.x = {0, 2, 6, 8}, .y = {0, 2, 6, 0}, .lanes = 0x0f31};
    const struct cap_read_mode leave = {.leave = true};
    assert_int_equal(cap_read(cap, &quads, leave, &out), 0x0f31);
    for (unsigned i = 0; i < LANES; i++) /* requests all 16 lanes */
        assert_int_equal(out[i], i < 12 ? 0xffffffff : 0);
    assert_int_equal(cap_covered_quads(cap, &quads), 0x0f31);
    assert_int_equal(cap_read(cap, &quads, as_mask, &out), 0x0f31);
    assert_int_equal(out[11], 0xffff);
    assert_int_equal(cap_read(cap, &quads, as_mask, &out), 0);
    for (unsigned i = 0; i < 12; i++) /* only the pixels that the shader read were cleared */
        assert_int_equal(out[i], 0x0f31 >> i & 1 ? 0 : 0xffff);
    assert_int_equal(cap_covered_quads(cap, &quads), 0);
    cap_clear(cap);
    assert_int_equal(read_pixel(cap, 1, 0, as_level), 0);
    free(cap);
}

/* Adds overlapping squares. Each letter adds one square: d and u add squares with downward and
 * upward winding under the non-zero rule, x inverts samples (odd), o sets samples (or), and z
 * clears samples (zero). */
TEST(update_modes)
{
    static const struct {
        const char *squares;
        bool covered;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {"d",      true},
        {"u",      true},
        {"dd",     true},
        {"du",     false},
        {"ud",     false},
        {"dudd",   true},
        {"dddd",   true},
        {"ddduuu", false},
        {"x",      true},
        {"xx",     false},
        {"xxx",    true},
        {"o",      true},
        {"oo",     true},
        {"dz",     false},
        {"dzo",    true},
        {"ddx",    false}, /* non-zero coverage inverted: uncovered */
        {"od",     true},
        /* clang-format on */
        /* clang-format on */
    };
    static const uint32_t modes[128] = {
        ['x'] = CONFIGURATION_ODD, ['o'] = CONFIGURATION_OR, ['z'] = CONFIGURATION_ZERO};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cap *cap = new_cap();
        for (const char *c = rows[i].squares; *c; c++)
            add_square(cap, X16 | modes[(unsigned char)*c], *c != 'u');
        assert_int_equal(read_pixel(cap, 5, 5, as_level), rows[i].covered ? 0xffffffff : 0);
        free(cap);
    }
    /* OpenVG 1.1 requires support for 255 crossings. */
    struct cap *cap = new_cap();
    for (unsigned i = 0; i < 255; i++) {
        add_square(cap, X16, true);
        const struct cap_read_mode leave = {.leave = true};
        assert_int_equal(read_pixel(cap, 5, 5, leave), 0xffffffff);
    }
    free(cap);
}

/* --- paths --- */

enum { MAX_CORNERS = 16 };

struct path {
    unsigned corners;
    int corner[MAX_CORNERS][2]; /* in 1/16 pixel; y is odd, so that no corner has the y of a
                                   sample */
};

/* Counts the signed crossings of the path by a ray from (x, y) to the right. Sets *edge if the
 * point is on the path. */
static int winding(const struct path *path, int x, int y, bool *edge)
{
    int count = 0;
    for (unsigned i = 0; i < path->corners; i++) {
        const int *a = path->corner[i], *b = path->corner[(i + 1) % path->corners];
        if ((a[1] > y) == (b[1] > y))
            continue;
        int side = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        *edge |= side == 0;
        if ((side > 0) == (b[1] > a[1]))
            count += b[1] > a[1] ? 1 : -1;
    }
    return count;
}

/* Computes a pixel's mask of 16 samples under the odd or non-zero fill rule. Returns false if a
 * sample is on the path. */
static bool path_mask(const struct path *path, bool odd, unsigned x, unsigned y, uint32_t *mask)
{
    bool edge = false;
    *mask = 0;
    for (unsigned i = 0; i < 16; i++) {
        int count = winding(path, (int)(16 * x + 2 + i % 4 * 4), (int)(16 * y + 2 + i / 4 * 4),
                            &edge);
        *mask |= (uint32_t)(odd ? count & 1 : count != 0) << i;
    }
    return !edge;
}

static const struct path paths[] = {
    {5, {{481, 33}, {761, 901}, {25, 365}, {937, 365}, {201, 901}}}, /* a pentagram */
    {4, {{101, 101}, {901, 901}, {901, 101}, {101, 901}}},           /* a bow tie */
    {12,
     {{51, 51},
      {951, 55},
      {955, 951},
      {51, 955},
      {155, 151},
      {851, 155},
      {855, 851},
      {155, 855},
      {255, 251},
      {751, 255},
      {755, 751},
      {255, 755}}}, /* a spiral with up to three turns */
    {8,
     {{51, 51}, {951, 55}, {955, 951}, {51, 955}, {255, 755}, {755, 751}, {751, 255}, {255, 251}}},
};

enum how { AS_RHTS, AS_FAN, AS_FAN_OUTSIDE };

static void add_path(struct cap *cap, uint32_t configuration, const struct path *path, enum how how)
{
    int centre = how == AS_FAN ? 433 : -777;
    for (unsigned i = 0; i < path->corners; i++) {
        const int *a = path->corner[i], *b = path->corner[(i + 1) % path->corners];
        const int corner[3][2] = {{a[0], a[1]}, {b[0], b[1]}, {centre, centre + 8}};
        add(cap, configuration, how == AS_RHTS ? 2 : 3, corner);
    }
}

/* Fills self-intersecting paths with the non-zero and the odd rule. Paths are drawn as RHTs, and
 * as triangle fans around an arbitrary point. */
TEST(self_overlapping_paths)
{
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        for (unsigned k = 0; k < 6; k++) {
            struct cap *cap = new_cap();
            bool odd = k % 2;
            uint32_t wrong = 0, some = 0;
            add_path(cap, X16 | (odd ? CONFIGURATION_ODD : 0), &paths[p], (enum how)(k / 2));
            for (unsigned y = 0; y < 64; y++)
                for (unsigned x = 0; x < 64; x++) {
                    uint32_t mask;
                    if (!path_mask(&paths[p], odd, x, y, &mask))
                        continue;
                    const struct cap_read_mode leave = {.mask = true, .leave = true};
                    wrong += read_pixel(cap, x, y, leave) != mask;
                    some += mask != 0 && mask != 0xffff;
                }
            assert_int_equal(wrong, 0);
            assert_true(some > 100);
            free(cap);
        }
}

/* --- frames --- */

/* A shader without varyings that writes the coverage level to the tile buffer: nop; nop; nop
 * with load coverage; mov tlbc, r4; sbdone; thrend; nop; nop. The words are assembled by manual
 * figure 4. */
static const uint32_t level_program[] = {
    0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x700009e7, 0x159e7900, 0x10020ba7,
    0x009e7000, 0x500009e7, 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};

static struct vg_frame begin_levels_threads(uint32_t width, uint32_t height, uint32_t threads)
{
    struct vg_frame frame = vg_frame_begin_threads(width, height, threads);
    vg_program(&frame, 0, level_program, sizeof level_program / sizeof *level_program);
    return frame;
}

static struct vg_frame begin_levels(uint32_t width, uint32_t height)
{
    return begin_levels_threads(width, height, 1);
}

static uint32_t grey(uint32_t mask)
{
    return ((uint32_t)__builtin_popcount(mask) * 255 + 8) / 16 * 0x01010101u;
}

/* Draws a path as Broadcom's driver does: first into the coverage pipe, then a rectangle that
 * reads the coverage. The path spans four tiles and passes the binner. The frame is run with one
 * and with three host threads. */
TEST(path_over_tiles)
{
    static const double star[6][2] = {
        /* clang-format off */
        {60.0625,  2.0625},
        {95.0625,  112.5625},
        {3.0625,   45.5625},
        {117.0625, 45.6875},
        {25.0625,  112.5625},
        {60.0625,  2.0625},
        /* clang-format on */
    };
    struct path path = {.corners = 5};
    for (unsigned i = 0; i < 5; i++) {
        path.corner[i][0] = (int)(star[i][0] * 16);
        path.corner[i][1] = (int)(star[i][1] * 16);
    }
    for (unsigned k = 0; k < 8; k++) {
        bool odd = k & 1, rhts = k & 2;
        struct vg_frame frame = begin_levels_threads(128, 128, k & 4 ? 3 : 1);
        vg_state(&frame, X16 | CONFIGURATION_COVERAGE | (odd ? CONFIGURATION_ODD : 0));
        if (rhts)
            vg_array(&frame, RHT_STRIP, star, 6);
        else
            vg_array(&frame, FAN, star, 6);
        vg_state(&frame, FACES | (odd ? CONFIGURATION_ODD : 0));
        vg_rectangle(&frame, 0, 0, 128, 128);
        vg_frame_run(&frame);
        uint32_t wrong = 0, middle = 0, mask;
        for (unsigned y = 0; y < 128; y++)
            for (unsigned x = 0; x < 128; x++) {
                if (path_mask(&path, odd, x, y, &mask))
                    wrong += vg_pixel(&frame, x, y) != grey(mask);
                middle += x == 60 && y == 60 && vg_pixel(&frame, x, y) == 0xffffffff;
            }
        assert_int_equal(wrong, 0);
        assert_int_equal(middle, !odd);
        assert_int_equal(frame.rig->errors + frame.rig->warnings, 0);
        rig_free(frame.rig);
    }
}

/* The second reader finds coverage only if the first reader leaves the coverage in place. */
TEST(read_modes_in_frames)
{
    for (unsigned leave = 0; leave < 2; leave++) {
        struct vg_frame frame = begin_levels(64, 64);
        vg_state(&frame, X16 | CONFIGURATION_COVERAGE);
        vg_rectangle(&frame, 8, 8, 16, 16.5);
        vg_state(&frame, FACES | (leave ? CONFIGURATION_LEAVE : 0));
        vg_rectangle(&frame, 0, 0, 64, 64);
        vg_state(&frame, FACES | CONFIGURATION_MASK);
        vg_rectangle(&frame, 0, 0, 64, 64);
        vg_frame_run(&frame);
        assert_int_equal(vg_pixel(&frame, 10, 10), leave ? 0xffff : 0);
        assert_int_equal(vg_pixel(&frame, 10, 16), leave ? 0x00ff : 0); /* the two upper rows of
                                                                           the square */
        assert_int_equal(vg_pixel(&frame, 10, 17), 0);
        rig_free(frame.rig);
    }
}

/* With oversampling, a shader runs for every pixel that has a sample inside a primitive. */
TEST(oversampled_shading)
{
    static const struct {
        uint32_t configuration, left, right; /* columns of the rectangle 8.75 .. 16.25 */
    } rows[] = {
        {FACES, 9, 16},
        {X16, 8, 17},
        {X4, 8, 17},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vg_frame frame = vg_frame_begin(64, 64);
        vg_flat_program(&frame, 0, RIG_WHITE);
        vg_state(&frame, rows[i].configuration);
        vg_rectangle(&frame, 8.75, 20, 16.25, 30);
        vg_frame_run(&frame);
        for (unsigned x = 0; x < 64; x++)
            assert_int_equal(vg_pixel(&frame, x, 25) == RIG_WHITE,
                             x >= rows[i].left && x < rows[i].right);
        rig_free(frame.rig);
    }
}

/* Each tile starts without coverage. Coverage of the previous tile is cleared even if no shader
 * has read it. */
TEST(tiles_begin_uncovered)
{
    struct vg_frame frame = begin_levels(128, 64);
    vg_state(&frame, X16 | CONFIGURATION_COVERAGE);
    vg_rectangle(&frame, 0, 0, 64, 64);
    vg_state(&frame, FACES);
    vg_rectangle(&frame, 64, 0, 128, 64);
    vg_frame_run(&frame);
    assert_int_equal(vg_pixel(&frame, 10, 10), RIG_CLEAR);
    assert_int_equal(vg_pixel(&frame, 74, 10), 0);
    rig_free(frame.rig);
}

/* Record 113 selects coverage mode, and record 96 enables the early test: no shader runs for
 * quads without coverage. The rectangle has 1024 quads, which is 256 runs of four quads. The
 * square touches 25 of the quads. */
TEST(early_coverage)
{
    static const struct {
        uint32_t frame_flags, configuration;
        bool all;
    } rows[] = {
        {1 << 9, CONFIGURATION_EARLY, false},
        {1 << 9, 0, true},
        {0, CONFIGURATION_EARLY, true},
        {1 << 9 | 1 << 11, CONFIGURATION_EARLY, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vg_frame frame = begin_levels(64, 64);
        frame.frame_flags = rows[i].frame_flags;
        vg_state(&frame, X16 | CONFIGURATION_COVERAGE);
        vg_rectangle(&frame, 10, 10, 20, 20);
        vg_state(&frame, FACES | rows[i].configuration);
        vg_rectangle(&frame, 0, 0, 64, 64);
        vg_frame_run(&frame);
        assert_int_equal(vg_pixel(&frame, 11, 11), 0xffffffff);
        assert_int_equal(vg_pixel(&frame, 30, 30), rows[i].all ? 0 : RIG_CLEAR);
        rig_free(frame.rig);
    }
}

/* The first rectangle's shader writes 0x40 to the alpha mask (ldi tlbam). The second rectangle's
 * shader reads the mask ("load alpha mask"), and writes it as colour (mov tlbc, r4). */
TEST(alpha_mask)
{
    static const uint32_t write[] = {0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, 0x40,
                                     0xe0020be7, 0x009e7000, 0x500009e7, 0x009e7000, 0x300009e7,
                                     0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};
    uint32_t read[16];
    memcpy(read, level_program, sizeof read);
    read[5] = 0xc00009e7;
    struct vg_frame frame = vg_frame_begin(64, 64);
    frame.frame_flags = 1 << 8;
    frame.clear_z = 0x11000000; /* the mask's clear value, in bits 31:24 */
    vg_program(&frame, 0, write, sizeof write / sizeof *write);
    vg_program(&frame, 1, read, sizeof read / sizeof *read);
    vg_rectangle(&frame, 8, 8, 16, 16);
    vg_shader(&frame, 1);
    vg_rectangle(&frame, 0, 0, 64, 64);
    vg_frame_run(&frame);
    assert_int_equal(vg_pixel(&frame, 9, 9), 0x40);
    assert_int_equal(vg_pixel(&frame, 20, 9), 0x11);
    assert_int_equal(frame.rig->errors + frame.rig->warnings, 0);
    rig_free(frame.rig);
}

/* --- findings --- */

/* HW-2885: coverage is wrong if it is drawn after a shader with varyings, unless a shader
 * without varyings runs between the two. */
TEST(after_varyings)
{
    for (unsigned between = 0; between < 2; between++) {
        const struct shader_record varying = {.code = CL_NV_SHADER_STATE, .varyings = 3};
        const struct shader_record plain = {.code = CL_NV_SHADER_STATE};
        const struct cl_state shaded = {.configuration = FACES};
        const struct cl_state coverage = {.configuration = X16 | CONFIGURATION_COVERAGE};
        struct vg_history history = {0};
        struct fault_log log = {0};
        vg_check_errata(&history, &coverage, &plain, &log);
        vg_check_errata(&history, &shaded, &varying, &log);
        if (between)
            vg_check_errata(&history, &shaded, &plain, &log);
        vg_check_errata(&history, &coverage, &plain, &log);
        assert_int_equal(log.count[FAULT_CAP_VARYINGS], !between);
        assert_int_equal(log.errors, 0);
    }
}

/* Coverage in a multisampled frame is undefined. The model reports a finding and continues. */
TEST(multisampled_frames)
{
    struct vg_frame frame = begin_levels(32, 32);
    frame.frame_flags = 1;
    frame.rig->memory[RIG_BIN + 15] |= 1; /* sets the multisample bit of record 112 too */
    vg_state(&frame, X16 | CONFIGURATION_COVERAGE);
    vg_rectangle(&frame, 10, 10, 20, 20);
    vg_state(&frame, FACES);
    vg_rectangle(&frame, 0, 0, 32, 32);
    vg_frame_run(&frame);
    assert_string_equal(frame.rig->rules[0], "cap-multisample");
    rig_free(frame.rig);
}

/* Tests counters 7 and 8 of manual table 82. The square touches 6 x 6 of 32 x 32 quads. Quads on
 * the rectangle's diagonal are read by both of its triangles. */
TEST(counters)
{
    struct vg_frame frame = begin_levels(64, 64);
    vg_state(&frame, X16 | CONFIGURATION_COVERAGE);
    vg_rectangle(&frame, 9, 9, 20, 20);
    vg_state(&frame, FACES);
    vg_rectangle(&frame, 0, 0, 64, 64);
    vg_frame_run(&frame);
    assert_int_equal(tess_vc4_counter(frame.rig->vc4, 8), 36);
    assert_int_equal(tess_vc4_counter(frame.rig->vc4, 7), 1024 - 36 + 32);
    rig_free(frame.rig);
}

TEST(clear_values)
{
    struct vg_frame frame = begin_levels(64, 64);
    frame.clear_z = 0xffffff;
    vg_state(&frame, X16 | CONFIGURATION_COVERAGE);
    vg_rectangle(&frame, 10, 10, 20, 20);
    vg_state(&frame, FACES);
    vg_rectangle(&frame, 0, 0, 64, 64);
    vg_frame_run(&frame);
    assert_string_equal(frame.rig->rules[0], "cap-clear-value");
    assert_int_equal(vg_pixel(&frame, 15, 15), 0xffffffff);
    assert_int_equal(vg_pixel(&frame, 30, 30), 0); /* this tile still starts with coverage 0 */
    rig_free(frame.rig);
}

/* --- compressed coordinate lists (manual tables 42 and 43): coverage against the winding number
 * of each sample --- */

struct shape {
    unsigned corners; /* 3, or 2 for an RHT between an edge and x = 0 */
    int xy[3][2];     /* in 1/16 pixel */
};

static int below(uint32_t *seed, int limit)
{
    *seed = *seed * 1664525 + 1013904223;
    return (int)((uint64_t)*seed * (uint32_t)limit >> 32);
}

/* Returns the winding of an edge around a point: 1 or -1 if the edge crosses the point's row at
 * or left of the point, otherwise 0. An edge's row range includes its lower end and excludes its
 * upper end. */
static int edge_winding(const int from[2], const int to[2], int x, int y)
{
    bool down = from[1] < to[1];
    const int *low = down ? from : to, *high = down ? to : from;
    bool crosses = low[1] <= y && y < high[1] &&
                   (high[0] - low[0]) * (y - low[1]) <= (x - low[0]) * (high[1] - low[1]);
    return crosses ? (down ? 1 : -1) : 0;
}

static int shape_winding(const struct shape *shape, int x, int y)
{
    if (shape->corners == 3)
        return edge_winding(shape->xy[0], shape->xy[1], x, y) +
               edge_winding(shape->xy[1], shape->xy[2], x, y) +
               edge_winding(shape->xy[2], shape->xy[0], x, y);
    const int foot[2][2] = {{0, shape->xy[0][1]}, {0, shape->xy[1][1]}};
    return edge_winding(shape->xy[0], shape->xy[1], x, y) - edge_winding(foot[0], foot[1], x, y);
}

static void put_bits(struct rig *rig, uint64_t bits, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        rig_u8(rig, (uint32_t)(bits >> 8 * i & 255));
}

static uint32_t packed(const int xy[2])
{
    return ((uint32_t)xy[0] & 0xffff) | (uint32_t)xy[1] << 16;
}

/* Packs a pair of coordinate differences: bits 7:2 hold the upper bits of dx, and bit 8 its
 * lowest bit. */
static uint64_t split(int dx, int dy)
{
    uint32_t x = (uint32_t)dx & 127;
    return x >> 1 << 2 | (x & 1) << 8 | ((uint32_t)dy & 127) << 9;
}

/* Appends a shape to the list, in one of the four codings (random). Codings 1 to 3 refer to the
 * previous shape. */
static void put_shape(struct rig *rig, uint32_t *seed, struct shape *shape, bool first)
{
    static const uint8_t shared[3][2] = {{2, 1}, {0, 2}, {1, 0}};
    const struct shape last = *shape;
    unsigned end = shape->corners - 1;
    int coding = first ? 2 + below(seed, 2) : below(seed, 4), same = below(seed, (int)end + 1);
    if (coding == 3) {
        rig_u8(rig, 129);
        for (unsigned i = 0; i <= end; i++) {
            shape->xy[i][0] = below(seed, 1200) - 80;
            shape->xy[i][1] = below(seed, 1200) - 80;
            rig_u32(rig, packed(shape->xy[i]));
        }
        return;
    }
    int reach = coding == 1 ? 511 : 61, dx = below(seed, 2 * reach) - reach,
        dy = below(seed, 2 * reach) - reach;
    const int *base = last.xy[end];
    if (coding == 2) {
        shape->xy[0][0] = below(seed, 1024);
        shape->xy[0][1] = below(seed, 1024);
        base = shape->xy[0];
    } else if (end == 2) {
        memcpy(shape->xy[0], last.xy[shared[same][0]], sizeof shape->xy[0]);
        memcpy(shape->xy[1], last.xy[shared[same][1]], sizeof shape->xy[1]);
    } else {
        same &= 1;
        memcpy(shape->xy[0], last.xy[same == 1 ? 0 : 1], sizeof shape->xy[0]);
    }
    const int at[2] = {base[0], base[1]};
    shape->xy[end][0] = at[0] + dx;
    shape->xy[end][1] = at[1] + dy;
    if (coding == 0) {
        put_bits(rig, (uint64_t)same | split(dx, dy), 2);
    } else if (coding == 1) {
        put_bits(rig,
                 3 | (uint64_t)same << 2 | ((uint64_t)dx & 1023) << 4 | ((uint64_t)dy & 1023) << 14,
                 3);
    } else if (end == 1) {
        put_bits(rig, 2 | split(dx, dy), 2);
        rig_u32(rig, packed(at));
    } else {
        int x = below(seed, 128) - 64, y = below(seed, 128) - 64;
        shape->xy[1][0] = at[0] + x;
        shape->xy[1][1] = at[1] + y;
        put_bits(rig,
                 15 | ((uint64_t)x & 127) << 4 | ((uint64_t)y & 127) << 11 |
                     ((uint64_t)dx & 127) << 18 | ((uint64_t)dy & 127) << 25,
                 4);
        rig_u32(rig, packed(at));
    }
}

TEST(compressed_lists)
{
    enum { SHAPES = 12, SIDE = 64 };
    uint32_t seed = 7;
    for (unsigned round = 0; round < 24; round++) {
        struct vg_frame frame = begin_levels(SIDE, SIDE);
        struct rig *rig = frame.rig;
        struct shape shapes[SHAPES], shape = {.corners = round & 1 ? 2 : 3};
        rig_u8(rig, 56);
        rig_u8(rig, round & 1 ? 0x33 : 0x32);
        vg_shader(&frame, 0);
        vg_state(&frame, X16 | FACES | CONFIGURATION_COVERAGE);
        rig_u8(rig, 48);
        for (unsigned i = 0; i < SHAPES; i++) {
            put_shape(rig, &seed, &shape, i == 0);
            shapes[i] = shape;
        }
        rig_u8(rig, 128);
        vg_state(&frame, FACES | CONFIGURATION_MASK);
        vg_rectangle(&frame, 0, 0, SIDE, SIDE);
        vg_frame_run(&frame);
        assert_int_equal(rig->errors, 0);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            uint32_t want = 0;
            for (int sample = 0; sample < 16; sample++) {
                int x = pixel % SIDE * 16 + 2 + sample % 4 * 4,
                    y = pixel / SIDE * 16 + 2 + sample / 4 * 4;
                int sum = 0;
                for (unsigned i = 0; i < SHAPES; i++)
                    sum += shape_winding(&shapes[i], x, y);
                want |= (uint32_t)(sum != 0) << sample;
            }
            assert_int_equal(vg_pixel(&frame, (uint32_t)pixel % SIDE, (uint32_t)pixel / SIDE),
                             want);
        }
        rig_free(rig);
    }
}

/* --- halves of the tile buffer --- */

static void coordinates(struct rig *rig, uint32_t column, uint32_t row)
{
    rig_u8(rig, 115);
    rig_u8(rig, column);
    rig_u8(rig, row);
}

static void store_none(struct rig *rig, uint32_t bits)
{
    rig_u8(rig, 28);
    rig_u16(rig, bits);
    rig_u32(rig, 0);
}

/* Coverage shares the memory of Z and stencil (manual section 5), so each half of a double
 * buffer has its own coverage. Coverage that a store does not clear is therefore found again two
 * tiles later, in the same half. Frames with several threads give the same pixels. */
TEST(coverage_in_halves)
{
    enum { DOUBLE_BUFFER = 1 << 12, KEEP_ZS = 1 << 14, TILES = 12 };
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct vg_frame frame = begin_levels_threads(64, 32 * TILES, threads);
        struct rig *rig = frame.rig;
        rig->at = RIG_RENDER;
        rig_u8(rig, 102);
        rig_u32(rig, 0);
        rig_u16(rig, 64);
        rig_u16(rig, 32 * TILES);
        rig_u8(rig, 103);
        rig_u32(rig, 0);
        vg_shader(&frame, 0);
        rig_u8(rig, 113);
        rig_u32(rig, RIG_FRAME);
        rig_u16(rig, 64);
        rig_u16(rig, 32 * TILES);
        rig_u16(rig, 4 | DOUBLE_BUFFER);
        for (unsigned half = 0; half < 2; half++) {
            coordinates(rig, 0, 0);
            store_none(rig, 0);
        }
        for (uint32_t row = 0; row < TILES; row++) {
            bool accumulates = row == 4 || row == 7;
            coordinates(rig, 0, row);
            vg_state(&frame, X16 | FACES | (accumulates ? CONFIGURATION_COVERAGE : 0));
            vg_rectangle(&frame, 0, 32 * row, 64, 32 * row + 32);
            if (accumulates)
                store_none(rig, KEEP_ZS);
            else
                rig_u8(rig, row + 1 < TILES ? 24 : 25);
        }
        rig_start(rig, 1, RIG_RENDER, rig->at);
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
        for (uint32_t row = 0; row < TILES; row++) {
            uint32_t want = row == 6 || row == 9 ? 0xffffffff : 0;
            assert_int_equal(vg_pixel(&frame, 0, 32 * row), want);
            assert_int_equal(vg_pixel(&frame, 63, 32 * row + 31), want);
        }
        assert_int_equal(rig->errors, 0);
        assert_string_equal(rig->rules[0], "tlb-double-buffer");
        rig_free(rig);
    }
}
