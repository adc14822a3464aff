/* SPDX-License-Identifier: MIT */
/* shade.c - tests pixels that a pixel program draws: the program's inputs, and the use of its
 * outputs. Expected values are the picture without a program, which picture.c tests, linear
 * functions of the pixel's centre, and counts worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/draw.h>
#include <tessera/isa.h>

#include "../random.h"
#include "../register.h"

enum { WIDTH = 61, HEIGHT = 43, PIXELS = WIDTH * HEIGHT, VERTICES = 3 * 40 };

static const float black[3];
static uint64_t random_state = 1;
static struct tess_draw_counts counts;

static double uniform(double from, double to)
{
    return from + (to - from) * (double)(next_random64(&random_state) >> 11) * 0x1p-53;
}

static struct tess_picture *draw(const struct tess_draw *what, enum tess_status wanted)
{
    struct tess_picture *picture;
    assert_int_equal(tess_picture_create(WIDTH, HEIGHT, black, &picture), TESS_OK);
    assert_int_equal(tess_picture_draw(picture, what, (struct tess_sink){0}, &counts), wanted);
    return picture;
}

/* Checks the properties of a batch that all programs may assume. */
static void check_pixels(const struct tess_draw_pixels *pixels)
{
    assert_true(pixels->count > 0 && pixels->count % 4 == 0 && pixels->count <= TESS_DRAW_BATCH);
    for (size_t i = 0; i < pixels->count; i++) {
        const struct tess_draw_pixel *pixel = &pixels->pixels[i],
                                     *first = &pixels->pixels[i / 4 * 4];
        assert_true(first->x % 2 == 0 && first->y % 2 == 0);
        assert_int_equal(pixel->x, first->x + i % 2);
        assert_int_equal(pixel->y, first->y + i % 4 / 2);
        assert_true(pixel->helper || (pixel->x < WIDTH && pixel->y < HEIGHT));
        assert_true(pixels->depths[i] == pixel->depth || isnan(pixel->depth));
        assert_true(pixels->colours[i][0] == 0 && pixels->killed[i] == 0);
    }
}

static void random_scene(struct tess_draw_vertex vertices[VERTICES], float varyings[VERTICES][2][4])
{
    for (size_t i = 0; i < VERTICES; i++) {
        double w = uniform(0.5, 3);
        vertices[i] = (struct tess_draw_vertex){.point_size = (float)uniform(1, 9)};
        for (unsigned k = 0; k < 3; k++)
            vertices[i].position[k] = (float)uniform(-1.5 * w, 1.5 * w);
        vertices[i].position[3] = (float)w;
        for (unsigned k = 0; k < 4; k++) {
            varyings[i][0][k] = (float)uniform(-5, 5);
            varyings[i][1][k] = vertices[i].colour[k] = (float)uniform(0, 1);
        }
    }
}

/* --- a program that copies --- */

static enum tess_status copy(void *user, const struct tess_draw_pixels *pixels)
{
    (void)user;
    check_pixels(pixels);
    for (size_t i = 0; i < pixels->count; i++)
        memcpy(pixels->colours[i], pixels->varyings[1][i], sizeof pixels->colours[i]);
    return TESS_OK;
}

/* Draws random primitives of all kinds. The second varying is the colour, which the program
 * copies. The copy as a float may change the result by less than one step of 8 bits. */
TEST(test_copy)
{
    for (unsigned primitive = 0; primitive <= TESS_DRAW_TRIANGLE_FAN; primitive++) {
        static struct tess_draw_vertex vertices[VERTICES];
        static float varyings[VERTICES][2][4];
        random_scene(vertices, varyings);
        struct tess_draw what = {.primitive = (enum tess_draw_primitive)primitive,
                                 .clip_space = true,
                                 .vertices = vertices,
                                 .vertex_count = VERTICES};
        struct tess_picture *plain = draw(&what, TESS_OK);
        struct tess_draw_counts plain_counts = counts;
        what.shade = copy;
        what.varyings = (const float(*)[4])varyings;
        what.varying_count = 2;
        struct tess_picture *shaded = draw(&what, TESS_OK);
        assert_int_equal(counts.pixels, plain_counts.pixels);
        assert_int_equal(counts.primitives, plain_counts.primitives);
        assert_true(counts.shaded >= counts.pixels && counts.killed == 0);
        for (size_t i = 0; i < PIXELS * 3; i++)
            assert_true(abs(tess_picture_pixels(plain)[i] - tess_picture_pixels(shaded)[i]) <= 1);
        tess_picture_free(plain);
        tess_picture_free(shaded);
    }
}

/* --- values --- */

/* A triangle covers the whole window, with w = 1. Varying 0 is 10 * (x, y) from the top left
 * corner. This must also be true for helper pixels. */
static const struct tess_draw_vertex corners[3] = {
    {.position = {-1, 1, 0, 1}}, {.position = {3, 1, 0, 1}}, {.position = {-1, -3, 0, 1}}};
static const float places[3][4] = {{0, 0, -1, 0}, {20 * WIDTH, 0, -1, 0}, {0, 20 * HEIGHT, -1, 0}};

