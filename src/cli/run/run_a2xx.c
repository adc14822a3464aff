/* SPDX-License-Identifier: MIT */
/* run_a2xx.c - tessera run -m a2xx: runs A2xx programs over vertices or pixels, and draws pictures.
 * See docs/a2xx/run.md.
 *
 * In:  options; a program, and a pixel program for --pixel; tables, buffers and textures.
 * Out: exports as a table, a picture, a trace and statistics; diagnostics; an exit status. */
#include "cli/run/runners.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "cli/cli.h"
#include "cli/input_file.h"
#include "cli/run/run_a2xx_arguments.h"
#include "cli/run/run_a2xx_constants.h"
#include "cli/run/run_a2xx_draw.h"
#include "cli/run/run_a2xx_memory.h"
#include "cli/run/run_a2xx_names.h"
#include "cli/run/run_a2xx_textures.h"
#include "cli/run/run_a2xx_vertices.h"
#include "cli/run/shader_run.h"
#include "front/trace.h"

enum { MOST_PROGRAM = 64 << 20 };

struct a2xx_programs {
    struct tess_a2xx_program *vertex, *pixel; /* either may be NULL */
    enum tess_a2xx_stage stage; /* stage of the program that runs over the input data */
};

struct run {
    struct shader_run shared;
    const struct a2xx_arguments *arguments;
    struct a2xx_programs programs;
    struct tess_a2xx *a2xx;
    struct a2xx_names inputs, outputs, uniforms;
    struct a2xx_constants constants;
    struct a2xx_textures textures;
    struct a2xx_vertices vertices;
    struct a2xx_memories memories;
    struct a2xx_shading shading;
    struct trace pixel_trace;
    /* Per register, an array of input values, one per vertex or pixel of a piece. NULL for a
     * register without input. */
    float (*registers[TESS_A2XX_REGISTERS])[4];
    /* Per output number, an array of exported values, or NULL if the output is not shown. */
    float (*exports[SHADER_MOST_VARYINGS])[4];
    uint8_t *killed;
};

/* --- the programs --- */

static enum tess_status read_program(const struct a2xx_arguments *all, const char *path,
                                     struct tess_sink sink, struct tess_a2xx_program **program)
{
    struct tess_asm_options how = shader_arguments_assembly(&all->shared, TESS_MACHINE_A2XX);
    uint8_t *bytes;
    size_t size;
    how.variant = all->variant;
    if (!input_file_read(path, MOST_PROGRAM, sink, &bytes, &size))
        return TESS_IO;
    enum tess_status status = tess_a2xx_program_read(bytes, size, input_file_name(path), &how, sink,
                                                     program);
    free(bytes);
    return status;
}

/* Returns false after an error message if options contradict each other or the stage. */
static bool check(const struct a2xx_arguments *arguments, enum tess_a2xx_stage stage)
{
    const char *mistake = NULL;
    if (stage == TESS_A2XX_PIXEL && arguments->pixel)
        mistake = "--pixel needs a vertex program";
    else if (stage == TESS_A2XX_PIXEL && arguments->shared.draw.path)
        mistake = "--draw needs a vertex program; name the pixel program with --pixel";
    else if (arguments->pixel && !arguments->shared.draw.path)
        mistake = "--pixel needs --draw; without --draw, run the pixel program alone";
    else if (arguments->has_trace_pixel && !arguments->pixel)
        mistake = "--trace-pixel needs --pixel";
    if (mistake)
        cli_usage_error(arguments->shared.title, "%s", mistake);
    return !mistake;
}

/* Reads the programs. After reporting an error, returns TESS_BAD_INPUT (an error in a program, or
 * contradicting options), TESS_IO or TESS_NO_MEMORY. */
static enum tess_status a2xx_programs_read(struct a2xx_programs *programs,
                                           const struct a2xx_arguments *arguments,
                                           struct tess_sink sink)
{
    struct tess_a2xx_program *first = NULL;
    enum tess_status status = read_program(arguments, arguments->shared.path, sink, &first);
    if (status != TESS_OK)
        return status;
    programs->stage = arguments->stage != A2XX_AUTOMATIC ? (enum tess_a2xx_stage)arguments->stage
                      : arguments->pixel                 ? TESS_A2XX_VERTEX
                                                         : tess_a2xx_program_stage(first);
    if (programs->stage == TESS_A2XX_VERTEX)
        programs->vertex = first;
    else
        programs->pixel = first;
    if (!check(arguments, programs->stage))
        return TESS_BAD_INPUT;
    return arguments->pixel ? read_program(arguments, arguments->pixel, sink, &programs->pixel)
                            : TESS_OK;
}

