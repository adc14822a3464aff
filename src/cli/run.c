/* SPDX-License-Identifier: MIT */
/* run.c - tessera run: carries out the steps of a scene. */
#include <stdio.h>

#include <tessera/scene.h>

#include "cli.h"
#include "output.h"
#include "scene_arguments.h"
#include "stats.h"

static const char help[] =
    "Usage: tessera run [OPTION]... SCENE\n"
    "Runs the steps of a scene (an ELF file, see docs/scene.md) on the model.\n\n"
    "  -o, --output FILE               write pictures to FILE instead of the scene's own names\n"
    "      --stats                     print what was executed to standard output\n" SCENE_HELP_TEXT
    "      --json                      statistics as JSON, diagnostics as JSON lines on standard\n"
    "                                  error\n"
    "      --help                      this text\n";

enum { OPTION_STATS = SCENE_OWN };

static const struct option options[] = {
    SCENE_OPTIONS,
    {"stats", no_argument, NULL, OPTION_STATS},
    {0  },
};

struct arguments {
    struct scene_arguments shared;
    bool stats;
};

static bool take_option(struct arguments *arguments, int option)
{
    switch (option) {
    case OPTION_STATS: arguments->stats = true; return true;
    default: return scene_arguments_take(&arguments->shared, option);
    }
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = getopt_long(argc, argv, "o:", options, NULL)) != -1)
        if (!take_option(arguments, option))
            return false;
    arguments->shared.scene.output = arguments->shared.output;
    return scene_arguments_end(&arguments->shared, argc, argv);
}

/* What the callbacks of a run need. */
struct run {
    const struct arguments *arguments;
    const struct tess_scene *scene;
    bool failed; /* statistics could not be written */
};

static void finished(void *user, const struct tess_vc4 *vc4)
{
    struct run *run = user;
    struct output output;
    if (!run->arguments->stats)
        return;
    run->failed = !output_open(&output, run->arguments->shared.title, NULL);
    if (run->failed)
        return;
    stats_print(output.stream, vc4, run->scene, run->arguments->shared.json);
    run->failed = !output_close(&output);
}

static enum tess_status run(struct tess_scene *scene, const void *user, struct report *report)
{
    struct run run = {.arguments = user, .scene = scene};
    struct tess_scene_options scene_options = run.arguments->shared.scene;
    scene_options.finished = finished;
    scene_options.user = &run;
    enum tess_status status = tess_scene_run(scene, &scene_options, report_sink(report), NULL);
    return run.failed ? TESS_IO : status;
}

int cli_run(int argc, char **argv)
{
    struct arguments arguments = {0};
    scene_arguments_begin(&arguments.shared, argv[0]);
    if (!parse(&arguments, argc, argv))
        return CLI_USAGE;
    if (arguments.shared.help) {
        fputs(help, stdout);
        return CLI_DONE;
    }
    return scene_arguments_work(&arguments.shared, run, &arguments);
}
