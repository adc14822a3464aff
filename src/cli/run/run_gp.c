/* SPDX-License-Identifier: MIT */
/* run_gp.c - tessera run -m gp: runs a program of the Utgard vertex processor over vertices. See
 * docs/utgard/run.md.
 *
 * In:  options; a program; tables and buffers.
 * Out: varyings as a table or buffers, a picture, a trace and statistics; diagnostics; an exit
 *      status. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/utgard.h>

#include "cli/cli.h"
#include "cli/option_rows.h"
#include "cli/run/runners.h"
#include "cli/run/shader_arguments.h"
#include "cli/run/shader_input.h"
#include "cli/run/shader_output.h"
#include "cli/run/shader_run.h"
#include "cli/run/shader_uniforms.h"
#include "front/trace.h"

#define TARGET struct shader_arguments
static const struct option_row gp_rows[] = {
#include "cli/run/gp.def"
    OPTIONS_END};
#undef TARGET

static const struct option_table gp_options = {.rows = gp_rows, .column = 34};

/* The program's names of one kind, in the form that shader_names.h uses. */
struct names {
    struct shader_names list;
    struct shader_name *items;
};

struct run {
    struct shader_run shared;
    struct tess_gp_program *program;
    struct tess_gp *gp;
    struct names attributes, varyings, uniforms;
};

/* --- the program --- */

static bool is_one_of(enum tess_gp_kind kind, enum tess_gp_kind wanted)
{
    bool rows = kind == TESS_GP_CONSTANT || kind == TESS_GP_TEMPORARY;
    return kind == wanted || (wanted == TESS_GP_UNIFORM && rows);
}

/* Lists the names of one kind. The list of uniforms includes constants and temporaries, which are
 * also rows of the uniform memory. Returns false if the host is out of memory. */
static bool take_names(const struct run *run, enum tess_gp_kind kind, const char *what,
                       uint32_t limit, struct names *names)
{
    const struct tess_gp_symbol *symbol;
    size_t count = 0;
    while (tess_gp_program_symbol(run->program, count))
        count++;
    names->items = calloc(count + 1, sizeof *names->items);
    names->list = (struct shader_names){.what = what, .items = names->items, .limit = limit};
    for (size_t i = 0; names->items && i < count; i++) {
        symbol = tess_gp_program_symbol(run->program, i);
        if (is_one_of(symbol->kind, kind))
            names->items[names->list.count++] = (struct shader_name){
                symbol->name, symbol->number, symbol->count, symbol->components};
    }
    return names->items != NULL;
}

static enum tess_status read_program(struct run *run)
{
    const struct shader_arguments *arguments = run->shared.arguments;
    const struct tess_asm_options how = shader_arguments_assembly(arguments, TESS_MACHINE_GP);
    void *bytes;
    size_t size;
    if (!shader_arguments_read(arguments, &run->shared.report, &bytes, &size))
        return TESS_IO;
    enum tess_status status = tess_gp_program_read(bytes, size, shader_arguments_name(arguments),
                                                   &how, shader_run_sink(&run->shared),
                                                   &run->program);
    free(bytes);
    if (status != TESS_OK)
        return status;
    bool good = take_names(run, TESS_GP_ATTRIBUTE, "attribute", TESS_GP_ATTRIBUTES,
                           &run->attributes) &&
                take_names(run, TESS_GP_VARYING, "varying", TESS_GP_VARYINGS, &run->varyings) &&
                take_names(run, TESS_GP_UNIFORM, "uniform", TESS_GP_ROWS, &run->uniforms);
    return good ? TESS_OK : TESS_NO_MEMORY;
}

/* --- the machine --- */

static bool take_choice(const struct run *run, const char *name, struct tess_gp_choices *choices)
{
    const struct {
        const char *name;
        bool *choice;
    } all[] = {
        {"keep-denormals", &choices->keep_denormals},
        {"nan-wins", &choices->nan_wins},
        {"zero-times-inf-is-zero", &choices->zero_times_inf_is_zero},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(all[i].name, name) != 0)
            continue;
        *all[i].choice = true;
        return true;
    }
    return cli_refuse(run->shared.arguments->title,
                      "unknown choice '%s'; expected keep-denormals, nan-wins or "
                      "zero-times-inf-is-zero",
                      name);
}

static enum tess_status create_machine(struct run *run)
{
    const struct shader_arguments *arguments = run->shared.arguments;
    struct tess_gp_options how = {
        .machine = {.threads = arguments->threads ? arguments->threads : TESS_ALL_PROCESSORS,
                    .sanitize = arguments->no_sanitize ? TESS_SANITIZE_OFF : TESS_SANITIZE_ON,
                    .shown = message_limit_wants(),
                    .max_instructions = arguments->max_instructions}};
    for (size_t i = 0; i < arguments->choices.count; i++)
        if (!take_choice(run, arguments->choices.items[i], &how.choices))
            return TESS_BAD_INPUT;
    how.machine.sink = shader_run_sink(&run->shared);
    enum tess_status status = tess_gp_create(&run->gp, &how);
    return status == TESS_OK ? tess_gp_load(run->gp, run->program) : status;
}

