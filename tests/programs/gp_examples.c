/* SPDX-License-Identifier: MIT */
/* gp_examples.c - tests the vertex programs of examples/utgard against their GLSL, computed in
 * float64 (reference/gp.c), over random vertices. No error may exceed the bound of float32
 * arithmetic, or the bound in the README beside the program. No run may report a finding. */
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
#include <tessera/utgard.h>

#include "base/file.h"
#include "reference/gp.h"
#include "shader_random.h"

enum { RUNS = 32, VERTICES = 512 }; /* each run has its own uniforms; 16384 vertices in total */

/* --- uniforms --- */

/* Fills the viewport rows of a window of 640 x 480 pixels in which y points down. */
static void fill_viewport(float rows[2][4])
{
    static const float viewport[2][4] = {{320, -240, 0.5F, 0}, {320, 240, 0.5F, 0}};
    memcpy(rows, viewport, sizeof viewport);
}

/* --- the programs --- */

static void fill_mvp(float rows[][4])
{
    shader_random_projected(rows);
    fill_viewport(rows + 4);
}

static void fill_lighting(float rows[][4])
{
    shader_random_view(rows);
    shader_random_projected(rows + 4);
    shader_random_rotation(rows + 8);
    fill_viewport(rows + 11);
}

static void fill_temporaries_loop(float rows[][4])
{
    for (unsigned i = 0; i < 8; i++)
        shader_random_row(rows[i], -1, 1);
    fill_viewport(rows + 8);
}

/* Fills four bones with random rotations and positions. The last rows of the uniforms are the
 * viewport. */
static void fill_skinning(float rows[][4])
{
    for (unsigned bone = 0; bone < 4; bone++) {
        shader_random_rotation(rows + 3 * bone);
        for (unsigned i = 0; i < 3; i++)
            rows[3 * bone + i][3] = shader_random(-1, 1);
    }
    fill_viewport(rows + 12);
}

static void fill_lamp(float rows[][4])
{
    shader_random_row(rows[0], 0, 1);
}

static void fill_point_size(float rows[][4])
{
    static const float sizes[4] = {1, 64, 2, 0};
    fill_mvp(rows);
    memcpy(rows[6], sizes, sizeof sizes);
}

struct input {
    const char *name;
    unsigned components;
    double low, high;
    double low_w, high_w; /* range of the fourth component's values */
};

#define INPUT(name, components, low, high)     \
    {                                          \
        name, components, low, high, low, high \
    }
#define POINT(name)          \
    {                        \
        name, 4, -1, 1, 1, 2 \
    }

enum { MOST_UNIFORMS = 4, MOST_PROMISES = 5 };

/* An example program. Its lists end with NULL. */
struct example {
    const char *folder, *name;
    size_t instructions, executed; /* length of the program; instructions executed per vertex */
    shader_reference *reference;
    void (*fill)(float rows[][4]);
    struct input attributes[SHADER_MOST_INPUTS + 1];
    const char *uniforms[MOST_UNIFORMS + 1];
    struct shader_promise outputs[MOST_PROMISES + 1];
};

#define WINDOW(xy_units, z_units)         \
    {"gl_Position", 0, 2, xy_units, 640}, \
    {                                     \
        "gl_Position", 2, 1, z_units, 1   \
    }

