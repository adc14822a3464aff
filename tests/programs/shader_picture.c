/* SPDX-License-Identifier: MIT */
/* shader_picture.c - see shader_picture.h. */
#include "shader_picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/image.h"
#include "base/output.h"

static const struct colour black = {0, 0, 0, 255};
static const double most_edges = 0.05; /* a reference with more edge pixels would test too little */
static const double tie = 1.0 / 32768; /* closer depths may be in either order */
static const double same = 1 / 255.0;  /* colours that differ by less count as equal */

void shader_canvas_open(struct shader_canvas *canvas, int width, int height)
{
    size_t pixels = (size_t)width * (size_t)height;
    canvas->drawing = (struct drawing){width, height, test_calloc(pixels, sizeof(struct pixel))};
    canvas->depth = test_calloc(pixels, sizeof *canvas->depth);
    fill(&canvas->drawing, black);
    for (size_t i = 0; i < pixels; i++)
        canvas->depth[i] = 1;
}

void shader_canvas_close(struct shader_canvas *canvas)
{
    test_free(canvas->drawing.pixels);
    test_free(canvas->depth);
}

/* --- drawing --- */

static double channel(double value)
{
    return 255 * fmin(fmax(value, 0), 1);
}

void shader_put(struct shader_canvas *canvas, int x, int y, double z, const double colour[3])
{
    double *depth = &canvas->depth[y * canvas->drawing.width + x];
    bool edge = pixel_at(&canvas->drawing, x, y)->edge || fabs(z - *depth) <= tie;
    pixel_at(&canvas->drawing, x, y)->edge = edge;
    if (z > *depth)
        return;
    *depth = z;
    set_pixel(&canvas->drawing, x, y,
              (struct colour){channel(colour[0]), channel(colour[1]), channel(colour[2]), 255});
    pixel_at(&canvas->drawing, x, y)->edge = edge;
}

/* A triangle to be drawn. */
struct shaded {
    struct shader_canvas *canvas;
    const struct corner *corners;
    shader_pixel *pixel;
    const void *user;
};

static bool shade(const struct shaded *shaded, const double values[MAX_VALUES], double colour[3])
{
    for (unsigned i = 0; i < 3; i++)
        colour[i] = values[i];
    return !shaded->pixel || shaded->pixel(shaded->user, values, colour);
}

static bool alike(bool killed, const double a[3], bool killed_too, const double b[3])
{
    if (killed || killed_too)
        return killed == killed_too;
    for (unsigned i = 0; i < 3; i++)
        if (!(fabs(channel(a[i]) - channel(b[i])) <= 255 * same))
            return false;
    return true;
}

/* True if the pixel would change if its centre were moved slightly. */
static bool in_doubt(const struct shaded *shaded, const struct fragment *fragment, bool there,
                     const double colour[3])
{
    static const double sides[][2] = {
        /* clang-format off */
        {-PICTURE_DOUBT, 0},
        {PICTURE_DOUBT,  0},
        {0,              -PICTURE_DOUBT},
        {0,              PICTURE_DOUBT},
        /* clang-format on */
    };
    for (unsigned i = 0; i < 4 && shaded->pixel; i++) {
        struct fragment beside;
        double other[3];
        interpolate(shaded->corners, fragment->x + 0.5 + sides[i][0],
                    fragment->y + 0.5 + sides[i][1], &beside);
        bool there_too = shade(shaded, beside.values, other);
        if (!alike(!there, colour, !there_too, other))
            return true;
    }
    return false;
}

static void put_fragment(void *user, const struct fragment *fragment)
{
    const struct shaded *shaded = user;
    struct shader_canvas *canvas = shaded->canvas;
    bool edge = fragment->edge;
    if (fragment->covered) {
        double colour[3];
        bool there = shade(shaded, fragment->values, colour);
        edge = edge || in_doubt(shaded, fragment, there, colour);
        if (there)
            shader_put(canvas, fragment->x, fragment->y, fragment->z, colour);
    }
    if (edge)
        pixel_at(&canvas->drawing, fragment->x, fragment->y)->edge = true;
}