/* --- uniforms --- */

/* Sets the uniforms that a driver computes from the size of the picture, unless the user sets them.
 * Programs of Mesa's and of the vendor's compiler use these uniforms (docs/hardware/utgard.md,
 * section 11). The scale of y is negative, since y points down in the picture. */
static void set_driver_uniforms(struct run *run, struct shader_uniforms *uniforms)
{
    const struct shader_draw_options *draw = &run->shared.arguments->draw;
    float x = (float)draw->width / 2, y = (float)draw->height / 2;
    const struct {
        const char *name;
        uint32_t rows;
        float values[2][SHADER_COMPONENTS];
    } all[] = {
        {"gl_mali_ViewportTransform", 2, {{x, -y, 0.5F, 0}, {x, y, 0.5F, 0}}},
        {"gl_mali_PointSizeParameters", 1, {{1, 100, 1, 0}}},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0] && (draw->path || draw->has_size); i++) {
        const struct tess_gp_symbol *symbol = tess_gp_program_find(run->program, TESS_GP_UNIFORM,
                                                                   all[i].name);
        struct shader_name name = {.rows = all[i].rows};
        if (!symbol || symbol->count < all[i].rows)
            continue;
        name.number = symbol->number;
        if (!shader_uniforms_missing(uniforms, &name))
            continue;
        memcpy(uniforms->rows[name.number], all[i].values, all[i].rows * sizeof all[i].values[0]);
        memset(uniforms->given + name.number, 15, all[i].rows);
    }
}

static void take_missing(struct run *run, struct shader_uniforms *uniforms)
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; (symbol = tess_gp_program_symbol(run->program, i)) != NULL; i++) {
        const struct shader_name name = {symbol->name, symbol->number, symbol->count, 0};
        if (symbol->kind == TESS_GP_UNIFORM)
            shader_uniforms_check(uniforms, &name, shader_arguments_name(run->shared.arguments));
    }
}

static bool take_uniforms(struct run *run, struct shader_uniforms *uniforms)
{
    if (!shader_run_take_uniforms(&run->shared, uniforms))
        return false;
    set_driver_uniforms(run, uniforms);
    take_missing(run, uniforms);
    return true;
}

static enum tess_status set_uniforms(struct run *run)
{
    float rows[TESS_GP_ROWS][SHADER_COMPONENTS];
    uint8_t given[TESS_GP_ROWS] = {0};
    struct shader_uniforms uniforms = {.title = run->shared.arguments->title,
                                       .sink = shader_run_sink(&run->shared),
                                       .names = run->uniforms.list,
                                       .missing = &run->shared.missing,
                                       .rows = rows,
                                       .given = given};
    for (uint32_t i = 0; i < TESS_GP_ROWS; i++)
        memcpy(rows[i], tess_gp_row(run->gp, i), sizeof rows[i]);
    if (!take_uniforms(run, &uniforms))
        return TESS_BAD_INPUT;
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; i < TESS_GP_ROWS && status == TESS_OK; i++)
        if (given[i])
            status = tess_gp_set_rows(run->gp, i, rows[i], 1);
    return status;
}

/* --- data --- */

static bool reads_attribute(const void *user, uint32_t attribute)
{
    return tess_gp_program_loads(user, attribute);
}

static bool find_format(const char *name, struct shader_format *found)
{
    enum tess_gp_format format;
    if (!tess_gp_format_find(name, &format))
        return false;
    *found = (struct shader_format){(int)format, tess_gp_format_size(format), false};
    return true;
}

static const char *format_name(uint32_t code)
{
    return tess_gp_format_name((enum tess_gp_format)code);
}

/* Returns a mask of the components of a varying that the program stores or declares. */
static uint32_t shown_components(const void *user, uint32_t varying)
{
    const struct run *run = user;
    const struct shader_name *name = shader_names_of(&run->varyings.list, varying);
    return tess_gp_program_stores(run->program, varying) |
           (name ? (1U << name->components) - 1 : 0);
}

/* Warns about attributes that have data but that no instruction loads. */
static void check_unread(struct run *run)
{
    const struct shader_names *names = &run->attributes.list;
    const struct tess_sink sink = shader_run_sink(&run->shared);
    for (size_t i = 0; i < names->count; i++) {
        const struct shader_name *name = &names->items[i];
        const struct shader_attribute *data = &run->shared.input.attributes[name->number];
        char text[200];
        const struct tess_finding diag = {
            .level = TESS_WARNING,
            .id = "gp-attribute-unread",
            .text = text,
            .hint = "load the attribute by its name, or remove its data and declaration",
            .file = shader_arguments_name(run->shared.arguments)};
        if (!data->components || data->missing || tess_gp_program_loads(run->program, name->number))
            continue;
        snprintf(text, sizeof text,
                 "no instruction loads attribute '%.80s' (number %u), which has data", name->name,
                 (unsigned)name->number);
        sink.report(sink.user, &diag);
    }
}

