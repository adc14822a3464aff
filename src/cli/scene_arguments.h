/* SPDX-License-Identifier: MIT */
/* scene_arguments.h - what the verbs that run a scene have in common: options, budgets, the scene's
 * file, and the way from there to an exit status. */
#ifndef CLI_SCENE_ARGUMENTS_H
#define CLI_SCENE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <getopt.h>

#include <tessera/scene.h>

#include "report.h"

/* Values of the shared long options; a verb's own begin at SCENE_OWN. */
enum {
    SCENE_INSTRUCTIONS = 256,
    SCENE_TOTAL_INSTRUCTIONS,
    SCENE_RECORDS,
    SCENE_JSON,
    SCENE_HELP,
    SCENE_OWN,
};

/* Rows of a getopt_long() table. */
/* clang-format off */
#define SCENE_OPTIONS                                                                  \
    {"output",                 required_argument, NULL, 'o'},                          \
    {"max-instructions",       required_argument, NULL, SCENE_INSTRUCTIONS},           \
    {"max-total-instructions", required_argument, NULL, SCENE_TOTAL_INSTRUCTIONS},     \
    {"max-records",            required_argument, NULL, SCENE_RECORDS},                \
    {"json",                   no_argument,       NULL, SCENE_JSON},                   \
    {"help",                   no_argument,       NULL, SCENE_HELP}
/* clang-format on */

struct scene_arguments {
    struct tess_scene_options scene;
    const char *title, *path, *output;
    bool json, help;
};

/* Takes a shared option, with optarg. False if it or its value is not understood; stderr has been told. */
bool scene_arguments_take(struct scene_arguments *arguments, int option);

/* Takes the scene's path, which is all that may follow the options. False like the above. */
bool scene_arguments_end(struct scene_arguments *arguments, int argc, char **argv);

/* Parses a number above 0. False like the above. */
bool scene_arguments_number(const struct scene_arguments *arguments, const char *text,
                            uint64_t *number);

/* Loads the scene and hands it to work. Returns the exit status. */
int scene_arguments_work(const struct scene_arguments *arguments,
                         enum tess_status (*work)(struct tess_scene *scene, const void *user,
                                                  struct report *report),
                         const void *user);

#endif
