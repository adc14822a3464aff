/* SPDX-License-Identifier: MIT */
/* The pictures of examples/vc4: each scene is assembled, run and compared, pixel by pixel, with a small
 * reference renderer in float64 and integers that shares no code with the model.
 *
 * Rules of the comparison: a pixel is inside when its centre is (edges at the left and at the smaller row
 * belong to the triangle); colours may differ by 1 in a channel, for the shader rounds toward zero; a texel
 * may be its neighbour where the exact coordinate is within 1/1000 of a border. Nothing else may differ. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "base/file.h"
#include "base/image.h"

enum { WIDTH = 640, HEIGHT = 480 };

struct point {
    int x, y; /* 1/16 pixel */
};

struct colour {
    double r, g, b; /* 0..255 */
};

/* Colour that the triangle has at barycentric weights w[3]; *vague may be set where the exact answer depends
 * on rounding. */
typedef struct colour shade(const double w[3], bool *vague);

static unsigned complaints;

static void complain(void *user, const struct tess_diag *diag)
{
    (void)user;
    complaints++;
    print_message("%s: %s\n", diag->rule, diag->text);
}

static struct image picture(const char *name)
{
    char source[512], output[512];
    snprintf(source, sizeof source, "%s/../examples/vc4/%s/%s.qasm", TEST_DATA, name, name);
    snprintf(output, sizeof output, "picture-%s.png", name);
    const char *paths[] = {source};
    struct tess_asm_options options = {.machine = TESS_MACHINE_QPU, .format = TESS_ASM_ELF};
    struct tess_sink sink = {complain, NULL};
    uint8_t *elf;
    size_t size;
    assert_int_equal(tess_assemble(paths, 1, &options, sink, &elf, &size), TESS_OK);

    struct tess_scene *scene;
    assert_int_equal(tess_scene_load_memory(&scene, elf, size, name, sink), TESS_OK);
    struct tess_scene_options run = {.output = output};
    complaints = 0;
    assert_int_equal(tess_scene_run(scene, &run, sink, NULL), TESS_OK);
    assert_int_equal(complaints, 0);
    tess_scene_free(scene);
    tess_free(elf);

    struct buffer png;
    assert_int_equal(file_read(output, &png), TESS_OK);
    struct image image;
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size), TESS_OK);
    buffer_free(&png);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    return image;
}

/* Twice the signed area of (a, b, p), in 1/32 pixel squared; p is given in 1/32 pixel. */
static long area(struct point a, struct point b, long px, long py)
{
    return (2L * b.x - 2L * a.x) * (py - 2L * a.y) - (2L * b.y - 2L * a.y) * (px - 2L * a.x);
}

/* Whether a centre that lies on edge a-b of a triangle with its inside at positive area belongs to it. */
static bool owns_edge(struct point a, struct point b)
{
    bool top = a.y == b.y && b.x > a.x;
    bool left = b.y < a.y;
    return top || left;
}

static bool inside(const struct point v[3], int x, int y, double w[3])
{
    long px = 32L * x + 16, py = 32L * y + 16;
    long whole = area(v[0], v[1], 2L * v[2].x, 2L * v[2].y);
    bool flip = whole < 0;
    for (int i = 0; i < 3; i++) {
        struct point a = v[(i + 1) % 3], b = v[(i + 2) % 3];
        long e = area(a, b, px, py);
        w[i] = (double)e / (double)whole;
        if (flip ? e > 0 : e < 0)
            return false;
        if (e == 0 && !(flip ? owns_edge(b, a) : owns_edge(a, b)))
            return false;
    }
    return true;
}

static bool near_enough(const uint8_t *pixel, struct colour want)
{
    return fabs(pixel[0] - want.r) <= 1.0 && fabs(pixel[1] - want.g) <= 1.0 &&
           fabs(pixel[2] - want.b) <= 1.0;
}

static void compare(const char *name, const struct point v[3], shade *shader, struct colour background)
{
    struct image image = picture(name);
    unsigned wrong = 0, vague_pixels = 0, covered = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *pixel = image.pixels + 3 * (y * WIDTH + x);
            double w[3];
            bool vague = false;
            struct colour want = background;
            if (inside(v, x, y, w)) {
                want = shader(w, &vague);
                covered++;
            }
            vague_pixels += vague;
            if (vague || near_enough(pixel, want))
                continue;
            if (wrong++ < 5)
                print_message("%s (%d,%d): %d %d %d, expected %.2f %.2f %.2f\n", name, x, y, pixel[0],
                              pixel[1], pixel[2], want.r, want.g, want.b);
        }
    image_free(&image);
    assert_int_equal(wrong, 0);
    assert_true(vague_pixels * 50 < covered);
}

/* The triangle of the seed's "First Triangle": (320,32) (32,448) (608,448). */
static const struct point triangle[3] = {{320 * 16, 32 * 16}, {32 * 16, 448 * 16}, {608 * 16, 448 * 16}};
static const struct colour yellow = {255, 255, 0};

static struct colour white(const double w[3], bool *vague)
{
    (void)w;
    (void)vague;
    return (struct colour){255, 255, 255};
}

static struct colour green(const double w[3], bool *vague)
{
    (void)w;
    (void)vague;
    return (struct colour){0, 255, 0};
}

/* Vertices red, green and blue; 1/Wc is the same at all three, so weights are linear in the window. */
static struct colour red_green_blue(const double w[3], bool *vague)
{
    (void)vague;
    return (struct colour){255 * w[0], 255 * w[1], 255 * w[2]};
}

static struct colour texel(double s, double t, int width, int height, bool *vague)
{
    double u = s * width, v = t * height;
    int x = (int)floor(u), y = (int)floor(v);
    *vague = fabs(u - round(u)) < 1e-3 || fabs(v - round(v)) < 1e-3;
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return (struct colour){2 * x, 2 * y, (x ^ y) & 1 ? 0x40 : 0xc0};
}

/* Texture coordinates (0.5, 0) (0, 1) (1, 1). */
static struct colour textured(const double w[3], int width, int height, bool *vague)
{
    return texel(0.5 * w[0] + w[2], w[1] + w[2], width, height, vague);
}

static struct colour texture_t(const double w[3], bool *vague)
{
    return textured(w, 96, 64, vague);
}

static struct colour texture_lt(const double w[3], bool *vague)
{
    return textured(w, 16, 16, vague);
}

static struct colour texture_raster(const double w[3], bool *vague)
{
    return textured(w, 64, 64, vague);
}

static void first_triangle(void **state)
{
    (void)state;
    compare("first-triangle", triangle, white, yellow);
}

static void uniform_colour(void **state)
{
    (void)state;
    compare("uniform-colour", triangle, green, yellow);
}

static void varying_colour(void **state)
{
    (void)state;
    compare("varying-colour", triangle, red_green_blue, yellow);
}

static void nv_triangle(void **state)
{
    (void)state;
    /* Seed 004: 12.4 coordinates relative to the viewport centre (320, 240). */
    static const struct point v[3] = {{5120, 3840 - 3193}, {5120 - 3195, 3840 + 3193},
                                      {5120 + 3195, 3840 + 3193}};
    compare("nv-triangle", v, red_green_blue, yellow);
}

static void textured_triangles(void **state)
{
    (void)state;
    compare("textured-triangle", triangle, texture_t, yellow);
    compare("textured-triangle-lt", triangle, texture_lt, yellow);
    compare("textured-triangle-raster", triangle, texture_raster, yellow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_triangle),
        cmocka_unit_test(uniform_colour),
        cmocka_unit_test(varying_colour),
        cmocka_unit_test(nv_triangle),
        cmocka_unit_test(textured_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
