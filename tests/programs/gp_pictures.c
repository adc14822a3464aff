/* SPDX-License-Identifier: MIT */
/* gp_pictures.c - what the programs of examples/utgard give for the vertices beside them: their GLSL in float64 (reference/gp.c),
 * drawn by the reference renderer (reference/raster.c), which shares no code with src/draw.
 *
 * The files beside each example, expected.png or expected.csv, are the reference's. The argument --write makes them anew. A
 * further argument names a folder with the tables and pictures that "tessera run" made, NAME.csv and NAME.png; they are compared. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/image.h"
#include "reference/gp.h"
#include "reference/reference.h"

enum {
    WIDTH = 320,
    HEIGHT = 240,
    MOST_COLUMNS = 16,
    MOST_VERTICES = 2000,
    LINE_BYTES = 512,
};

enum shape { NOTHING, TRIANGLES, LINE_STRIP, POINTS };

/* A list of names with numbers, which ends with a NULL. */
struct name {
    const char *name;
    unsigned count; /* rows of a uniform, components of a varying */
};

/* gl_Position is the first varying, a colour the second, a point size the third. */
struct example {
    const char *folder, *name;
    gp_reference *reference;
    const char *attributes[GP_MOST_INPUTS + 1];
    struct name uniforms[GP_MOST_INPUTS + 1], varyings[GP_MOST_OUTPUTS + 1];
    enum shape shape;
};

/* clang-format off */
static const struct example examples[] = {
    {"passthrough", "passthrough", gp_passthrough, {"position", "colour"}, {{0}},
     {{"gl_Position", 4}, {"v_colour", 4}}, TRIANGLES},
    {"mvp", "mvp", gp_mvp, {"position", "colour"}, {{"mvp", 4}, {"gl_mali_ViewportTransform", 2}},
     {{"gl_Position", 4}, {"v_colour", 4}}, TRIANGLES},
    {"lighting", "lighting", gp_lighting, {"in_position", "in_normal", "in_color"},
     {{"modelviewMatrix", 4}, {"modelviewprojectionMatrix", 4}, {"normalMatrix", 3}, {"gl_mali_ViewportTransform", 2}},
     {{"gl_Position", 4}, {"vVaryingColor", 4}}, TRIANGLES},
    {"temporaries-loop", "temporaries-loop", gp_temporaries_loop, {"t"}, {{"points", 8}, {"gl_mali_ViewportTransform", 2}},
     {{"gl_Position", 4}, {"v_colour", 3}}, LINE_STRIP},
    {"point-size", "point-size", gp_point_size, {"position", "colour_size"},
     {{"mvp", 4}, {"gl_mali_ViewportTransform", 2}, {"gl_mali_PointSizeParameters", 1}},
     {{"gl_Position", 4}, {"v_colour", 3}, {"gl_PointSize", 1}}, POINTS},
    {"functions", "functions", gp_functions, {"x"}, {{0}}, {{"v_results", 4}}, NOTHING},
    {"skinning", "skinning", gp_skinning, {"position", "bones", "colour"},
     {{"palette", 12}, {"gl_mali_ViewportTransform", 2}}, {{"gl_Position", 4}, {"v_colour", 3}}, TRIANGLES},
    {"if-else", "select", gp_if_else, {"position", "colour"}, {{"lamp", 1}}, {{"gl_Position", 4}, {"v_colour", 3}}, NOTHING},
    {"if-else", "branch", gp_if_else, {"position", "colour"}, {{"lamp", 1}}, {{"gl_Position", 4}, {"v_colour", 3}}, NOTHING},
};
/* clang-format on */

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static const char *made; /* the folder of the argument, or NULL */
static bool writing;

typedef struct near outputs[GP_MOST_OUTPUTS][4];

/* The data of an example, and what must come of it. */
struct table {
    size_t count;
    float rows[GP_MOST_ROWS][4];
    struct gp_vertex vertices[MOST_VERTICES];
    outputs want[MOST_VERTICES];
};

