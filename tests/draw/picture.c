/* SPDX-License-Identifier: MIT */
/* picture.c - the plain rasteriser, compared with references in double precision that use other
 * algorithms:
 *   which pixels   A centre on an edge is moved a little to the right, and far less down. The move
 *                  is equivalent to the rule that top and left edges own their centres (OpenGL ES
 *                  2.0.25, 3.5.1, requires one owner).
 *   values         The matrix of the corners in homogeneous coordinates is inverted (M. Olano,
 *                  T. Greer, Triangle scan conversion using 2D homogeneous coordinates, 1997),
 *                  which needs neither clipping nor 1/w at corners. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/draw.h>
#include <tessera/isa.h>

#include "../random.h"
#include "../register.h"
#include "base/image.h"

enum { WIDTH = 64, HEIGHT = 48, PIXELS = WIDTH * HEIGHT };

static const float black[3];
static uint64_t random_state = 1;

struct heard {
    unsigned count;
    char rule[32], text[120];
};

static struct heard heard;

static void hear(void *user, const struct tess_finding *diag)
{
    struct heard *to = user;
    to->count++;
    assert_int_equal(diag->level, TESS_WARNING);
    snprintf(to->rule, sizeof to->rule, "%s", diag->id);
    snprintf(to->text, sizeof to->text, "%s", diag->text);
}

static struct tess_picture *picture;
static struct tess_draw_counts counts;

static void begin(void)
{
    tess_picture_free(picture);
    assert_int_equal(tess_picture_create(WIDTH, HEIGHT, black, &picture), TESS_OK);
    heard = (struct heard){0};
}

static void draw(const struct tess_draw *what)
{
    assert_int_equal(tess_picture_draw(picture, what, (struct tess_sink){hear, &heard}, &counts),
                     TESS_OK);
}

/* Draws into an empty picture. */
static void draw_vertices(enum tess_draw_primitive primitive,
                          const struct tess_draw_vertex *vertices, size_t count)
{
    begin();
    draw(&(struct tess_draw){
        .primitive = primitive, .no_depth = true, .vertices = vertices, .vertex_count = count});
}

static const uint8_t *pixel_at(unsigned x, unsigned y)
{
    return tess_picture_pixels(picture) + (size_t)3 * (y * WIDTH + x);
}

static bool is_lit(unsigned x, unsigned y)
{
    return pixel_at(x, y)[0] != 0;
}

static unsigned count_lit(void)
{
    unsigned lit = 0;
    for (unsigned i = 0; i < PIXELS; i++)
        lit += is_lit(i % WIDTH, i / WIDTH);
    return lit;
}

/* Returns a white vertex. */
static struct tess_draw_vertex at(double x, double y)
{
    return (struct tess_draw_vertex){{(float)x, (float)y, 0, 1}, {1, 1, 1, 1}, 1};
}

static double uniform(double from, double to)
{
    return from + (to - from) * (double)(next_random64(&random_state) >> 11) * 0x1p-53;
}

/* Rounds a value down to a multiple of step. In the rasteriser, positions on the grid of 1/256
 * pixel are exact. */
static double on_grid(double value, double step)
{
    return floor(value / step) * step;
}

/* --- which pixels --- */

/* Returns a positive number if the point is on the inner side of the edge from a to b. A point
 * on the edge counts as moved to the right or, for horizontal edges, down. All products are
 * exact. */
static double side(const double *a, const double *b, double x, double y)
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double place = dx * (y - a[1]) - dy * (x - a[0]);
    return place != 0 ? place : dy != 0 ? -dy : dx;
}

static bool is_inside(double (*corners)[2], double x, double y)
{
    double turn = (corners[1][0] - corners[0][0]) * (corners[2][1] - corners[0][1]) -
                  (corners[1][1] - corners[0][1]) * (corners[2][0] - corners[0][0]);
    for (unsigned i = 0; i < 3 && turn != 0; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 3];
        if ((turn > 0 ? side(a, b, x, y) : side(b, a, x, y)) <= 0)
            return false;
    }
    return turn != 0;
}

/* Draws triangles with corners on the fine grid, and then on centres and corners of pixels, so
 * that edges pass through centres. */
