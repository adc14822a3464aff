/* SPDX-License-Identifier: MIT */
/* run.c - tessera run: carries out the steps of a scene. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include <tessera/scene.h>

#include "cli.h"
#include "report.h"

static const char help[] =
    "Usage: tessera run [OPTION]... SCENE\n"
    "Runs the steps of a scene (an ELF file, see docs/scene.md) on the model.\n\n"
    "  -o, --output FILE         write pictures to FILE instead of the scene's own names\n"
    "      --stats               print what was executed to standard output\n"
    "      --max-instructions N  end a shader program after N instructions (default 16 million)\n"
    "      --max-records N       end control lists after N records and primitives (default 64\n"
    "                            million)\n"
    "      --threads N           accepted; results never depend on it, one thread is used\n"
    "      --json                statistics as JSON, diagnostics as JSON lines on standard error\n"
    "      --help                this text\n";

enum {
    OPTION_STATS = 256,
    OPTION_INSTRUCTIONS,
    OPTION_RECORDS,
    OPTION_THREADS,
    OPTION_JSON,
    OPTION_HELP
};

static const struct option options[] = {
    {"output",           required_argument, NULL, 'o'},
    {"stats",              no_argument, NULL, OPTION_STATS},
    {"max-instructions",                  required_argument, NULL, OPTION_INSTRUCTIONS},
    {"max-records",required_argument, NULL, OPTION_RECORDS},
    {"threads",      required_argument, NULL, OPTION_THREADS},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help",              no_argument, NULL, OPTION_HELP},
    {0                 },
};

struct arguments {
    struct tess_scene_options scene;
    const char *path;
    bool stats, json, help;
    uint64_t threads;
};

/* False if the option or its value is not understood; getopt or this function has said why. */
static bool take_option(struct arguments *arguments, int option, const char *title)
{
    uint64_t *number = NULL;
    switch (option) {
    case 'o': arguments->scene.output = optarg; return true;
    case OPTION_STATS: arguments->stats = true; return true;
    case OPTION_JSON: arguments->json = true; return true;
    case OPTION_HELP: arguments->help = true; return true;
    case OPTION_INSTRUCTIONS: number = &arguments->scene.max_instructions; break;
    case OPTION_RECORDS: number = &arguments->scene.max_records; break;
    case OPTION_THREADS: number = &arguments->threads; break;
    default: cli_usage_hint(title); return false;
    }
    if (cli_number(optarg, number) && *number > 0)
        return true;
    cli_usage_error(title, "'%s' is no positive number of 64 bits", optarg);
    return false;
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = getopt_long(argc, argv, "o:", options, NULL)) != -1)
        if (!take_option(arguments, option, argv[0]))
            return false;
    if (arguments->help)
        return true;
    if (optind + 1 != argc) {
        cli_usage_error(argv[0], optind == argc ? "no scene given" : "more than one scene given");
        return false;
    }
    arguments->path = argv[optind];
    return true;
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

static void print_stats(const struct tess_vc4_stats *stats, bool json)
{
    const char *before = "{";
#define S(name)                                                                                  \
    printf(json ? "%s\"%s\": %" PRIu64 : "%.0s%-18s %" PRIu64 "\n", before, #name, stats->name); \
    before = ", ";
    STATS(S)
#undef S
    if (json)
        printf("}\n");
}

static enum tess_status run(struct tess_scene *scene, const struct arguments *arguments,
                            struct report *report)
{
    struct tess_vc4_stats stats;
    report->scene = scene;
    enum tess_status status = tess_scene_run(scene, &arguments->scene, report_sink(report), &stats);
    if (arguments->stats)
        print_stats(&stats, arguments->json);
    return status;
}

int cli_run(int argc, char **argv)
{
    struct arguments arguments = {0};
    if (!parse(&arguments, argc, argv))
        return CLI_USAGE;
    if (arguments.help) {
        fputs(help, stdout);
        return CLI_DONE;
    }
    if (arguments.threads > 1 && !arguments.json)
        fprintf(stderr, "%s: note: one thread is used; the result is the same\n", argv[0]);

    struct report report = {.json = arguments.json};
    struct tess_scene *scene;
    enum tess_status status = tess_scene_load(&scene, arguments.path, report_sink(&report));
    if (status == TESS_OK)
        status = run(scene, &arguments, &report);
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", argv[0], tess_status_text(status));
    report_end(&report);
    tess_scene_free(scene);
    return cli_exit_status(status);
}