static struct table table;

/* --- files --- */

static void path_of(char path[512], const struct example *example, const char *file)
{
    snprintf(path, 512, "%s/../examples/utgard/%s/%s", TEST_DATA, example->folder, file);
}

static void path_of_result(char path[512], const struct example *example, const char *ending)
{
    snprintf(path, 512, "%s/%s.%s", made, example->name, ending);
}

static struct buffer load(const char *path)
{
    struct buffer file;
    if (file_read(path, &file) != TESS_OK)
        fail_msg("%s cannot be read", path);
    return file;
}

/* Takes the next line off a text, without its end. False at the end. */
static bool next_line(const char **text, char line[LINE_BYTES])
{
    size_t length = strcspn(*text, "\n");
    if (!**text)
        return false;
    assert_true(length < LINE_BYTES);
    memcpy(line, *text, length);
    line[length] = 0;
    *text += length + ((*text)[length] == '\n');
    return true;
}

/* Cuts a line at its commas. Returns how many fields there are. */
static unsigned split(char *line, char *fields[MOST_COLUMNS])
{
    unsigned count = 0;
    for (char *at = line; at; count++) {
        assert_true(count < MOST_COLUMNS);
        fields[count] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = 0;
    }
    return count;
}

/* NAME.x to NAME.w, or NAME alone, as a component. */
static bool is_component(const char *field, const char *name, unsigned *component)
{
    size_t length = strlen(name);
    if (strncmp(field, name, length) != 0 || (field[length] && field[length] != '.'))
        return false;
    *component = field[length] ? (unsigned)(strchr("xyzw", field[length + 1]) - "xyzw") : 0;
    return true;
}

static void take_vertex(const struct example *example, struct gp_vertex *vertex, char **header,
                        char **fields, unsigned count)
{
    *vertex = (struct gp_vertex){.rows = (const float(*)[4])table.rows};
    for (unsigned i = 0; i < GP_MOST_INPUTS; i++)
        vertex->attributes[i][3] = 1; /* what is missing is 0, 0, 0, 1 */
    for (unsigned column = 0; column < count; column++) {
        unsigned component;
        for (unsigned i = 0; example->attributes[i]; i++)
            if (is_component(header[column], example->attributes[i], &component))
                vertex->attributes[i][component] = strtof(fields[column], NULL);
    }
}

static void load_vertices(const struct example *example)
{
    char path[512], header_line[LINE_BYTES], line[LINE_BYTES], *header[MOST_COLUMNS],
        *fields[MOST_COLUMNS];
    path_of(path, example, "vertices.csv");
    struct buffer file = load(path);
    const char *text = (const char *)file.data;
    assert_true(next_line(&text, header_line));
    unsigned columns = split(header_line, header);
    for (table.count = 0; next_line(&text, line); table.count++) {
        assert_true(table.count < MOST_VERTICES);
        assert_int_equal(split(line, fields), columns);
        take_vertex(example, &table.vertices[table.count], header, fields, columns);
    }
    buffer_free(&file);
}

/* NAME[ROW],VALUE,... */
static void take_uniform(const struct example *example, char **fields, unsigned count)
{
    unsigned row = 0;
    for (const struct name *uniform = example->uniforms; uniform->name; uniform++) {
        size_t length = strlen(uniform->name);
        if (strncmp(fields[0], uniform->name, length) == 0 && fields[0][length] == '[') {
            row += (unsigned)strtoul(fields[0] + length + 1, NULL, 10);
            for (unsigned i = 1; i < count; i++)
                table.rows[row][i - 1] = strtof(fields[i], NULL);
            return;
        }
        row += uniform->count;
    }
    fail_msg("%s has no uniform %s", example->name, fields[0]);
}