/* clang-format off */
static const struct example examples[] = {
    {"passthrough", "passthrough", 2, 2, gp_passthrough, NULL,
     {INPUT("position", 4, -1000, 1000), INPUT("colour", 4, -1000, 1000)},
     {NULL},
     {{"gl_Position", 0, 4, 0, 0}, {"v_colour", 0, 4, 0, 0}}},
    {"mvp", "mvp", 14, 14, gp_mvp, fill_mvp,
     {POINT("position"), INPUT("colour", 4, 0, 1)},
     {"mvp", "gl_mali_ViewportTransform"},
     {WINDOW(6, 7), {"gl_Position", 3, 1, 10, 0}, {"v_colour", 0, 4, 0, 0}}},
    {"lighting", "lighting", 36, 36, gp_lighting, fill_lighting,
     {POINT("in_position"), INPUT("in_normal", 3, -1, 1), INPUT("in_color", 4, 0, 1)},
     {"modelviewMatrix", "modelviewprojectionMatrix", "normalMatrix", "gl_mali_ViewportTransform"},
     {WINDOW(6, 7), {"gl_Position", 3, 1, 9, 0}, {"vVaryingColor", 0, 3, 20, 1},
      {"vVaryingColor", 3, 1, 0, 0}}},
    {"temporaries-loop", "temporaries-loop", 13, 133, gp_temporaries_loop, fill_temporaries_loop,
     {INPUT("t", 1, 0, 1)},
     {"points", "gl_mali_ViewportTransform"},
     {WINDOW(11, 0), {"gl_Position", 3, 1, 0, 0}, {"v_colour", 0, 3, 1, 0}}},
    {"point-size", "point-size", 15, 15, gp_point_size, fill_point_size,
     {POINT("position"), {"colour_size", 4, 0, 1, 0, 1000}},
     {"mvp", "gl_mali_ViewportTransform", "gl_mali_PointSizeParameters"},
     {WINDOW(6, 7), {"gl_Position", 3, 1, 10, 0}, {"v_colour", 0, 3, 0, 0},
      {"gl_PointSize", 0, 1, 12, 0}}},
    {"functions", "functions", 10, 10, gp_functions, NULL,
     {INPUT("x", 1, 0x1p-5, 32)},
     {NULL},
     {{"v_results", 0, 1, 1.7, 0}, {"v_results", 1, 1, 2, 1}, {"v_results", 2, 2, 1, 0}}},
    {"skinning", "skinning", 23, 23, gp_skinning, fill_skinning,
     {INPUT("position", 3, -1, 1), INPUT("bones", 4, 0, 1), INPUT("colour", 3, 0, 1)},
     {"palette", "gl_mali_ViewportTransform"},
     {WINDOW(9, 10), {"gl_Position", 3, 1, 0, 0}, {"v_colour", 0, 3, 0, 0}}},
    {"if-else", "select", 6, 6, gp_if_else, fill_lamp,
     {INPUT("position", 2, -1, 1), INPUT("colour", 3, 0, 1)},
     {"lamp"},
     {{"gl_Position", 0, 4, 0, 0}, {"v_colour", 0, 3, 0, 0}}},
    {"if-else", "branch", 7, 6, gp_if_else, fill_lamp,
     {INPUT("position", 2, -1, 1), INPUT("colour", 3, 0, 1)},
     {"lamp"},
     {{"gl_Position", 0, 4, 0, 0}, {"v_colour", 0, 3, 0, 0}}},
};
/* clang-format on */

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* --- a machine with a program --- */

static unsigned complaints, infinite; /* all findings; findings that a position is infinite or
                                         NaN */

static void complain(void *user, const struct tess_finding *diag)
{
    (void)user;
    bool number = diag->id && (strcmp(diag->id, "gp-varying-number") == 0 ||
                               strcmp(diag->id, "gp-position-zero") == 0);
    infinite += number;
    complaints += !number;
    print_message("%s:%u: %s [%s]\n", diag->file ? diag->file : "", diag->line, diag->text,
                  diag->id);
}

static const struct tess_sink sink = {complain, NULL};

struct rig {
    const struct example *example;
    struct tess_gp_program *program;
    struct tess_gp *gp;
    float rows[SHADER_MOST_ROWS][4]; /* uniforms in the order of the program's declarations */
    struct shader_vertex *vertices;
    float (*varyings)[VERTICES][4]; /* array of TESS_GP_VARYINGS elements */
};

static void path_of(char path[512], const char *example, const char *file)
{
    snprintf(path, 512, "%s/../examples/utgard/%s/%s", TEST_DATA, example, file);
}

static struct tess_gp_program *read_program(const struct example *example)
{
    char path[512], file[64];
    struct buffer source;
    struct tess_gp_program *program;
    snprintf(file, sizeof file, "%s.gp", example->name);
    path_of(path, example->folder, file);
    assert_int_equal(file_read(path, &source), TESS_OK);
    const struct tess_asm_options options = {.machine = TESS_MACHINE_GP};
    assert_int_equal(tess_gp_program_read(source.data, source.size, path, &options, sink, &program),
                     TESS_OK);
    buffer_free(&source);
    return program;
}

