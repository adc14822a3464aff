/* SPDX-License-Identifier: MIT */
/* decode.c - tessera decode: lists the control records of a scene.
 *
 * In:  options; a scene.
 * Out: the listing, as text or JSON; diagnostics on standard error. */
#include <stdio.h>

#include <tessera/scene.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/run/scene_arguments.h"
#include "cli/suggest.h"

static const char help[] =
    "Usage: tessera decode [OPTION]... SCENE\n"
    "List every control record that a scene executes: address, bytes, name, fields with values\n"
    "and meanings, shader records, shaded vertices and shader code. The scene is run first, so\n"
    "that tile lists exist; the files of its steps are not written. SCENE may also be a source,\n"
    ".qasm.\n"
    "\n"
    "  -o, --output FILE               write the listing to FILE\n" SCENE_LIMITS_HELP_TEXT
    "      --max-records N             end the run and the listing after N records (default for\n"
    "                                  the listing: 1 million)\n" SCENE_RUN_HELP_TEXT
    "  -I, --include DIR               search DIR for included files\n"
    "  -D, --define NAME=VALUE         define a constant (VALUE defaults to 1)\n"
    "      --json                      print one JSON document (docs/decode.md)\n"
    "      --help                      print this help\n";

static const struct option options[] = {SCENE_OPTIONS, {0}};

static bool parse(struct scene_arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = suggest_getopt(argc, argv, SCENE_LETTERS, options)) != -1)
        if (!scene_arguments_take(arguments, option))
            return false;
    return scene_arguments_end(arguments, argc, argv);
}

static void write_text(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
}

/* Decodes the scene. Runs after the scene has been read, so that an invalid scene leaves an
 * existing output file unchanged. */
static enum tess_status decode(struct tess_scene *scene, const void *user, struct report *report)
{
    const struct scene_arguments *arguments = user;
    struct output output;
    if (!output_open(&output, arguments->title, arguments->output))
        return TESS_IO;
    enum tess_status status = tess_scene_decode(
        scene, &arguments->scene, arguments->json ? TESS_DECODE_JSON : TESS_DECODE_TEXT,
        (struct tess_text_out){write_text, output.stream}, report_sink(report));
    return output_close(&output) ? status : TESS_IO;
}

int cli_decode(int argc, char **argv)
{
    struct scene_arguments arguments = {.scene = {.quiet_files = true}};
    scene_arguments_begin(&arguments, argv[0]);
    if (!parse(&arguments, argc, argv))
        return CLI_USAGE;
    if (arguments.help) {
        fputs(help, stdout);
        return CLI_DONE;
    }
    return scene_arguments_work(&arguments, decode, &arguments);
}