static void load_uniforms(const struct example *example)
{
    char path[512], line[LINE_BYTES], *fields[MOST_COLUMNS];
    memset(table.rows, 0, sizeof table.rows);
    if (!example->uniforms[0].name)
        return;
    path_of(path, example, "uniforms.csv");
    struct buffer file = load(path);
    const char *text = (const char *)file.data;
    while (next_line(&text, line))
        take_uniform(example, fields, split(line, fields));
    buffer_free(&file);
}

static void compute(const struct example *example)
{
    load_uniforms(example);
    load_vertices(example);
    for (size_t i = 0; i < table.count; i++)
        example->reference(&table.vertices[i], table.want[i]);
}

/* The file beside the example has these bytes; --write makes it so. */
static void check_committed(const struct example *example, const char *file, const void *bytes,
                            size_t size)
{
    char path[512];
    path_of(path, example, file);
    if (writing)
        assert_int_equal(file_write(path, bytes, size), TESS_OK);
    struct buffer committed = load(path);
    assert_int_equal(committed.size, size);
    assert_memory_equal(committed.data, bytes, size);
    buffer_free(&committed);
}

/* --- tables --- */

static void check_table(const struct example *example)
{
    struct buffer text = {0};
    char field[64];
    for (const struct name *varying = example->varyings; varying->name; varying++)
        for (unsigned i = 0; i < varying->count; i++) {
            bool first = varying == example->varyings && i == 0;
            snprintf(field, sizeof field, "%s%s.%c", first ? "" : ",", varying->name, "xyzw"[i]);
            buffer_append(&text, field, strlen(field));
        }
    for (size_t vertex = 0; vertex < table.count; vertex++)
        for (unsigned v = 0; example->varyings[v].name; v++)
            for (unsigned i = 0; i < example->varyings[v].count; i++) {
                snprintf(field, sizeof field, "%c%.9g", v || i ? ',' : '\n',
                         (double)(float)table.want[vertex][v][i].value);
                buffer_append(&text, field, strlen(field));
            }
    buffer_append(&text, "\n", 1);
    check_committed(example, "expected.csv", text.data, text.size);
    buffer_free(&text);
}

static void compare_field(const struct example *example, size_t vertex, const char *header,
                          const char *field)
{
    unsigned component;
    for (unsigned v = 0; example->varyings[v].name; v++) {
        if (!is_component(header, example->varyings[v].name, &component))
            continue;
        struct near want = table.want[vertex][v][component];
        double got = (double)strtof(field, NULL);
        if (!(fabs(got - want.value) <= want.error))
            fail_msg("%s, vertex %zu: %s is %s, not %.9g", example->name, vertex, header, field,
                     want.value);
        return;
    }
    fail_msg("%s has no %s", example->name, header);
}

/* The table that was made has all varyings, and none is off by more than rounding allows. */
static void compare_table(const struct example *example)
{
    char path[512], header_line[LINE_BYTES], line[LINE_BYTES], *header[MOST_COLUMNS],
        *fields[MOST_COLUMNS];
    unsigned components = 0;
    for (const struct name *varying = example->varyings; varying->name; varying++)
        components += varying->count;
    path_of_result(path, example, "csv");
    struct buffer file = load(path);
    const char *text = (const char *)file.data;
    assert_true(next_line(&text, header_line));
    assert_int_equal(split(header_line, header), components);
    for (size_t vertex = 0; vertex < table.count; vertex++) {
        assert_true(next_line(&text, line));
        assert_int_equal(split(line, fields), components);
        for (unsigned i = 0; i < components; i++)
            compare_field(example, vertex, header[i], fields[i]);
    }
    assert_false(next_line(&text, line));
    buffer_free(&file);
}

/* --- pictures --- */

/* The picture as far as it is drawn. */
struct canvas {
    struct drawing drawing;
    double depth[WIDTH * HEIGHT];
};

