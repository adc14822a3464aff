/* SPDX-License-Identifier: MIT */
/* scene_arguments.h - parses the options that "tessera run" and "tessera decode" share, loads the
 * scene, and returns the exit status. */
#ifndef CLI_RUN_SCENE_ARGUMENTS_H
#define CLI_RUN_SCENE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <getopt.h>

#include <tessera/scene.h>

#include "cli/run/scene_file.h"
#include "cli/verdict_options.h"
#include "front/report.h"

/* Values of the shared long options for getopt_long(). The values of a verb's other options begin
 * at SCENE_OWN. */
enum {
    SCENE_INSTRUCTIONS = 256,
    SCENE_TOTAL_INSTRUCTIONS,
    SCENE_RECORDS,
    SCENE_STRICT,
    SCENE_SANITIZE,
    SCENE_NO_SANITIZE,
    SCENE_THREADS,
    SCENE_QPUS,
    SCENE_JSON,
    SCENE_HELP,
    SCENE_OWN,
};

/* Rows of a getopt_long() table. */
/* clang-format off */
#define SCENE_LETTERS "o:I:D:" VERDICT_LETTERS
#define SCENE_OPTIONS                                                                  \
    {"output",                 required_argument, NULL, 'o'},                          \
    {"include",                required_argument, NULL, 'I'},                          \
    {"define",                 required_argument, NULL, 'D'},                          \
    {"max-instructions",       required_argument, NULL, SCENE_INSTRUCTIONS},           \
    {"max-total-instructions", required_argument, NULL, SCENE_TOTAL_INSTRUCTIONS},     \
    {"max-records",            required_argument, NULL, SCENE_RECORDS},                \
    {"strict",                 no_argument,       NULL, SCENE_STRICT},                 \
    {"sanitize",               no_argument,       NULL, SCENE_SANITIZE},               \
    {"no-sanitize",            no_argument,       NULL, SCENE_NO_SANITIZE},            \
    {"threads",                required_argument, NULL, SCENE_THREADS},                \
    {"qpus",                   required_argument, NULL, SCENE_QPUS},                   \
    {"json",                   no_argument,       NULL, SCENE_JSON},                   \
    VERDICT_OPTIONS,                                                                     \
    VERDICT_LOG_OPTIONS,                                                                 \
    {"help",                   no_argument,       NULL, SCENE_HELP}
/* clang-format on */

/* The lines of --help for the shared options. */
/* clang-format off */
#define SCENE_LIMITS_HELP_TEXT                                                                    \
    "      --max-instructions N        end a program after N instructions (default 16 million)\n" \
    "      --max-total-instructions N  end a run after N instructions (default 4 billion)\n"
#define SCENE_RUN_HELP_TEXT                                                                    \
    "      --strict                    treat warnings as errors\n"                             \
    "      --no-sanitize               do not detect uninitialised reads and races (faster)\n" \
    "      --sanitize                  detect uninitialised reads and races (default)\n"       \
    "      --threads N                 use N host threads, 1 to 64 (results do not change)\n"  \
    "      --qpus N                    set the number of QPUs: 12 (default) or 16\n"           \
    VERDICT_HELP_TEXT VERDICT_LOG_HELP_TEXT
#define SCENE_HELP_TEXT                                                                    \
    SCENE_LIMITS_HELP_TEXT                                                                 \
    "      --max-records N             end control lists after N records and primitives\n" \
    "                                  (default 64 million)\n"                             \
    SCENE_RUN_HELP_TEXT
/* clang-format on */

enum { SCENE_SOURCE_MAX = 64 };

struct scene_arguments {
    struct tess_scene_options scene;
    struct scene_source source; /* points to include_dirs and defines */
    const char *include_dirs[SCENE_SOURCE_MAX];
    struct tess_asm_define defines[SCENE_SOURCE_MAX];
    struct verdict_options verdict;
    const char *title, *path, *output;
    bool json, quiet, help;
};

/* Applies a shared option, whose value is optarg. Returns false after an error message if the
 * option or its value is invalid. */
bool scene_arguments_take(struct scene_arguments *arguments, int option);

/* Sets the defaults. */
void scene_arguments_begin(struct scene_arguments *arguments, const char *title);

/* Sets arguments->path to the only argument after the options. Returns false after an error
 * message. */
bool scene_arguments_end(struct scene_arguments *arguments, int argc, char **argv);

/* Parses a number above 0. Returns false after an error message. */
bool scene_arguments_number(const struct scene_arguments *arguments, const char *text,
                            uint64_t *number);

/* Loads or assembles the scene and passes it to work. Returns the exit status. */
int scene_arguments_work(struct scene_arguments *arguments,
                         enum tess_status (*work)(struct tess_scene *scene, const void *user,
                                                  struct report *report),
                         const void *user);

#endif
