/* SPDX-License-Identifier: MIT */
/* Tests clipping, from clip coordinates to frame-buffer bytes. The reference does not clip. It
 * solves for the homogeneous barycentric coordinates of each pixel centre in float64 (Olano and
 * Greer, "Triangle scan conversion using 2D homogeneous coordinates") and tests 1/Wc > 0 and -Wc <=
 * Zc <= Wc at the centre.
 *
 * New vertices are on the 12.4 grid, so edges may be off by 1/16 pixel in x and y. Pixels that are
 * closer to an edge than REACH are not compared. The value of a pixel may be that of any point
 * within REACH. */
#include "../register.h"
#include "stage.h"

#define REACH 0.14
#define BACK  UINT32_C(0x80402010)

enum { WIDTH = 200, HEIGHT = 136, FLAGS = NV_CLIP | NV_HEADER };

static const struct pass cleared = {
    .address = STAGE_FRAME, .flags = FRAME_8888, .clear = {BACK, BACK}, .clear_z = 0xffffff};

struct shape {
    double at[3][4]; /* Xc, Yc, Zc, Wc of each corner */
    double value[3];
    double half_height; /* half the viewport's height in pixels; negative if Y points up */
};

struct sample {
    bool inside;
    double value, z;
};

static struct sample sample(const struct shape *shape, double px, double py)
{
    double p[3] = {(px - WIDTH / 2) / (WIDTH / 2), (py - HEIGHT / 2) / shape->half_height, 1};
    double q[3], determinant = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double *a = shape->at[(i + 1) % 3], *b = shape->at[(i + 2) % 3], *c = shape->at[i];
        double cross[3] = {a[1] * b[3] - a[3] * b[1], a[3] * b[0] - a[0] * b[3],
                           a[0] * b[1] - a[1] * b[0]};
        q[i] = cross[0] * p[0] + cross[1] * p[1] + cross[2] * p[2];
        determinant = cross[0] * c[0] + cross[1] * c[1] + cross[2] * c[3];
    }
    struct sample result = {.inside = determinant != 0};
    double inverse_w = 0;
    for (unsigned i = 0; i < 3; i++) {
        q[i] /= determinant;
        inverse_w += q[i];
        result.inside &= q[i] >= 0;
        result.value += q[i] * shape->value[i];
        result.z += q[i] * shape->at[i][2];
    }
    result.value /= inverse_w;
    result.inside &= inverse_w > 0 && result.z >= -1 && result.z <= 1;
    return result;
}

/* True if the shape is forward facing. Record 96's clockwise bit is clear, so a positive area in
 * the window is forward. */
static bool is_forward(const struct shape *shape)
{
    const double(*at)[4] = shape->at;
    double determinant = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double *a = at[(i + 1) % 3], *b = at[(i + 2) % 3];
        determinant += at[i][0] * (a[1] * b[3] - a[3] * b[1]);
    }
    return determinant * shape->half_height > 0;
}

/* Projects a vertex as a vertex shader does. The result is meaningless if Wc is not positive. */
static struct corner projected(const double at[4], double half_height, double value)
{
    struct corner corner = {.x = 77, .y = -99, .z = -5, .iw = -3, .v = {(float)value, 1}};
    for (unsigned i = 0; i < 4; i++)
        corner.clip[i] = (float)at[i];
    if (at[3] > 0.001) {
        corner.x = trunc(at[0] / at[3] * WIDTH / 2 * 16) / 16;
        corner.y = trunc(at[1] / at[3] * half_height * 16) / 16;
        corner.z = (float)(at[2] / at[3] * 0.5 + 0.5);
        corner.iw = (float)(1 / at[3]);
    }
    return corner;
}

static void begin_clipping(struct stage *stage, double half_height)
{
    stage_begin(stage);
    stage_viewport(stage, WIDTH / 2, HEIGHT / 2);
    stage_float(stage, 105, WIDTH / 2 * 16);
    rig_f32(stage->rig, (float)half_height * 16);
    stage_float(stage, 106, 0.5f);
    rig_f32(stage->rig, 0.5f);
}

static void draw_shape(struct stage *stage, const struct shape *shape, uint32_t code)
{
    struct corner corners[3];
    for (unsigned i = 0; i < 3; i++)
        corners[i] = projected(shape->at[i], shape->half_height, shape->value[i]);
    begin_clipping(stage, shape->half_height);
    stage_shading(stage, FLAGS, 1, code, 0, stage_vertices(stage, FLAGS, 1, corners, 3));
    stage_array(stage, TRIANGLES, 3, 0);
}

