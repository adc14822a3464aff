/* SPDX-License-Identifier: MIT */
/* scene_arguments.c - see scene_arguments.h. */
#include "cli/run/scene_arguments.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/option_rows.h"
#include "cli/run/scene_file.h"

void scene_arguments_begin(struct scene_arguments *arguments, const char *title)
{
    arguments->title = arguments->verdict.title = title;
    arguments->scene.sanitize = true;
}

void scene_arguments_free(struct scene_arguments *arguments)
{
    free(arguments->source.include_dirs.items);
    free(arguments->source.defines.items);
}

static bool take_qpus(const struct option_use *use)
{
    struct scene_arguments *arguments = use->target;
    uint64_t qpus;
    if (!cli_number(use->value, &qpus) || (qpus != 12 && qpus != 16))
        return option_refuse(use, "invalid QPU count '%s': expected 12 or 16", use->value);
    arguments->scene.qpus = (uint32_t)qpus;
    return true;
}

#define TARGET struct scene_arguments

const struct option_row scene_limit_rows[] = {
#include "cli/run/scene_limits.def"
    OPTIONS_END};

const struct option_row scene_run_rows[] = {
#include "cli/run/scene_run.def"
    OPTIONS_END};

#undef TARGET

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

int scene_arguments_work(struct scene_arguments *arguments, int argc, char **argv,
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
    arguments->path = cli_one_file(arguments->title, "scene", argc, argv);
    if (!arguments->path)
        return CLI_USAGE;
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
