/* SPDX-License-Identifier: MIT */
/* glsl.c - tests that the shaders of the folder glsl/, compiled by an independent compiler, compute
 * the results that GLSL defines.
 *
 * Without arguments: checks that each shader has a reference, that each reference has a shader, and
 * that their names agree. With arguments NAME PROGRAM: runs the program, in any form that
 * tess_gp_program_read() accepts, over random vertices, in several rounds with different random
 * uniforms, and compares every component that it writes with the reference. tests/programs/lima.py
 * compiles the programs. Prints the largest error. Exit status 1 if it exceeds the tolerance, or on
 * other errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/utgard.h>

#include "../register.h"
#include "base/file.h"
#include "glsl/run.h"
#include "isa/gp/gp_isa.h"

enum {
    ROUNDS = 8, /* rounds of 256 vertices, so 2048 vertices per shader */
    VERTICES = 256,
    POSITION = GLSL_ATTRIBUTES, /* index of the position among the attributes */
    FINDINGS_SHOWN = 4,
};

/* Values of gl_Mali_ViewportTransform. They have the same magnitude as the vertices' values, so
 * that one tolerance fits all. */
static const double viewport_scale[] = {1.5, -1.25, 0.5, 0},
                    viewport_offset[] = {0.25, 0.75, 0.5, 0};

/* Mesa's limits of gl_PointSize (src/gallium/drivers/lima/lima_program.c). */
static const double least_size = 1, greatest_size = 100;

/* Tolerance of gl_Position. The position is divided by w even in shaders that only move values. */
static const double division_tolerance = 3e-7;

static const struct glsl_input position = {"position", -1, 1, 0, 0, 0};

static const struct glsl_shader *const tables[] = {glsl_operators, glsl_functions, glsl_matrices,
                                                   glsl_control,   glsl_scenes,    NULL};

/* --- the instruction words --- */

/* True if a value of a field has a known meaning. */
static bool is_known(enum gp_kind kind, unsigned value)
{
    switch (kind) {
    case GP_KIND_SOURCE:
    case GP_KIND_MUL_SOURCE1:
    case GP_KIND_ACC_SOURCE1: return gp_sources[value].words != NULL;
    case GP_KIND_STORE_SOURCE: return gp_store_sources[value].words != NULL;
    case GP_KIND_ACC_OP: return gp_acc_ops[value].mnemonic != NULL;
    case GP_KIND_MUL_OP: return gp_mul_ops[value].mnemonic != NULL;
    case GP_KIND_PASS_OP: return gp_pass_ops[value].mnemonic != NULL;
    case GP_KIND_COMPLEX_OP: return gp_complex_ops[value].mnemonic != NULL;
    case GP_KIND_LOAD_OFFSET: return (value >= 1 && value <= 3) || value == GP_NO_OFFSET;
    case GP_KIND_UNKNOWN_1:
        return value == GP_FLAGS_NONE || value == GP_FLAGS_TEMPORARY || value == GP_FLAGS_BRANCH;
    case GP_KIND_FLAG:
    case GP_KIND_NUMBER:
    case GP_KIND_ROW: return true;
    }
    return false;
}

/* True if the values of all fields are known, and if each instruction encodes to the same word. */
static bool words_are_known(const char *name, const struct tess_gp_program *program)
{
    size_t instructions;
    const uint32_t *words = tess_gp_program_code(program, &instructions);
    bool known = true;
    for (size_t i = 0; i < instructions; i++, words += GP_WORDS) {
        struct gp_insn insn = gp_decode(words);
        uint32_t again[GP_WORDS];
        gp_encode(&insn, again);
        if (memcmp(words, again, sizeof again) != 0) {
            printf("%s: instruction %zu encodes to other bits\n", name, i);
            known = false;
        }
        for (unsigned field = 0; field < GP_FIELDS; field++) {
            if (is_known(gp_fields[field].kind, gp_field_get(&insn, field)))
                continue;
            printf("%s: instruction %zu: %s is %u\n", name, i, gp_fields[field].name,
                   gp_field_get(&insn, field));
            known = false;
        }
    }
    return known;
}

/* --- running a program --- */

/* The inputs and outputs of the machine. */
struct memory {
    float attributes[GLSL_ATTRIBUTES + 1][VERTICES][4]; /* the position is last */
    float varyings[GLSL_VARYINGS][VERTICES][4];
    float position[VERTICES][4], point_size[VERTICES];
};