static void rig_open(struct rig *rig, const struct example *example, bool findings)
{
    struct tess_gp_options options = {.machine.sanitize = findings ? TESS_SANITIZE_ON
                                                                   : TESS_SANITIZE_OFF};
    *rig = (struct rig){.example = example, .program = read_program(example)};
    options.machine.sink = sink;
    assert_int_equal(tess_gp_create(&rig->gp, &options), TESS_OK);
    assert_int_equal(tess_gp_load(rig->gp, rig->program), TESS_OK);
    rig->vertices = test_calloc(VERTICES, sizeof *rig->vertices);
    rig->varyings = test_calloc(TESS_GP_VARYINGS, sizeof *rig->varyings);
}

static void rig_close(struct rig *rig)
{
    tess_gp_destroy(rig->gp);
    tess_gp_program_free(rig->program);
    test_free(rig->vertices);
    test_free(rig->varyings);
}

static const struct tess_gp_symbol *symbol(const struct rig *rig, enum tess_gp_kind kind,
                                           const char *name)
{
    const struct tess_gp_symbol *found = tess_gp_program_find(rig->program, kind, name);
    if (!found)
        fail_msg("%s has no %s", rig->example->name, name);
    return found;
}

static void set_uniforms(struct rig *rig)
{
    uint32_t at = 0;
    for (const char *const *name = rig->example->uniforms; *name; name++) {
        const struct tess_gp_symbol *uniform = symbol(rig, TESS_GP_UNIFORM, *name);
        assert_int_equal(tess_gp_set_rows(rig->gp, uniform->number, rig->rows[at], uniform->count),
                         TESS_OK);
        at += uniform->count;
    }
}

static void rig_run(struct rig *rig)
{
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES] = {0};
    struct tess_gp_varying varyings[TESS_GP_VARYINGS] = {0};
    for (unsigned i = 0; rig->example->attributes[i].name; i++) {
        const struct input *input = &rig->example->attributes[i];
        attributes[symbol(rig, TESS_GP_ATTRIBUTE, input->name)->number] =
            (struct tess_gp_attribute){.data = rig->vertices[0].attributes[i],
                                       .size = (VERTICES - 1) * sizeof *rig->vertices +
                                               input->components * sizeof(float),
                                       .stride = sizeof *rig->vertices,
                                       .components = input->components};
    }
    for (const struct shader_promise *output = rig->example->outputs; output->name; output++) {
        const struct tess_gp_symbol *varying = symbol(rig, TESS_GP_VARYING, output->name);
        varyings[varying->number] = (struct tess_gp_varying){.data = rig->varyings[varying->number],
                                                             .size = sizeof rig->varyings[0],
                                                             .stride = sizeof rig->varyings[0][0],
                                                             .components = varying->components};
    }
    set_uniforms(rig);
    const struct tess_gp_batch batch = {attributes, varyings, 0, VERTICES, 0, false};
    assert_int_equal(tess_gp_run(rig->gp, &batch), TESS_OK);
}

/* --- comparison --- */

/* Returns the index of an output among the reference's outputs. */
static unsigned place(const struct example *example, const struct shader_promise *output)
{
    unsigned place = 0;
    for (const struct shader_promise *before = example->outputs; before < output; before++)
        place += strcmp(before->name, before[1].name) != 0;
    return place;
}

static void compare_vertex(const struct rig *rig, unsigned vertex, struct shader_worst *worst)
{
    struct near want[SHADER_MOST_OUTPUTS][4];
    rig->example->reference(&rig->vertices[vertex], want);
    for (const struct shader_promise *output = rig->example->outputs; output->name; output++) {
        unsigned at = place(rig->example, output);
        uint32_t number = symbol(rig, TESS_GP_VARYING, output->name)->number;
        struct shader_worst *its = &worst[output - rig->example->outputs];
        for (unsigned i = output->first; i < output->first + output->count; i++)
            shader_compare(rig->example->name, output, vertex, i, rig->varyings[number][vertex][i],
                           want[at][i], its);
    }
}

/* Sets the numbers of a vertex's bones, which are integers from 0 to 3. */
static void fill_bones(float bones[4])
{
    bones[0] = (float)shader_random_below(4);
    bones[1] = (float)shader_random_below(4);
    bones[3] = 1 - bones[2];
}