static bool open_input(struct run *run)
{
    bool good = shader_run_open_input(&run->shared, &(struct shader_input_options){
                                                        .names = run->attributes.list,
                                                        .reads = reads_attribute,
                                                        .user = run->program,
                                                        .plain_format = TESS_GP_F32,
                                                        .format = find_format,
                                                        .format_name = format_name,
                                                    });
    if (good && !run->shared.arguments->no_sanitize)
        check_unread(run);
    return good;
}

static bool open_output(struct run *run)
{
    return shader_run_open_output(&run->shared, &(struct shader_output_options){
                                                    .names = run->varyings.list,
                                                    .components = shown_components,
                                                    .user = run,
                                                });
}

/* --- the run --- */

static void describe_attributes(const struct run *run,
                                struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES])
{
    for (size_t i = 0; i < TESS_GP_ATTRIBUTES; i++) {
        const struct shader_attribute *from = &run->shared.input.attributes[i];
        attributes[i] = (struct tess_gp_attribute){from->data, from->size, from->stride,
                                                   (enum tess_gp_format)from->format,
                                                   from->components ? from->components : 4};
    }
}

static void describe_varyings(const struct run *run, size_t count,
                              struct tess_gp_varying varyings[TESS_GP_VARYINGS])
{
    for (size_t i = 0; i < TESS_GP_VARYINGS; i++) {
        const struct shader_varying *from = &run->shared.output.varyings[i];
        size_t stride = shader_output_stride(from);
        varyings[i] = (struct tess_gp_varying){from->data, stride * count, stride,
                                               from->half ? TESS_GP_OUT_F16 : TESS_GP_OUT_F32,
                                               from->components ? from->components : 4};
    }
}

/* Runs the first vertex of the piece with a trace. */
static enum tess_status run_traced(struct run *run, const struct tess_gp_batch *batch)
{
    struct trace trace = {.stream = run->shared.trace.stream,
                          .gp = run->program,
                          .json = run->shared.arguments->json};
    return tess_gp_trace(run->gp, batch, 0, trace_gp, &trace);
}

static enum tess_status run_piece(void *user, size_t count)
{
    struct run *run = user;
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES];
    struct tess_gp_varying varyings[TESS_GP_VARYINGS];
    describe_attributes(run, attributes);
    describe_varyings(run, count, varyings);
    const struct tess_gp_batch batch = {
        .attributes = attributes,
        .varyings = varyings,
        .count = count,
        .base = shader_run_base(&run->shared, count),
        .more = true,
    };
    shader_output_clear(&run->shared.output, count);
    return run->shared.arguments->has_trace ? run_traced(run, &batch)
                                            : tess_gp_run(run->gp, &batch);
}

/* --- statistics --- */

static void print_stats(const struct run *run)
{
    struct tess_gp_stats stats;
    tess_gp_get_stats(run->gp, &stats);
    const struct shader_count all[] = {
        {"vertices", NULL, stats.vertices},
        {"instructions", NULL, stats.instructions},
        {"branches", NULL, stats.branches},
        {"taken", NULL, stats.taken},
    };
    shader_run_print_stats(&run->shared, all, sizeof all / sizeof all[0], 12);
}

/* --- the verb --- */

/* Makes the model report the findings that summarise all pieces, by running an empty last piece. */
static void report_findings(void *user)
{
    const struct run *run = user;
    tess_gp_run(run->gp, &(struct tess_gp_batch){.count = 0});
}

static int work(struct run *run)
{
    struct shader_run *shared = &run->shared;
    shared->report.reading = true;
    enum tess_status status = read_program(run);
    shared->report.reading = false;
    if (status == TESS_OK)
        status = create_machine(run);
    if (status == TESS_OK)
        status = set_uniforms(run);
    if (status != TESS_OK)
        return shader_run_fail(shared, status);
    if (!open_input(run) || !open_output(run) || !shader_run_begin_drawing(shared) ||
        (shared->arguments->has_trace && !shader_run_open_trace(shared)) ||
        !shader_run_open_stats(shared))
        return CLI_USAGE;
    int result = shader_run_data(shared, "vertex", run_piece, report_findings, run);
    if (!shader_run_close_outputs(shared))
        return CLI_USAGE;
    if (shared->arguments->stats)
        print_stats(run);
    return result;
}

static int run_shader(void *user)
{
    struct shader_arguments *arguments = user;
    struct run run = {.shared = shader_run_begin(arguments)};
    bool logged = verdict_log_begin(run.shared.verdict, &run.shared.report, TESS_MACHINE_GP,
                                    arguments->path);
    int result = shader_run_end(&run.shared, logged ? work(&run) : CLI_USAGE);
    tess_gp_destroy(run.gp);
    tess_gp_program_free(run.program);
    free(run.attributes.items);
    free(run.varyings.items);
    free(run.uniforms.items);
    return result;
}

int run_gp(int argc, char **argv)
{
    struct shader_arguments arguments;
    shader_arguments_begin(&arguments, argv[0]);
    int status = options_parse(&gp_options, &arguments, argc, argv);
    if (status == OPTIONS_PARSED)
        status = shader_arguments_work(&arguments, argc, argv, run_shader, &arguments);
    shader_arguments_free(&arguments);
    return status;
}