/* Returns the program that runs over the input data. */
static struct tess_a2xx_program *a2xx_programs_main(const struct a2xx_programs *programs)
{
    return programs->stage == TESS_A2XX_VERTEX ? programs->vertex : programs->pixel;
}

static void a2xx_programs_free(struct a2xx_programs *programs)
{
    tess_a2xx_program_free(programs->vertex);
    tess_a2xx_program_free(programs->pixel);
    *programs = (struct a2xx_programs){0};
}

/* --- names --- */

static bool no_memory(const struct run *run)
{
    return cli_no_memory(run->arguments->shared.title);
}

static bool find_names(struct run *run)
{
    bool good = run->programs.stage == TESS_A2XX_VERTEX
                    ? a2xx_names_attributes(&run->inputs, run->programs.vertex,
                                            run->vertices.fetches)
                    : a2xx_names_inputs(&run->inputs, run->programs.pixel);
    return (good &&
            a2xx_names_outputs(&run->outputs, a2xx_programs_main(&run->programs),
                               run->programs.stage) &&
            a2xx_names_constants(&run->uniforms, run->programs.vertex, run->programs.pixel)) ||
           no_memory(run);
}

/* --- the machine --- */

static bool take_choices(const struct run *run, struct tess_a2xx_choices *choices)
{
    const struct option_list *given = &run->arguments->shared.choices;
    for (size_t i = 0; i < given->count; i++) {
        bool fused = strcmp(given->items[i], "fused-muladd") == 0;
        bool *choice = fused ? &choices->fused_muladd : &choices->keep_denormals;
        if (!fused && strcmp(given->items[i], "keep-denormals") != 0)
            return cli_refuse(run->arguments->shared.title,
                              "unknown choice '%s'; expected fused-muladd or keep-denormals",
                              given->items[i]);
        *choice = true;
    }
    return true;
}

static enum tess_status create_machine(struct run *run)
{
    const struct shader_arguments *arguments = &run->arguments->shared;
    struct tess_a2xx_options how = {
        .machine = {.threads = arguments->threads ? arguments->threads : TESS_ALL_PROCESSORS,
                    .sanitize = arguments->no_sanitize ? TESS_SANITIZE_OFF : TESS_SANITIZE_ON,
                    .shown = message_limit_wants(),
                    .max_instructions = arguments->max_instructions}};
    if (!take_choices(run, &how.choices))
        return TESS_BAD_INPUT;
    how.machine.sink = shader_run_sink(&run->shared);
    enum tess_status status = tess_a2xx_create(&run->a2xx, &how);
    if (status == TESS_OK && run->programs.vertex)
        status = tess_a2xx_load(run->a2xx, TESS_A2XX_VERTEX, run->programs.vertex);
    if (status == TESS_OK && run->programs.pixel)
        status = tess_a2xx_load(run->a2xx, TESS_A2XX_PIXEL, run->programs.pixel);
    return status;
}

static enum tess_status set_constants(struct run *run)
{
    const struct a2xx_arguments *arguments = run->arguments;
    const char *title = arguments->shared.title, *first = input_file_name(arguments->shared.path);
    run->constants = (struct a2xx_constants){
        .run = &run->shared,
        .a2xx = run->a2xx,
        .vertex = run->programs.vertex,
        .pixel = run->programs.pixel,
        .files = {first, arguments->pixel ? input_file_name(arguments->pixel) : first},
        .names = &run->uniforms.list,
    };
    enum tess_status status = a2xx_constants_set(&run->constants);
    if (status == TESS_OK && (!a2xx_constants_bools(run->a2xx, title, &arguments->bools) ||
                              !a2xx_constants_loops(run->a2xx, title, &arguments->loops)))
        status = TESS_BAD_INPUT;
    return status;
}

static bool set_textures(struct run *run)
{
    struct a2xx_textures *textures = &run->textures;
    textures->title = run->arguments->shared.title;
    textures->sink = shader_run_sink(&run->shared);
    textures->a2xx = run->a2xx;
    textures->variant = run->arguments->variant;
    textures->programs[0] = run->programs.vertex;
    textures->programs[1] = run->programs.pixel;
    if (!a2xx_textures_take(textures, &run->arguments->textures))
        return false;
    a2xx_textures_check(textures, run->programs.vertex, run->constants.files[0]);
    a2xx_textures_check(textures, run->programs.pixel, run->constants.files[1]);
    return true;
}

