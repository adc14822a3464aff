/* SPDX-License-Identifier: MIT */
/* a2xx_pictures.c - tests the results of the programs of examples/a2xx for the vertices beside
 * them. The expected results come from their GLSL in float64 (reference/a2xx.c), drawn by the
 * reference renderer. shader_data.h documents the arguments. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/image.h"
#include "reference/a2xx.h"
#include "shader_data.h"
#include "shader_picture.h"

/* gl_Position is the first output of the vertex program. The other outputs are the pixel program's
 * varyings. */
struct example {
    struct shader_example data;
    shader_reference *pixel;
    int width, height;
    const char *picture; /* file of the texture, or NULL */
    double tolerance;
};

/* Tolerances of a colour channel. ROUNDED: the colour is rounded to 8 bits, and errors before
 * the rounding are far smaller. FILTERED: linear filters have weights in 256ths in both
 * directions (docs/a2xx/texture.md). The weights add two errors of half a 256th of at most 255. */
enum { ROUNDED = 1, FILTERED = 2 };

#define PLACE            \
    {                    \
        "gl_Position", 4 \
    }

/* clang-format off */
static const struct example examples[] = {
    {{"a2xx/first-listing", "interleaved", "expected", a2xx_first_listing, {"fetch30"}, {{0}},
      {PLACE}}, a2xx_plain, 320, 240, NULL, ROUNDED},
    {{"a2xx/first-listing", "memory", "expected", a2xx_first_listing, {"fetch30"}, {{0}}, {PLACE}},
     a2xx_plain, 320, 240, NULL, ROUNDED},
    {{"a2xx/lighting", "lighting", "expected", a2xx_lighting,
      {"in_position", "in_normal", "in_color"},
      {{"modelviewMatrix", 4}, {"modelviewprojectionMatrix", 4}, {"normalMatrix", 3}},
      {PLACE, {"vVaryingColor", 4}}}, a2xx_colour, 320, 240, NULL, ROUNDED},
    {{"a2xx/texture", "nearest", "nearest-expected", a2xx_texture, {"position", "place"}, {{0}},
      {PLACE, {"v_place", 4}}}, a2xx_nearest, 320, 240, "fish.png", ROUNDED},
    {{"a2xx/texture", "linear", "linear-expected", a2xx_texture, {"position", "place"}, {{0}},
      {PLACE, {"v_place", 4}}}, a2xx_linear, 320, 240, "fish.png", FILTERED},
    {{"a2xx/branch", "predicate", "expected", a2xx_quad, {"position"}, {{0}},
      {PLACE, {"v_place", 2}}}, a2xx_branch, 240, 240, NULL, ROUNDED},
    {{"a2xx/branch", "jump", "expected", a2xx_quad, {"position"}, {{0}}, {PLACE, {"v_place", 2}}},
     a2xx_branch, 240, 240, NULL, ROUNDED},
    {{"a2xx/loop", "loop", "expected", a2xx_quad, {"position"}, {{0}}, {PLACE, {"v_place", 2}}},
     a2xx_loop, 240, 240, NULL, ROUNDED},
    {{"a2xx/loop", "jump-loop", "expected", a2xx_quad, {"position"}, {{0}},
      {PLACE, {"v_place", 2}}}, a2xx_loop, 240, 240, NULL, ROUNDED},
    {{"a2xx/mandelbrot", "mandelbrot", "expected", a2xx_quad, {"position"}, {{0}},
      {PLACE, {"v_place", 2}}}, a2xx_mandelbrot, 320, 240, NULL, ROUNDED},
    {{"a2xx/kill", "kill", "expected", a2xx_kill, {"position", "colour", "place"}, {{0}},
      {PLACE, {"v_colour", 4}, {"v_place", 2}}},
     a2xx_kill_pixel, 320, 240, NULL, ROUNDED},
    {{"a2xx/subroutine", "ripples", "expected", a2xx_ripples, {"place"}, {{"mvp", 4}},
      {PLACE, {"v_colour", 4}}}, a2xx_colour, 320, 240, NULL, ROUNDED},
    {{"a2xx/skinning", "skinning", "expected", a2xx_skinning, {"position", "bones", "colour"},
      {{"palette", 12}, {"view", 1}}, {PLACE, {"v_colour", 4}}}, a2xx_colour, 320, 240, NULL,
     ROUNDED},
    {{"a2xx/cube", "cube", "expected", a2xx_cube, {"position", "normal", "place"},
      {{"mvp", 4}, {"turn", 3}}, {PLACE, {"v_normal", 3}, {"v_place", 2}}}, a2xx_crate, 320, 240,
     "crate.png", FILTERED},
};
/* clang-format on */

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* --- drawing --- */

