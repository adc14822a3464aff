/* SPDX-License-Identifier: MIT */
/* run.c - tessera run: runs the steps of a scene. For -m gp and -m a2xx, calls the code that runs a
 * shader over data.
 *
 * In:  options; a scene or a shader.
 * Out: pictures, statistics, a trace and a capture of a scene; diagnostics; an exit status. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/scene.h>

#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/run/runners.h"
#include "cli/run/scene_arguments.h"
#include "cli/run/shader_arguments.h"
#include "cli/written_files.h"
#include "front/stats.h"
#include "front/trace.h"

struct arguments {
    struct scene_arguments shared;
    const char *explain, *trace;
    bool stats, progress;
};

/* Parses the text before end as a frame number of 1 or more. Leaves *number unchanged if the text
 * is empty. Returns false if the text is neither empty nor a frame number. */
static bool frame_number(const char *text, const char *end, uint32_t *number)
{
    char *stop;
    if (text == end)
        return true;
    errno = 0;
    unsigned long value = strtoul(text, &stop, 10);
    *number = (uint32_t)value;
    return *text >= '0' && *text <= '9' && stop == end && errno == 0 && value >= 1 &&
           value <= UINT32_MAX;
}

/* Parses "A-B", "A-", "-B" or "A". */
static bool take_frames(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    struct tess_scene_options *scene = &arguments->shared.scene;
    const char *text = use->value, *dash = strchr(text, '-'), *end = text + strlen(text);
    scene->first_frame = scene->last_frame = 0;
    bool good = frame_number(text, dash ? dash : end, &scene->first_frame);
    if (dash)
        good = good && frame_number(dash + 1, end, &scene->last_frame);
    else
        scene->last_frame = scene->first_frame;
    bool any = scene->first_frame || scene->last_frame;
    if (good && any && (!scene->last_frame || scene->first_frame <= scene->last_frame))
        return true;
    return option_refuse(use, "invalid frame range '%s': expected A-B, from 1", text);
}

#define TARGET struct arguments
static const struct option_row rows[] = {
#include "cli/run/run.def"
    OPTIONS_END};
#undef TARGET

const struct option_table run_options = {.rows = rows, .column = 34};

/* State for the callbacks of a run. */
struct run {
    const struct arguments *arguments;
    const struct address_names *names;
    struct progress progress;
    struct tess_sink sink;
    struct trace trace;
    struct output stats; /* output of --stats; stats.stream is NULL for standard error */
};

static void show_progress(void *user, const struct tess_scene_progress *at)
{
    struct run *run = user;
    char frame[64] = "", tile[64] = "", instructions[64] = "";
    if (!progress_is_due(&run->progress))
        return;
    if (at->frames)
        snprintf(frame, sizeof frame, "frame %" PRIu32 " of %" PRIu32 ", ", at->frame, at->frames);
    if (at->run.tiles && at->run.tiles_of >= at->run.tiles)
        snprintf(tile, sizeof tile, "tile %" PRIu64 " of %" PRIu64 ", ", at->run.tiles,
                 at->run.tiles_of);
    else if (at->run.tiles)
        snprintf(tile, sizeof tile, "tile %" PRIu64 ", ", at->run.tiles);
    if (at->run.instructions)
        snprintf(instructions, sizeof instructions, "%.1f million instructions, ",
                 (double)at->run.instructions / 1e6);
    progress_show(&run->progress, "%s%s%s", frame, tile, instructions);
}

static void show_finding(void *user, const struct tess_finding *diag)
{
    struct run *run = user;
    progress_hide(&run->progress);
    run->sink.report(run->sink.user, diag);
}

static bool show_step(void *user, const struct tess_vc4_step *step)
{
    struct run *run = user;
    return trace_qpu(&run->trace, step);
}

static void finished(void *user, const struct tess_vc4 *vc4)
{
    struct run *run = user;
    FILE *stream = run->stats.stream ? run->stats.stream : stderr;
    progress_hide(&run->progress);
    if (run->arguments->stats)
        stats_print(stream, vc4, NULL, run->names, run->arguments->shared.json);
}

static void note_file(void *user, const char *path)
{
    (void)user;
    written_files_note(path);
}

static enum tess_status run_steps(struct run *run, struct tess_scene *scene)
{
    const struct scene_arguments *shared = &run->arguments->shared;
    struct tess_scene_options scene_options = shared->scene;
    progress_begin(&run->progress, run->arguments->progress, shared->quiet || shared->json);
    scene_options.progress = run->progress.wanted ? show_progress : NULL;
    scene_options.finished = finished;
    scene_options.wrote = note_file;
    scene_options.profile = run->arguments->stats;
    scene_options.trace = run->arguments->trace ? show_step : NULL;
    scene_options.user = run;
    return tess_scene_run(scene, &scene_options, (struct tess_sink){show_finding, run}, NULL);
}

static bool is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Runs the scene. Statistics go to standard output, or to standard error if the picture or the
 * trace goes to standard output. */