static enum tess_status check_places(void *user, const struct tess_draw_pixels *pixels)
{
    bool *clockwise = user;
    check_pixels(pixels);
    for (size_t i = 0; i < pixels->count; i++) {
        const struct tess_draw_pixel *pixel = &pixels->pixels[i];
        assert_true(fabs((double)pixels->varyings[0][i][0] - 10 * (pixel->x + 0.5)) < 1e-3);
        assert_true(fabs((double)pixels->varyings[0][i][1] - 10 * (pixel->y + 0.5)) < 1e-3);
        assert_true(pixels->varyings[0][i][2] == -1); /* a constant varying must be exact */
        assert_true(pixel->inverse_w == 1 && pixel->depth == 0.5F);
        assert_int_equal(pixel->clockwise, *clockwise);
    }
    return TESS_OK;
}

TEST(test_values)
{
    static const uint32_t turned[3] = {0, 2, 1};
    bool clockwise = true;
    struct tess_draw what = {.primitive = TESS_DRAW_TRIANGLES,
                             .clip_space = true,
                             .vertices = corners,
                             .vertex_count = 3,
                             .shade = check_places,
                             .user = &clockwise,
                             .varyings = places,
                             .varying_count = 1};
    tess_picture_free(draw(&what, TESS_OK));
    assert_int_equal(counts.shaded, PIXELS);
    clockwise = false;
    what.indices = turned;
    what.index_count = 3;
    tess_picture_free(draw(&what, TESS_OK));
    assert_int_equal(counts.shaded, PIXELS);
}

/* --- outputs of the program --- */

/* Kills odd columns. In the first three rows the depth is 2, which is clamped to 1. In the other
 * rows it is NaN, which becomes 0. */
static enum tess_status kill_odd(void *user, const struct tess_draw_pixels *pixels)
{
    (void)user;
    for (size_t i = 0; i < pixels->count; i++) {
        pixels->colours[i][1] = 2;
        pixels->killed[i] = pixels->pixels[i].x % 2;
        pixels->depths[i] = pixels->pixels[i].y < 3 ? 2 : NAN;
    }
    return TESS_OK;
}

static enum tess_status red(void *user, const struct tess_draw_pixels *pixels)
{
    (void)user;
    for (size_t i = 0; i < pixels->count; i++)
        pixels->colours[i][0] = 1;
    return TESS_OK;
}

TEST(test_kill_and_depth)
{
    struct tess_draw what = {.primitive = TESS_DRAW_TRIANGLES,
                             .clip_space = true,
                             .vertices = corners,
                             .vertex_count = 3,
                             .shade = kill_odd};
    struct tess_picture *picture = draw(&what, TESS_OK);
    uint64_t kept = (uint64_t)(WIDTH + 1) / 2 * HEIGHT;
    assert_int_equal(counts.pixels, kept);
    assert_int_equal(counts.killed, PIXELS - kept);
    /* A draw at depth 0.5 replaces the killed pixels and the first three rows. The other pixels
     * have depth 0 and stay. */
    what.shade = red;
    tess_picture_draw(picture, &what, (struct tess_sink){0}, &counts);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const uint8_t *pixel = tess_picture_pixels(picture) + 3 * ((size_t)y * WIDTH + x);
            bool first = x % 2 == 0 && y >= 3;
            assert_int_equal(pixel[0], first ? 0 : 255);
            assert_int_equal(pixel[1], first ? 255 : 0);
        }
    tess_picture_free(picture);
}

static enum tess_status check_point(void *user, const struct tess_draw_pixels *pixels)
{
    (void)user;
    check_pixels(pixels);
    for (size_t i = 0; i < pixels->count; i++) {
        const struct tess_draw_pixel *pixel = &pixels->pixels[i];
        assert_true(pixel->point[0] ==
                    (float)((pixel->x + 0.5 - 8) / 4)); /* the point extends from 8 to 12 */
        assert_true(pixel->point[1] == (float)((pixel->y + 0.5 - 18) / 4));
    }
    return TESS_OK;
}

TEST(test_point)
{
    static const struct tess_draw_vertex vertex = {.position = {10, 20, 0, 1}, .point_size = 4};
    const struct tess_draw what = {.primitive = TESS_DRAW_POINTS,
                                   .vertices = &vertex,
                                   .vertex_count = 1,
                                   .shade = check_point};
    tess_picture_free(draw(&what, TESS_OK));
    assert_int_equal(counts.shaded, 16);
}

/* --- failure --- */

static enum tess_status refuse(void *user, const struct tess_draw_pixels *pixels)
{
    unsigned *calls = user;
    (void)pixels;
    ++*calls;
    return TESS_WRONG;
}

/* A program that fails must not be called again, even if more pixels remain. */
TEST(test_failure)
{
    unsigned calls = 0;
    static struct tess_draw_vertex many[3 * 30];
    for (size_t i = 0; i < 3 * 30; i++)
        many[i] = corners[i % 3];
    const struct tess_draw what = {.primitive = TESS_DRAW_TRIANGLES,
                                   .clip_space = true,
                                   .vertices = many,
                                   .vertex_count = 3 * 30,
                                   .shade = refuse,
                                   .user = &calls};
    tess_picture_free(draw(&what, TESS_WRONG));
    assert_int_equal(calls, 1);
}

TEST(test_misuse)
{
    struct tess_draw what = {.primitive = TESS_DRAW_TRIANGLES, .shade = copy, .varying_count = 1};
    tess_picture_free(draw(&what, TESS_INVALID));
    what.varyings = places;
    what.varying_count = TESS_DRAW_VARYINGS + 1;
    tess_picture_free(draw(&what, TESS_INVALID));
}