void shader_draw_triangles(struct shader_canvas *canvas, const struct corner *corners, size_t count,
                           shader_pixel *pixel, const void *user)
{
    struct raster raster = centres(&canvas->drawing);
    raster.doubt = PICTURE_DOUBT;
    for (size_t i = 0; i + 2 < count; i += 3) {
        struct shaded shaded = {canvas, corners + i, pixel, user};
        rasterise(&raster, corners + i, put_fragment, &shaded);
    }
}

/* --- files --- */

static void reference_row(void *user, uint32_t y, uint8_t *row)
{
    const struct drawing *drawing = user;
    for (int x = 0; x < drawing->width; x++) {
        const struct colour *want = &pixel_at(drawing, x, (int)y)->want[0];
        row[IMAGE_RGB * x] = (uint8_t)lround(want->r);
        row[IMAGE_RGB * x + 1] = (uint8_t)lround(want->g);
        row[IMAGE_RGB * x + 2] = (uint8_t)lround(want->b);
    }
}

static struct image load_picture(const char *path, const struct drawing *drawing)
{
    struct buffer png = shader_load(path);
    struct image image;
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size), TESS_OK);
    buffer_free(&png);
    assert_int_equal(image.width, drawing->width);
    assert_int_equal(image.height, drawing->height);
    return image;
}

static void write_picture(const char *path, const struct drawing *drawing)
{
    struct buffer png = {0};
    struct drawing copy = *drawing;
    assert_int_equal(image_encode(&png, (uint32_t)copy.width, (uint32_t)copy.height, IMAGE_RGB,
                                  reference_row, &copy),
                     TESS_OK);
    assert_int_equal(tess_output_write(path, png.data, png.size), TESS_OK);
    buffer_free(&png);
}

void shader_check_picture(const struct shader_example *example, const struct shader_canvas *canvas)
{
    char path[512];
    struct drawing drawing = canvas->drawing;
    size_t bytes = (size_t)drawing.width * IMAGE_RGB;
    shader_path_expected(path, example, "png");
    if (shader_writing)
        write_picture(path, &drawing);
    struct image image = load_picture(path, &drawing);
    uint8_t *row = test_malloc(bytes);
    for (uint32_t y = 0; y < image.height; y++) {
        reference_row(&drawing, y, row);
        assert_memory_equal(image.pixels + y * bytes, row, bytes);
    }
    test_free(row);
    image_free(&image);
}

static bool right(const uint8_t *got, const struct colour *want, double tolerance)
{
    return fabs(got[0] - want->r) <= tolerance && fabs(got[1] - want->g) <= tolerance &&
           fabs(got[2] - want->b) <= tolerance;
}

void shader_compare_picture(const struct shader_example *example,
                            const struct shader_canvas *canvas, double tolerance)
{
    char path[512];
    int width = canvas->drawing.width, pixels = width * canvas->drawing.height;
    unsigned wrong = 0, edges = 0;
    shader_path_made(path, example, "png");
    struct image image = load_picture(path, &canvas->drawing);
    for (int i = 0; i < pixels; i++) {
        const struct pixel *pixel = &canvas->drawing.pixels[i];
        const uint8_t *got = image.pixels + i * IMAGE_RGB;
        edges += pixel->edge;
        if (pixel->edge || right(got, &pixel->want[0], tolerance))
            continue;
        if (wrong++ < 10)
            print_message("%s (%d,%d): %d %d %d, expected %.2f %.2f %.2f\n", example->name,
                          i % width, i / width, got[0], got[1], got[2], pixel->want[0].r,
                          pixel->want[0].g, pixel->want[0].b);
    }
    print_message("%s: %u edge pixels\n", example->name, edges);
    image_free(&image);
    assert_int_equal(wrong, 0);
    assert_true(edges <= most_edges * pixels);
}