enum what { VALUE, DEPTH, FACING };

static bool pixel_is_right(const struct shape *shape, enum what what, unsigned x, unsigned y,
                           uint32_t pixel, bool *vague)
{
    double low = INFINITY, high = -INFINITY;
    struct sample middle = sample(shape, x + 0.5, y + 0.5);
    for (int i = 0; i < 9; i++) {
        struct sample near = sample(shape, x + 0.5 + (i % 3 - 1) * REACH,
                                    y + 0.5 + (i / 3 - 1) * REACH);
        *vague |= near.inside != middle.inside;
        double value = what == VALUE   ? near.value
                       : what == DEPTH ? (near.z * 0.5 + 0.5) * 0xffffff
                                       : 0;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (*vague)
        return true;
    if (!middle.inside)
        return pixel == BACK;
    if (what == FACING)
        return pixel == !is_forward(shape);
    double got = what == VALUE ? (double)bits_float(pixel) : pixel;
    double margin = (high - low) / 2 + (what == VALUE ? 1e-4 * fmax(fabs(low), 1) : 2);
    return got >= low - margin && got <= high + margin;
}

/* Draws the shape alone and compares every pixel. Returns the number of drawn pixels. */
static unsigned check_shape(const struct shape *shape, enum what what, unsigned number)
{
    static const char *const shaders[] = {
        [VALUE] = SHADER_VARYING,
        [DEPTH] = "nop; mov r0, vary\nnop\nmov tlbc, rb15\n" SHADER_END,
        [FACING] = "nop; mov r0, vary\nnop\nmov tlbc, rev_flag\n" SHADER_END,
    };
    struct stage stage = stage_new(WIDTH, HEIGHT);
    draw_shape(&stage, shape, stage_shader(&stage, shaders[what]));
    stage_pass(&stage, &cleared);
    unsigned wrong = 0, vague_pixels = 0, drawn = 0;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            bool vague = false;
            uint32_t pixel = stage_pixel(&stage, x, y);
            drawn += pixel != BACK;
            if (!pixel_is_right(shape, what, x, y, pixel, &vague) && wrong++ < 3) {
                struct sample want = sample(shape, x + 0.5, y + 0.5);
                print_message("shape %u, %d (%u,%u): %08x %g; %s %g %g\n", number, what, x, y,
                              pixel, (double)bits_float(pixel), want.inside ? "inside" : "outside",
                              want.value, (want.z / 2 + 0.5) * 0xffffff);
            }
            vague_pixels += vague;
        }
    if (wrong)
        print_message("shape %u: %u wrong, %u vague, %u drawn\n", number, wrong, vague_pixels,
                      drawn);
    assert_int_equal(wrong, 0);
    assert_true(vague_pixels < WIDTH * HEIGHT / 8);
    stage_free(&stage);
    return drawn;
}

/* Draws a floor that extends from behind the eye through the near plane, and the same floor
 * upside down. */