static void fill_vertex(const struct example *example, struct shader_vertex *vertex)
{
    for (unsigned i = 0; example->attributes[i].name; i++) {
        const struct input *input = &example->attributes[i];
        shader_random_row(vertex->attributes[i], input->low, input->high);
        vertex->attributes[i][3] = shader_random(input->low_w, input->high_w);
        if (strcmp(input->name, "bones") == 0)
            fill_bones(vertex->attributes[i]);
    }
}

static void report(const struct example *example, const struct shader_worst *worst)
{
    for (const struct shader_promise *output = example->outputs; output->name; output++, worst++)
        shader_report(example->name, output, worst);
}

/* Runs the program without the sanitizer. The results must be the same to the bit. */
static void run_alike(const struct rig *rig, struct rig *fast)
{
    memcpy(fast->rows, rig->rows, sizeof rig->rows);
    memcpy(fast->vertices, rig->vertices, VERTICES * sizeof *rig->vertices);
    rig_run(fast);
    assert_memory_equal(fast->varyings, rig->varyings, TESS_GP_VARYINGS * sizeof *rig->varyings);
}

static void test_random(void **state)
{
    const struct example *example = *state;
    struct shader_worst worst[MOST_PROMISES] = {0};
    struct rig rig, fast;
    shader_random_start();
    complaints = infinite = 0;
    rig_open(&rig, example, true);
    rig_open(&fast, example, false);
    for (unsigned run = 0; run < RUNS; run++) {
        if (example->fill)
            example->fill(rig.rows);
        for (unsigned i = 0; i < VERTICES; i++) {
            rig.vertices[i].rows = (const float(*)[4])rig.rows;
            fill_vertex(example, &rig.vertices[i]);
        }
        rig_run(&rig);
        run_alike(&rig, &fast);
        for (unsigned i = 0; i < VERTICES; i++)
            compare_vertex(&rig, i, worst);
    }
    report(example, worst);
    assert_int_equal(complaints + infinite, 0);
    size_t instructions;
    tess_gp_program_code(rig.program, &instructions);
    assert_int_equal(instructions, example->instructions);
    struct tess_gp_stats stats;
    tess_gp_get_stats(rig.gp, &stats);
    assert_int_equal(stats.instructions, example->executed * RUNS * VERTICES);
    rig_close(&rig);
    rig_close(&fast);
}

static const struct example *find(const char *name)
{
    for (size_t i = 0; i < EXAMPLES; i++)
        if (strcmp(examples[i].name, name) == 0)
            return &examples[i];
    fail_msg("no example %s", name);
    return NULL;
}

/* In the other tests, vertices are in front of the eye, so 1/w is far from its limits. This test
 * tries the limits. With a unit matrix, clip.w is the vertex's own w. */
static void test_limits(void **state)
{
    static const float cases[][2] = {
        /* clang-format off */
        {0,         1e10F},
        {1e-20F,    1e10F},
        {-1e-20F,   -1e10F},
        {0x1p-30F,  0x1p30F},
        {-0x1p-30F, -0x1p30F},
        {-4,        -0.25F},
        {INFINITY,  0},
        /* clang-format on */
    };
    struct rig rig;
    (void)state;
    complaints = infinite = 0;
    rig_open(&rig, find("mvp"), true);
    memset(rig.rows, 0, sizeof rig.rows);
    for (unsigned i = 0; i < 4; i++)
        rig.rows[i][i] = 1;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        rig.vertices[i].attributes[0][3] = cases[i][0];
    rig_run(&rig);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_memory_equal(&rig.varyings[0][i][3], &cases[i][1], sizeof(float));
    assert_int_equal(complaints, 0);
    assert_int_equal(infinite, 3); /* of the vertex at infinity: for 1/w, for x, and for y and z */
    rig_close(&rig);
}

int main(void)
{
    struct CMUnitTest tests[EXAMPLES + 1] = {cmocka_unit_test(test_limits)};
    for (size_t i = 0; i < EXAMPLES; i++)
        tests[1 + i] = (struct CMUnitTest){.name = examples[i].name,
                                           .test_func = test_random,
                                           .initial_state = (void *)(uintptr_t)&examples[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
