/* SPDX-License-Identifier: MIT */
/* glsl_a2xx.c - tests that the shaders of the folder glsl/, compiled by Mesa for the Adreno A2xx,
 * compute the results that GLSL defines.
 *
 * Without arguments: checks that each fragment shader has a reference, that each reference has a
 * shader, and that their names agree. With arguments NAME CASE: runs the program over random
 * vertices or fragments, in several rounds with different random uniforms, and compares every
 * component that it writes with the reference. tests/programs/freedreno.py writes the case, which
 * describes the driver's commands to the chip, an item per line:
 *   stage vertex|pixel code WORD... constant NUMBER X Y Z W of the stage's window, as words fetch
 *   NUMBER WORD... memory ADDRESS FILE parameter REGISTER with the fragment's position attribute
 *   NAME CONSTANT uniform NAME CONSTANT output NAME COMPONENT EXPORT COMPONENT input NAME COMPONENT
 *   REGISTER COMPONENT allow FINDING which is not an error */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "../register.h"
#include "base/file.h"
#include "glsl/run.h"
#include "glsl/texels.h"

enum {
    ROUNDS = 8, /* rounds of 256 lanes, so 2048 lanes per shader */
    LANES = 256,
    QUADS_ACROSS = 8,           /* in quads; the fragments are 16 x 16 pixels */
    POSITION = GLSL_ATTRIBUTES, /* index of the position among the attributes */
    FINDINGS_SHOWN = 4,
    NAME = 64,
    PLACES = 64,
    MEMORIES = 16,
    /* First constant of each stage in the driver's numbering, and the number of constants of the
     * stage (Mesa 22.3.6, a2xx/fd2_util.h). */
    VERTEX_BASE = 32,
    VERTEX_SIZE = 256,
    PIXEL_BASE = 288,
    PIXEL_SIZE = 224,
    /* Address above all that the driver allocates for such a small picture. */
    ATTRIBUTES_AT = 0x20000000,
    ATTRIBUTE_BYTES = LANES * 4 * (int)sizeof(float),
};

/* Factor on the tolerances of vertex shaders. The tolerances were measured on another machine,
 * where Mesa puts operations in a different order. */
static const double other_order = 3;

static const struct glsl_input position = {"position", -1, 1, 0, 0, 0};

static const struct glsl_shader *const vertex_tables[] = {
    glsl_operators, glsl_functions, glsl_matrices, glsl_control, glsl_scenes, NULL};
static const struct glsl_shader *const pixel_tables[] = {glsl_pixels, glsl_samples, NULL};

/* --- a case --- */

/* A name with a number, or a component of an output or input with its location. */
struct place {
    char name[NAME];
    unsigned component, number, to_component;
};

struct places {
    struct place all[PLACES];
    size_t count;
};

struct memory {
    uint32_t address;
    struct buffer bytes;
};

struct test_case {
    enum tess_a2xx_stage stage;
    uint32_t code[3 * 512];
    size_t words;
    float constants[VERTEX_SIZE][4];
    uint32_t fetch[TESS_A2XX_FETCH_WORDS];
    struct memory memories[MEMORIES];
    size_t memory_count;
    int parameter; /* the register; negative if there is none */
    struct places attributes, uniforms, outputs, inputs, allowed;
};

static unsigned next_number(int base)
{
    const char *word = strtok(NULL, " \n");
    return word ? (unsigned)strtoul(word, NULL, base) : 0;
}

static void add_place(struct places *places, bool of_components)
{
    const char *name = strtok(NULL, " \n");
    if (places->count == PLACES || !name)
        return;
    struct place *place = &places->all[places->count++];
    snprintf(place->name, sizeof place->name, "%s", name);
    place->component = of_components ? next_number(10) : 0;
    place->number = next_number(10);
    place->to_component = of_components ? next_number(10) : 0;
}

static void add_constant(struct test_case *read)
{
    unsigned number = next_number(10);
    for (int c = 0; c < 4 && number < VERTEX_SIZE; c++) {
        uint32_t word = next_number(16);
        memcpy(&read->constants[number][c], &word, sizeof word);
    }
}