TEST(test_triangles)
{
    for (unsigned n = 0; n < 2000; n++) {
        double corners[3][2], step = n % 3 == 0 ? 1.0 / 256 : 0.5;
        struct tess_draw_vertex vertices[3];
        for (unsigned i = 0; i < 3; i++) {
            corners[i][0] = on_grid(uniform(-20, WIDTH + 20), step);
            corners[i][1] = on_grid(uniform(-20, HEIGHT + 20), step);
            vertices[i] = at(corners[i][0], corners[i][1]);
        }
        draw_vertices(TESS_DRAW_TRIANGLES, vertices, 3);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                assert_int_equal(is_lit(x, y), is_inside(corners, x + 0.5, y + 0.5));
    }
}

/* Worked out by hand: the square from (2, 2) to (4, 4) covers the pixels with
 * centres at 2.5 and 3.5. The edges
 * of the square from (2.5, 2.5) to (4.5, 4.5) pass through centres. The square covers the
 * centres on its top and left edges. */
TEST(test_square_by_hand)
{
    static const unsigned order[6] = {0, 1, 2, 2, 1, 3};
    for (unsigned half = 0; half < 2; half++) {
        struct tess_draw_vertex vertices[6];
        for (unsigned i = 0; i < 6; i++)
            vertices[i] = at(2 + 0.5 * half + 2 * (order[i] % 2),
                             2 + 0.5 * half + 2 * (order[i] / 2));
        draw_vertices(TESS_DRAW_TRIANGLES, vertices, 6);
        assert_int_equal(counts.pixels, 4);
        assert_int_equal(counts.primitives, 2);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                assert_int_equal(is_lit(x, y), x >= 2 && x < 4 && y >= 2 && y < 4);
    }
}

enum { MESH = 9, MESH_INDICES = (MESH - 1) * (MESH - 1) * 6 };

/* Builds a mesh over the whole picture. Its inner vertices are moved randomly. */
static void make_mesh(struct tess_draw_vertex *vertices, uint32_t *indices, double step)
{
    for (unsigned i = 0; i < MESH * MESH; i++) {
        unsigned column = i % MESH, row = i / MESH;
        double x = column * (double)WIDTH / (MESH - 1), y = row * (double)HEIGHT / (MESH - 1);
        if (column > 0 && column < MESH - 1)
            x = on_grid(x + uniform(-1, 1), step);
        if (row > 0 && row < MESH - 1)
            y = on_grid(y + uniform(-1, 1), step);
        vertices[i] = at(x, y);
    }
    for (uint32_t i = 0; i < MESH * (MESH - 1); i++) {
        bool flip = next_random64(&random_state) & 1;
        const uint32_t a = i, b = i + 1, c = i + MESH, d = i + MESH + 1;
        const uint32_t quad[6] = {a, b, flip ? d : c, flip ? a : b, c, d};
        if (i % MESH == MESH - 1)
            continue;
        memcpy(indices, quad, sizeof quad);
        indices += 6;
    }
}

/* Every pixel must be drawn exactly once, with any orientation of the triangles. */
TEST(test_shared_edges)
{
    for (unsigned n = 0; n < 100; n++) {
        struct tess_draw_vertex vertices[MESH * MESH];
        uint32_t indices[MESH_INDICES];
        make_mesh(vertices, indices, n % 2 ? 1.0 / 256 : 0.5);
        begin();
        draw(&(struct tess_draw){.primitive = TESS_DRAW_TRIANGLES,
                                 .no_depth = true,
                                 .vertices = vertices,
                                 .vertex_count = MESH * MESH,
                                 .indices = indices,
                                 .index_count = MESH_INDICES});
        assert_int_equal(counts.pixels, PIXELS);
        assert_int_equal(count_lit(), PIXELS);
    }
}

