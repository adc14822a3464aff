/* SPDX-License-Identifier: MIT */
/* Tests the pictures and values of examples/vc4. Each scene is assembled, run and compared with
 * a small reference renderer in float64 and integers that shares no code with the model
 * (reference/reference.h describes its rules). The files beside each example, expected.png and
 * expected.csv, are written by the reference. With the argument --write, the test writes them
 * again, and also edges.txt, which lists the edge pixels that differ. A further argument names a
 * folder with files that the model has already written. Then no scene is run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "base/file.h"
#include "base/image.h"
#include "base/output.h"
#include "reference/reference.h"

/* A file that a scene writes. */
struct output {
    const char *scene;
    const char *file;      /* name of the file in the scene */
    const char *expected;  /* name of the file beside the scene */
    int width, height;     /* size of a picture, in pixels */
    draw_function *draw;   /* draws the expected picture, or NULL */
    values_function *list; /* computes the expected values, or NULL */
    double tolerance;      /* largest error per channel */
};

#define PICTURE(name, width, height, draw, tolerance)                           \
    {                                                                           \
        name, name ".png", "expected.png", width, height, draw, NULL, tolerance \
    }
#define VALUES(name, list)                                     \
    {                                                          \
        name, name ".csv", "expected.csv", 0, 0, NULL, list, 0 \
    }

/* The tolerance is 1 if the shader converts floats to bytes, because it rounds toward zero. */
static const struct output outputs[] = {
    PICTURE("first-triangle", 640, 480, draw_first_triangle, 0),
    PICTURE("uniform-colour", 640, 480, draw_uniform_colour, 0),
    PICTURE("varying-colour", 640, 480, draw_varying_colour, 1),
    PICTURE("nv-triangle", 640, 480, draw_nv_triangle, 1),
    PICTURE("textured-triangle", 640, 480, draw_textured_triangle, 0),
    PICTURE("textured-triangle-lt", 640, 480, draw_textured_triangle_lt, 0),
    PICTURE("textured-triangle-raster", 640, 480, draw_textured_triangle_raster, 0),
    PICTURE("blend-modes", 256, 192, draw_blend_modes, 0),
    PICTURE("sprites", 256, 256, draw_sprites, 1),
    PICTURE("stencil-shadow", 320, 240, draw_stencil_shadow, 1),
    PICTURE("yuv", 256, 256, draw_yuv, 1),
    PICTURE("cube-map", 256, 256, draw_cube_map, 1),
    PICTURE("mip-maps", 256, 256, draw_mip_maps, 2),
    PICTURE("msaa-triangle", 160, 160, draw_msaa_triangle, 1),
    PICTURE("hdr", 256, 256, draw_hdr, 1),
    PICTURE("gl-triangle", 640, 480, draw_first_triangle, 0),
    {"spinning-teapot", "teapot-000.png", "expected-000.png", 320, 240, draw_spinning_teapot_0,
     NULL, 1},
    {"spinning-teapot", "teapot-001.png", "expected-001.png", 320, 240, draw_spinning_teapot_1,
     NULL, 1},
    {"spinning-teapot", "teapot-002.png", "expected-002.png", 320, 240, draw_spinning_teapot_2,
     NULL, 1},
    PICTURE("vg-tiger", 256, 256, draw_vg_tiger, 0),
    PICTURE("mandelbrot", 320, 240, draw_mandelbrot, 0),
    VALUES("coordinate-shader-test", list_coordinate_shader_test),
    VALUES("compute-dot-product", list_compute_dot_product),
};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

/* Definitions that shorten scenes with many frames. */
static const struct {
    const char *scene;
    struct tess_asm_define define;
} shortened[] = {
    {"spinning-teapot", {"FRAMES", "3"}},
};

static const char *made; /* folder that the argument names, or NULL */
static bool writing;     /* --write: writes the reference's files into examples/ */
static unsigned complaints;
static char folder[] = "pictures-XXXXXX"; /* folder in which scenes run */

static void complain(void *user, const struct tess_finding *diag)
{
    (void)user;
    complaints++;
    print_message("%s: %s\n", diag->id, diag->text);
}

static void path_of_example(char path[512], const char *scene, const char *file)
{
    snprintf(path, 512, "%s/../examples/vc4/%s/%s", TEST_DATA, scene, file);
}

