/* SPDX-License-Identifier: MIT */
/* Tests of the Primitive Setup Engine. Expected values are worked out by hand from the rules in
 * docs/vc4/pse.md. A comment names the public program if values come from one. */
#include "vc4/raster/pse.h"
#include "../../register.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

enum {
    FORWARD = 1 << CL_CONFIGURATION_BITS_FORWARD_BIT,
    REVERSE = 1 << CL_CONFIGURATION_BITS_REVERSE_BIT,
    CLOCKWISE = 1 << CL_CONFIGURATION_BITS_CLOCKWISE_BIT,
    DEPTH_OFFSET = 1 << CL_CONFIGURATION_BITS_DEPTH_OFFSET_BIT,
    PIXEL = 16, /* a pixel in 12.4 coordinates */
};

static const struct cl_state draws_all = {
    .configuration = FORWARD | REVERSE, .point_size = 1, .line_width = 1, .z_max = 1};

/* Returns a vertex at a position in 12.4 coordinates. */
static struct vertex at(int32_t x, int32_t y)
{
    return (struct vertex){.x = x, .y = y, .inv_w = 1, .point_size = 1};
}

static bool setup(struct pse_primitive *out, const struct cl_state *state, uint8_t varyings,
                  enum primitive_type type, const struct vertex vertices[3])
{
    struct shader_record record = {.varyings = varyings};
    const struct vertex *const vertex[3] = {&vertices[0], &vertices[1], &vertices[2]};
    return pse_setup(out, state, &record, type, vertex);
}

/* Returns true if the centre of a pixel is inside all edges. */
static bool covers(const struct pse_primitive *primitive, int32_t x, int32_t y)
{
    int64_t raster_x = (int64_t)x * 256 + 128, raster_y = (int64_t)y * 256 + 128;
    for (uint32_t i = 0; i < primitive->edge_count; i++) {
        const struct pse_edge *e = &primitive->edge[i];
        if (e->a * raster_x + e->b * raster_y + e->c < 0)
            return false;
    }
    return true;
}

static void assert_bounds(const struct pse_primitive *primitive, int left, int bottom, int right,
                          int top)
{
    assert_int_equal(primitive->left, left);
    assert_int_equal(primitive->bottom, bottom);
    assert_int_equal(primitive->right, right);
    assert_int_equal(primitive->top, top);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not near %.17g", value, expected);
}

/* In asurati/x03 demo/d50.c, record 96 is 0x000005 (forward only, clockwise bit set), and the
 * triangle is visible on the screen. The triangle's area is (-3195)(6386) - (3195)(6386), which
 * is negative. */
TEST(d50_is_drawn)
{
    struct cl_state state = draws_all;
    state.configuration = 0x000005;
    state.viewport_x = 0x1400;
    state.viewport_y = 0x0f00;
    struct vertex v[3] = {at(0, -3193), at(-3195, 3193), at(3195, 3193)};
    struct pse_primitive primitive;
    assert_true(setup(&primitive, &state, 0, PRIMITIVE_TRIANGLE, v));
    assert_false(primitive.reverse);
    /* The bounds are 320 - 3195/16 = 120.3, 240 - 3193/16 = 40.4, 519.7, and 439.6. */
    assert_bounds(&primitive, 120, 40, 520, 440);

    state.configuration = 0x000001;
    assert_false(setup(&primitive, &state, 0, PRIMITIVE_TRIANGLE, v));
}

/* Tests the facing bits of manual table 38, record 96. The facing of a triangle is defined in
 * docs/vc4/pse.md. */