static bool set_memories(struct run *run)
{
    run->memories.title = run->arguments->shared.title;
    run->memories.a2xx = run->a2xx;
    return a2xx_memories_take(&run->memories, &run->arguments->memories);
}

/* --- data --- */

/* True if the data must provide an input. For a vertex program, the input is an attribute that a
 * fetch reads. For a pixel program, the input is a register that the source names. */
static bool reads_input(const void *user, uint32_t number)
{
    const struct run *run = user;
    const struct tess_a2xx_symbol *symbol;
    if (run->programs.stage == TESS_A2XX_VERTEX)
        return a2xx_vertices_wants(&run->vertices, number);
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(run->programs.pixel, i)) != NULL; i++)
        if (symbol->kind == TESS_A2XX_VARYING && number - symbol->number < symbol->count)
            return true;
    return false;
}

static void report_unread(const void *user, const char *file, const char *name)
{
    const struct run *run = user;
    a2xx_vertices_unread(&run->vertices, run->programs.vertex, file, name);
}

/* Finds the format of a pixel input. Only the float format is accepted. */
static bool find_plain_format(const char *name, struct shader_format *format)
{
    return a2xx_vertices_adreno_format(name, format) && format->code == A2XX_PLAIN_FORMAT;
}

static bool open_input(struct run *run)
{
    bool vertex = run->programs.stage == TESS_A2XX_VERTEX;
    run->vertices.title = run->arguments->shared.title;
    run->vertices.sink = shader_run_sink(&run->shared);
    run->vertices.a2xx = run->a2xx;
    run->vertices.variant = run->arguments->variant;
    run->vertices.names = &run->inputs.list;
    if (!a2xx_vertices_buffers(&run->vertices, &run->arguments->buffers))
        return false;
    const struct shader_arguments *shared = &run->arguments->shared;
    bool data = shared->attributes.count || shared->tables.count;
    if (vertex && data && !shared->no_sanitize) {
        tess_a2xx_program_check_attributes(run->programs.vertex, run->vertices.sink);
        a2xx_vertices_check_shared(&run->vertices, run->programs.vertex);
    }
    uint64_t count = vertex && !data ? a2xx_vertices_count(&run->vertices) : 0;
    const struct shader_input_options how = {
        .count = count > shared->first ? count - shared->first : 0,
        .together = TESS_A2XX_BATCH,
        .names = run->inputs.list,
        .reads = reads_input,
        .user = run,
        .unread = vertex && !shared->no_sanitize ? report_unread : NULL,
        .plain_format = A2XX_PLAIN_FORMAT,
        .format = !vertex                                      ? find_plain_format
                  : run->arguments->variant == TESS_A2XX_XENOS ? a2xx_vertices_xenos_format
                                                               : a2xx_vertices_adreno_format,
        .format_name = run->arguments->variant == TESS_A2XX_XENOS ? a2xx_vertices_xenos_name
                                                                  : a2xx_vertices_adreno_name,
    };
    return shader_run_open_input(&run->shared, &how) &&
           (!vertex || a2xx_vertices_begin(&run->vertices, &run->shared.input));
}

/* Returns a mask of the components of an output that the program exports. For the output "killed",
 * returns 1 if the program can kill pixels, else 0. */
static uint32_t shown_components(const void *user, uint32_t output)
{
    const struct run *run = user;
    uint32_t number = a2xx_output_export(run->programs.stage, output);
    if (number == A2XX_NO_EXPORT)
        return tess_a2xx_program_kills(a2xx_programs_main(&run->programs));
    uint32_t components = tess_a2xx_program_exports(a2xx_programs_main(&run->programs), number);
    return run->programs.stage == TESS_A2XX_PIXEL && number == TESS_A2XX_DEPTH ? components & 1
                                                                               : components;
}

static bool open_output(struct run *run)
{
    const struct shader_output_options how = {
        .names = run->outputs.list,
        .components = shown_components,
        .user = run,
    };
    return shader_run_open_output(&run->shared, &how);
}

/* Allocates the arrays of a piece. There is one array per input register and one per export that is
 * written to the table of results. */
static bool make_arrays(struct run *run)
{
    bool pixel = run->programs.stage == TESS_A2XX_PIXEL, good = true;
    for (unsigned i = 0; i < TESS_A2XX_REGISTERS; i++) {
        if (!(pixel ? run->shared.input.attributes[i].components != 0 : i == 0))
            continue;
        run->registers[i] = calloc(SHADER_PIECE, sizeof *run->registers[i]);
        good &= run->registers[i] != NULL;
    }
    for (unsigned i = 0; i < run->outputs.list.limit; i++) {
        if (!run->shared.output.varyings[i].data)
            continue;
        run->exports[i] = calloc(SHADER_PIECE, sizeof *run->exports[i]);
        good &= run->exports[i] != NULL;
    }
    run->killed = calloc(SHADER_PIECE, 1);
    return (good && run->killed) || no_memory(run);
}

