/* SPDX-License-Identifier: MIT */
/* scene_arguments.h - parses the options that "tessera run" and "tessera decode" share, loads the
 * scene, and returns the exit status. */
#ifndef CLI_RUN_SCENE_ARGUMENTS_H
#define CLI_RUN_SCENE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/scene.h>

#include "cli/run/scene_file.h"
#include "cli/verdict_options.h"
#include "front/report.h"

/* The options, in two groups of --help. The target is a struct scene_arguments. */
extern const struct option_row scene_limit_rows[], scene_run_rows[];

/* How a limit is taken. */
#define LIMIT(member) NUMBER(member, "number", 1, UINT64_MAX)

struct scene_arguments {
    struct tess_scene_options scene;
    struct scene_source source;
    struct verdict_options verdict;
    const char *title, *path, *output;
    bool json, quiet;
};

/* Sets the defaults. */
void scene_arguments_begin(struct scene_arguments *arguments, const char *title);
void scene_arguments_free(struct scene_arguments *arguments);

/* Loads or assembles the scene, the only argument after the options, and passes it to work. Returns
 * the exit status. */
int scene_arguments_work(struct scene_arguments *arguments, int argc, char **argv,
                         enum tess_status (*work)(struct tess_scene *scene, const void *user,
                                                  struct report *report),
                         const void *user);

#endif