TEST(facing_and_culling)
{
    static const struct {
        uint32_t configuration;
        int area;
        bool drawn, reverse;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {0,                             +1, false, false},
        {0,                             -1, false, true},
        {FORWARD,                       +1, true,  false},
        {FORWARD,                       -1, false, true},
        {REVERSE,                       +1, false, false},
        {REVERSE,                       -1, true,  true},
        {FORWARD | REVERSE,             +1, true,  false},
        {FORWARD | REVERSE,             -1, true,  true},
        {CLOCKWISE,                     +1, false, true},
        {CLOCKWISE,                     -1, false, false},
        {CLOCKWISE | FORWARD,           +1, false, true},
        {CLOCKWISE | FORWARD,           -1, true,  false},
        {CLOCKWISE | REVERSE,           +1, true,  true},
        {CLOCKWISE | REVERSE,           -1, false, false},
        {CLOCKWISE | FORWARD | REVERSE, +1, true,  true},
        {CLOCKWISE | FORWARD | REVERSE, -1, true,  false},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cl_state state = draws_all;
        state.configuration = cases[i].configuration;
        assert_int_equal(pse_is_reverse(&state, cases[i].area), cases[i].reverse);
        assert_int_equal(pse_is_drawn(&state, cases[i].reverse), cases[i].drawn);

        /* The triangle (0,0) (1,0) (0,1) has a positive area. Exchanging two vertices makes the
         * area negative. */
        struct vertex v[3] = {at(0, 0), at(PIXEL, 0), at(0, PIXEL)};
        if (cases[i].area < 0)
            v[1] = at(0, PIXEL), v[2] = at(PIXEL, 0);
        struct pse_primitive primitive;
        assert_int_equal(setup(&primitive, &state, 0, PRIMITIVE_TRIANGLE, v), cases[i].drawn);
        if (cases[i].drawn)
            assert_int_equal(primitive.reverse, cases[i].reverse);
    }
}

/* Points and lines are forward facing, and no bits cull them. OpenGL ES 2.0, sections 3.3 and 3.4,
 * culls only polygons. Mesa's driver leaves culling to the hardware, and a Raspberry Pi passes
 * piglit's point-line-no-cull. */
TEST(points_and_lines_are_not_culled)
{
    struct vertex v[3] = {at(0, 0), at(-5 * PIXEL, 3 * PIXEL), at(0, 0)};
    for (uint32_t bits = 0; bits < 8; bits++) {
        struct cl_state state = draws_all;
        state.configuration = bits;
        struct pse_primitive primitive;
        for (enum primitive_type type = PRIMITIVE_POINT; type <= PRIMITIVE_LINE; type++) {
            assert_true(setup(&primitive, &state, 0, type, v));
            assert_false(primitive.reverse);
        }
    }
}

TEST(nothing_to_draw)
{
    struct vertex collinear[3] = {at(0, 0), at(100, 50), at(200, 100)};
    struct vertex same[3] = {at(7, 7), at(7, 7), at(7, 7)};
    struct pse_primitive primitive;
    assert_false(setup(&primitive, &draws_all, 0, PRIMITIVE_TRIANGLE, collinear));
    assert_false(setup(&primitive, &draws_all, 0, PRIMITIVE_TRIANGLE, same));
    assert_false(setup(&primitive, &draws_all, 0, PRIMITIVE_LINE, same));
    assert_false(setup(&primitive, &draws_all, 0, PRIMITIVE_RHT, collinear));
}

/* All edges of the square (0.5,0.5)..(2.5,2.5) pass through pixel centres. By the fill rule the
 * square covers pixels 0 and 1 in x and y, but not 2. The square is drawn as two triangles,
 * which share a diagonal through pixel centres. */
TEST(fill_rule_on_exact_edges)
{
    struct vertex a = at(8, 8), b = at(40, 8), c = at(40, 40), d = at(8, 40);
    struct vertex upper[3] = {a, b, c}, lower[3] = {a, c, d};
    struct pse_primitive first, second;
    assert_true(setup(&first, &draws_all, 0, PRIMITIVE_TRIANGLE, upper));
    assert_true(setup(&second, &draws_all, 0, PRIMITIVE_TRIANGLE, lower));
    for (int y = -1; y < 4; y++)
        for (int x = -1; x < 4; x++) {
            bool inside = x >= 0 && x < 2 && y >= 0 && y < 2;
            assert_int_equal(covers(&first, x, y) + covers(&second, x, y), inside);
        }
    /* The diagonal is the left edge of the triangle with the corner (2.5,0.5). */
    assert_true(covers(&first, 0, 0) && covers(&first, 1, 1) && covers(&first, 1, 0));
    assert_true(covers(&second, 0, 1));
    assert_bounds(&first, 0, 0, 2, 2);
}