TEST(through_the_near_plane)
{
    static const struct shape shapes[] = {
        {{{-3, 1, -2.5, -1.5}, {0.5, 1, 7, 8}, {4, 1, 0, 1}}, {0, 10, 20}, HEIGHT / 2},
        {{{-3, 1, -2.5, -1.5}, {0.5, 1, 7, 8}, {4, 1, 0, 1}}, {0, 10, 20}, -HEIGHT / 2},
        {{{-3, 1, -2.5, -1.5}, {4, 1, -1.5, -0.5}, {0.5, 1, 7, 8}}, {0, 10, 20}, HEIGHT / 2},
        /* These shapes cross the far plane, or both planes. */
        {{{-1, -1, 0, 2}, {2, -2, 0, 3}, {0, 3, 12, 6}}, {5, 6, -7}, HEIGHT / 2},
        {{{-2, -1, -3, 1}, {2, -2, 0, 3}, {0, 3, 12, 6}}, {5, 6, -7}, HEIGHT / 2},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (unsigned what = VALUE; what <= FACING; what++)
            assert_true(check_shape(&shapes[i], what, i) > 500);
}

static double in_range(uint32_t *seed, double low, double high)
{
    return low + (high - low) * (next_random(seed) >> 8) / 16777216.0;
}

/* Draws random triangles with corners in front of and behind the eye, inside and outside the
 * clip volume. */
TEST(random_shapes)
{
    uint32_t seed = 321;
    unsigned drawn = 0;
    for (unsigned i = 0; i < 150; i++) {
        struct shape shape = {.half_height = i & 1 ? HEIGHT / 2 : -HEIGHT / 2};
        for (unsigned v = 0; v < 3; v++) {
            double w = in_range(&seed, -1.5, 4);
            shape.at[v][0] = in_range(&seed, -4, 4);
            shape.at[v][1] = in_range(&seed, -4, 4);
            shape.at[v][2] = in_range(&seed, -4, 4);
            shape.at[v][3] = w;
            shape.value[v] = in_range(&seed, -50, 50);
            for (unsigned k = 0; k < 4; k++) /* coordinates are floats */
                shape.at[v][k] = (double)(float)shape.at[v][k];
        }
        drawn += check_shape(&shape, i % 3, i) > 100;
    }
    assert_true(drawn > 40);
}

/* Corners are up to 200 times the half width away, so their screen coordinates do not fit 12.4. */
TEST(far_outside)
{
    uint32_t seed = 654;
    unsigned drawn = 0;
    for (unsigned i = 0; i < 150; i++) {
        struct shape shape = {.half_height = HEIGHT / 2};
        double size = i % 3 == 0 ? 22 : i % 3 == 1 ? 40 : 200;
        for (unsigned v = 0; v < 3; v++) {
            double w = in_range(&seed, 0.5, 3);
            shape.at[v][0] = (double)(float)(in_range(&seed, -size, size) * w);
            shape.at[v][1] = (double)(float)(in_range(&seed, -size, size) * w);
            shape.at[v][2] = (double)(float)(in_range(&seed, -1, 1) * w);
            shape.at[v][3] = (double)(float)w;
            shape.value[v] = in_range(&seed, -50, 50);
        }
        drawn += check_shape(&shape, i / 3 % 3, i) > 100;
    }
    assert_true(drawn > 20);
}

/* A floor of squares extends from behind the eye to far away. Below the horizon every pixel must
 * be drawn exactly once, although the near and side planes cut many of the triangles. */
TEST(a_clipped_mesh_has_no_gaps)
{
    enum { COLUMNS = 16, ROWS = 12, POINTS_OF_MESH = (COLUMNS + 1) * (ROWS + 1) };
    struct stage stage = stage_new(WIDTH, HEIGHT);
    static struct corner corners[POINTS_OF_MESH];
    static uint16_t indices[COLUMNS * ROWS * 6];
    unsigned count = 0;
    for (unsigned row = 0; row <= ROWS; row++)
        for (unsigned column = 0; column <= COLUMNS; column++) {
            /* The eye is at height 1 and looks along +z. Depth is from -3 to 9. Wc is the depth,
             * and Zc is for a near plane at 0.25. */
            double depth = -3.0 + row + 0.37 * (column % 3), x = (column - COLUMNS / 2.0) * 60;
            double near = 0.25, far = 100;
            double at[4] = {
                x, 1, (far + near) / (far - near) * depth - 2 * far * near / (far - near), depth};
            for (unsigned i = 0; i < 4; i++)
                at[i] = (double)(float)at[i];
            corners[row * (COLUMNS + 1) + column] = projected(at, HEIGHT / 2, 0);
        }
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < COLUMNS; column++) {
            unsigned a = row * (COLUMNS + 1) + column, b = a + COLUMNS + 1;
            const unsigned cell[6] = {a, a + 1, b, b, a + 1, b + 1};
            for (unsigned i = 0; i < 6; i++)
                indices[count++] = (uint16_t)cell[i];
        }
    uint32_t code = stage_shader(&stage, SHADER_ADD);
    begin_clipping(&stage, HEIGHT / 2);
    stage_shading(&stage, FLAGS, 0, code, stage_word(&stage, 1),
                  stage_vertices(&stage, FLAGS, 0, corners, POINTS_OF_MESH));
    stage_indexed(&stage, TRIANGLES, indices, count, 2);
    struct pass pass = RASTER_PASS;
    stage_pass(&stage, &pass);
    /* Depth 9 is at row 68 + 68/9 = 75.6. The random offsets of the last column and the first
     * row can only move a vertex nearer to the eye. */
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t hit = stage_pixel(&stage, x, y);
            assert_true(hit <= 1);
            if (y < 68 || y > 76)
                assert_int_equal(hit, y > 76);
        }
    stage_free(&stage);
}

/* Draws the shape, or the line between its first two corners, with or without clipping. */
static struct stage whole_or_clipped(const struct shape *shape, unsigned mode, bool clipped,
                                     const char *shader)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    struct corner corners[3];
    uint32_t flags = clipped ? FLAGS : NV_HEADER;
    for (unsigned i = 0; i < 3; i++)
        corners[i] = projected(shape->at[i], shape->half_height, shape->value[i]);
    uint32_t code = stage_shader(&stage, shader);
    begin_clipping(&stage, shape->half_height);
    stage_shading(&stage, flags, 1, code, 0, stage_vertices(&stage, flags, 1, corners, 3));
    stage_float(&stage, 99, 7);
    stage_array(&stage, mode, mode == LINES ? 2 : 3, 0);
    stage_pass(&stage, &cleared);
    return stage;
}