/* --- pictures --- */

static bool begin_shading(struct run *run)
{
    const struct a2xx_arguments *arguments = run->arguments;
    struct shader_draw *draw = &run->shared.draw;
    run->pixel_trace = (struct trace){
        .stream = run->shared.trace.stream,
        .a2xx = run->programs.pixel,
        .what = "pixel",
        .json = arguments->shared.json,
    };
    run->shading = (struct a2xx_shading){
        .a2xx = run->a2xx,
        .program = run->programs.pixel,
        .primitive = arguments->shared.draw.draw.primitive,
        .param_gen = arguments->param_gen != A2XX_AUTOMATIC
                         ? (uint32_t)arguments->param_gen
                         : a2xx_find_param_gen(run->programs.pixel),
        .clockwise_front = arguments->clockwise_front,
        .trace = arguments->has_trace_pixel ? &run->pixel_trace : NULL,
        .trace_x = arguments->trace_x,
        .trace_y = arguments->trace_y,
    };
    draw->shade = a2xx_shade;
    draw->user = &run->shading;
    for (uint32_t i = 0; i < TESS_DRAW_VARYINGS; i++)
        if (tess_a2xx_program_exports(run->programs.vertex, i))
            draw->varying_count = i + 1;
    return a2xx_shading_begin(&run->shading) || no_memory(run);
}

/* --- the run --- */

/* Fills the input registers. For a vertex program, R0.x is the number of the vertex in the buffers.
 * For a pixel program, the registers contain the input data. */
static void fill_registers(struct run *run, size_t base, size_t count)
{
    const struct shader_input *input = &run->shared.input;
    for (size_t lane = 0; lane < count && run->programs.stage == TESS_A2XX_VERTEX; lane++)
        run->registers[0][lane][0] = (float)(base - run->vertices.window + lane);
    for (unsigned r = 0; r < TESS_A2XX_REGISTERS && run->programs.stage == TESS_A2XX_PIXEL; r++) {
        const struct shader_attribute *from = &input->attributes[r];
        for (size_t lane = 0; lane < count && run->registers[r]; lane++)
            memcpy(run->registers[r][lane], (const uint8_t *)from->data + lane * from->stride,
                   from->components * sizeof(float));
    }
}

static enum tess_status run_traced(struct run *run, const struct tess_a2xx_batch *batch)
{
    struct trace trace = {
        .stream = run->shared.trace.stream,
        .a2xx = a2xx_programs_main(&run->programs),
        .what = run->programs.stage == TESS_A2XX_VERTEX ? "vertex" : "pixel",
        .json = run->arguments->shared.json,
    };
    return tess_a2xx_trace(run->a2xx, batch, run->shared.traced, trace_a2xx, &trace);
}

/* Copies the exports of a piece to the table of results. With --trace-vertex, only the traced
 * vertex or pixel is copied. */
static void take_exports(struct run *run, size_t count)
{
    for (unsigned i = 0; i < run->outputs.list.limit; i++) {
        bool killed = a2xx_output_export(run->programs.stage, i) == A2XX_NO_EXPORT;
        for (size_t row = 0; row < count && run->exports[i]; row++) {
            size_t lane = row + run->shared.traced;
            const float value[4] = {(float)run->killed[lane]};
            shader_output_set(&run->shared.output.varyings[i], row,
                              killed ? value : run->exports[i][lane]);
        }
    }
}

static enum tess_status run_piece(void *user, size_t count)
{
    struct run *run = user;
    struct tess_a2xx_batch batch = {
        .stage = run->programs.stage,
        .count = count,
        .quads = run->arguments->quads,
        .killed = run->killed,
        .base = shader_run_base(&run->shared, count),
        .more = true,
    };
    enum tess_status status = run->programs.stage == TESS_A2XX_VERTEX
                                  ? a2xx_vertices_fill(&run->vertices, &run->shared.input,
                                                       batch.base, count)
                                  : TESS_OK;
    fill_registers(run, batch.base, count);
    memset(run->killed, 0, count);
    for (unsigned i = 0; i < TESS_A2XX_REGISTERS; i++)
        batch.registers[i] = (const float(*)[4])run->registers[i];
    for (unsigned i = 0; i < run->outputs.list.limit; i++) {
        uint32_t number = a2xx_output_export(run->programs.stage, i);
        if (!run->exports[i])
            continue;
        memset(run->exports[i], 0, count * sizeof *run->exports[i]);
        if (number != A2XX_NO_EXPORT)
            batch.exports[number] = run->exports[i];
    }
    if (status == TESS_OK)
        status = run->arguments->shared.has_trace ? run_traced(run, &batch)
                                                  : tess_a2xx_run(run->a2xx, &batch);
    take_exports(run, run->arguments->shared.has_trace ? 1 : count);
    return status;
}