/* A fan is drawn around the centre of a pixel. Its edges end at centres of pixels. */
TEST(test_fan_around_a_centre)
{
    static const double ring[][2] = {
        /* clang-format off */
        {40.5, 20.5},
        {40.5, 40.5},
        {20.5, 40.5},
        {10.5, 30.5},
        {0.5,  20.5},
        {0.5,  0.5},
        {20.5, 0.5},
        {40.5, 0.5},
        {40.5, 20.5},
        /* clang-format on */
    };
    struct tess_draw_vertex vertices[10] = {at(20.5, 20.5)};
    for (unsigned i = 0; i < 9; i++)
        vertices[i + 1] = at(ring[i][0], ring[i][1]);
    draw_vertices(TESS_DRAW_TRIANGLE_FAN, vertices, 10);
    assert_int_equal(counts.primitives, 8);
    assert_int_equal(count_lit(), counts.pixels);
    assert_true(is_lit(20, 20));
    assert_true(is_lit(0, 0));    /* the top left corner */
    assert_false(is_lit(40, 40)); /* the bottom right corner */
}

/* The corners are far outside of the picture. The picture shows a half plane, whose boundary,
 * the long edge, is the picture's diagonal. */
TEST(test_guard_band)
{
    const struct tess_draw_vertex vertices[6] = {at(-1e9, -1e9), at(1e9, 1e9), at(-1e9, 1e9),
                                                 at(-1e9, -1e9), at(1e9, 1e9), at(1e9, -1e9)};
    draw_vertices(TESS_DRAW_TRIANGLES, vertices, 3);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            if (x != y)
                assert_int_equal(is_lit(x, y), y > x);
    /* Two triangles share the diagonal. Each pixel must be drawn exactly once. */
    draw_vertices(TESS_DRAW_TRIANGLES, vertices, 6);
    assert_int_equal(counts.pixels, PIXELS);
    assert_int_equal(count_lit(), PIXELS);
    /* The rasteriser must accept corners near the largest floats. */
    const struct tess_draw_vertex far[3] = {at(-3e38, -3e38), at(3e38, 0), at(-3e38, 3e38)};
    draw_vertices(TESS_DRAW_TRIANGLES, far, 3);
    assert_int_equal(counts.pixels, PIXELS);
}

/* --- values --- */

/* A corner in clip space. */
struct corner {
    double place[4], colour[2];
};

static double determinant(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) +
           c[0] * (a[1] * b[2] - a[2] * b[1]);
}

/* Stores x, y and w of the corners as the columns of a matrix. Returns its determinant. */
static double take_columns(const struct corner *corners, double columns[3][3])
{
    for (unsigned i = 0; i < 3; i++) {
        columns[i][0] = corners[i].place[0];
        columns[i][1] = corners[i].place[1];
        columns[i][2] = corners[i].place[3];
    }
    return determinant(columns[0], columns[1], columns[2]);
}

/* Computes the weights of the corners at a position of the picture. The sum of the weights is 1.
 * The weighted sum of the corners is on the ray from the eye through the position. Returns false
 * if the point is behind the eye. */
static bool see(const struct corner *corners, double x, double y, double *weights)
{
    const double ray[3] = {2 * x / WIDTH - 1, 1 - 2 * y / HEIGHT, 1};
    double m[3][3], det = take_columns(corners, m), sum;
    weights[0] = determinant(ray, m[1], m[2]) / det;
    weights[1] = determinant(m[0], ray, m[2]) / det;
    weights[2] = determinant(m[0], m[1], ray) / det;
    sum = weights[0] + weights[1] + weights[2];
    for (unsigned i = 0; i < 3; i++)
        weights[i] /= sum;
    return sum > 0;
}

static bool is_seen(const struct corner *corners, double x, double y, double *weights)
{
    double z = 0, w = 0;
    bool inside = see(corners, x, y, weights);
    for (unsigned i = 0; i < 3; i++) {
        inside &= weights[i] >= 0;
        z += weights[i] * corners[i].place[2];
        w += weights[i] * corners[i].place[3];
    }
    return inside && z >= -w && z <= w; /* is between the near and the far plane */
}

/* Classifies a pixel by the reference. Returns 1 if it is inside, 0 if outside, and -1 if it is
 * too close to an edge, because the rasteriser rounds positions to 1/256 pixel. */
static int judge(const struct corner *corners, unsigned x, unsigned y, double *weights)
{
    static const double around[4][2] = {{0.02, 0}, {-0.02, 0}, {0, 0.02}, {0, -0.02}};
    double unused[3];
    bool inside = is_seen(corners, x + 0.5, y + 0.5, weights);
    for (unsigned i = 0; i < 4; i++)
        if (is_seen(corners, x + 0.5 + around[i][0], y + 0.5 + around[i][1], unused) != inside)
            return -1;
    return inside;
}