/* Compares the pixels that both stages have drawn, and counts the pixels that only one stage has
 * drawn. Values are floats from 0 to 1; Z has 24 bits. */
static void compare_inside(const struct stage *one, const struct stage *other, bool depth,
                           unsigned *both, unsigned *single)
{
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t a = stage_pixel(one, x, y), b = stage_pixel(other, x, y);
            *single += (a == BACK) != (b == BACK);
            if (a == BACK || b == BACK)
                continue;
            ++*both;
            if (depth)
                assert_in_range(a - b + 8, 0, 16);
            else
                assert_true(fabs((double)bits_float(a) - (double)bits_float(b)) < 1e-5);
        }
}

/* Without clipping, the limits of record 104 drop fragments before the near plane and beyond the
 * far plane. So clipping may change only pixels at edges. */
TEST(clipping_is_not_seen)
{
    static const char *const shaders[] = {"nop; mov r0, vary\nnop\nmov tlbc, rb15\n" SHADER_END,
                                          SHADER_VARYING};
    static const char *const line_shaders[] = {
        "nop; mov r0, vary\nnop; mov r0, vary\nmov tlbc, rb15\n" SHADER_END,
        "nop; mov r0, vary\nfmul r0, vary, ra15\nfadd tlbc, r0, r5\n" SHADER_END};
    uint32_t seed = 99;
    unsigned both[2] = {0}, single[2] = {0};
    for (unsigned i = 0; i < 200; i++) {
        struct shape shape = {.half_height = i & 2 ? HEIGHT / 2 : -HEIGHT / 2};
        for (unsigned v = 0; v < 3; v++) {
            double w = in_range(&seed, 0.5, 3);
            const double reach[3] = {1.5, 1.5, 2.5};
            for (unsigned k = 0; k < 3; k++)
                shape.at[v][k] = (double)(float)(in_range(&seed, -reach[k], reach[k]) * w);
            shape.at[v][3] = (double)(float)w;
            shape.value[v] = in_range(&seed, 0, 1);
        }
        bool is_line = i % 4 == 3;
        const char *shader = is_line ? line_shaders[i / 4 % 2] : shaders[i % 2];
        bool depth = shader == shaders[0] || shader == line_shaders[0];
        unsigned mode = is_line ? LINES : TRIANGLES;
        struct stage whole = whole_or_clipped(&shape, mode, false, shader);
        struct stage parts = whole_or_clipped(&shape, mode, true, shader);
        compare_inside(&whole, &parts, depth, &both[is_line], &single[is_line]);
        stage_free(&whole);
        stage_free(&parts);
    }
    assert_true(both[0] > 200000 && both[1] > 10000);
    assert_true(single[0] < both[0] / 500 && single[1] < both[1] / 50);
}

/* Rounding to the grid can reverse parts of a clipped thin triangle. Still, no pixel may be
 * drawn twice. The first triangle has a reversed part when it is clipped to the near and the far
 * plane. */
TEST(parts_do_not_overlap)
{
    uint32_t seed = 2040;
    for (unsigned i = 0; i < 200; i++) {
        struct shape shape = {
            {{-1.36884677, -1.23403537, 2.79822922, 2.74915767},
             {0.705781281, -0.325903416, -1.22918606, 0.443421781},
             {0.428824455, -0.429284334, -0.706995428, 0.728973448}},
            .half_height = HEIGHT / 2,
        };
        double along = in_range(&seed, 0, 1);
        for (unsigned v = 0; v < 3 && i > 0; v++)
            for (unsigned k = 0; k < 4; k++)
                shape.at[v][k] = v < 2 ? in_range(&seed, k < 3 ? -3 : 0.3, 3)
                                       : shape.at[0][k] * along + shape.at[1][k] * (1 - along) +
                                             in_range(&seed, -0.02, 0.02);
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct corner corners[3];
        for (unsigned v = 0; v < 3; v++)
            corners[v] = projected(shape.at[v], HEIGHT / 2, 0);
        uint32_t code = stage_shader(&stage, SHADER_ADD), one = stage_word(&stage, 1);
        begin_clipping(&stage, HEIGHT / 2);
        stage_shading(&stage, FLAGS, 0, code, one, stage_vertices(&stage, FLAGS, 0, corners, 3));
        stage_array(&stage, TRIANGLES, 3, 0);
        struct pass pass = RASTER_PASS;
        stage_pass(&stage, &pass);
        assert_int_equal(stage_count(&stage, 0) + stage_count(&stage, 1), WIDTH * HEIGHT);
        stage_free(&stage);
    }
}