/* Makes the model report the findings that summarise all pieces, by running an empty last piece. */
static void report_findings(void *user)
{
    const struct run *run = user;
    tess_a2xx_run(run->a2xx, &(struct tess_a2xx_batch){.stage = run->programs.stage});
}

static void print_stats(const struct run *run)
{
    struct tess_a2xx_stats stats;
    tess_a2xx_get_stats(run->a2xx, &stats);
    const struct shader_count all[] = {
        {"lanes", NULL, stats.lanes},
        {"alu", "ALU", stats.alu},
        {"vertex_fetches", "vertex fetches", stats.vertex_fetches},
        {"texture_fetches", "texture fetches", stats.texture_fetches},
        {"control", "control flow", stats.control},
        {"lanes_killed", "lanes killed", stats.killed},
    };
    shader_run_print_stats(&run->shared, all, sizeof all / sizeof all[0], 15);
}

/* --- the verb --- */

static bool open_all(struct run *run)
{
    if (!set_memories(run) || !set_textures(run) ||
        !a2xx_textures_check_vertices(&run->textures, run->programs.vertex,
                                      run->constants.files[0]) ||
        !open_input(run) || !open_output(run) || !make_arrays(run) ||
        !shader_run_begin_drawing(&run->shared) ||
        ((run->arguments->shared.has_trace || run->arguments->has_trace_pixel) &&
         !shader_run_open_trace(&run->shared)) ||
        !shader_run_open_stats(&run->shared))
        return false;
    return !run->arguments->pixel || begin_shading(run);
}

static int work(struct run *run)
{
    struct shader_run *shared = &run->shared;
    shared->report.reading = true;
    enum tess_status status = a2xx_programs_read(&run->programs, run->arguments,
                                                 shader_run_sink(shared));
    shared->report.reading = false;
    if (status == TESS_OK && !find_names(run))
        return CLI_USAGE;
    if (status == TESS_OK)
        status = create_machine(run);
    if (status == TESS_OK)
        status = set_constants(run);
    if (status != TESS_OK)
        return shader_run_fail(shared, status);
    if (!open_all(run))
        return CLI_USAGE;
    int result = shader_run_data(shared,
                                 run->programs.stage == TESS_A2XX_VERTEX ? "vertex" : "pixel",
                                 run_piece, report_findings, run);
    a2xx_shading_report(&run->shading);
    if (!shader_run_close_outputs(shared) || !a2xx_memories_write(&run->memories))
        return CLI_USAGE;
    if (run->arguments->shared.stats)
        print_stats(run);
    return result;
}

static int run_program(void *user)
{
    struct a2xx_arguments *arguments = user;
    struct run run = {.arguments = arguments, .shared = shader_run_begin(&arguments->shared)};
    bool logged = verdict_log_begin(run.shared.verdict, &run.shared.report, TESS_MACHINE_A2XX,
                                    arguments->shared.path);
    int result = shader_run_end(&run.shared, logged ? work(&run) : CLI_USAGE);
    a2xx_shading_free(&run.shading);
    tess_a2xx_destroy(run.a2xx);
    a2xx_vertices_free(&run.vertices);
    a2xx_textures_free(&run.textures);
    a2xx_memories_free(&run.memories);
    a2xx_names_free(&run.inputs);
    a2xx_names_free(&run.outputs);
    a2xx_names_free(&run.uniforms);
    for (unsigned i = 0; i < TESS_A2XX_REGISTERS; i++)
        free(run.registers[i]);
    for (unsigned i = 0; i < SHADER_MOST_VARYINGS; i++)
        free(run.exports[i]);
    free(run.killed);
    a2xx_programs_free(&run.programs);
    return result;
}

int run_a2xx(int argc, char **argv)
{
    struct a2xx_arguments arguments;
    a2xx_arguments_begin(&arguments, argv[0]);
    int status = options_parse(&a2xx_options, &arguments, argc, argv);
    if (status == OPTIONS_PARSED)
        status = shader_arguments_work(&arguments.shared, argc, argv, run_program, &arguments);
    a2xx_arguments_free(&arguments);
    return status;
}