/* JayStation's first triangle: (320,32) (32,448) (608,448), viewport offset 0. */
TEST(bounds_of_the_first_triangle)
{
    struct vertex v[3] = {at(320 * PIXEL, 32 * PIXEL), at(32 * PIXEL, 448 * PIXEL),
                          at(608 * PIXEL, 448 * PIXEL)};
    struct pse_primitive primitive;
    assert_true(setup(&primitive, &draws_all, 0, PRIMITIVE_TRIANGLE, v));
    assert_bounds(&primitive, 32, 32, 608, 448);
    assert_false(covers(&primitive, 319, 31));
    assert_true(covers(&primitive, 320, 200));
    assert_true(covers(&primitive, 33, 447));
    assert_false(covers(&primitive, 32, 446));
}

TEST(point_sizes)
{
    /* Cases of a point at (100, 100). A point of size s covers the square from 100 - s/2 to 100
     * + s/2. */
    static const struct {
        float size;
        int left, right;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {2,        99,   101},
        {3,        98,   101}, /* 98.5 .. 101.5: the centre at 98.5 is inside, at 101.5 outside */
        {16,       92,   108},
        {512,      -156, 356},
        {513,      -156, 356},
        {INFINITY, -156, 356},
        {1,        99,   100}, /* covers 99.5 .. 100.5 */
        {0.125f,   100,  100}, /* no centre within 99.9375 .. 100.0625 */
        {0,        100,  100},
        {-5,       100,  100},
        {NAN,      100,  100},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct vertex v[3] = {at(100 * PIXEL, 100 * PIXEL)};
        v[0].point_size = cases[i].size;
        struct pse_primitive primitive;
        assert_true(setup(&primitive, &draws_all, 0, PRIMITIVE_POINT, v));
        assert_bounds(&primitive, cases[i].left, cases[i].left, cases[i].right, cases[i].right);
    }

    /* A point of the smallest size covers a pixel only if the point lies on the pixel's centre.
     * The size is 1/8 pixel, which is 32 raster units. */
    struct vertex v[3] = {at(8, 8)};
    v[0].point_size = 0;
    struct pse_primitive primitive;
    assert_true(setup(&primitive, &draws_all, 0, PRIMITIVE_POINT, v));
    assert_true(covers(&primitive, 0, 0));
    assert_int_equal(
        primitive.edge[0].b + primitive.edge[1].b + primitive.edge[2].b + primitive.edge[3].b, 0);
}

/* A line of width w from (10,20) to (30,20) is the rectangle 10..30 by 20 - w/2 .. 20 + w/2. The
 * test also runs with x and y exchanged, and with the line's ends exchanged. */
TEST(line_rectangles)
{
    static const struct {
        float width;
        bool drawn;
        int low, high;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {1,    true,  19, 20}, /* covers 19.5 .. 20.5 */
        {2,    true,  19, 21},
        {4,    true,  18, 22},
        {32,   true,  4,  36},
        {1000, true,  4,  36},
        {0,    false, 0,  0},
        {-1,   false, 0,  0},
        {NAN,  false, 0,  0},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        struct vertex left = at(10 * PIXEL, 20 * PIXEL), right = at(30 * PIXEL, 20 * PIXEL);
        struct vertex low = at(20 * PIXEL, 10 * PIXEL), high = at(20 * PIXEL, 30 * PIXEL);
        struct vertex across[3] = {i % 2 ? right : left, i % 2 ? left : right};
        struct vertex along[3] = {i % 2 ? high : low, i % 2 ? low : high};
        struct cl_state state = draws_all;
        state.line_width = cases[i / 2].width;
        struct pse_primitive p;
        assert_int_equal(setup(&p, &state, 0, PRIMITIVE_LINE, across), cases[i / 2].drawn);
        if (!cases[i / 2].drawn)
            continue;
        assert_bounds(&p, 10, cases[i / 2].low, 30, cases[i / 2].high);
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 40; x++)
                assert_int_equal(covers(&p, x, y), x >= 10 && x < 30 && y >= cases[i / 2].low &&
                                                       y < cases[i / 2].high);
        assert_true(setup(&p, &state, 0, PRIMITIVE_LINE, along));
        assert_bounds(&p, cases[i / 2].low, 10, cases[i / 2].high, 30);
    }
}

