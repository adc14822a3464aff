/* SPDX-License-Identifier: MIT */
/* gp_pictures.c - tests the results of the programs of examples/utgard for the vertices beside
 * them. The expected results come from their GLSL in float64 (reference/gp.c), drawn by the
 * reference renderer. shader_data.h documents the arguments. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/gp.h"
#include "shader_data.h"
#include "shader_picture.h"

enum { WIDTH = 320, HEIGHT = 240 };

enum shape { NOTHING, TRIANGLES, LINE_STRIP, POINTS };

/* An example. Its first varying is gl_Position, the second a colour, and the third a point size. */
struct example {
    struct shader_example data;
    enum shape shape;
};

/* clang-format off */
static const struct example examples[] = {
    {{"utgard/passthrough", "passthrough", "expected", gp_passthrough, {"position", "colour"},
      {{0}}, {{"gl_Position", 4}, {"v_colour", 4}}}, TRIANGLES},
    {{"utgard/mvp", "mvp", "expected", gp_mvp, {"position", "colour"},
      {{"mvp", 4}, {"gl_mali_ViewportTransform", 2}}, {{"gl_Position", 4}, {"v_colour", 4}}},
     TRIANGLES},
    {{"utgard/lighting", "lighting", "expected", gp_lighting,
      {"in_position", "in_normal", "in_color"},
      {{"modelviewMatrix", 4}, {"modelviewprojectionMatrix", 4}, {"normalMatrix", 3},
       {"gl_mali_ViewportTransform", 2}}, {{"gl_Position", 4}, {"vVaryingColor", 4}}}, TRIANGLES},
    {{"utgard/temporaries-loop", "temporaries-loop", "expected", gp_temporaries_loop, {"t"},
      {{"points", 8}, {"gl_mali_ViewportTransform", 2}}, {{"gl_Position", 4}, {"v_colour", 3}}},
     LINE_STRIP},
    {{"utgard/point-size", "point-size", "expected", gp_point_size, {"position", "colour_size"},
     {{"mvp", 4}, {"gl_mali_ViewportTransform", 2}, {"gl_mali_PointSizeParameters", 1}},
     {{"gl_Position", 4}, {"v_colour", 3}, {"gl_PointSize", 1}}}, POINTS},
    {{"utgard/functions", "functions", "expected", gp_functions, {"x"}, {{0}}, {{"v_results", 4}}},
     NOTHING},
    {{"utgard/skinning", "skinning", "expected", gp_skinning, {"position", "bones", "colour"},
      {{"palette", 12}, {"gl_mali_ViewportTransform", 2}}, {{"gl_Position", 4}, {"v_colour", 3}}},
     TRIANGLES},
    {{"utgard/if-else", "select", "expected", gp_if_else, {"position", "colour"}, {{"lamp", 1}},
      {{"gl_Position", 4}, {"v_colour", 3}}}, NOTHING},
    {{"utgard/if-else", "branch", "expected", gp_if_else, {"position", "colour"}, {{"lamp", 1}},
      {{"gl_Position", 4}, {"v_colour", 3}}}, NOTHING},
};
/* clang-format on */

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static struct corner corner_of(const struct shader_table *table, size_t vertex)
{
    const struct near *position = table->want[vertex][0], *colour = table->want[vertex][1];
    return (struct corner){position[0].value,
                           position[1].value,
                           position[2].value,
                           position[3].value,
                           {colour[0].value, colour[1].value, colour[2].value}};
}

static void draw_triangles(struct shader_canvas *canvas, const struct shader_table *table)
{
    struct corner *corners = test_calloc(table->count, sizeof *corners);
    for (size_t i = 0; i < table->count; i++)
        corners[i] = corner_of(table, i);
    shader_draw_triangles(canvas, corners, table->count, NULL, NULL);
    test_free(corners);
}

static bool near_whole(double value)
{
    return fabs(value - round(value)) <= PICTURE_DOUBT;
}