static void check_colour(const struct corner *corners, const double *weights, const uint8_t *pixel)
{
    for (unsigned c = 0; c < 2; c++) {
        double value = 0;
        for (unsigned i = 0; i < 3; i++)
            value += weights[i] * corners[i].colour[c];
        assert_true(fabs(pixel[c] - 255 * value) <=
                    1.6); /* error of rounding to a byte and of 1/512 pixel */
    }
}

/* Compares all pixels with the reference. Returns the number of pixels inside. */
static unsigned check_values(const struct corner *corners)
{
    unsigned checked = 0;
    for (unsigned i = 0; i < PIXELS; i++) {
        double weights[3];
        const uint8_t *pixel = pixel_at(i % WIDTH, i / WIDTH);
        int inside = judge(corners, i % WIDTH, i / WIDTH, weights);
        if (inside < 0)
            continue;
        assert_int_equal(pixel[2] != 0, inside);
        if (inside)
            check_colour(corners, weights, pixel);
        checked += inside != 0;
    }
    return checked;
}

static struct corner random_corner(double least_w, double most_w)
{
    double w = uniform(least_w, most_w), size = fabs(w) + 0.3;
    return (struct corner){{(float)(uniform(-1.5, 1.5) * size), (float)(uniform(-1.5, 1.5) * size),
                            (float)(uniform(-0.9, 0.9) * size), (float)w},
                           {(float)uniform(0, 1), (float)uniform(0, 1)}};
}

/* Returns false if the triangle is nearly edge-on. Colours of such a triangle change too fast to
 * be compared. */
static bool is_gentle(const struct corner *corners)
{
    double columns[3][3];
    return fabs(take_columns(corners, columns)) > 3;
}

static struct tess_draw_vertex vertex_of(const struct corner *corner, bool project)
{
    struct tess_draw_vertex vertex = {
        .colour = {(float)corner->colour[0], (float)corner->colour[1], 1, 1}};
    for (unsigned i = 0; i < 4; i++)
        vertex.position[i] = (float)corner->place[i];
    if (project) {
        double inverse = 1 / corner->place[3];
        vertex.position[0] = (float)((corner->place[0] * inverse + 1) / 2 * WIDTH);
        vertex.position[1] = (float)((1 - corner->place[1] * inverse) / 2 * HEIGHT);
        vertex.position[2] = 0.5F;
        vertex.position[3] = (float)inverse;
    }
    return vertex;
}

/* Draws random triangles. If least_w is below 0, some triangles have corners behind the eye. */
static unsigned check_random(bool project, double least_w)
{
    unsigned checked = 0;
    for (unsigned n = 0; n < 400; n++) {
        struct corner corners[3];
        struct tess_draw_vertex vertices[3];
        for (unsigned i = 0; i < 3; i++) {
            corners[i] = random_corner(least_w, 4);
            if (project)
                corners[i].place[2] = 0;
            vertices[i] = vertex_of(&corners[i], project);
        }
        if (!is_gentle(corners))
            continue;
        begin();
        draw(&(struct tess_draw){.primitive = TESS_DRAW_TRIANGLES,
                                 .clip_space = !project,
                                 .vertices = vertices,
                                 .vertex_count = 3});
        assert_int_equal(heard.count, 0);
        checked += check_values(corners);
    }
    return checked;
}

TEST(test_perspective)
{
    assert_true(check_random(true, 0.5) > 50000);
}

TEST(test_clip_space)
{
    assert_true(check_random(false, 0.5) > 50000);
    assert_true(check_random(false, -2) > 50000);
}

/* 1/w is 1 at one end and 1/3 at the other. Halfway between them, the far end has a quarter of
 * the weight: (1 * 1/3) / (1 + 1/3). */
TEST(test_perspective_by_hand)
{
    const struct tess_draw_vertex ends[2] = {
        {{0.5F, 3.5F, 0, 1}, {0, 1, 1, 1}, 1},
        {{20.5F, 3.5F, 0, 1.0F / 3}, {1, 1, 1, 1}, 1},
    };
    draw_vertices(TESS_DRAW_LINES, ends, 2);
    assert_int_equal(counts.pixels, 20);
    assert_int_equal(pixel_at(10, 3)[0], 64); /* 255 / 4 = 63.75, rounded */
    assert_int_equal(pixel_at(0, 3)[0], 0);
    assert_int_equal(pixel_at(0, 3)[1], 255);
}