static enum tess_status run_with_stats(struct run *run, struct tess_scene *scene)
{
    const struct scene_arguments *shared = &run->arguments->shared;
    bool taken = is_standard(shared->output) || is_standard(run->arguments->trace);
    if (!run->arguments->stats || taken)
        return run_steps(run, scene);
    if (!output_open(&run->stats, shared->title, "-"))
        return TESS_IO;
    enum tess_status status = run_steps(run, scene);
    return output_close(&run->stats) ? status : TESS_IO;
}

static enum tess_status run(struct tess_scene *scene, const void *user, struct report *report)
{
    struct run run = {.arguments = user, .names = &report->names, .sink = report_sink(report)};
    struct output output;
    if (!report->quiet && !report->json && !report->log_only)
        written_files_begin();
    if (!run.arguments->trace)
        return run_with_stats(&run, scene);
    if (!output_open(&output, run.arguments->shared.title, run.arguments->trace))
        return TESS_IO;
    run.trace = (struct trace){
        .stream = output.stream, .json = report->json, .names = &report->names};
    enum tess_status status = run_with_stats(&run, scene);
    return output_close(&output) ? status : TESS_IO;
}

static int run_parsed(struct arguments *arguments, int argc, char **argv)
{
    arguments->shared.scene.output = arguments->shared.output;
    if (!arguments->explain)
        return scene_arguments_work(&arguments->shared, argc, argv, run, arguments);
    explain_print(stdout, arguments->explain, false, arguments->shared.json);
    return CLI_DONE;
}

static int run_scene(int argc, char **argv)
{
    struct arguments arguments = {0};
    scene_arguments_begin(&arguments.shared, argv[0]);
    int status = options_parse(&run_options, &arguments, argc, argv);
    if (status == OPTIONS_PARSED)
        status = run_parsed(&arguments, argc, argv);
    scene_arguments_free(&arguments.shared);
    return status;
}

/* --- choice of the machine --- */

/* The parts of the command line that select the machine. */
struct choice {
    /* Value of the last -m. Without -m, the machine of the first file. "qpu" for a scene. */
    const char *machine;
    const char *path; /* first file, or NULL if no file is given */
    /* Name of the first option that only shaders have, or NULL if none is given or -m is given. */
    const char *foreign;
};

static void see_option(void *user, const char *name, const char *value)
{
    struct choice *choice = user;
    if (strcmp(name, "machine") == 0)
        choice->machine = value;
    else if (!choice->foreign && !options_have(rows, name))
        choice->foreign = name;
}

/* Reads the choice from a copy of argv, since getopt() reorders the arguments that it parses. In
 * reordered arguments, an option without its value could be followed by a file name and take the
 * name as the value. */
static struct choice find_choice(int argc, char **argv)
{
    /* The options of all machines. They say which options have values, so that a value is not
     * mistaken for -m. */
    const struct option_row all[] = {GROUP_HERE(rows) GROUP_HERE(a2xx_options.rows) OPTIONS_END};
    struct choice choice = {0};
    char **copy = calloc((size_t)argc + 1, sizeof *copy);
    if (!copy)
        return (struct choice){.machine = "qpu"};
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    choice.path = options_scan(all, argc, copy, see_option, &choice);
    free(copy);
    if (choice.machine)
        choice.foreign = NULL; /* With -m, the machine's own parser reports unknown options. */
    else
        choice.machine = tess_machine_name(choice.path ? paths_machine(choice.path)
                                                       : TESS_MACHINE_QPU);
    return choice;
}

/* Reports an option that only shaders have, given with a file that is treated as a scene. The
 * option itself is valid, so the message explains how to select the machine. Returns CLI_USAGE. */
static int refuse_foreign(const char *title, const struct choice *choice)
{
    if (!choice->path)
        return cli_usage_error(title, "--%s applies to shaders, but no program is given",
                               choice->foreign);
    if (access(choice->path, R_OK) != 0)
        fprintf(stderr, "%s: cannot read '%s': %s\n", title, choice->path, strerror(errno));
    fprintf(stderr,
            "%s: --%s applies to shaders, but '%s' is treated as a scene of the VideoCore IV;\n"
            "use -m gp or -m a2xx, or a file whose name ends in .gp or .a2xx.\n",
            title, choice->foreign, choice->path);
    cli_usage_hint(title);
    return CLI_USAGE;
}

/* What "tessera run" does with a program of each machine. */
static int (*const runners[])(int argc, char **argv) = {
    [TESS_MACHINE_QPU] = run_scene,
    [TESS_MACHINE_GP] = run_gp,
    [TESS_MACHINE_A2XX] = run_a2xx,
};

int cli_run(int argc, char **argv)
{
    struct choice choice = find_choice(argc, argv);
    enum tess_machine machine;
    if (!cli_machine(argv[0], choice.machine, &machine))
        return CLI_USAGE;
    if (machine == TESS_MACHINE_QPU && choice.foreign)
        return refuse_foreign(argv[0], &choice);
    return runners[machine](argc, argv);
}
