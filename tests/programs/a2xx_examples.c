/* SPDX-License-Identifier: MIT */
/* a2xx_examples.c - tests the programs of examples/a2xx against their GLSL, computed in float64
 * (reference/a2xx.c), over random vertices and pixels. No error may exceed the bound of float32
 * arithmetic, or the bound in the README beside the program. No run may report a finding. Programs
 * that sample textures are tested in a2xx_pictures.c, which computes their coordinates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/a2xx.h>
#include <tessera/isa.h>

#include "../data/a2xx_lighting.h"
#include "base/file.h"
#include "reference/a2xx.h"
#include "shader_random.h"

enum { RUNS = 20, LANES = 512 }; /* each run has its own uniforms; 10240 lanes in total */

/* --- the programs --- */

static void fill_projected(float rows[][4])
{
    shader_random_projected(rows);
}

/* Fills a random view whose w is not 1. */
static void fill_lighting(float rows[][4])
{
    shader_random_view(rows);
    for (unsigned column = 0; column < 3; column++)
        rows[column][3] = shader_random(-0.2, 0.2);
    rows[3][3] = shader_random(1, 2);
    shader_random_projected(rows + 4);
    shader_random_rotation(rows + 8);
}

/* Fills four bones with random rotations and positions, and a random view. */
static void fill_skinning(float rows[][4])
{
    for (unsigned bone = 0; bone < 4; bone++) {
        shader_random_rotation(rows + 3 * bone);
        for (unsigned i = 0; i < 3; i++)
            rows[3 * bone + i][3] = shader_random(-1, 1);
    }
    shader_random_row(rows[12], -1, 1);
}

static void fill_cube(float rows[][4])
{
    shader_random_projected(rows);
    shader_random_rotation(rows + 4);
}

/* An attribute, or a varying of a pixel program, with its range. */
struct input {
    const char *name;
    unsigned components;
    double low, high;
};

enum { MOST_PROMISES = 4 };

/* An example program. Its lists end with NULL. */
struct example {
    const char *file;
    shader_reference *reference;
    void (*fill)(float rows[][4]);
    struct input inputs[SHADER_MOST_INPUTS + 1];
    const char *uniforms[SHADER_MOST_INPUTS + 1];
    struct shader_promise outputs[MOST_PROMISES + 1]; /* in the order of the reference's outputs */
    bool unlit;                                       /* true if the program runs with boolean
                                                         constant 0 cleared */
};

#define COLOUR(units, least)               \
    {                                      \
        "gl_FragColor", 0, 3, units, least \
    }