/* --- lines and points --- */

static void expect_lit(const unsigned (*pixels)[2], size_t count)
{
    assert_int_equal(count_lit(), count);
    for (size_t i = 0; i < count; i++)
        assert_true(is_lit(pixels[i][0], pixels[i][1]));
}

/* Worked out by hand: a flat line draws the columns whose centres are between its ends, and a
 * steep line the rows. The last end is excluded. */
TEST(test_lines)
{
    static const unsigned right[][2] = {{2, 5}, {3, 5}, {4, 6}, {5, 6}};
    static const unsigned left[][2] = {{3, 5}, {4, 6}, {5, 6}, {6, 7}};
    static const unsigned down[][2] = {{5, 2}, {5, 3}, {6, 4}, {6, 5}};
    const struct tess_draw_vertex flat[2] = {at(2.5, 5.25), at(6.5, 7.25)};
    const struct tess_draw_vertex back[2] = {at(6.5, 7.25), at(2.5, 5.25)};
    const struct tess_draw_vertex steep[2] = {at(5.25, 2.5), at(7.25, 6.5)};
    const struct tess_draw_vertex none[2] = {at(5.25, 2.5), at(5.25, 2.5)};
    draw_vertices(TESS_DRAW_LINES, flat, 2); /* y is 5.25, 5.75, 6.25, 6.75 */
    expect_lit(right, 4);
    draw_vertices(TESS_DRAW_LINES, back, 2); /* y is 7.25, 6.75, 6.25, 5.75 */
    expect_lit(left, 4);
    draw_vertices(TESS_DRAW_LINES, steep, 2);
    expect_lit(down, 4);
    draw_vertices(TESS_DRAW_LINES, none, 2);
    assert_int_equal(counts.pixels, 0);
}

/* A line strip must draw each corner once. */
TEST(test_line_strip)
{
    const struct tess_draw_vertex corners[5] = {at(2.5, 2.5), at(12.5, 2.5), at(12.5, 9.5),
                                                at(2.5, 9.5), at(2.5, 2.5)};
    draw_vertices(TESS_DRAW_LINE_STRIP, corners, 5);
    assert_int_equal(counts.primitives, 4);
    assert_int_equal(counts.pixels, 10 + 7 + 10 + 7);
    assert_int_equal(count_lit(), counts.pixels);
    /* The line extends beyond the picture and the guard band. */
    const struct tess_draw_vertex far[2] = {at(-1e30, 10.5), at(1e30, 10.5)};
    draw_vertices(TESS_DRAW_LINES, far, 2);
    assert_int_equal(counts.pixels, WIDTH);
}

TEST(test_points)
{
    static const struct {
        double x, y, size;
        unsigned left, top, side;
    } rows[] = {
        /* clang-format off */
        {5.5,  5.5,  1,   5,  5,  1}, /* covers 5 to 6 */
        {5,    5,    1,   4,  4,  1}, /* covers 4.5 (that centre is included) to 5.5 (excluded) */
        {10,   10,   4,   8,  8,  4},
        {10.5, 10.5, 3,   9,  9,  3},
        {20,   20,   0.5, 0,  0,  0}, /* covers no centre */
        {20.5, 20.5, 0.5, 20, 20, 1},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tess_draw_vertex point = at(rows[i].x, rows[i].y);
        point.point_size = (float)rows[i].size;
        draw_vertices(TESS_DRAW_POINTS, &point, 1);
        assert_int_equal(counts.pixels, rows[i].side * rows[i].side);
        for (unsigned y = 0; y < rows[i].side; y++)
            for (unsigned x = 0; x < rows[i].side; x++)
                assert_true(is_lit(rows[i].left + x, rows[i].top + y));
    }
    struct tess_draw_vertex huge = at(0, 0);
    huge.point_size = INFINITY;
    draw_vertices(TESS_DRAW_POINTS, &huge, 1);
    assert_int_equal(counts.pixels, PIXELS / 2 / 2 * 4);
}