/* A run of a program, and its errors. */
struct run {
    const struct glsl_shader *shader;
    const struct tess_gp_program *program;
    struct tess_gp *gp;
    struct memory memory;
    double uniforms[GLSL_ROWS][4];
    size_t findings;
    struct glsl_comparison comparison;
    bool wrong;
};

/* Returns the symbol of this kind and name, or NULL if the compiler has optimised it out. */
static const struct tess_gp_symbol *symbol(const struct run *run, enum tess_gp_kind kind,
                                           const char *name)
{
    return tess_gp_program_find(run->program, kind, name);
}

static void set_row(struct run *run, uint32_t row, const double values[4])
{
    float floats[4];
    for (int c = 0; c < 4; c++)
        floats[c] = (float)values[c];
    if (tess_gp_set_rows(run->gp, row, floats, 1) != TESS_OK)
        run->wrong = true;
}

static void set_uniforms(struct run *run)
{
    size_t row = 0;
    glsl_uniforms(run->shader, run->uniforms);
    for (const struct glsl_input *input = run->shader->uniforms;
         input < run->shader->uniforms + GLSL_UNIFORMS && input->name; input++) {
        const struct tess_gp_symbol *place = symbol(run, TESS_GP_UNIFORM, input->name);
        for (unsigned r = 0; r < (input->rows ? input->rows : 1); r++, row++)
            if (place)
                set_row(run, place->number + r, run->uniforms[row]);
    }
    const struct tess_gp_symbol *viewport = symbol(run, TESS_GP_UNIFORM,
                                                   "gl_mali_ViewportTransform");
    if (!viewport) {
        printf("%s: the program has no uniform gl_mali_ViewportTransform\n", run->shader->name);
        run->wrong = true;
        return;
    }
    set_row(run, viewport->number, viewport_scale);
    set_row(run, viewport->number + 1, viewport_offset);
}

static void set_attributes(struct run *run)
{
    for (size_t v = 0; v < VERTICES; v++) {
        for (size_t i = 0; i <= GLSL_ATTRIBUTES; i++) {
            const struct glsl_input *input = i == POSITION ? &position
                                                           : &run->shader->attributes[i];
            for (int c = 0; c < 4; c++)
                run->memory.attributes[i][v][c] = input->name ? (float)glsl_value(input) : 0;
        }
        run->memory.attributes[POSITION][v][3] += 3; /* makes w positive: the program divides by
                                                        w */
    }
}

static void bind_attribute(struct run *run, struct tess_gp_attribute *attributes, size_t i,
                           const char *name)
{
    const struct tess_gp_symbol *place = name ? symbol(run, TESS_GP_ATTRIBUTE, name) : NULL;
    if (place)
        attributes[place->number] = (struct tess_gp_attribute){
            run->memory.attributes[i], sizeof run->memory.attributes[i],
            sizeof run->memory.attributes[i][0], TESS_GP_F32, 4};
}

/* Binds a varying to memory. A varying without a location stays 0, so the comparison detects it. */
static void bind_varying(struct run *run, struct tess_gp_varying *varyings, const char *name,
                         void *data, uint32_t components, size_t stride)
{
    const struct tess_gp_symbol *place = symbol(run, TESS_GP_VARYING, name);
    if (place)
        varyings[place->number] = (struct tess_gp_varying){data, VERTICES * stride, stride,
                                                           TESS_GP_OUT_F32, components};
}

static void run_round(struct run *run)
{
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES] = {{0}};
    struct tess_gp_varying varyings[TESS_GP_VARYINGS] = {{0}};
    struct memory *memory = &run->memory;
    for (size_t i = 0; i < GLSL_ATTRIBUTES; i++)
        bind_attribute(run, attributes, i, run->shader->attributes[i].name);
    bind_attribute(run, attributes, POSITION, position.name);
    for (size_t i = 0; i < GLSL_VARYINGS && run->shader->varyings[i].name; i++)
        bind_varying(run, varyings, run->shader->varyings[i].name, memory->varyings[i],
                     run->shader->varyings[i].components, sizeof memory->varyings[i][0]);
    bind_varying(run, varyings, "gl_Position", memory->position, 4, sizeof memory->position[0]);
    bind_varying(run, varyings, "gl_PointSize", memory->point_size, 1,
                 sizeof memory->point_size[0]);
    const struct tess_gp_batch batch = {
        .attributes = attributes, .varyings = varyings, .count = VERTICES};
    enum tess_status status = tess_gp_run(run->gp, &batch);
    if (status != TESS_OK) {
        printf("%s: tess_gp_run() gives %d\n", run->shader->name, status);
        run->wrong = true;
    }
}