/* clang-format off */
static const struct example examples[] = {
    {"first-listing/interleaved", a2xx_first_listing, NULL, {{"", 3, -1, 1}}, {NULL},
     {{"gl_Position", 0, 4, 0, 0}}, false},
    {"first-listing/memory", a2xx_first_listing, NULL, {{"", 3, -1, 1}}, {NULL},
     {{"gl_Position", 0, 4, 0, 0}}, false},
    {"first-listing/plain", a2xx_plain, NULL, {{0}}, {NULL}, {COLOUR(0, 0)}, false},
    {"lighting/lighting", a2xx_lighting, fill_lighting,
     {{"in_position", 3, -1, 1}, {"in_normal", 3, -1, 1}, {"in_color", 3, 0, 1}},
     {"modelviewMatrix", "modelviewprojectionMatrix", "normalMatrix"},
     {{"gl_Position", 0, 3, 20, 1}, {"gl_Position", 3, 1, 9, 0}, {"vVaryingColor", 0, 3, 21, 1},
      {"vVaryingColor", 3, 1, 0, 0}}, false},
    {"lighting/colour", a2xx_colour, NULL, {{"vVaryingColor", 4, -2, 2}}, {NULL},
     {{"gl_FragColor", 0, 4, 0, 0}}, false},
    {"texture/quad", a2xx_texture, NULL, {{"position", 4, -1, 1}, {"place", 2, 0, 1}}, {NULL},
     {{"gl_Position", 0, 4, 0, 0}, {"v_place", 0, 4, 0, 0}}, false},
    {"branch/quad", a2xx_quad, NULL, {{"position", 2, -1, 1}}, {NULL},
     {{"gl_Position", 0, 4, 0, 0}, {"v_place", 0, 2, 0, 0}}, false},
    {"branch/predicate", a2xx_branch, NULL, {{"v_place", 2, -1, 1}}, {NULL}, {COLOUR(4, 1)}, false},
    {"branch/jump", a2xx_branch, NULL, {{"v_place", 2, -1, 1}}, {NULL}, {COLOUR(4, 1)}, false},
    {"loop/loop", a2xx_loop, NULL, {{"v_place", 2, -1, 1}}, {NULL}, {COLOUR(11, 1)}, false},
    {"loop/jump-loop", a2xx_loop, NULL, {{"v_place", 2, -1, 1}}, {NULL}, {COLOUR(11, 1)}, false},
    {"mandelbrot/mandelbrot", a2xx_mandelbrot, NULL, {{"v_place", 2, -1, 1}}, {NULL},
     {COLOUR(19, 1)}, false},
    {"kill/kill", a2xx_kill, NULL,
     {{"position", 4, -1, 1}, {"colour", 3, 0, 1}, {"place", 2, 0, 4}}, {NULL},
     {{"gl_Position", 0, 4, 0, 0}, {"v_colour", 0, 4, 0, 0}, {"v_place", 0, 2, 0, 0}}, false},
    {"kill/holes", a2xx_kill_pixel, NULL, {{"v_colour", 4, 0, 1}, {"v_place", 2, 0, 4}}, {NULL},
     {{"gl_FragColor", 0, 4, 0, 0}}, false},
    {"subroutine/ripples", a2xx_ripples, fill_projected, {{"place", 2, -1, 1}}, {"mvp"},
     {{"gl_Position", 0, 3, 21, 1}, {"gl_Position", 3, 1, 9, 0}, {"v_colour", 0, 3, 145, 1},
      {"v_colour", 3, 1, 0, 0}}, false},
    {"subroutine/ripples", a2xx_dark_ripples, fill_projected, {{"place", 2, -1, 1}}, {"mvp"},
     {{"gl_Position", 0, 3, 21, 1}, {"gl_Position", 3, 1, 9, 0}, {"v_colour", 0, 4, 0, 0}}, true},
    {"skinning/skinning", a2xx_skinning, fill_skinning,
     {{"position", 3, -1, 1}, {"bones", 4, 0, 1}, {"colour", 3, 0, 1}}, {"palette", "view"},
     {{"gl_Position", 0, 2, 15, 1}, {"gl_Position", 2, 2, 0, 0}, {"v_colour", 0, 4, 0, 0}}, false},
    {"cube/cube", a2xx_cube, fill_cube,
     {{"position", 3, -1, 1}, {"normal", 3, -1, 1}, {"place", 2, 0, 1}}, {"mvp", "turn"},
     {{"gl_Position", 0, 3, 21, 1}, {"gl_Position", 3, 1, 9, 0}, {"v_normal", 0, 3, 6, 1},
      {"v_place", 0, 2, 0, 0}}, false},
};
/* clang-format on */

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* --- a shader core with a program --- */

static unsigned complaints;

static void complain(void *user, const struct tess_finding *diag)
{
    (void)user;
    complaints++;
    print_message("%s:%u: %s [%s]\n", diag->file ? diag->file : "", diag->line, diag->text,
                  diag->id ? diag->id : "");
}

static const struct tess_sink sink = {complain, NULL};

typedef float quads[LANES][4];

struct rig {
    const struct example *example;
    struct tess_a2xx_program *program;
    struct tess_a2xx *a2xx;
    enum tess_a2xx_stage stage;
    float rows[SHADER_MOST_ROWS][4]; /* uniforms in the order of the program's declarations */
    struct shader_vertex *lanes;
    quads *registers, *exports;
    uint8_t *killed, *memory;
};

enum { BUFFER_BYTES = LANES * 256, BUFFERS = 96 /* one buffer per vertex constant */ };