/* --- order --- */

/* Makes a triangle over the whole picture at a depth. */
static void make_cover(struct tess_draw_vertex *vertices, float depth, float red)
{
    static const double corners[3][2] = {{-10, -10}, {300, -10}, {-10, 300}};
    for (unsigned i = 0; i < 3; i++) {
        vertices[i] = at(corners[i][0], corners[i][1]);
        vertices[i].position[2] = depth;
        vertices[i].colour[0] = red;
    }
}

TEST(test_depth)
{
    static const struct {
        float first, second;
        bool no_depth;
        unsigned red; /* expected red: 102 if the second triangle is visible, 204 if the first */
    } rows[] = {
        {0.5F, 0.25F, false, 102},
        {0.25F, 0.5F, false, 204},
        {0.5F, 0.5F, false, 102}, /* equal depth: the later triangle is visible */
        {0.25F, 0.5F, true, 102},
        {0.5F, 1.5F, false, 204},  /* the second is beyond the far plane */
        {0.5F, -0.5F, false, 204}, /* the second is before the near plane */
        {1, 1, false, 102},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tess_draw_vertex vertices[6];
        make_cover(vertices, rows[i].first, 0.8F);
        make_cover(vertices + 3, rows[i].second, 0.4F);
        begin();
        draw(&(struct tess_draw){.primitive = TESS_DRAW_TRIANGLES,
                                 .no_depth = rows[i].no_depth,
                                 .vertices = vertices,
                                 .vertex_count = 6});
        assert_int_equal(pixel_at(20, 20)[0], rows[i].red);
    }
}

/* In the picture, y points down. A triangle that goes right and then down is clockwise. */
TEST(test_culling)
{
    const struct tess_draw_vertex strip[4] = {at(2, 2), at(10, 2), at(2, 10), at(10, 10)};
    for (unsigned cull = 0; cull < 3; cull++) {
        begin();
        draw(&(struct tess_draw){.primitive = TESS_DRAW_TRIANGLE_STRIP,
                                 .cull = (enum tess_draw_cull)cull,
                                 .vertices = strip,
                                 .vertex_count = 4});
        assert_int_equal(counts.primitives, 2);
        assert_int_equal(counts.culled, cull == TESS_DRAW_CULL_CLOCKWISE ? 2 : 0);
        assert_int_equal(counts.pixels, cull == TESS_DRAW_CULL_CLOCKWISE ? 0 : 64);
    }
    const struct tess_draw_vertex flat[3] = {at(2, 2), at(10, 10), at(20, 20)};
    draw_vertices(TESS_DRAW_TRIANGLES, flat, 3);
    assert_int_equal(counts.culled, 1);
    assert_int_equal(counts.pixels, 0);
}

/* --- vertices that cannot be drawn --- */

TEST(test_positions)
{
    static const float bad[][4] = {
        /* clang-format off */
        {NAN, 5,        0,         1},
        {5,   INFINITY, 0,         1},
        {5,   5,        -INFINITY, 1},
        {5,   5,        0,         0},
        {5,   5,        0,         -1},
        {5,   5,        0,         NAN},
        {5,   5,        0,         INFINITY},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct tess_draw_vertex vertices[6];
        make_cover(vertices, 0.5F, 1);
        make_cover(vertices + 3, 0.5F, 1);
        memcpy(vertices[4].position, bad[i], sizeof bad[i]);
        begin();
        draw(&(struct tess_draw){
            .primitive = TESS_DRAW_TRIANGLES, .vertices = vertices, .vertex_count = 6});
        assert_int_equal(counts.primitives, 1);
        assert_int_equal(counts.skipped, 1);
        assert_int_equal(heard.count, 1);
        assert_string_equal(heard.rule, "draw-position");
        assert_non_null(strstr(heard.text, "vertex 4 "));
    }
}

TEST(test_indices)
{
    static const uint32_t indices[] = {0, 1, 2, 0, 1, 3, UINT32_MAX, 1, 2, 2};
    struct tess_draw_vertex vertices[3];
    make_cover(vertices, 0.5F, 1);
    begin();
    draw(&(struct tess_draw){.primitive = TESS_DRAW_TRIANGLES,
                             .vertices = vertices,
                             .vertex_count = 3,
                             .indices = indices,
                             .index_count = 10});
    assert_int_equal(counts.primitives, 1);
    assert_int_equal(counts.skipped, 2);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.rule, "draw-index");
    assert_non_null(strstr(heard.text, "index 3 "));
    assert_non_null(strstr(heard.text, "2 times"));
}