static void add_words(uint32_t *words, size_t room, size_t *count)
{
    for (const char *word; *count < room && (word = strtok(NULL, " \n")) != NULL;)
        words[(*count)++] = (uint32_t)strtoul(word, NULL, 16);
}

static void add_memory(struct test_case *read)
{
    struct memory *memory = &read->memories[read->memory_count];
    memory->address = next_number(16);
    const char *path = strtok(NULL, "\n");
    if (path && read->memory_count + 1 < MEMORIES && file_read(path, &memory->bytes) == TESS_OK)
        read->memory_count++;
}

/* Parses a line. Returns false if the line is not a valid line of a case. */
static bool read_line(struct test_case *read, char *line)
{
    const char *kind = strtok(line, " \n");
    if (!kind)
        return true;
    if (!strcmp(kind, "stage")) {
        read->stage = !strcmp(strtok(NULL, " \n"), "pixel") ? TESS_A2XX_PIXEL : TESS_A2XX_VERTEX;
    } else if (!strcmp(kind, "code")) {
        add_words(read->code, sizeof read->code / sizeof read->code[0], &read->words);
    } else if (!strcmp(kind, "fetch")) {
        size_t first = next_number(10);
        add_words(read->fetch, TESS_A2XX_FETCH_WORDS, &first);
    } else if (!strcmp(kind, "constant")) {
        add_constant(read);
    } else if (!strcmp(kind, "memory")) {
        add_memory(read);
    } else if (!strcmp(kind, "parameter")) {
        read->parameter = (int)next_number(10);
    } else if (!strcmp(kind, "attribute")) {
        add_place(&read->attributes, false);
    } else if (!strcmp(kind, "uniform")) {
        add_place(&read->uniforms, false);
    } else if (!strcmp(kind, "output")) {
        add_place(&read->outputs, true);
    } else if (!strcmp(kind, "allow")) {
        add_place(&read->allowed, false);
    } else if (!strcmp(kind, "input")) {
        add_place(&read->inputs, true);
    } else {
        return false;
    }
    return true;
}

static bool read_case(struct test_case *read, const char *path)
{
    static char line[1 << 16];
    FILE *file = fopen(path, "r");
    bool good = file != NULL;
    read->parameter = -1;
    while (good && fgets(line, sizeof line, file))
        good = read_line(read, line);
    if (file)
        fclose(file);
    return good && read->words > 0;
}

/* --- running a case --- */

struct run {
    const struct glsl_shader *shader;
    struct test_case read;
    struct tess_a2xx *a2xx;
    float attributes[GLSL_ATTRIBUTES + 1][LANES][4]; /* position last; for fragments these are
                                                        the varyings */
    float registers[TESS_A2XX_REGISTERS][LANES][4], exports[TESS_A2XX_EXPORTS][LANES][4];
    uint8_t killed[LANES];
    double uniforms[GLSL_ROWS][4];
    size_t findings;
    struct glsl_comparison comparison;
    bool wrong;
};

static void expect_ok(struct run *run, enum tess_status status, const char *what)
{
    if (status == TESS_OK)
        return;
    printf("%s: %s gives %d\n", run->shader->name, what, status);
    run->wrong = true;
}

/* Returns the index of an input of this name. The index of the position is POSITION. */
static size_t input_of(const struct run *run, const char *name)
{
    for (size_t i = 0; i < GLSL_ATTRIBUTES && run->shader->attributes[i].name; i++)
        if (!strcmp(run->shader->attributes[i].name, name))
            return i;
    return POSITION;
}

static void set_uniforms(struct run *run)
{
    struct test_case *read = &run->read;
    size_t row = 0;
    glsl_uniforms(run->shader, run->uniforms);
    for (const struct glsl_input *input = run->shader->uniforms;
         input < run->shader->uniforms + GLSL_UNIFORMS && input->name; input++)
        for (unsigned r = 0; r < (input->rows ? input->rows : 1); r++, row++)
            for (size_t p = 0; p < read->uniforms.count; p++)
                for (int c = 0; c < 4 && !strcmp(read->uniforms.all[p].name, input->name); c++)
                    read->constants[read->uniforms.all[p].number + r][c] =
                        (float)run->uniforms[row][c];
    bool is_pixel = read->stage == TESS_A2XX_PIXEL;
    expect_ok(run,
              tess_a2xx_set_constants(run->a2xx, read->stage, 0, read->constants[0],
                                      is_pixel ? PIXEL_SIZE : VERTEX_SIZE),
              "tess_a2xx_set_constants()");
}