static struct tess_a2xx_program *read_program(const char *example)
{
    char path[512];
    struct buffer source;
    struct tess_a2xx_program *program;
    snprintf(path, sizeof path, "%s/../examples/a2xx/%s.a2xx", TEST_DATA, example);
    assert_int_equal(file_read(path, &source), TESS_OK);
    const struct tess_asm_options options = {.machine = TESS_MACHINE_A2XX};
    assert_int_equal(
        tess_a2xx_program_read(source.data, source.size, path, &options, sink, &program), TESS_OK);
    buffer_free(&source);
    return program;
}

static void rig_open(struct rig *rig, const struct example *example, bool findings)
{
    struct tess_a2xx_options options = {.machine.sanitize = findings ? TESS_SANITIZE_ON
                                                                     : TESS_SANITIZE_OFF,
                                        .machine.threads = 1 + !findings};
    *rig = (struct rig){.example = example, .program = read_program(example->file)};
    rig->stage = tess_a2xx_program_stage(rig->program);
    options.machine.sink = sink;
    assert_int_equal(tess_a2xx_create(&rig->a2xx, &options), TESS_OK);
    assert_int_equal(tess_a2xx_load(rig->a2xx, rig->stage, rig->program), TESS_OK);
    if (example->unlit)
        assert_int_equal(tess_a2xx_set_bool(rig->a2xx, 0, false), TESS_OK);
    rig->lanes = test_calloc(LANES, sizeof *rig->lanes);
    rig->registers = test_calloc(TESS_A2XX_REGISTERS, sizeof *rig->registers);
    rig->exports = test_calloc(TESS_A2XX_EXPORTS, sizeof *rig->exports);
    rig->killed = test_calloc(LANES, 1);
    rig->memory = test_calloc(BUFFERS, BUFFER_BYTES);
}

static void rig_close(struct rig *rig)
{
    tess_a2xx_destroy(rig->a2xx);
    tess_a2xx_program_free(rig->program);
    test_free(rig->lanes);
    test_free(rig->registers);
    test_free(rig->exports);
    test_free(rig->killed);
    test_free(rig->memory);
}

static const struct tess_a2xx_symbol *symbol(const struct rig *rig, enum tess_a2xx_kind kind,
                                             const char *name)
{
    const struct tess_a2xx_symbol *found = tess_a2xx_program_find(rig->program, kind, name);
    if (!found)
        fail_msg("%s has no %s", rig->example->file, name);
    return found;
}

static void set_uniforms(struct rig *rig)
{
    uint32_t at = 0;
    for (const char *const *name = rig->example->uniforms; *name; name++) {
        const struct tess_a2xx_symbol *uniform = symbol(rig, TESS_A2XX_UNIFORM, *name);
        assert_int_equal(tess_a2xx_set_constants(rig->a2xx, rig->stage, uniform->number,
                                                 rig->rows[at], uniform->count),
                         TESS_OK);
        at += uniform->count;
    }
}

/* --- inputs --- */

/* Returns the attribute that a fetch reads. The first listing of the source document declares no
 * names, and has a single fetch. */
static unsigned input_of(const struct rig *rig, const struct tess_a2xx_vertex_fetch *fetch)
{
    unsigned i = 0;
    while (rig->example->inputs[i].name && fetch->name &&
           strcmp(rig->example->inputs[i].name, fetch->name) != 0)
        i++;
    assert_non_null(rig->example->inputs[i].name);
    return i;
}

/* Writes the lanes' values to the memory that the fetch reads. */
static void fill_buffer(struct rig *rig, const struct tess_a2xx_vertex_fetch *fetch)
{
    unsigned input = input_of(rig, fetch), components = rig->example->inputs[input].components;
    uint8_t *buffer = rig->memory + (size_t)fetch->constant * BUFFER_BYTES;
    uint32_t address = (fetch->constant + 1) * (1U << 20), words[2];
    assert_int_equal(fetch->components, components);
    for (unsigned lane = 0; lane < LANES; lane++)
        memcpy(buffer + (uint32_t)fetch->offset + lane * fetch->stride,
               rig->lanes[lane].attributes[input], components * sizeof(float));
    tess_a2xx_vertex_constant(address, LANES * fetch->stride, words);
    tess_a2xx_unmap(rig->a2xx, address);
    assert_int_equal(
        tess_a2xx_map(rig->a2xx, address, buffer, (size_t)LANES * fetch->stride, false), TESS_OK);
    assert_int_equal(tess_a2xx_set_fetch(rig->a2xx, 2 * fetch->constant, words, 2), TESS_OK);
}