static const struct colour black = {0, 0, 0, 255};
static const double doubt = 1.0 / 128; /* positions are rounded to 1/256 pixel */
static const double tolerance = 1;     /* so colours are a little off */
static const double most_edges =
    0.05; /* a reference that calls more of its pixels edges tells too little */

static struct corner corner_of(size_t vertex)
{
    const struct near *position = table.want[vertex][0], *colour = table.want[vertex][1];
    return (struct corner){
        position[0].value,
        position[1].value,
        position[2].value,
        position[3].value,
        {colour[0].value, colour[1].value, colour[2].value}
    };
}

static double channel(double value)
{
    return 255 * fmin(fmax(value, 0), 1);
}

static void put(struct canvas *canvas, int x, int y, double z, const double colour[3])
{
    double *depth = &canvas->depth[y * WIDTH + x];
    if (z > *depth)
        return;
    *depth = z;
    bool edge = pixel_at(&canvas->drawing, x, y)->edge;
    set_pixel(&canvas->drawing, x, y,
              (struct colour){channel(colour[0]), channel(colour[1]), channel(colour[2]), 255});
    pixel_at(&canvas->drawing, x, y)->edge = edge;
}

static void put_fragment(void *user, const struct fragment *fragment)
{
    struct canvas *canvas = user;
    if (fragment->covered)
        put(canvas, fragment->x, fragment->y, fragment->z, fragment->values);
    if (fragment->edge)
        pixel_at(&canvas->drawing, fragment->x, fragment->y)->edge = true;
}

static void draw_triangles(struct canvas *canvas)
{
    struct raster raster = centres(&canvas->drawing);
    raster.doubt = doubt;
    for (size_t i = 0; i + 2 < table.count; i += 3) {
        const struct corner corners[3] = {corner_of(i), corner_of(i + 1), corner_of(i + 2)};
        rasterise(&raster, corners, put_fragment, canvas);
    }
}

static bool near_whole(double value)
{
    return fabs(value - round(value)) <= doubt;
}

/* A pixel of a line: at "along" it has reached the middle of a column, or of a row if it is steep. */
static void put_on_line(struct canvas *canvas, const struct corner ends[2], bool steep, int column,
                        double along)
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
    put(canvas, x, y, (1 - along) * ends[0].z + along * ends[1].z, colour);
    for (int side = -1; side <= 0 && near_whole(across); side++) {
        int beside = (int)round(across) + side;
        pixel_at(&canvas->drawing, steep ? beside : x, steep ? y : beside)->edge = true;
    }
}

/* One pixel for each column that a flat line passes the middle of, or for each row of a steep one. */
static void draw_line(struct canvas *canvas, const struct corner ends[2])
{
    bool steep = fabs(ends[1].y - ends[0].y) > fabs(ends[1].x - ends[0].x);
    double from = steep ? ends[0].y : ends[0].x, to = steep ? ends[1].y : ends[1].x;
    for (int column = 0; column < (steep ? HEIGHT : WIDTH); column++) {
        double along = (column + 0.5 - from) / (to - from);
        if (along >= 0 && along < 1)
            put_on_line(canvas, ends, steep, column, along);
    }
}

static void draw_line_strip(struct canvas *canvas)
{
    for (size_t i = 0; i + 1 < table.count; i++) {
        const struct corner ends[2] = {corner_of(i), corner_of(i + 1)};
        draw_line(canvas, ends);
    }
}

static bool near_border(double value, double centre, double size)
{
    return fabs(fabs(value - centre) - size / 2) <= doubt;
}

static void draw_points(struct canvas *canvas)
{
    for (size_t i = 0; i < table.count; i++) {
        struct corner centre = corner_of(i);
        double size = table.want[i][2][0].value;
        for (int at = 0; at < WIDTH * HEIGHT; at++) {
            double x = at % WIDTH + 0.5, y = at / WIDTH + 0.5;
            if (fmax(fabs(x - centre.x), fabs(y - centre.y)) > size / 2 + 1)
                continue;
            if (near_border(x, centre.x, size) || near_border(y, centre.y, size))
                canvas->drawing.pixels[at].edge = true;
            if (fmax(fabs(x - centre.x), fabs(y - centre.y)) < size / 2)
                put(canvas, at % WIDTH, at / WIDTH, centre.z, centre.values);
        }
    }
}

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