/* A line of width 1 and slope 1/2 has one pixel in each column. From (0,0) to (8,4), the line is
 * at y = (x + 0.5) / 2 in the middle of column x. The covered pixel is the one whose centre is
 * within half a pixel of this y. */
TEST(slanted_line)
{
    static const int row[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    struct vertex v[3] = {at(0, 0), at(8 * PIXEL, 4 * PIXEL)};
    struct pse_primitive primitive;
    assert_true(setup(&primitive, &draws_all, 0, PRIMITIVE_LINE, v));
    for (int y = -2; y < 8; y++)
        for (int x = -2; x < 10; x++)
            assert_int_equal(covers(&primitive, x, y), x >= 0 && x < 8 && y == row[x]);
}

/* Draws a line at 45 degrees. x counts as the major axis, so the width is vertical. */
TEST(diagonal_line)
{
    struct vertex v[3] = {at(0, 0), at(8 * PIXEL, -8 * PIXEL)};
    struct cl_state state = draws_all;
    state.line_width = 4;
    struct pse_primitive primitive;
    assert_true(setup(&primitive, &state, 0, PRIMITIVE_LINE, v));
    assert_bounds(&primitive, 0, -10, 8, 2);
}

/* z is 0 at (0,0), 0.5 at (64,0) and 0.25 at (0,64), so dz/dx = 1/128 and dz/dy = 1/256. */
TEST(z_plane)
{
    struct vertex v[3] = {at(0, 0), at(64 * PIXEL, 0), at(0, 64 * PIXEL)};
    v[1].z = 0.5f;
    v[2].z = 0.25f;
    struct cl_state state = draws_all;
    state.viewport_x = 10 * PIXEL;
    state.viewport_y = -3 * PIXEL;
    struct pse_primitive p;
    assert_true(setup(&p, &state, 0, PRIMITIVE_TRIANGLE, v));
    assert_near(p.z.dx, 1.0 / 128, 1e-15);
    assert_near(p.z.dy, 1.0 / 256, 1e-15);
    assert_near(p.z.at0, 0.25, 0);
    assert_near(p.x0, 10, 0); /* the value at the provoking vertex */
    assert_near(p.y0, 61, 0);
    assert_near(p.z_offset, 0, 0);
}

/* The factor 2.0 is encoded as 0x4000, and the units 3.0 as 0x4040 (the upper halves of floats).
 * The larger slope of z is 1/128. */
TEST(depth_offset)
{
    struct vertex v[3] = {at(0, 0), at(64 * PIXEL, 0), at(0, 64 * PIXEL)};
    v[1].z = 0.5f;
    v[2].z = 0.25f;
    struct cl_state state = draws_all;
    state.depth_offset = 0x40404000;
    struct pse_primitive p;
    assert_true(setup(&p, &state, 0, PRIMITIVE_TRIANGLE, v));
    assert_near(p.z_offset, 0, 0);
    state.configuration |= DEPTH_OFFSET;
    assert_true(setup(&p, &state, 0, PRIMITIVE_TRIANGLE, v));
    assert_near(p.z_offset, 2.0 / 128 + 3.0 / 16777216, 1e-15);
    state.depth_offset = 0xc040c000; /* factor -2, units -3 */
    assert_true(setup(&p, &state, 0, PRIMITIVE_TRIANGLE, v));
    assert_near(p.z_offset, -2.0 / 128 - 3.0 / 16777216, 1e-15);
    assert_true(setup(&p, &state, 0, PRIMITIVE_LINE, v));
    assert_near(p.z_offset, 0, 0);
    assert_true(setup(&p, &state, 0, PRIMITIVE_POINT, v));
    assert_near(p.z_offset, 0, 0);
}

/* Along a line, values change only with the major axis. */
TEST(line_planes)
{
    struct vertex v[3] = {at(0, 0), at(10 * PIXEL, 4 * PIXEL)};
    v[0].z = 0.25f;
    v[1].z = 0.75f;
    v[0].varying[0] = 3;
    v[1].varying[0] = 8;
    struct pse_primitive p;
    assert_true(setup(&p, &draws_all, 1, PRIMITIVE_LINE, v));
    assert_near(p.z.dx, 0.05, 1e-15);
    assert_near(p.z.dy, 0, 0);
    assert_near(p.z.at0, 0.75, 0);
    assert_int_equal(p.varyings.count, 2); /* the line's coordinate is the first varying */
    assert_near(p.varyings.varying[1].a, 0.5, 1e-15);
    assert_near(p.varyings.varying[1].b, 0, 0);
    assert_near(p.varyings.varying[1].c, 8, 0);

    struct vertex steep[3] = {at(0, 0), at(4 * PIXEL, -10 * PIXEL)};
    steep[1].z = 1;
    assert_true(setup(&p, &draws_all, 0, PRIMITIVE_LINE, steep));
    assert_near(p.z.dx, 0, 0);
    assert_near(p.z.dy, -0.1, 1e-15);
}

/* A point has the size 4. Its coordinates are 0.5 at the vertex, and change by 1/4 per pixel. */
TEST(point_planes)
{
    struct vertex v[3] = {at(5 * PIXEL, 6 * PIXEL)};
    v[0].point_size = 4;
    v[0].inv_w = 0.5f;
    v[0].z = 0.125f;
    v[0].varying[0] = 42;
    struct pse_primitive p;
    assert_true(setup(&p, &draws_all, 1, PRIMITIVE_POINT, v));
    assert_int_equal(p.varyings.count, 3);
    assert_near(p.varyings.varying[0].a, 0.25 * 0.5, 0); /* the coordinate is multiplied by 1/Wc */
    assert_near(p.varyings.varying[0].b, 0, 0);
    assert_near(p.varyings.varying[0].c, 0.5, 0);
    assert_near(p.varyings.varying[1].a, 0, 0);
    assert_near(p.varyings.varying[1].b, -0.25 * 0.5, 0);
    assert_near(p.varyings.varying[1].c, 0.5, 0);
    assert_near(p.varyings.varying[2].a, 0, 0);
    assert_near(p.varyings.varying[2].c, 42, 0);
    assert_near(p.z.at0, 0.125, 0);
    assert_near(p.z.dx, 0, 0);
    assert_near(p.inv_w.at0, 0.5, 0);
}

/* Record 97: bit n makes varying n flat. Point coordinates have no bit, and varyings above 31
 * have no bit. */
TEST(flat_shading)
{
    struct vertex v[3] = {at(0, 0), at(PIXEL, 0), at(0, PIXEL)};
    for (uint32_t n = 0; n < VERTEX_MAX_VARYINGS; n++)
        for (uint32_t i = 0; i < 3; i++)
            v[i].varying[n] = (float)(n + i * 100);
    struct cl_state state = draws_all;
    state.flat_shade = 0x80000002;
    struct pse_primitive p;
    assert_true(setup(&p, &state, VERTEX_MAX_VARYINGS, PRIMITIVE_TRIANGLE, v));
    assert_int_equal(p.varyings.count, VERTEX_MAX_VARYINGS);
    for (uint32_t n = 0; n < VERTEX_MAX_VARYINGS; n++) {
        bool flat = n == 1 || n == 31;
        /* The varying is 0, 100 and 200 at (0,0), (1,0) and (0,1), so its slopes are 100 and
         * 200. */
        assert_near(p.varyings.varying[n].a, flat ? 0 : 100, 1e-12);
        assert_near(p.varyings.varying[n].b, flat ? 0 : 200, 1e-12);
        assert_near(p.varyings.varying[n].c, n + 200.0, 0);
    }
    assert_true(setup(&p, &state, 3, PRIMITIVE_LINE, v));
    assert_int_equal(p.varyings.count, 4);
    assert_near(p.varyings.varying[1].a, 100, 1e-12);
    assert_near(p.varyings.varying[2].a, 0, 0);
    assert_near(p.varyings.varying[3].a, 100, 1e-12);
}

/* The shader record has more varyings than a vertex can hold. The primitive has none of the
 * excess varyings, so the shader's reads of these fail. */
TEST(too_many_varyings)
{
    struct vertex v[3] = {at(0, 0), at(PIXEL, 0), at(0, PIXEL)};
    struct pse_primitive p;
    assert_true(setup(&p, &draws_all, 255, PRIMITIVE_POINT, v));
    assert_int_equal(p.varyings.count, VERTEX_MAX_VARYINGS + 2);
}

/* Special numbers such as NaN must not cause undefined behaviour. Sanitizers check this. */
TEST(bad_numbers)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-45f};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct vertex v[3] = {at(0, 0), at(PIXEL, 0), at(0, PIXEL)};
        v[1].z = v[0].inv_w = v[2].varying[0] = v[0].point_size = bad[i];
        struct cl_state state = draws_all;
        state.configuration |= DEPTH_OFFSET;
        state.depth_offset = 0x7f807fc0;
        state.line_width = bad[i];
        struct pse_primitive p;
        for (enum primitive_type type = PRIMITIVE_POINT; type <= PRIMITIVE_TRIANGLE; type++)
            setup(&p, &state, 1, type, v);
    }
}

