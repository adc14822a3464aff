/* SPDX-License-Identifier: MIT */
/* shader_run.c - see shader_run.h. */
#include "cli/run/shader_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/written_files.h"

/* STATS_WIDTH: columns of a line of statistics. DRAW_WIDTH: columns of the name of a count of a
 * picture. */
enum { STATS_WIDTH = 26, DRAW_WIDTH = 12 };

struct shader_run shader_run_begin(struct shader_arguments *arguments)
{
    struct verdict_options *verdict = &arguments->verdict;
    if (!arguments->quiet && !arguments->json)
        written_files_begin();
    return (struct shader_run){.arguments = arguments,
                               .verdict = verdict,
                               .report = {.json = arguments->json,
                                          .quiet = arguments->quiet,
                                          .strict = arguments->strict || verdict->config.strict,
                                          .policy = &verdict->policy,
                                          .budgets = "--max-instructions"}};
}

static void show(void *user, const struct tess_finding *diag)
{
    struct shader_run *run = user;
    if (shader_missing_explains(&run->missing, diag->id))
        return;
    struct tess_sink sink = report_sink(&run->report);
    progress_hide(&run->progress);
    sink.report(sink.user, diag);
}

struct tess_sink shader_run_sink(struct shader_run *run)
{
    return (struct tess_sink){show, run};
}

int shader_run_fail(const struct shader_run *run, enum tess_status status)
{
    if (status == TESS_NO_MEMORY || status == TESS_INVALID)
        fprintf(stderr, "%s: %s\n", run->arguments->title, tess_status_text(status));
    return cli_exit_status(status);
}

bool shader_run_take_uniforms(const struct shader_run *run, struct shader_uniforms *uniforms)
{
    const struct shader_arguments *arguments = run->arguments;
    for (size_t i = 0; i < arguments->uniform_tables.count; i++)
        if (!shader_uniforms_read(uniforms, arguments->uniform_tables.items[i]))
            return false;
    for (size_t i = 0; i < arguments->uniforms.count; i++)
        if (!shader_uniforms_take(uniforms, arguments->uniforms.items[i]))
            return false;
    return true;
}

/* --- data --- */

/* Restricts the input to the vertices that the machine runs together with the traced vertex. count:
 * number of vertices of the run, or 0 if the data determines the number. Returns false after an
 * error message if the run does not include the traced vertex. */
static bool choose_traced(struct shader_run *run, uint64_t count)
{
    const struct shader_arguments *arguments = run->arguments;
    struct shader_input_options *to = &run->input_options;
    uint64_t wanted = arguments->trace, first = arguments->first;
    size_t together = to->together ? to->together : 1;
    if (wanted < first || (count && wanted - first >= count)) {
        fprintf(stderr,
                "%s: cannot trace vertex %" PRIu64 ", which --first and --vertices exclude\n",
                arguments->title, wanted);
        return false;
    }
    run->traced = (size_t)((wanted - first) % together);
    to->first = wanted - run->traced;
    to->piece = together;
    count = count ? count - (to->first - first) : 0;
    to->count = count < together ? count : together;
    if (!count && !arguments->attributes.count && !arguments->tables.count)
        to->count = run->traced + 1; /* Without data, run the vertices up to the traced vertex. */
    return true;
}

bool shader_run_open_input(struct shader_run *run, const struct shader_input_options *options)
{
    const struct shader_arguments *arguments = run->arguments;
    struct shader_input_options *to = &run->input_options;
    *to = *options;
    to->title = arguments->title;
    to->missing = &run->missing;
    run->missing.file = shader_arguments_name(arguments);
    to->attributes = arguments->attributes.items;
    to->attribute_count = arguments->attributes.count;
    to->tables = arguments->tables.items;
    to->table_count = arguments->tables.count;
    to->first = arguments->first;
    to->count = arguments->vertices ? arguments->vertices : to->count;
    if (arguments->has_trace && !choose_traced(run, to->count))
        return false;
    return shader_input_open(&run->input, to, shader_run_sink(run));
}

static bool is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool shader_run_open_output(struct shader_run *run, const struct shader_output_options *options)
{
    const struct shader_arguments *arguments = run->arguments;
    struct shader_output_options *to = &run->output_options;
    *to = *options;
    to->title = arguments->title;
    to->path = arguments->output;
    to->varyings = arguments->varyings.items;
    to->varying_count = arguments->varyings.count;
    to->no_table = !arguments->output && (arguments->has_trace || arguments->draw.path);
    to->piece = SHADER_PIECE;
    return shader_output_open(&run->output, to);
}

bool shader_run_begin_drawing(struct shader_run *run)
{
    const struct shader_draw_options *draw = &run->arguments->draw;
    return !draw->path || shader_draw_begin(&run->draw, draw, &run->output, shader_run_sink(run));
}

bool shader_run_open_trace(struct shader_run *run)
{
    return output_open(&run->trace, run->arguments->title, run->arguments->trace_path);
}

bool shader_run_close_outputs(struct shader_run *run)
{
    bool good = !run->trace.stream || output_close(&run->trace);
    return shader_output_close(&run->output) && good;
}

/* --- pieces --- */

size_t shader_run_base(const struct shader_run *run, size_t count)
{
    return (size_t)(run->input_options.first + run->input.done - count);
}