static void fill_buffers(struct rig *rig)
{
    const struct tess_a2xx_vertex_fetch *fetch;
    for (size_t i = 0; (fetch = tess_a2xx_program_fetch(rig->program, i)); i++)
        fill_buffer(rig, fetch);
}

/* Fills registers with the varyings, which a pixel program finds there at its start. */
static void fill_registers(struct rig *rig, struct tess_a2xx_batch *batch)
{
    for (unsigned i = 0; rig->example->inputs[i].name; i++) {
        uint32_t number = symbol(rig, TESS_A2XX_VARYING, rig->example->inputs[i].name)->number;
        for (unsigned lane = 0; lane < LANES; lane++)
            memcpy(rig->registers[number][lane], rig->lanes[lane].attributes[i],
                   sizeof rig->registers[number][lane]);
        batch->registers[number] = (const float(*)[4])rig->registers[number];
    }
}

static void rig_run(struct rig *rig)
{
    struct tess_a2xx_batch batch = {.stage = rig->stage, .count = LANES, .killed = rig->killed};
    if (rig->stage == TESS_A2XX_VERTEX)
        fill_buffers(rig);
    else
        fill_registers(rig, &batch);
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++)
        batch.exports[i] = rig->exports[i];
    memset(rig->killed, 0, LANES);
    set_uniforms(rig);
    assert_int_equal(tess_a2xx_run(rig->a2xx, &batch), TESS_OK);
}

/* --- comparison --- */

static uint32_t export_of(const struct rig *rig, const char *name)
{
    if (strcmp(name, "gl_Position") == 0)
        return TESS_A2XX_POSITION;
    if (strcmp(name, "gl_FragColor") == 0)
        return TESS_A2XX_COLOUR;
    return symbol(rig, TESS_A2XX_VARYING, name)->number;
}

/* Returns the index of an output among the reference's outputs. */
static unsigned place(const struct example *example, const struct shader_promise *output)
{
    unsigned place = 0;
    for (const struct shader_promise *before = example->outputs; before < output; before++)
        place += strcmp(before->name, before[1].name) != 0;
    return place;
}

/* Returns true if the pixel was killed, and checks the decision. If rounding errors can change
 * the decision, both results are valid. */
static bool is_killed(const struct rig *rig, unsigned lane, const struct near want[][4])
{
    bool killed = rig->killed[lane];
    if (rig->stage == TESS_A2XX_PIXEL && want[1][0].error == 0 && killed != (want[1][0].value != 0))
        fail_msg("%s, %u: %s", rig->example->file, lane, killed ? "killed" : "not killed");
    return killed;
}

static void compare_lane(const struct rig *rig, unsigned lane, struct shader_worst *worst)
{
    struct near want[SHADER_MOST_OUTPUTS][4] = {0};
    rig->example->reference(&rig->lanes[lane], want);
    if (is_killed(rig, lane, (const struct near(*)[4])want))
        return;
    for (const struct shader_promise *output = rig->example->outputs; output->name; output++) {
        unsigned at = place(rig->example, output);
        const float *got = rig->exports[export_of(rig, output->name)][lane];
        for (unsigned i = output->first; i < output->first + output->count; i++)
            if (want[at][i].error < INFINITY) /* if infinite, rounding errors decide */
                shader_compare(rig->example->file, output, lane, i, got[i], want[at][i],
                               &worst[output - rig->example->outputs]);
    }
}

/* Sets the numbers of a vertex's bones, which are integers from 0 to 3. */
static void fill_bones(float bones[4])
{
    bones[0] = (float)shader_random_below(4);
    bones[1] = (float)shader_random_below(4);
    bones[3] = 1 - bones[2];
}

