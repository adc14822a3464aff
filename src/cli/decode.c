/* SPDX-License-Identifier: MIT */
/* decode.c - tessera decode: lists the control records of a scene. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <tessera/scene.h>

#include "cli.h"
#include "report.h"

static const char help[] =
    "Usage: tessera decode [OPTION]... SCENE\n"
    "Lists every control record that a scene executes: address, bytes, name, fields with values "
    "and\n"
    "meanings, shader records, shaded vertices and shader code. The scene is run first, so that "
    "tile\n"
    "lists exist; its own files are not written.\n\n"
    "  -o, --output FILE         write the listing to FILE\n"
    "      --max-instructions N  as for 'tessera run'\n"
    "      --max-records N       end the run and the listing after N records (listing: 1 million)\n"
    "      --json                one JSON document, see docs/decode.md\n"
    "      --help                this text\n";

enum { OPTION_INSTRUCTIONS = 256, OPTION_RECORDS, OPTION_JSON, OPTION_HELP };

static const struct option options[] = {
    {"output",             required_argument, NULL, 'o'},
    {"max-instructions",                required_argument, NULL, OPTION_INSTRUCTIONS},
    {"max-records",                    required_argument, NULL, OPTION_RECORDS},
    {"json",no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {0       },
};

struct arguments {
    struct tess_scene_options scene;
    const char *path, *output;
    bool json, help;
};

static bool take_option(struct arguments *arguments, int option, const char *title)
{
    uint64_t *number = NULL;
    switch (option) {
    case 'o': arguments->output = optarg; return true;
    case OPTION_JSON: arguments->json = true; return true;
    case OPTION_HELP: arguments->help = true; return true;
    case OPTION_INSTRUCTIONS: number = &arguments->scene.max_instructions; break;
    case OPTION_RECORDS: number = &arguments->scene.max_records; break;
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
    arguments->scene.quiet_files = true;
    return true;
}

static void write_text(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
}

static enum tess_status decode(struct tess_scene *scene, const struct arguments *arguments,
                               struct report *report, FILE *stream)
{
    report->scene = scene;
    return tess_scene_decode(scene, &arguments->scene,
                             arguments->json ? TESS_DECODE_JSON : TESS_DECODE_TEXT,
                             (struct tess_text_out){write_text, stream}, report_sink(report));
}

/* Opens the output only after the scene has been read, so that a bad scene leaves an old file
 * alone. */
static enum tess_status decode_to_output(struct tess_scene *scene,
                                         const struct arguments *arguments, struct report *report,
                                         const char *title)
{
    bool standard = !arguments->output || strcmp(arguments->output, "-") == 0;
    FILE *stream = standard ? stdout : fopen(arguments->output, "w");
    if (!stream) {
        fprintf(stderr, "%s: cannot write to %s: %s\n", title, arguments->output, strerror(errno));
        return TESS_IO;
    }
    enum tess_status status = decode(scene, arguments, report, stream);
    bool good = fflush(stream) == 0 && !ferror(stream);
    if (!standard)
        good = fclose(stream) == 0 && good;
    if (!good)
        fprintf(stderr, "%s: cannot write the listing: %s\n", title, strerror(errno));
    return good ? status : TESS_IO;
}

int cli_decode(int argc, char **argv)
{
    struct arguments arguments = {0};
    if (!parse(&arguments, argc, argv))
        return CLI_USAGE;
    if (arguments.help) {
        fputs(help, stdout);
        return CLI_DONE;
    }
    struct report report = {.json = arguments.json};
    struct tess_scene *scene;
    enum tess_status status = tess_scene_load(&scene, arguments.path, report_sink(&report));
    if (status == TESS_OK)
        status = decode_to_output(scene, &arguments, &report, argv[0]);
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", argv[0], tess_status_text(status));
    report_end(&report);
    tess_scene_free(scene);
    return cli_exit_status(status);
}
