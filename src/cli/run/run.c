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
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/run/run_a2xx.h"
#include "cli/run/run_gp.h"
#include "cli/run/scene_arguments.h"
#include "cli/run/shader_arguments.h"
#include "cli/suggest.h"
#include "cli/written_files.h"
#include "front/qpu_trace.h"
#include "front/stats.h"

/* clang-format off */
static const char help[] =
    "Usage: tessera run [OPTION]... SCENE\n"
    "       tessera run -m gp [OPTION]... SHADER\n"
    "       tessera run -m a2xx [OPTION]... PROGRAM\n"
    "Run the steps of a scene on the model: an ELF file or its source, .qasm (docs/scene.md), or\n"
    "the state of a hung GPU (docs/hang.md). Or run a shader over data: a source, .gp or .a2xx,\n"
    "or machine code (docs/utgard/run.md, docs/a2xx/run.md).\n"
    "\n"
    "  -o, --output FILE               write the picture to FILE (default: the scene's own\n"
    "                                  name); several pictures to DIR/ or to NAME-%03d.png\n"
    "      --frames A-B                write only pictures A to B, counted from 1, then stop\n"
    "      --capture FILE              write the run to FILE as a scene that replays it\n"
    "      --stats                     print statistics and a profile to standard output\n"
    "      --trace FILE                write a line per QPU instruction to FILE (can be large)\n"
    SCENE_HELP_TEXT
    "      --progress                  show progress even if standard error is not a terminal\n"
    "      --quiet                     omit progress and notes\n"
    "      --json                      print statistics as JSON, and diagnostics as JSON lines\n"
    "                                  to standard error\n"
    "      --explain ID                explain a rule, finding or erratum\n"
    "      --help                      print this help\n"
    "\n"
    "  -m, --machine NAME              run a shader over data: gp, the Utgard vertex processor\n"
    "                                  (default for .gp files), or a2xx, the Adreno A2xx\n"
    "                                  (default for .a2xx files); see\n"
    "                                  'tessera run -m gp --help' and\n"
    "                                  'tessera run -m a2xx --help':\n"
    SHADER_HELP_TEXT A2XX_HELP_TEXT
    "Also --output, --strict, --no-sanitize, --threads, --stats, --progress, --quiet, --json, "
    "--explain.\n";
/* clang-format on */

enum {
    OPTION_MACHINE = 'm',
    OPTION_STATS = SCENE_OWN,
    OPTION_TRACE,
    OPTION_CAPTURE,
    OPTION_FRAMES,
    OPTION_PROGRESS,
    OPTION_QUIET,
    OPTION_EXPLAIN
};

static const struct option options[] = {
    /* clang-format off */
    /* clang-format off */
    SCENE_OPTIONS,
    {"machine",  required_argument, NULL, OPTION_MACHINE},
    {"stats",    no_argument,       NULL, OPTION_STATS},
    {"trace",    required_argument, NULL, OPTION_TRACE},
    {"capture",  required_argument, NULL, OPTION_CAPTURE},
    {"frames",   required_argument, NULL, OPTION_FRAMES},
    {"progress", no_argument,       NULL, OPTION_PROGRESS},
    {"quiet",    no_argument,       NULL, OPTION_QUIET},
    {"explain",  required_argument, NULL, OPTION_EXPLAIN},
    {0},
    /* clang-format on */
    /* clang-format on */
};

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

/* Parses "A-B", "A-", "-B" or "A". Returns false after an error message. */
static bool take_frames(struct arguments *arguments, const char *text)
{
    struct tess_scene_options *scene = &arguments->shared.scene;
    const char *dash = strchr(text, '-'), *end = text + strlen(text);
    scene->first_frame = scene->last_frame = 0;
    bool good = frame_number(text, dash ? dash : end, &scene->first_frame);
    if (dash)
        good = good && frame_number(dash + 1, end, &scene->last_frame);
    else
        scene->last_frame = scene->first_frame;
    bool any = scene->first_frame || scene->last_frame;
    if (good && any && (!scene->last_frame || scene->first_frame <= scene->last_frame))
        return true;
    cli_usage_error(arguments->shared.title, "invalid frame range '%s': expected A-B, from 1",
                    text);
    return false;
}

static bool take_explain(struct arguments *arguments, const char *id)
{
    arguments->explain = id;
    if (explain_knows(id))
        return true;
    explain_unknown(arguments->shared.title, "finding", id,
                    "docs/faults.md and docs/pi-findings.md");
    return false;
}