/* Copies the values of a corner. They are the components of the varyings, in order. */
static void take_varyings(const struct example *example, const struct near want[][4],
                          double values[MAX_VALUES])
{
    unsigned at = 0;
    for (unsigned v = 1; example->data.outputs[v].name; v++)
        for (unsigned i = 0; i < example->data.outputs[v].count; i++)
            values[at++] = want[v][i].value;
    assert_true(at <= MAX_VALUES);
}

/* Converts a vertex from clip space to a corner in the window. In the window, y points down and
 * depths are 0 to 1. */
static struct corner corner_of(const struct example *example, const struct near want[][4])
{
    double w = want[0][3].value;
    struct corner corner = {
        .x = (want[0][0].value / w + 1) / 2 * example->width,
        .y = (1 - want[0][1].value / w) / 2 * example->height,
        .z = (want[0][2].value / w + 1) / 2,
        .inverse_w = 1 / w,
    };
    take_varyings(example, want, corner.values);
    return corner;
}

static bool shade(const void *user, const double values[MAX_VALUES], double colour[3])
{
    const struct example *example = user;
    struct shader_vertex pixel = {0};
    struct near outputs[SHADER_MOST_OUTPUTS][4] = {0};
    for (unsigned v = 1, at = 0; example->data.outputs[v].name; v++)
        for (unsigned i = 0; i < example->data.outputs[v].count; i++)
            pixel.attributes[v - 1][i] = (float)values[at++];
    example->pixel(&pixel, outputs);
    for (unsigned i = 0; i < 3; i++)
        colour[i] = outputs[0][i].value;
    return outputs[1][0].value == 0;
}

static void draw(const struct example *example, const struct shader_table *table,
                 struct shader_canvas *canvas)
{
    struct corner *corners = test_calloc(table->count, sizeof *corners);
    for (size_t i = 0; i < table->count; i++)
        corners[i] = corner_of(example, (const struct near(*)[4])table->want[i]);
    shader_draw_triangles(canvas, corners, table->count, shade, example);
    test_free(corners);
}

static struct image load_texture(const struct example *example)
{
    struct image image = {0};
    char path[512];
    if (!example->picture)
        return image;
    shader_path(path, &example->data, example->picture);
    struct buffer png = shader_load(path);
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size), TESS_OK);
    buffer_free(&png);
    a2xx_picture = (struct a2xx_picture){image.pixels, (int)image.width, (int)image.height};
    return image;
}

static void test_example(void **state)
{
    const struct example *example = *state;
    struct shader_table table;
    struct shader_canvas canvas;
    struct image image = load_texture(example);
    shader_table_open(&table, &example->data);
    if (shader_made)
        shader_compare_table(&example->data, &table);
    shader_canvas_open(&canvas, example->width, example->height);
    draw(example, &table, &canvas);
    shader_check_picture(&example->data, &canvas);
    if (shader_made)
        shader_compare_picture(&example->data, &canvas, example->tolerance);
    shader_canvas_close(&canvas);
    shader_table_close(&table);
    image_free(&image);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[EXAMPLES];
    shader_arguments(argc, argv);
    for (size_t i = 0; i < EXAMPLES; i++)
        tests[i] = (struct CMUnitTest){.name = examples[i].data.name,
                                       .test_func = test_example,
                                       .initial_state = (void *)(uintptr_t)&examples[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