/* Returns the level of detail of a lane, 0 to 3. The level changes every four lanes. */
static unsigned level_of(size_t lane)
{
    return (unsigned)(lane / 4 % 4);
}

/* True if the shader's texture has levels. If so, the lanes of a quad need neighbouring
 * coordinates. */
static bool has_levels(const struct run *run)
{
    for (size_t i = 0; i < run->read.uniforms.count; i++)
        if (texels_are(run->read.uniforms.all[i].name, "mip"))
            return true;
    return false;
}

/* Moves the four coordinates of a quad close together. Their distance is one texel of the quad's
 * level. */
static void set_neighbours(struct run *run)
{
    float(*uv)[4] = run->attributes[0];
    for (size_t lane = 0; lane < LANES; lane++) {
        const float *first = uv[lane & ~(size_t)3];
        float step = (float)(1u << level_of(lane));
        uv[lane][0] = first[0] + (float)(lane % 2) * step / TEXELS_WIDTH;
        uv[lane][1] = first[1] + (float)(lane / 2 % 2) * step / TEXELS_HEIGHT;
    }
}

static void set_attributes(struct run *run)
{
    for (size_t i = 0; i <= GLSL_ATTRIBUTES; i++) {
        const struct glsl_input *input = i == POSITION ? &position : &run->shader->attributes[i];
        for (size_t lane = 0; lane < LANES; lane++)
            for (int c = 0; c < 4; c++)
                run->attributes[i][lane][c] = input->name ? (float)glsl_value(input) : 0;
    }
    for (size_t lane = 0; lane < LANES; lane++)
        run->attributes[POSITION][lane][3] += 3; /* makes w positive: the program may divide by w */
    if (has_levels(run))
        set_neighbours(run);
}

/* Returns the x of a lane. Four lanes form a quad: left and right, above and below. */
static unsigned x_of(size_t lane)
{
    return (unsigned)(lane / 4 % QUADS_ACROSS * 2 + lane % 2);
}

static unsigned y_of(size_t lane)
{
    return (unsigned)(lane / 4 / QUADS_ACROSS * 2 + lane / 2 % 2);
}

/* Sets the inputs of fragments other than their varyings: the position, in whole pixels, with
 * the sign of the back face, and the position within a point. z and 1/w come from an input. The
 * function also writes these values to the position in run->attributes. */
static void set_registers(struct run *run)
{
    const struct test_case *read = &run->read;
    for (size_t lane = 0; lane < LANES; lane++) {
        float *place = run->attributes[POSITION][lane];
        place[2] = (float)glsl_fraction();
        for (size_t i = 0; i < read->inputs.count; i++) {
            const struct place *to = &read->inputs.all[i];
            bool is_place = !strcmp(to->name, "gl_FragCoord");
            const float *from = is_place ? place : run->attributes[input_of(run, to->name)][lane];
            run->registers[to->number][lane][to->to_component] = from[to->component];
        }
        if (read->parameter < 0)
            continue;
        float *parameter = run->registers[read->parameter][lane];
        float sign = glsl_fraction() < 0.5 ? -1 : 1;
        parameter[0] = copysignf((float)x_of(lane), sign);
        parameter[1] = (float)y_of(lane);
        parameter[2] = (float)glsl_fraction();
        parameter[3] = (float)glsl_fraction();
    }
}

static void run_round(struct run *run)
{
    struct tess_a2xx_batch batch = {
        .stage = run->read.stage, .count = LANES, .killed = run->killed};
    for (size_t i = 0; i < TESS_A2XX_EXPORTS; i++)
        batch.exports[i] = run->exports[i];
    if (run->read.stage == TESS_A2XX_PIXEL) {
        batch.quads = true;
        for (size_t i = 0; i < TESS_A2XX_REGISTERS; i++)
            batch.registers[i] = (const float(*)[4])run->registers[i];
    }
    expect_ok(run, tess_a2xx_run(run->a2xx, &batch), "tess_a2xx_run()");
}