static void assemble(const char *name, uint8_t **elf, size_t *size)
{
    char source[512], file[64];
    snprintf(file, sizeof file, "%s.qasm", name);
    path_of_example(source, name, file);
    const char *paths[] = {source};
    struct tess_asm_options options = {.machine = TESS_MACHINE_QPU, .format = TESS_ASM_ELF};
    for (size_t i = 0; i < sizeof shortened / sizeof shortened[0]; i++)
        if (strcmp(name, shortened[i].scene) == 0) {
            options.defines = &shortened[i].define;
            options.define_count = 1;
        }
    assert_int_equal(
        tess_assemble(paths, 1, &options, (struct tess_sink){complain, NULL}, elf, size), TESS_OK);
}

/* Assembles and runs a scene, which writes its files to the folder "folder". Expects no
 * findings. */
static void run(const char *name)
{
    struct tess_sink sink = {complain, NULL};
    struct tess_scene *scene;
    uint8_t *elf;
    size_t size;
    complaints = 0;
    assemble(name, &elf, &size);
    assert_int_equal(tess_scene_load_memory(&scene, elf, size, name, sink), TESS_OK);
    assert_int_equal(chdir(folder), 0);
    struct tess_scene_options options = {0};
    enum tess_status status = tess_scene_run(scene, &options, sink, NULL);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(status, TESS_OK);
    assert_int_equal(complaints, 0);
    tess_scene_free(scene);
    tess_free(elf);
}

/* Returns the path of the file that the model wrote. */
static void path_of_result(char path[512], const struct output *output)
{
    snprintf(path, 512, "%s/%s", made ? made : folder, output->file);
}

static struct buffer load(const char *path)
{
    struct buffer file;
    if (file_read(path, &file) != TESS_OK)
        fail_msg("%s cannot be read", path);
    return file;
}

static struct image load_picture(const char *path, const struct output *output)
{
    struct buffer png = load(path);
    struct image image;
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size), TESS_OK);
    buffer_free(&png);
    assert_int_equal(image.width, output->width);
    assert_int_equal(image.height, output->height);
    return image;
}

/* Compares the file beside the example with these bytes. With --write, writes the file. */
static void check_committed(const struct output *output, const char *file,
                            const struct buffer *bytes)
{
    char path[512];
    path_of_example(path, output->scene, file);
    if (writing)
        assert_int_equal(tess_output_write(path, bytes->data, bytes->size), TESS_OK);
    struct buffer committed = load(path);
    assert_int_equal(committed.size, bytes->size);
    assert_memory_equal(committed.data, bytes->data, bytes->size);
    buffer_free(&committed);
}

/* --- pictures --- */

