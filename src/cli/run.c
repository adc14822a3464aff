/* SPDX-License-Identifier: MIT */
/* run.c - tessera run: carries out the steps of a scene. */
#include <inttypes.h>
#include <stdio.h>

#include <tessera/scene.h>

#include "cli.h"
#include "output.h"
#include "scene_arguments.h"

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

#define STATS(S)         \
    S(records)           \
    S(primitives_binned) \
    S(primitives_drawn)  \
    S(tiles)             \
    S(quads)             \
    S(shader_runs)       \
    S(instructions)      \
    S(texture_lookups)

static void print_stats(FILE *stream, const struct tess_vc4_stats *stats, bool json)
{
    const char *before = "{";
#define S(name)                                                                             \
    fprintf(stream, json ? "%s\"%s\": %" PRIu64 : "%.0s%-18s %" PRIu64 "\n", before, #name, \
            stats->name);                                                                   \
    before = ", ";
    STATS(S)
#undef S
    if (json)
        fprintf(stream, "}\n");
}

static enum tess_status run(struct tess_scene *scene, const void *user, struct report *report)
{
    const struct arguments *arguments = user;
    const struct scene_arguments *shared = &arguments->shared;
    struct tess_vc4_stats stats;
    struct output output;
    enum tess_status status = tess_scene_run(scene, &shared->scene, report_sink(report), &stats);
    if (!arguments->stats)
        return status;
    if (!output_open(&output, shared->title, NULL))
        return TESS_IO;
    print_stats(output.stream, &stats, shared->json);
    return output_close(&output) ? status : TESS_IO;
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