TEST(test_strange_numbers)
{
    struct tess_draw_vertex vertices[3];
    make_cover(vertices, 0.5F, NAN);
    for (unsigned i = 0; i < 3; i++)
        vertices[i].colour[1] = INFINITY;
    draw_vertices(TESS_DRAW_TRIANGLES, vertices, 3);
    assert_int_equal(pixel_at(3, 3)[0], 0);
    assert_int_equal(pixel_at(3, 3)[1], 255);
    for (unsigned i = 0; i < 3; i++)
        vertices[i].point_size = i ? NAN : -1;
    draw_vertices(TESS_DRAW_POINTS, vertices, 3);
    assert_int_equal(counts.skipped, 3);
    assert_string_equal(heard.rule, "draw-point-size");
    assert_int_equal(counts.pixels, 0);
    /* The draw has fewer vertices than a triangle. */
    draw_vertices(TESS_DRAW_TRIANGLES, vertices, 2);
    draw_vertices(TESS_DRAW_TRIANGLE_FAN, vertices, 0);
    assert_int_equal(counts.primitives + counts.skipped, 0);
}

/* --- pictures --- */

TEST(test_file)
{
    const float sky[3] = {0.2F, 0.4F, 2}; /* becomes 51, 102, 255 */
    uint8_t *bytes;
    size_t size;
    struct image image;
    tess_picture_free(picture);
    assert_int_equal(tess_picture_create(5, 3, sky, &picture), TESS_OK);
    const struct tess_draw_vertex point = at(1.5, 2.5);
    draw(&(struct tess_draw){.primitive = TESS_DRAW_POINTS, .vertices = &point, .vertex_count = 1});
    assert_int_equal(tess_picture_png(picture, &bytes, &size), TESS_OK);
    assert_int_equal(image_decode(&image, IMAGE_RGB, bytes, size), TESS_OK);
    assert_int_equal(image.width, 5);
    assert_int_equal(image.height, 3);
    for (unsigned i = 0; i < 15; i++) {
        const uint8_t wanted[3] = {i == 11 ? 255 : 51, i == 11 ? 255 : 102, 255};
        assert_memory_equal(image.pixels + 3 * i, wanted, 3);
    }
    image_free(&image);
    tess_free(bytes);
}

TEST(test_misuse)
{
    enum tess_draw_primitive primitive;
    struct tess_picture *none = (struct tess_picture *)1;
    assert_int_equal(tess_picture_create(0, 1, black, &none), TESS_INVALID);
    assert_null(none);
    assert_int_equal(tess_picture_create(1, TESS_PICTURE_MOST + 1, black, &none), TESS_INVALID);
    assert_int_equal(tess_picture_create(1, 1, NULL, &none), TESS_INVALID);
    assert_int_equal(tess_picture_create(1, 1, black, NULL), TESS_INVALID);
    begin();
    assert_int_equal(tess_picture_draw(picture, NULL, (struct tess_sink){0}, NULL), TESS_INVALID);
    const struct tess_draw bad[] = {
        {.primitive = (enum tess_draw_primitive)6},
        {.cull = (enum tess_draw_cull)3},
        {.vertex_count = 1},
    };
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(tess_picture_draw(picture, &bad[i], (struct tess_sink){0}, NULL),
                         TESS_INVALID);
    tess_picture_free(NULL);
    assert_null(tess_picture_pixels(NULL));
    assert_true(tess_draw_primitive_find("fan", &primitive));
    assert_int_equal(primitive, TESS_DRAW_TRIANGLE_FAN);
    assert_true(tess_draw_primitive_find("fan", NULL));
    assert_false(tess_draw_primitive_find("quads", &primitive));
    assert_false(tess_draw_primitive_find(NULL, &primitive));
}

static int tear_down(void **state)
{
    (void)state;
    tess_picture_free(picture);
    picture = NULL;
    return 0;
}

TEST_GROUP(NULL, tear_down)