static uint8_t to_byte(double value)
{
    return (uint8_t)lround(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void reference_row(void *user, uint32_t y, uint8_t *row)
{
    const struct drawing *drawing = user;
    for (int x = 0; x < drawing->width; x++) {
        const struct colour *want = &pixel_at(drawing, x, (int)y)->want[0];
        row[IMAGE_RGB * x] = to_byte(want->r);
        row[IMAGE_RGB * x + 1] = to_byte(want->g);
        row[IMAGE_RGB * x + 2] = to_byte(want->b);
    }
}

/* Compares the picture beside the example with the reference's picture. Compares pixels instead
 * of bytes, because PNG libraries compress differently. */
static void check_picture(const struct output *output, struct drawing *drawing)
{
    char path[512];
    path_of_example(path, output->scene, output->expected);
    uint32_t width = (uint32_t)output->width, height = (uint32_t)output->height;
    if (writing) {
        struct buffer png = {0};
        assert_int_equal(image_encode(&png, width, height, IMAGE_RGB, reference_row, drawing),
                         TESS_OK);
        assert_int_equal(tess_output_write(path, png.data, png.size), TESS_OK);
        buffer_free(&png);
    }
    struct image image = load_picture(path, output);
    uint8_t *row = test_malloc(width * IMAGE_RGB);
    for (uint32_t y = 0; y < height; y++) {
        reference_row(drawing, y, row);
        assert_memory_equal(image.pixels + (size_t)y * width * IMAGE_RGB, row, width * IMAGE_RGB);
    }
    test_free(row);
    image_free(&image);
}

static bool right(const uint8_t *got, const struct pixel *pixel, double tolerance)
{
    for (unsigned i = 0; i < pixel->count; i++)
        if (fabs(got[0] - pixel->want[i].r) <= tolerance &&
            fabs(got[1] - pixel->want[i].g) <= tolerance &&
            fabs(got[2] - pixel->want[i].b) <= tolerance)
            return true;
    return false;
}

static void tell(const struct output *output, int x, int y, const uint8_t *got,
                 const struct pixel *pixel)
{
    const struct colour *want = &pixel->want[0];
    print_message("%s (%d,%d): %d %d %d, expected %.2f %.2f %.2f\n", output->file, x, y, got[0],
                  got[1], got[2], want->r, want->g, want->b);
}

/* Largest permitted share of edge pixels. A reference with more edge pixels would test too
 * little. */
static const double MOST_EDGES = 0.05;

/* Returns the number of wrong pixels, and adds the edge pixels that differ to the list. */
static unsigned compare_pixels(const struct output *output, const struct drawing *drawing,
                               const struct image *image, struct buffer *edges)
{
    unsigned wrong = 0, doubtful = 0;
    for (int y = 0; y < output->height; y++)
        for (int x = 0; x < output->width; x++) {
            const uint8_t *got = image->pixels + (size_t)(y * output->width + x) * IMAGE_RGB;
            const struct pixel *pixel = pixel_at(drawing, x, y);
            doubtful += pixel->edge;
            if (right(got, pixel, output->tolerance))
                continue;
            if (!pixel->edge && wrong++ < 10)
                tell(output, x, y, got, pixel);
            char line[32];
            snprintf(line, sizeof line, "%d %d\n", x, y);
            if (pixel->edge)
                buffer_append(edges, line, strlen(line));
        }
    print_message("%s: %u edge pixels\n", output->file, doubtful);
    assert_true(doubtful <= MOST_EDGES * output->width * output->height);
    return wrong;
}

/* Compares the list of edge pixels that differ with the list beside the example. The list is
 * edges.txt, or edges-X.txt for expected-X.png. */
static void check_edges(const struct output *output, const struct buffer *edges)
{
    char file[64], path[512];
    snprintf(file, sizeof file, "edges%s", output->expected + strlen("expected"));
    memcpy(file + strlen(file) - 3, "txt", 3);
    if (edges->size > 0) {
        check_committed(output, file, edges);
        return;
    }
    path_of_example(path, output->scene, file);
    if (writing)
        remove(path);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void compare_picture(const struct output *output)
{
    size_t count = (size_t)output->width * (size_t)output->height;
    struct drawing drawing = {output->width, output->height,
                              test_calloc(count, sizeof *drawing.pixels)};
    struct buffer edges = {0};
    char path[512];
    output->draw(&drawing);
    check_picture(output, &drawing);
    path_of_result(path, output);
    struct image image = load_picture(path, output);
    unsigned wrong = compare_pixels(output, &drawing, &image, &edges);
    image_free(&image);
    assert_int_equal(wrong, 0);
    check_edges(output, &edges);
    buffer_free(&edges);
    test_free(drawing.pixels);
}

/* --- values --- */

static void compare_values(const struct output *output)
{
    struct buffer expected = {0};
    char path[512];
    char *text = test_malloc(1 << 16);
    size_t length = output->list(text, 1 << 16);
    buffer_append(&expected, text, length);
    test_free(text);
    check_committed(output, output->expected, &expected);
    path_of_result(path, output);
    struct buffer result = load(path);
    assert_int_equal(result.size, expected.size);
    assert_memory_equal(result.data, expected.data, expected.size);
    buffer_free(&result);
    buffer_free(&expected);
}

static void test_output(void **state)
{
    const struct output *output = *state;
    bool first = output == outputs || strcmp(output[-1].scene, output->scene) != 0;
    if (!made && first)
        run(output->scene);
    if (output->draw)
        compare_picture(output);
    else
        compare_values(output);
}

static void remove_results(void)
{
    char path[512];
    for (size_t i = 0; i < OUTPUTS; i++) {
        path_of_result(path, &outputs[i]);
        remove(path);
    }
    rmdir(folder);
}

int main(int argc, char **argv)
{
    writing = argc > 1 && strcmp(argv[1], "--write") == 0;
    made = argc > 1 + writing ? argv[1 + writing] : NULL;
    if (!made && !mkdtemp(folder))
        return 2;
    struct CMUnitTest tests[OUTPUTS];
    for (size_t i = 0; i < OUTPUTS; i++)
        tests[i] = (struct CMUnitTest){outputs[i].file, test_output, NULL, NULL,
                                       (void *)&outputs[i]};
    int failed = cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
    if (!made)
        remove_results();
    return failed;
}