static bool take_option(struct arguments *arguments, int option)
{
    switch (option) {
    case OPTION_MACHINE: return true; /* find_choice() has handled -m */
    case OPTION_STATS: arguments->stats = true; return true;
    case OPTION_TRACE:
        arguments->trace = optarg;
        return cli_trace_file(arguments->shared.title, optarg);
    case OPTION_CAPTURE: arguments->shared.scene.capture = optarg; return true;
    case OPTION_FRAMES: return take_frames(arguments, optarg);
    case OPTION_PROGRESS: arguments->progress = true; return true;
    case OPTION_EXPLAIN: return take_explain(arguments, optarg);
    case OPTION_QUIET: arguments->shared.quiet = true; return true;
    default: return scene_arguments_take(&arguments->shared, option);
    }
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = suggest_getopt(argc, argv, "m:" SCENE_LETTERS, options)) != -1)
        if (!take_option(arguments, option))
            return false;
    arguments->shared.scene.output = arguments->shared.output;
    if (arguments->explain)
        return true;
    return scene_arguments_end(&arguments->shared, argc, argv);
}

/* State for the callbacks of a run. */
struct run {
    const struct arguments *arguments;
    const struct address_names *names;
    struct progress progress;
    struct tess_sink sink;
    struct qpu_trace trace;
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

static void show_finding(void *user, const struct tess_diag *diag)
{
    struct run *run = user;
    progress_hide(&run->progress);
    run->sink.report(run->sink.user, diag);
}

static bool show_step(void *user, const struct tess_vc4_step *step)
{
    struct run *run = user;
    qpu_trace_step(&run->trace, step);
    return true;
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
    run.trace = (struct qpu_trace){
        .stream = output.stream, .json = report->json, .names = &report->names};
    enum tess_status status = run_with_stats(&run, scene);
    return output_close(&output) ? status : TESS_IO;
}

static int run_scene(int argc, char **argv)
{
    struct arguments arguments = {0};
    scene_arguments_begin(&arguments.shared, argv[0]);
    if (!parse(&arguments, argc, argv))
        return CLI_USAGE;
    if (arguments.shared.help)
        return output_text(argv[0], help);
    if (arguments.explain) {
        explain_print(stdout, arguments.explain, false, arguments.shared.json);
        return CLI_DONE;
    }
    return scene_arguments_work(&arguments.shared, run, &arguments);
}

/* --- choice of the machine --- */

/* The options of all machines. find_choice() needs to know which options have values, so that it
 * does not mistake a value for -m. */
static const struct option all_options[] = {
    SCENE_OPTIONS,
    {"capture", required_argument, NULL, 'x'},
    {"frames", required_argument, NULL, 'x'},
    SHADER_OPTIONS,
    A2XX_OPTIONS,
    {0},
};

/* The parts of the command line that select the machine. */
struct choice {
    /* Value of the last -m. Without -m, the machine of the first file. "qpu" for a scene. */
    const char *machine;
    const char *path; /* first file, or NULL if no file is given */
    /* Name of the first option that only shaders have, or NULL if none is given or -m is given. */
    const char *foreign;
};

static bool is_of_scenes(const char *name)
{
    for (size_t i = 0; options[i].name; i++)
        if (strcmp(options[i].name, name) == 0)
            return true;
    return false;
}

static void read_choice(struct choice *choice, int argc, char **argv)
{
    int option, index = -1;
    while ((option = getopt_long(argc, argv, SHADER_LETTERS, all_options, &index)) != -1) {
        if (option == 'm')
            choice->machine = optarg;
        if (index >= 0 && !choice->foreign && !is_of_scenes(all_options[index].name))
            choice->foreign = all_options[index].name;
        index = -1;
    }
    choice->path = optind < argc ? argv[optind] : NULL;
    if (choice->machine)
        choice->foreign = NULL; /* With -m, the machine's own parser reports unknown options. */
    else
        choice->machine = tess_machine_name(choice->path ? paths_machine(choice->path)
                                                         : TESS_MACHINE_QPU);
}

/* Reads the choice from a copy of argv, since getopt() reorders the arguments that it parses. In
 * reordered arguments, an option without its value could be followed by a file name and take the
 * name as the value. */
static struct choice find_choice(int argc, char **argv)
{
    struct choice choice = {0};
    char **copy = calloc((size_t)argc + 1, sizeof *copy);
    if (!copy)
        return (struct choice){.machine = "qpu"};
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    opterr = 0;
    read_choice(&choice, argc, copy);
    free(copy);
    opterr = 1;
    optind = 0; /* restart getopt() */
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