static int lack_traced(const struct shader_run *run)
{
    fprintf(stderr, "%s: cannot trace vertex %" PRIu64 ": the data has %" PRIu64 " rows\n",
            run->arguments->title, run->arguments->trace,
            run->input_options.first + run->input.done);
    return CLI_USAGE;
}

static void show_progress(struct shader_run *run, const char *what)
{
    if (!progress_is_due(&run->progress))
        return;
    if (run->input.total)
        progress_show(&run->progress, "%s %" PRIu64 " of %" PRIu64 ", ", what, run->input.done,
                      run->input.total);
    else
        progress_show(&run->progress, "%s %" PRIu64 ", ", what, run->input.done);
}

int shader_run_data(struct shader_run *run, const char *what,
                    enum tess_status (*piece)(void *user, size_t count), void (*end)(void *user),
                    void *user)
{
    enum tess_status status = TESS_OK;
    bool written = true;
    size_t count;
    progress_begin(&run->progress, run->arguments->progress,
                   run->arguments->quiet || run->arguments->json);
    bool wants_one = run->arguments->has_trace, traced = false;
    shader_missing_report(&run->missing, shader_run_sink(run));
    while (status == TESS_OK && written && !traced &&
           (count = shader_input_read(&run->input)) > run->traced) {
        status = piece(user, count);
        traced = wants_one;
        count = traced ? 1 : count;
        if (status == TESS_OK)
            written = shader_output_write(&run->output, count) &&
                      (!run->draw.options || shader_draw_add(&run->draw, &run->output, count));
        show_progress(run, what);
    }
    progress_hide(&run->progress);
    end(user);
    if (wants_one && !traced && !run->input.wrong)
        return lack_traced(run);
    if (status == TESS_OK && (run->input.wrong || !written))
        status = TESS_IO;
    int result = shader_run_fail(run, status);
    if (status != TESS_OK || !run->draw.options)
        return result;
    return shader_run_fail(run, shader_draw_end(&run->draw));
}

/* --- statistics --- */

bool shader_run_open_stats(struct shader_run *run)
{
    const struct shader_arguments *arguments = run->arguments;
    const char *table = arguments->output, *picture = arguments->draw.path;
    bool beside = (table || picture) && !is_standard(table) && !is_standard(picture);
    bool traced = run->trace.stream &&
                  (!arguments->trace_path || is_standard(arguments->trace_path));
    return !arguments->stats || !beside || traced ||
           output_open(&run->stats, arguments->title, "-");
}

static void print_counts(FILE *stream, struct json *json, const struct shader_count *counts,
                         size_t count, int width)
{
    for (size_t i = 0; i < count; i++) {
        if (json)
            json_member_uint(json, counts[i].key, counts[i].value);
        else
            fprintf(stream, "%-*s%*" PRIu64 "\n", width,
                    counts[i].label ? counts[i].label : counts[i].key, STATS_WIDTH - width,
                    counts[i].value);
    }
}

static void print_draw(const struct shader_run *run, FILE *stream, struct json *json)
{
    const struct tess_draw_counts *counts = &run->draw.counts;
    const struct shader_count all[] = {
        /* clang-format off */
        {"primitives", NULL, counts->primitives},
        {"skipped",    NULL, counts->skipped},
        {"clipped",    NULL, counts->clipped},
        {"culled",     NULL, counts->culled},
        {"no_area",    NULL, counts->no_area},
        {"outside",    NULL, counts->outside},
        {"uncovered",  NULL, counts->uncovered},
        {"covered",    NULL, counts->covered},
        {"beyond",     NULL, counts->beyond},
        {"hidden",     NULL, counts->hidden},
        {"pixels",     NULL, counts->pixels},
        {"unchanged",  NULL, counts->unchanged},
        {"shaded",     NULL, counts->shaded},
        {"killed",     NULL, counts->killed},
        /* clang-format on */
    };
    enum { ALL = sizeof all / sizeof all[0], OF_SHADING = 2 };
    if (run->draw.options)
        print_counts(stream, json, all, run->draw.shade ? ALL : ALL - OF_SHADING, DRAW_WIDTH);
}

void shader_run_print_stats(const struct shader_run *run, const struct shader_count *counts,
                            size_t count, int width)
{
    FILE *stream = run->stats.stream ? run->stats.stream : stderr;
    struct json json = {.stream = stream, .flow = true};
    bool as_json = run->arguments->json;
    if (as_json)
        json_begin_object(&json);
    print_counts(stream, as_json ? &json : NULL, counts, count, width);
    print_draw(run, stream, as_json ? &json : NULL);
    if (as_json)
        json_end_object(&json);
}

/* --- the end --- */

int shader_run_end(struct shader_run *run, int result)
{
    if (result == CLI_DONE || result == CLI_WRONG)
        result = report_fails(&run->report, result == CLI_WRONG) ? CLI_WRONG : CLI_DONE;
    report_total(&run->report);
    if (!verdict_log_end(run->verdict, &run->report, result))
        result = CLI_USAGE;
    report_free(&run->report);
    if (run->stats.stream && !output_close(&run->stats))
        result = CLI_USAGE;
    shader_output_close(&run->output);
    shader_input_close(&run->input);
    shader_draw_free(&run->draw);
    return result;
}
