/* SPDX-License-Identifier: MIT */
/* The pictures of examples/vc4: each scene is assembled, run and compared, pixel by pixel, with a small
 * reference renderer in float64 and integers that shares no code with the model.
 * The picture beside each example, expected.png, is the reference renderer's; the argument --write makes them anew.
 * Another argument names a folder where the model's pictures are already; then they are compared only.
 *
 * Rules of the comparison: a pixel is inside when its centre is (edges at the left and at the smaller row
 * belong to the triangle); colours may differ by 1 in a channel, for the shader rounds toward zero; where an
 * exact texture coordinate is within 1/1000 of a border, either texel is right. Nothing else may differ. */
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

/* Writes the colours that the triangle may have at barycentric weights w[3], most often one; returns how many. */
enum { MAX_COLOURS = 4 };
typedef unsigned shade(const double w[3], struct colour out[MAX_COLOURS]);

static const char *made; /* the folder of the argument, or NULL */
static bool writing;     /* --write: the reference renderer's pictures into examples/ */
static unsigned complaints;

static void complain(void *user, const struct tess_diag *diag)
{
    (void)user;
    complaints++;
    print_message("%s: %s\n", diag->rule, diag->text);
}

/* Assembles and runs an example, its picture going to output. */
static void draw(const char *name, const char *output)
{
    char source[512];
    snprintf(source, sizeof source, "%s/../examples/vc4/%s/%s.qasm", TEST_DATA, name, name);
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
}

static struct image load(const char *path)
{
    struct buffer png;
    assert_int_equal(file_read(path, &png), TESS_OK);
    struct image image;
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size), TESS_OK);
    buffer_free(&png);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    return image;
}

/* What the model draws. */
static struct image picture(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.png", made ? made : ".", name);
    if (!made)
        draw(name, path);
    struct image image = load(path);
    if (!made)
        remove(path);
    return image;
}

static void copy_row(void *pixels, uint32_t y, uint8_t *row)
{
    memcpy(row, (const uint8_t *)pixels + (size_t)y * WIDTH * IMAGE_RGB, WIDTH * IMAGE_RGB);
}

/* The picture beside the example is what the reference renderer draws, to the last bit. */
static void compare_committed(const char *name, uint8_t *reference)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../examples/vc4/%s/expected.png", TEST_DATA, name);
    if (writing) {
        struct buffer png = {0};
        assert_int_equal(image_encode(&png, WIDTH, HEIGHT, IMAGE_RGB, copy_row, reference),
                         TESS_OK);
        assert_int_equal(file_write(path, png.data, png.size), TESS_OK);
        buffer_free(&png);
    }
    struct image expected = load(path);
    assert_memory_equal(expected.pixels, reference, WIDTH * HEIGHT * IMAGE_RGB);
    image_free(&expected);
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

static bool near_enough(const uint8_t *pixel, const struct colour *want, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (fabs(pixel[0] - want[i].r) <= 1.0 && fabs(pixel[1] - want[i].g) <= 1.0 &&
            fabs(pixel[2] - want[i].b) <= 1.0)
            return true;
    return false;
}

static void compare(const char *name, const struct point v[3], shade *shader,
                    struct colour background)
{
    static uint8_t reference[WIDTH * HEIGHT * IMAGE_RGB];
    struct image image = picture(name);
    unsigned wrong = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            size_t at = (size_t)(y * WIDTH + x) * IMAGE_RGB;
            const uint8_t *pixel = image.pixels + at;
            struct colour want[MAX_COLOURS] = {background};
            double w[3];
            unsigned count = inside(v, x, y, w) ? shader(w, want) : 1;
            reference[at] = (uint8_t)lround(want[0].r);
            reference[at + 1] = (uint8_t)lround(want[0].g);
            reference[at + 2] = (uint8_t)lround(want[0].b);
            if (!near_enough(pixel, want, count) && wrong++ < 5)
                print_message("%s (%d,%d): %d %d %d, expected %.2f %.2f %.2f\n", name, x, y,
                              pixel[0], pixel[1], pixel[2], want[0].r, want[0].g, want[0].b);
        }
    image_free(&image);
    assert_int_equal(wrong, 0);
    compare_committed(name, reference);
}

/* The triangle of JayStation's "First Triangle": (320,32) (32,448) (608,448). */
static const struct point triangle[3] = {
    {320 * 16, 32 * 16 },
    {32 * 16,  448 * 16},
    {608 * 16, 448 * 16}
};
static const struct colour yellow = {255, 255, 0};

static unsigned white(const double w[3], struct colour out[MAX_COLOURS])
{
    (void)w;
    out[0] = (struct colour){255, 255, 255};
    return 1;
}

static unsigned green(const double w[3], struct colour out[MAX_COLOURS])
{
    (void)w;
    out[0] = (struct colour){0, 255, 0};
    return 1;
}

/* Vertices red, green and blue; 1/Wc is the same at all three, so weights are linear in the window. */
static unsigned red_green_blue(const double w[3], struct colour out[MAX_COLOURS])
{
    out[0] = (struct colour){255 * w[0], 255 * w[1], 255 * w[2]};
    return 1;
}

/* Texels that a coordinate u (in texels) may mean: one, or the two beside a border. */
static unsigned texels(double u, int size, int out[2])
{
    static const double margin = 1e-3;
    unsigned count = 0;
    for (int side = 0; side < 2; side++) {
        int at = (int)floor(u + (side ? margin : -margin));
        at = at < 0 ? 0 : at >= size ? size - 1 : at;
        if (count == 0 || out[0] != at)
            out[count++] = at;
    }
    return count;
}

/* Texture coordinates (0.5, 0) (0, 1) (1, 1); texel (x, y) is 2x, 2y and a checker-board. */
static unsigned textured(const double w[3], int width, int height, struct colour out[MAX_COLOURS])
{
    int x[2], y[2];
    unsigned across = texels((0.5 * w[0] + w[2]) * width, width, x);
    unsigned down = texels((w[1] + w[2]) * height, height, y);
    for (unsigned i = 0; i < across * down; i++) {
        int tx = x[i % across], ty = y[i / across];
        out[i] = (struct colour){2 * tx, 2 * ty, (tx ^ ty) & 1 ? 0x40 : 0xc0};
    }
    return across * down;
}

static unsigned texture_t(const double w[3], struct colour out[MAX_COLOURS])
{
    return textured(w, 96, 64, out);
}

static unsigned texture_lt(const double w[3], struct colour out[MAX_COLOURS])
{
    return textured(w, 16, 16, out);
}

static unsigned texture_raster(const double w[3], struct colour out[MAX_COLOURS])
{
    return textured(w, 64, 64, out);
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
    /* The NV demo: 12.4 coordinates relative to the viewport centre (320, 240). */
    static const struct point v[3] = {
        {5120,        3840 - 3193},
        {5120 - 3195, 3840 + 3193},
        {5120 + 3195, 3840 + 3193}
    };
    compare("nv-triangle", v, red_green_blue, yellow);
}

static void textured_triangles(void **state)
{
    (void)state;
    compare("textured-triangle", triangle, texture_t, yellow);
    compare("textured-triangle-lt", triangle, texture_lt, yellow);
    compare("textured-triangle-raster", triangle, texture_raster, yellow);
}

int main(int argc, char **argv)
{
    writing = argc > 1 && strcmp(argv[1], "--write") == 0;
    made = argc > 1 && !writing ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_triangle),     cmocka_unit_test(uniform_colour),
        cmocka_unit_test(varying_colour),     cmocka_unit_test(nv_triangle),
        cmocka_unit_test(textured_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