/* --- comparing --- */

static void compare_output(struct run *run, size_t lane, const char *name, const double want[4],
                           unsigned components, double tolerance)
{
    const struct places *outputs = &run->read.outputs;
    for (unsigned c = 0; c < components; c++) {
        const struct place *place = outputs->all;
        while (place < outputs->all + outputs->count &&
               (strcmp(place->name, name) != 0 || place->component != c))
            place++;
        double got = place < outputs->all + outputs->count
                         ? run->exports[place->number][lane][place->to_component]
                         : NAN; /* every program writes all outputs that are compared */
        glsl_compare(&run->comparison, lane, name, (int)c, got, want[c], tolerance);
    }
}

static void compare_vertex(struct run *run, size_t lane, const struct glsl_result *out)
{
    const struct glsl_output *varying = run->shader->varyings;
    double tolerance = run->shader->tolerance * other_order;
    for (size_t i = 0; i < GLSL_VARYINGS && varying[i].name; i++)
        compare_output(run, lane, varying[i].name, out->v[i], varying[i].components, tolerance);
    for (int c = 0; c < 4; c++)
        glsl_compare(&run->comparison, lane, "gl_Position", c,
                     run->exports[TESS_A2XX_POSITION][lane][c], out->position[c], tolerance);
    if (out->point_size >= 0)
        glsl_compare(&run->comparison, lane, "gl_PointSize", 0,
                     run->exports[TESS_A2XX_POINT][lane][0], out->point_size, tolerance);
}

static void compare_pixel(struct run *run, size_t lane, const struct glsl_result *out)
{
    glsl_compare(&run->comparison, lane, "discard", 0, run->killed[lane] != 0, out->discarded, 0);
    for (int c = 0; c < 4 && !out->discarded; c++)
        glsl_compare(&run->comparison, lane, "gl_FragColor", c,
                     run->exports[TESS_A2XX_COLOUR][lane][c], out->v[0][c], run->shader->tolerance);
}

static void compare_lane(struct run *run, size_t lane)
{
    struct glsl_values in = {.coord = {x_of(lane) + 0.5, y_of(lane) + 0.5},
                             .level = level_of(lane)};
    struct glsl_result out = {.point_size = -1};
    const float *place = run->attributes[POSITION][lane];
    memcpy(in.uniform, run->uniforms, sizeof in.uniform);
    for (int c = 0; c < 4; c++) {
        out.position[c] = in.position[c] = place[c];
        for (size_t i = 0; i < GLSL_ATTRIBUTES; i++)
            in.attribute[i][c] = run->attributes[i][lane][c];
    }
    in.coord[2] = place[2];
    in.coord[3] = 1 / (double)place[3];
    if (run->read.parameter >= 0) {
        const float *parameter = run->registers[run->read.parameter][lane];
        in.front = !signbit(parameter[0]);
        in.point[0] = parameter[2];
        in.point[1] = parameter[3];
    }
    run->shader->run(&in, &out);
    if (run->read.stage == TESS_A2XX_PIXEL)
        compare_pixel(run, lane, &out);
    else
        compare_vertex(run, lane, &out);
}

static void run_rounds(struct run *run)
{
    for (int round = 0; round < ROUNDS && !run->wrong; round++) {
        memset(run->registers, 0, sizeof run->registers);
        memset(run->exports, 0, sizeof run->exports);
        memset(run->killed, 0, sizeof run->killed);
        set_attributes(run);
        set_registers(run);
        set_uniforms(run);
        run_round(run);
        for (size_t lane = 0; lane < LANES && !run->wrong; lane++) {
            compare_lane(run, lane);
            run->wrong |= run->comparison.wrong;
        }
    }
}

/* --- setting up --- */

