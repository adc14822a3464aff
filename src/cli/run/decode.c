/* SPDX-License-Identifier: MIT */
/* decode.c - tessera decode: lists the control records of a scene.
 *
 * In:  options; a scene.
 * Out: the listing, as text or JSON; diagnostics on standard error. */
#include <stdio.h>

#include <tessera/scene.h>

#include "cli/cli.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/run/scene_arguments.h"

#define TARGET struct scene_arguments
static const struct option_row rows[] = {
#include "cli/run/decode.def"
    OPTIONS_END};
#undef TARGET

const struct option_table decode_options = {.rows = rows, .column = 34};

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
    int status = options_parse(&decode_options, &arguments, argc, argv);
    if (status == OPTIONS_PARSED)
        status = scene_arguments_work(&arguments, argc, argv, decode, &arguments);
    scene_arguments_free(&arguments);
    return status;
}