/* Draws a pixel of a line. "along" is the middle of a column, or of a row if the line is steep. */
static void put_on_line(struct shader_canvas *canvas, const struct corner ends[2], bool steep,
                        int column, double along)
{
    double across = steep ? ends[0].x + along * (ends[1].x - ends[0].x)
                          : ends[0].y + along * (ends[1].y - ends[0].y);
    int row = (int)floor(across), x = steep ? row : column, y = steep ? column : row;
    double weight[2] = {(1 - along) * ends[0].inverse_w, along * ends[1].inverse_w}, colour[3];
    if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT)
        return;
    for (unsigned i = 0; i < 3; i++)
        colour[i] = (weight[0] * ends[0].values[i] + weight[1] * ends[1].values[i]) /
                    (weight[0] + weight[1]);
    shader_put(canvas, x, y, (1 - along) * ends[0].z + along * ends[1].z, colour);
    for (int side = -1; side <= 0 && near_whole(across); side++) {
        int beside = (int)round(across) + side;
        pixel_at(&canvas->drawing, steep ? beside : x, steep ? y : beside)->edge = true;
    }
}

/* Draws one pixel for each column whose middle a flat line crosses, or for each row of a steep
 * line. */
static void draw_line(struct shader_canvas *canvas, const struct corner ends[2])
{
    bool steep = fabs(ends[1].y - ends[0].y) > fabs(ends[1].x - ends[0].x);
    double from = steep ? ends[0].y : ends[0].x, to = steep ? ends[1].y : ends[1].x;
    for (int column = 0; column < (steep ? HEIGHT : WIDTH); column++) {
        double along = (column + 0.5 - from) / (to - from);
        if (along >= 0 && along < 1)
            put_on_line(canvas, ends, steep, column, along);
    }
}

static void draw_line_strip(struct shader_canvas *canvas, const struct shader_table *table)
{
    for (size_t i = 0; i + 1 < table->count; i++) {
        const struct corner ends[2] = {corner_of(table, i), corner_of(table, i + 1)};
        draw_line(canvas, ends);
    }
}

static bool near_border(double value, double centre, double size)
{
    return fabs(fabs(value - centre) - size / 2) <= PICTURE_DOUBT;
}

static void draw_points(struct shader_canvas *canvas, const struct shader_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        struct corner centre = corner_of(table, i);
        double size = table->want[i][2][0].value;
        for (int at = 0; at < WIDTH * HEIGHT; at++) {
            double x = at % WIDTH + 0.5, y = at / WIDTH + 0.5;
            if (fmax(fabs(x - centre.x), fabs(y - centre.y)) > size / 2 + 1)
                continue;
            if (near_border(x, centre.x, size) || near_border(y, centre.y, size))
                canvas->drawing.pixels[at].edge = true;
            if (fmax(fabs(x - centre.x), fabs(y - centre.y)) < size / 2)
                shader_put(canvas, at % WIDTH, at / WIDTH, centre.z, centre.values);
        }
    }
}

static void test_picture(const struct example *example, const struct shader_table *table)
{
    struct shader_canvas canvas;
    shader_canvas_open(&canvas, WIDTH, HEIGHT);
    if (example->shape == TRIANGLES)
        draw_triangles(&canvas, table);
    else if (example->shape == LINE_STRIP)
        draw_line_strip(&canvas, table);
    else
        draw_points(&canvas, table);
    shader_check_picture(&example->data, &canvas);
    if (shader_made)
        shader_compare_picture(&example->data, &canvas, 1); /* the model's colours may differ by
                                                               1 */
    shader_canvas_close(&canvas);
}

static void test_example(void **state)
{
    const struct example *example = *state;
    struct shader_table table;
    shader_table_open(&table, &example->data);
    if (shader_made)
        shader_compare_table(&example->data, &table);
    if (example->shape == NOTHING)
        shader_check_table(&example->data, &table);
    else
        test_picture(example, &table);
    shader_table_close(&table);
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
