/* SPDX-License-Identifier: MIT */
/* scene_arguments.c - see scene_arguments.h. */
#include "scene_arguments.h"

#include <stdio.h>

#include "cli.h"

bool scene_arguments_number(const struct scene_arguments *arguments, const char *text,
                            uint64_t *number)
{
    if (cli_number(text, number) && *number > 0)
        return true;
    cli_usage_error(arguments->title, "'%s' is no positive number of 64 bits", text);
    return false;
}

bool scene_arguments_take(struct scene_arguments *arguments, int option)
{
    struct tess_scene_options *scene = &arguments->scene;
    switch (option) {
    case 'o': arguments->output = optarg; return true;
    case SCENE_JSON: arguments->json = true; return true;
    case SCENE_HELP: arguments->help = true; return true;
    case SCENE_INSTRUCTIONS:
        return scene_arguments_number(arguments, optarg, &scene->max_instructions);
    case SCENE_TOTAL_INSTRUCTIONS:
        return scene_arguments_number(arguments, optarg, &scene->max_total_instructions);
    case SCENE_RECORDS: return scene_arguments_number(arguments, optarg, &scene->max_records);
    default: cli_usage_hint(arguments->title); return false;
    }
}

bool scene_arguments_end(struct scene_arguments *arguments, int argc, char **argv)
{
    if (arguments->help)
        return true;
    if (optind + 1 != argc) {
        cli_usage_error(arguments->title,
                        optind == argc ? "no scene given" : "more than one scene given");
        return false;
    }
    arguments->path = argv[optind];
    return true;
}

int scene_arguments_work(const struct scene_arguments *arguments,
                         enum tess_status (*work)(struct tess_scene *scene, const void *user,
                                                  struct report *report),
                         const void *user)
{
    struct report report = {.json = arguments->json};
    struct tess_scene *scene;
    enum tess_status status = tess_scene_load(&scene, arguments->path, report_sink(&report));
    report.scene = scene;
    if (status == TESS_OK)
        status = work(scene, user, &report);
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
    report_end(&report);
    tess_scene_free(scene);
    return cli_exit_status(status);
}
