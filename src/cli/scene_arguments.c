/* SPDX-License-Identifier: MIT */
/* scene_arguments.c - see scene_arguments.h. */
#include "scene_arguments.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

bool scene_arguments_number(const struct scene_arguments *arguments, const char *text,
                            uint64_t *number)
{
    if (cli_number(text, number) && *number > 0)
        return true;
    cli_usage_error(arguments->title, "'%s' is no positive number of 64 bits", text);
    return false;
}

void scene_arguments_begin(struct scene_arguments *arguments, const char *title)
{
    arguments->title = title;
    arguments->scene.sanitize = true;
}

static bool take_threads(struct scene_arguments *arguments)
{
    uint64_t threads;
    if (!cli_number(optarg, &threads) || threads < 1 || threads > TESS_VC4_MAX_THREADS) {
        cli_usage_error(arguments->title, "'%s' is no number of threads: 1 to %d", optarg,
                        TESS_VC4_MAX_THREADS);
        return false;
    }
    arguments->scene.threads = (uint32_t)threads;
    return true;
}

static bool take_qpus(struct scene_arguments *arguments)
{
    uint64_t qpus;
    if (!cli_number(optarg, &qpus) || (qpus != 12 && qpus != 16)) {
        cli_usage_error(arguments->title, "'%s' is no number of QPUs: 12 or 16", optarg);
        return false;
    }
    arguments->scene.qpus = (uint32_t)qpus;
    return true;
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
    case SCENE_STRICT: scene->strict = true; return true;
    case SCENE_SANITIZE: scene->sanitize = true; return true;
    case SCENE_NO_SANITIZE: scene->sanitize = false; return true;
    case SCENE_THREADS: return take_threads(arguments);
    case SCENE_QPUS: return take_qpus(arguments);
    default: cli_usage_hint(arguments->title); return false;
    }
}

bool scene_arguments_end(struct scene_arguments *arguments, int argc, char **argv)
{
    if (arguments->help)
        return true;
    arguments->path = cli_one_file(arguments->title, "scene", argc, argv);
    return arguments->path != NULL;
}

/* A scene that was assembled has lines for its code. */
static enum tess_status name_code(struct address_names *names,
                                  const struct scene_arguments *arguments, struct tess_scene *scene)
{
    const char *path = arguments->path;
    *names = (struct address_names){.scene = scene, .fixed = true};
    if (strcmp(path, "-") == 0)
        return TESS_OK;
    enum tess_status status = tess_sources_create(&names->sources);
    if (status == TESS_OK)
        status = tess_sources_add(names->sources, path, (struct tess_sink){0});
    if (status == TESS_IO)
        fprintf(stderr, "%s: %s cannot be read: %s\n", arguments->title, path, strerror(errno));
    return status == TESS_IO || status == TESS_NO_MEMORY ? status : TESS_OK;
}

int scene_arguments_work(const struct scene_arguments *arguments,
                         enum tess_status (*work)(struct tess_scene *scene, const void *user,
                                                  struct report *report),
                         const void *user)
{
    struct report report = {.json = arguments->json, .quiet = arguments->quiet};
    struct tess_scene *scene;
    enum tess_status status = tess_scene_load(&scene, arguments->path, report_sink(&report));
    if (status == TESS_OK)
        status = name_code(&report.names, arguments, scene);
    if (status == TESS_OK)
        status = work(scene, user, &report);
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
    report_total(&report);
    tess_sources_free(report.names.sources);
    tess_scene_free(scene);
    return cli_exit_status(status);
}
