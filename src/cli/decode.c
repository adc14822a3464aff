/* SPDX-License-Identifier: MIT */
/* decode.c - tessera decode: lists the control records of a scene.
 *
 * In:  options; a scene.
 * Out: the listing, as text or JSON; diagnostics on standard error. */
#include <stdio.h>

#include <tessera/scene.h>

#include "cli.h"
#include "output.h"
#include "scene_arguments.h"
#include "suggest.h"

static const char help[] =
    "Usage: tessera decode [OPTION]... SCENE\n"
    "Lists every control record that a scene executes: address, bytes, name, fields with values "
    "and\n"
    "meanings, shader records, shaded vertices and shader code. The scene is run first, so that "
    "tile\n"
    "lists exist; its own files are not written. SCENE may be a source, .qasm, too.\n\n"
    "  -o, --output FILE               write the listing to FILE\n"
    "      --max-instructions N        as for 'tessera run'\n"
    "      --max-total-instructions N  as for 'tessera run'\n"
    "      --max-records N             end the run and the listing after N records (listing: 1\n"
    "                                  million)\n"
    "      --strict                    as for 'tessera run'; so are the next four\n"
    "      --sanitize\n"
    "      --no-sanitize\n"
    "      --threads N\n"
    "      --qpus N\n"
    "  -I, --include DIR               look for included files of a source in DIR, too\n"
    "  -D, --define NAME=VALUE         set a constant of a source (1 if no value is given)\n" JUDGE_HELP_TEXT JUDGE_LOG_HELP_TEXT
    "      --json                      one JSON document, see docs/decode.md\n"
    "      --help                      this text\n";

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

/* Decodes the scene. Opens the output after the scene has been read, so that an invalid scene
 * leaves an old output file unchanged. */
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
