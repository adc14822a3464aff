/* SPDX-License-Identifier: MIT */
/* scene_arguments.c - see scene_arguments.h. */
#include "cli/run/scene_arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run/scene_file.h"

bool scene_arguments_number(const struct scene_arguments *arguments, const char *text,
                            uint64_t *number)
{
    if (cli_number(text, number) && *number > 0)
        return true;
    cli_usage_error(arguments->title, "invalid number '%s': expected 1 to %" PRIu64, text,
                    UINT64_MAX);
    return false;
}

void scene_arguments_begin(struct scene_arguments *arguments, const char *title)
{
    arguments->title = arguments->verdict.title = title;
    arguments->scene.sanitize = true;
}

static bool take_threads(struct scene_arguments *arguments)
{
    uint64_t threads;
    if (!cli_number(optarg, &threads) || threads < 1 || threads > TESS_MAX_THREADS) {
        cli_usage_error(arguments->title, "invalid thread count '%s': expected 1 to %d", optarg,
                        TESS_MAX_THREADS);
        return false;
    }
    arguments->scene.threads = (uint32_t)threads;
    return true;
}

static bool take_qpus(struct scene_arguments *arguments)
{
    uint64_t qpus;
    if (!cli_number(optarg, &qpus) || (qpus != 12 && qpus != 16)) {
        cli_usage_error(arguments->title, "invalid QPU count '%s': expected 12 or 16", optarg);
        return false;
    }
    arguments->scene.qpus = (uint32_t)qpus;
    return true;
}

static bool is_full(const struct scene_arguments *arguments, size_t count)
{
    if (count == SCENE_SOURCE_MAX)
        cli_usage_error(arguments->title, "an option is repeated more than %d times",
                        SCENE_SOURCE_MAX);
    return count == SCENE_SOURCE_MAX;
}

static bool take_include(struct scene_arguments *arguments)
{
    struct scene_source *source = &arguments->source;
    if (is_full(arguments, source->include_dir_count))
        return false;
    arguments->include_dirs[source->include_dir_count++] = optarg;
    source->include_dirs = arguments->include_dirs;
    return true;
}

/* Parses "NAME=VALUE", which is split in place, and adds the definition. */
static bool take_define(struct scene_arguments *arguments)
{
    struct scene_source *source = &arguments->source;
    char *equals = strchr(optarg, '=');
    if (is_full(arguments, source->define_count))
        return false;
    if (equals)
        *equals = 0;
    arguments->defines[source->define_count++] = (struct tess_asm_define){
        optarg, equals ? equals + 1 : "1"};
    source->defines = arguments->defines;
    return true;
}

bool scene_arguments_take(struct scene_arguments *arguments, int option)
{
    struct tess_scene_options *scene = &arguments->scene;
    if (verdict_is_option(option))
        return verdict_take(&arguments->verdict, option);
    switch (option) {
    case 'o': arguments->output = optarg; return true;
    case 'I': return take_include(arguments);
    case 'D': return take_define(arguments);
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

/* Loads the scene and passes it to work. Diagnostics go to the report. */
static enum tess_status load_and_work(const struct scene_arguments *arguments,
                                      enum tess_status (*work)(struct tess_scene *scene,
                                                               const void *user,
                                                               struct report *report),
                                      const void *user, struct report *report)
{
    struct tess_scene *scene;
    struct tess_sources *sources;
    report->reading = true;
    enum tess_status status = scene_file_load(&scene, arguments->path, &arguments->source,
                                              report_sink(report), &sources);
    report->reading = false;
    report->names = (struct address_names){.scene = scene, .sources = sources, .fixed = true};
    if (status == TESS_OK)
        status = work(scene, user, report);
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
    report_total(report);
    tess_sources_free(report->names.sources);
    tess_scene_free(scene);
    return status;
}

int scene_arguments_work(struct scene_arguments *arguments,
                         enum tess_status (*work)(struct tess_scene *scene, const void *user,
                                                  struct report *report),
                         const void *user)
{
    struct verdict_options *verdict = &arguments->verdict;
    struct report report = {
        .json = arguments->json,
        .quiet = arguments->quiet,
        .policy = &verdict->policy,
        .budgets = "--max-instructions, --max-total-instructions, --max-records"};
    int result = CLI_USAGE;
    if (verdict_begin(verdict, arguments->path)) {
        arguments->scene.strict |= verdict->config.strict;
        arguments->scene.shown = message_limit_wants();
        if (verdict_log_begin(verdict, &report, TESS_MACHINE_QPU, arguments->path))
            result = verdict_status(&report, load_and_work(arguments, work, user, &report));
        if (!verdict_log_end(verdict, &report, result))
            result = CLI_USAGE;
    }
    report_free(&report);
    return verdict_end(verdict, result);
}