/* The sum of the largest coordinate and the largest viewport offset is +-4096 pixels. */
TEST(extreme_coordinates)
{
    static const int16_t end[2] = {INT16_MIN, INT16_MAX};
    for (unsigned i = 0; i < 256; i++) {
        struct cl_state state = draws_all;
        state.line_width = 32;
        state.viewport_x = end[i & 1];
        state.viewport_y = end[i >> 1 & 1];
        struct vertex v[3] = {at(end[i >> 2 & 1], end[i >> 3 & 1]),
                              at(end[i >> 4 & 1], end[i >> 5 & 1]),
                              at(end[i >> 6 & 1], end[i >> 7 & 1])};
        v[0].point_size = 512;
        struct pse_primitive p;
        for (enum primitive_type type = PRIMITIVE_POINT; type <= PRIMITIVE_TRIANGLE; type++) {
            if (!setup(&p, &state, 0, type, v))
                continue;
            assert_true(p.left >= -4096 - 256 && p.right <= 4096 + 256);
            assert_true(p.bottom >= -4096 - 256 && p.top <= 4096 + 256);
            assert_false(covers(&p, 65535, 65535));
            assert_false(covers(&p, -65535, 65535));
        }
    }
}

TEST(copy_keeps_what_counts)
{
    struct vertex v[3] = {at(0, 0), at(PIXEL, 0), at(0, PIXEL)};
    v[2].varying[1] = 7;
    struct pse_primitive from, to;
    memset(&to, 0xa5, sizeof to);
    assert_true(setup(&from, &draws_all, 2, PRIMITIVE_TRIANGLE, v));
    pse_copy(&to, &from);
    assert_memory_equal(&to, &from, offsetof(struct pse_primitive, varyings.varying[2]));
    assert_int_equal(*(unsigned char *)&to.varyings.varying[2], 0xa5);
}