static struct image load_picture(const char *path)
{
    struct buffer png = load(path);
    struct image image;
    assert_int_equal(image_decode(&image, IMAGE_RGB, png.data, png.size), TESS_OK);
    buffer_free(&png);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    return image;
}

/* The picture beside the example is the reference's, whatever the PNG library makes of it. */
static void check_picture(const struct example *example, struct canvas *canvas)
{
    char path[512];
    uint8_t row[WIDTH * IMAGE_RGB];
    path_of(path, example, "expected.png");
    if (writing) {
        struct buffer png = {0};
        assert_int_equal(
            image_encode(&png, WIDTH, HEIGHT, IMAGE_RGB, reference_row, &canvas->drawing), TESS_OK);
        assert_int_equal(file_write(path, png.data, png.size), TESS_OK);
        buffer_free(&png);
    }
    struct image image = load_picture(path);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        reference_row(&canvas->drawing, y, row);
        assert_memory_equal(image.pixels + y * sizeof row, row, sizeof row);
    }
    image_free(&image);
}

static bool right(const uint8_t *got, const struct colour *want)
{
    return fabs(got[0] - want->r) <= tolerance && fabs(got[1] - want->g) <= tolerance &&
           fabs(got[2] - want->b) <= tolerance;
}

static void compare_picture(const struct example *example, const struct canvas *canvas)
{
    char path[512];
    unsigned wrong = 0, edges = 0;
    path_of_result(path, example, "png");
    struct image image = load_picture(path);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const struct pixel *pixel = &canvas->drawing.pixels[i];
        const uint8_t *got = image.pixels + i * IMAGE_RGB;
        edges += pixel->edge;
        if (pixel->edge || right(got, &pixel->want[0]))
            continue;
        if (wrong++ < 10)
            print_message("%s (%d,%d): %d %d %d, expected %.2f %.2f %.2f\n", example->name,
                          i % WIDTH, i / WIDTH, got[0], got[1], got[2], pixel->want[0].r,
                          pixel->want[0].g, pixel->want[0].b);
    }
    print_message("%s: %u edge pixels\n", example->name, edges);
    image_free(&image);
    assert_int_equal(wrong, 0);
    assert_true(edges <= most_edges * WIDTH * HEIGHT);
}

static void test_picture(const struct example *example)
{
    struct canvas *canvas = test_calloc(1, sizeof *canvas);
    canvas->drawing = (struct drawing){WIDTH, HEIGHT,
                                       test_calloc(WIDTH * HEIGHT, sizeof(struct pixel))};
    fill(&canvas->drawing, black);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        canvas->depth[i] = 1;
    if (example->shape == TRIANGLES)
        draw_triangles(canvas);
    else if (example->shape == LINE_STRIP)
        draw_line_strip(canvas);
    else
        draw_points(canvas);
    check_picture(example, canvas);
    if (made)
        compare_picture(example, canvas);
    test_free(canvas->drawing.pixels);
    test_free(canvas);
}

static void test_example(void **state)
{
    const struct example *example = *state;
    compute(example);
    if (made)
        compare_table(example);
    if (example->shape == NOTHING)
        check_table(example);
    else
        test_picture(example);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[EXAMPLES];
    writing = argc > 1 && strcmp(argv[1], "--write") == 0;
    made = argc > 1 + writing ? argv[1 + writing] : NULL;
    for (size_t i = 0; i < EXAMPLES; i++)
        tests[i] = (struct CMUnitTest){.name = examples[i].name,
                                       .test_func = test_example,
                                       .initial_state = (void *)(uintptr_t)&examples[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