static void fill_lane(const struct rig *rig, struct shader_vertex *lane)
{
    lane->rows = (const float(*)[4])rig->rows;
    for (unsigned i = 0; rig->example->inputs[i].name; i++) {
        const struct input *input = &rig->example->inputs[i];
        shader_random_row(lane->attributes[i], input->low, input->high);
        if (strcmp(input->name, "bones") == 0)
            fill_bones(lane->attributes[i]);
    }
}

/* Runs the program without the sanitizer and with two threads. The results must be the same to
 * the bit. */
static void run_alike(const struct rig *rig, struct rig *fast)
{
    memcpy(fast->rows, rig->rows, sizeof rig->rows);
    memcpy(fast->lanes, rig->lanes, LANES * sizeof *rig->lanes);
    rig_run(fast);
    assert_memory_equal(fast->exports, rig->exports, TESS_A2XX_EXPORTS * sizeof *rig->exports);
    assert_memory_equal(fast->killed, rig->killed, LANES);
}

static void test_random(void **state)
{
    const struct example *example = *state;
    struct shader_worst worst[MOST_PROMISES] = {0};
    struct rig rig, fast;
    shader_random_start();
    complaints = 0;
    rig_open(&rig, example, true);
    rig_open(&fast, example, false);
    for (unsigned run = 0; run < RUNS; run++) {
        if (example->fill)
            example->fill(rig.rows);
        for (unsigned i = 0; i < LANES; i++)
            fill_lane(&rig, &rig.lanes[i]);
        rig_run(&rig);
        run_alike(&rig, &fast);
        for (unsigned i = 0; i < LANES; i++)
            compare_lane(&rig, i, worst);
    }
    for (unsigned i = 0; example->outputs[i].name; i++)
        shader_report(example->file, &example->outputs[i], &worst[i]);
    assert_int_equal(complaints, 0);
    rig_close(&rig);
    rig_close(&fast);
}

/* --- words --- */

/* The first listing of the source document (seed 002): with its clauses in either order, it
 * assembles to the words of docs/hardware/a2xx.md, section 19. */
static void test_first_words(void **state)
{
    static const uint32_t words[] = {0x00031003, 0x00001000, 0xc2000000, 0x00001004, 0x00001000,
                                     0xc4000000, 0x00000005, 0x00002000, 0x00000000, 0x08a81000,
                                     0x00392a88, 0x0000000c, 0x140f803e, 0x00000000, 0xe2010100};
    static const char *const files[] = {"first-listing/interleaved", "first-listing/memory"};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct tess_a2xx_program *program = read_program(files[i]);
        size_t slots;
        const uint32_t *code = tess_a2xx_program_code(program, &slots);
        assert_int_equal(slots, 5);
        assert_memory_equal(code, words, sizeof words);
        tess_a2xx_program_free(program);
    }
}

/* The lighting shader of the source document (seed 002) assembles to the same words in its
 * original form and in the current syntax. Some of these words are in docs/hardware/a2xx.md,
 * section 19. */
static void test_lighting_words(void **state)
{
    struct tess_a2xx_program *seed = read_program("lighting/original");
    struct tess_a2xx_program *today = read_program("lighting/lighting");
    size_t slots, slots_too;
    const uint32_t *old = tess_a2xx_program_code(seed, &slots_too);
    const uint32_t *new = tess_a2xx_program_code(today, &slots);
    (void)state;
    assert_int_equal(slots, LIGHTING_SLOTS);
    assert_int_equal(slots_too, slots);
    assert_memory_equal(old, new, slots * 3 * sizeof *new);
    expect_lighting_words(new);
    tess_a2xx_program_free(seed);
    tess_a2xx_program_free(today);
}

int main(void)
{
    struct CMUnitTest tests[EXAMPLES + 2] = {cmocka_unit_test(test_first_words),
                                             cmocka_unit_test(test_lighting_words)};
    for (size_t i = 0; i < EXAMPLES; i++)
        tests[2 + i] = (struct CMUnitTest){.name = examples[i].file,
                                           .test_func = test_random,
                                           .initial_state = (void *)(uintptr_t)&examples[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