/* Points are dropped if their centre is outside. Lines are shortened, and the values along the
 * rest of a line do not change. */
TEST(points_and_lines)
{
    struct stage stage = stage_new(WIDTH, HEIGHT);
    static const double ends[2][4] = {{-0.5, 0.1, 0.5, 1}, {0.5, 0.1, -3, 1}};
    struct corner corners[2];
    for (unsigned i = 0; i < 2; i++)
        corners[i] = projected(ends[i], HEIGHT / 2, i);
    begin_clipping(&stage, HEIGHT / 2);
    stage_float(&stage, 99, 2);
    uint32_t code = stage_shader(&stage,
                                 "fmul r0, vary, ra15\nfadd r0, r0, r5; fmul r1, ra15, vary\n"
                                 "fadd r1, r1, r5\nmov tlbc, r1\n" SHADER_END);
    stage_shading(&stage, FLAGS, 1, code, 0, stage_vertices(&stage, FLAGS, 1, corners, 2));
    stage_array(&stage, LINES, 2, 0);
    stage_pass(&stage, &cleared);
    /* The value is (x - 50) / 100 from x = 50 to 150. Zc reaches -1 at 3/7 of the line, where x
     * is 92.857. */
    for (unsigned x = 0; x < WIDTH; x++) {
        uint32_t pixel = stage_pixel(&stage, x, 74);
        assert_int_equal(pixel != BACK, x >= 50 && x < 93);
        if (pixel != BACK)
            assert_true(fabs((double)bits_float(pixel) - (x + 0.5 - 50) / 100) < 2e-3);
    }
    stage_free(&stage);

    stage = stage_new(WIDTH, HEIGHT);
    static const double places[5][4] = {
        /* clang-format off */
        {-0.5, 0, 0,     1},
        {0,    0, 1.5,   1},
        {0.25, 0, -1.01, 1},
        {0.5,  0, 0.2,   -1},
        {1,    1, 1,     2},
        /* clang-format on */
    };
    struct corner dots[5];
    for (unsigned i = 0; i < 5; i++) {
        dots[i] = projected(places[i], HEIGHT / 2, 0);
        dots[i].size = 4;
    }
    begin_clipping(&stage, HEIGHT / 2);
    code = stage_shader(&stage,
                        "nop; mov r0, vary\nnop; mov r0, vary\nmov tlbc, unif\n" SHADER_END);
    uint32_t flags = FLAGS | NV_POINT_SIZE;
    stage_shading(&stage, flags, 0, code, stage_word(&stage, 5),
                  stage_vertices(&stage, flags, 0, dots, 5));
    stage_array(&stage, POINTS, 5, 0);
    stage_pass(&stage, &cleared);
    assert_int_equal(stage_count(&stage, 5), 2 * 16);
    assert_int_equal(stage_pixel(&stage, 50, 68), 5);
    assert_int_equal(stage_pixel(&stage, 150, 102), 5);
    stage_free(&stage);
}

/* Flat varyings of a clipped triangle come from its last original vertex, even if that vertex is
 * clipped. */
TEST(flat_values_survive)
{
    static const double at[3][4] = {{-3, 1, -2.5, -1.5}, {0.5, 1, 7, 8}, {4, 1, 0, 1}};
    for (unsigned last = 0; last < 3; last++) {
        struct stage stage = stage_new(WIDTH, HEIGHT);
        struct corner corners[3];
        for (unsigned i = 0; i < 3; i++) {
            unsigned v = (last + 1 + i) % 3;
            corners[i] = projected(at[v], HEIGHT / 2, 10 + v);
        }
        begin_clipping(&stage, HEIGHT / 2);
        stage_flat_flags(&stage, 1);
        stage_shading(&stage, FLAGS, 1, stage_shader(&stage, SHADER_VARYING), 0,
                      stage_vertices(&stage, FLAGS, 1, corners, 3));
        stage_array(&stage, TRIANGLES, 3, 0);
        stage_pass(&stage, &cleared);
        unsigned drawn = WIDTH * HEIGHT - stage_count(&stage, BACK);
        assert_true(drawn > 500);
        assert_int_equal(stage_count(&stage, float_bits((float)(10 + last))), drawn);
        stage_free(&stage);
    }
}