/* --- comparing --- */

/* Converts a position to window coordinates with 1/w, which the program writes. */
static void to_window(double p[4])
{
    p[3] = 1 / p[3];
    for (int c = 0; c < 3; c++)
        p[c] = p[c] * p[3] * viewport_scale[c] + viewport_offset[c];
}

static void compare_vertex(struct run *run, size_t vertex)
{
    const struct glsl_shader *shader = run->shader;
    const struct memory *memory = &run->memory;
    struct glsl_values in;
    struct glsl_result out = {.point_size = -1};
    memcpy(in.uniform, run->uniforms, sizeof in.uniform);
    for (int c = 0; c < 4; c++) {
        out.position[c] = in.position[c] = memory->attributes[POSITION][vertex][c];
        for (size_t i = 0; i < GLSL_ATTRIBUTES; i++)
            in.attribute[i][c] = memory->attributes[i][vertex][c];
    }
    shader->run(&in, &out);
    for (size_t i = 0; i < GLSL_VARYINGS && shader->varyings[i].name; i++)
        for (int c = 0; c < (int)shader->varyings[i].components; c++)
            glsl_compare(&run->comparison, vertex, shader->varyings[i].name, c,
                         memory->varyings[i][vertex][c], out.v[i][c], shader->tolerance);
    to_window(out.position);
    for (int c = 0; c < 4; c++)
        glsl_compare(&run->comparison, vertex, "gl_Position", c, memory->position[vertex][c],
                     out.position[c], fmax(shader->tolerance, division_tolerance));
    if (out.point_size >= 0)
        glsl_compare(&run->comparison, vertex, "gl_PointSize", 0, memory->point_size[vertex],
                     glsl_clamp(out.point_size, least_size, greatest_size), shader->tolerance);
}

static void run_rounds(struct run *run)
{
    for (int round = 0; round < ROUNDS && !run->wrong; round++) {
        memset(&run->memory, 0, sizeof run->memory);
        set_uniforms(run);
        set_attributes(run);
        run_round(run);
        for (size_t v = 0; v < VERTICES && !run->wrong; v++) {
            compare_vertex(run, v);
            run->wrong |= run->comparison.wrong;
        }
    }
}

static void report_finding(void *user, const struct tess_finding *diagnostic)
{
    struct run *run = user;
    if (run->findings++ < FINDINGS_SHOWN)
        printf("%s: %s: %s\n", run->shader->name, diagnostic->id ? diagnostic->id : "",
               diagnostic->text);
}

static int run_program(const char *name, const char *path)
{
    static struct run run;
    struct tess_gp_program *program = NULL;
    struct buffer file = {0};
    const struct tess_sink sink = {report_finding, &run};
    run.shader = run.comparison.shader = glsl_find(tables, name);
    if (!run.shader || file_read(path, &file) != TESS_OK) {
        printf("%s: %s\n", name, run.shader ? "cannot be read" : "has no reference");
        return 1;
    }
    if (tess_gp_program_read(file.data, file.size, path, NULL, sink, &program) != TESS_OK ||
        tess_gp_create(&run.gp, &(const struct tess_gp_options){.machine.sink = sink}) != TESS_OK ||
        tess_gp_load(run.gp, program) != TESS_OK)
        run.wrong = true;
    else
        run.wrong = !words_are_known(name, program);
    run.program = program;
    if (!run.wrong)
        run_rounds(&run);
    if (!run.wrong && !run.findings)
        glsl_report(&run.comparison);
    tess_gp_destroy(run.gp);
    tess_gp_program_free(program);
    buffer_free(&file);
    return run.wrong || run.findings;
}

/* --- the table of references --- */

TEST(names_are_declared)
{
    glsl_expect_declarations(tables, ".vert", "attribute");
}

TEST(shaders_have_references)
{
    glsl_expect_references(tables, ".vert", 60);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return run_program(argv[1], argv[2]);
    return tests_run();
}