static void report_finding(void *user, const struct tess_finding *diagnostic)
{
    struct run *run = user;
    const struct places *allowed = &run->read.allowed;
    for (size_t i = 0; i < allowed->count; i++)
        if (diagnostic->id && !strcmp(diagnostic->id, allowed->all[i].name))
            return;
    if (run->findings++ < FINDINGS_SHOWN)
        printf("%s: %s: %s\n", run->shader->name, diagnostic->id ? diagnostic->id : "",
               diagnostic->text);
}

/* Maps a buffer for each attribute, at the vertex constant from which the program fetches the
 * attribute. */
static void map_attributes(struct run *run)
{
    const struct places *attributes = &run->read.attributes;
    for (size_t i = 0; i < attributes->count; i++) {
        size_t input = input_of(run, attributes->all[i].name);
        uint32_t address = ATTRIBUTES_AT + (uint32_t)i * ATTRIBUTE_BYTES, words[2];
        tess_a2xx_vertex_constant(address, ATTRIBUTE_BYTES, words);
        expect_ok(run, tess_a2xx_set_fetch(run->a2xx, attributes->all[i].number * 2, words, 2),
                  "tess_a2xx_set_fetch()");
        expect_ok(run,
                  tess_a2xx_map(run->a2xx, address, run->attributes[input], ATTRIBUTE_BYTES, false),
                  "tess_a2xx_map()");
    }
}

static void set_up(struct run *run, struct tess_a2xx_program **program)
{
    struct test_case *read = &run->read;
    const struct tess_sink sink = {report_finding, run};
    expect_ok(run, tess_a2xx_program_words(read->code, read->words / 3, TESS_A2XX_ADRENO, program),
              "tess_a2xx_program_words()");
    expect_ok(run,
              tess_a2xx_create(&run->a2xx, &(const struct tess_a2xx_options){.machine.sink = sink}),
              "tess_a2xx_create()");
    if (run->wrong)
        return;
    expect_ok(run, tess_a2xx_set_window(run->a2xx, TESS_A2XX_VERTEX, VERTEX_BASE, VERTEX_SIZE),
              "tess_a2xx_set_window()");
    expect_ok(run, tess_a2xx_set_window(run->a2xx, TESS_A2XX_PIXEL, PIXEL_BASE, PIXEL_SIZE),
              "tess_a2xx_set_window()");
    expect_ok(run, tess_a2xx_load(run->a2xx, read->stage, *program), "tess_a2xx_load()");
    expect_ok(run, tess_a2xx_set_fetch(run->a2xx, 0, read->fetch, TESS_A2XX_FETCH_WORDS),
              "tess_a2xx_set_fetch()");
    for (size_t i = 0; i < read->memory_count; i++)
        expect_ok(run,
                  tess_a2xx_map(run->a2xx, read->memories[i].address, read->memories[i].bytes.data,
                                read->memories[i].bytes.size, false),
                  "tess_a2xx_map()");
    map_attributes(run);
}

static int run_case(const char *name, const char *path)
{
    static struct run run;
    struct tess_a2xx_program *program = NULL;
    if (!read_case(&run.read, path)) {
        printf("%s: %s is no case\n", name, path);
        return 1;
    }
    bool is_pixel = run.read.stage == TESS_A2XX_PIXEL;
    run.shader = run.comparison.shader = glsl_find(is_pixel ? pixel_tables : vertex_tables, name);
    if (!run.shader) {
        printf("%s: has no reference\n", name);
        return 1;
    }
    set_up(&run, &program);
    if (!run.wrong)
        run_rounds(&run);
    if (!run.wrong && !run.findings)
        glsl_report(&run.comparison);
    tess_a2xx_destroy(run.a2xx);
    tess_a2xx_program_free(program);
    for (size_t i = 0; i < run.read.memory_count; i++)
        buffer_free(&run.read.memories[i].bytes);
    return run.wrong || run.findings;
}

/* --- checks of the tables --- */

TEST(names_are_declared)
{
    glsl_expect_declarations(pixel_tables, ".frag", "varying");
}

TEST(shaders_have_references)
{
    glsl_expect_references(pixel_tables, ".frag", 40);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return run_case(argv[1], argv[2]);
    return tests_run();
}
