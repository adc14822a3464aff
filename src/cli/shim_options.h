/* SPDX-License-Identifier: MIT */
/* shim_options.h - the options that all verbs have which start a program behind a shim. */
#ifndef CLI_SHIM_OPTIONS_H
#define CLI_SHIM_OPTIONS_H

#include <stdbool.h>

#include "judge.h"
#include "launch.h"

/* Values of the shared long options; a verb's own begin at SHIM_OPTIONS_OWN. */
enum {
    SHIM_OPTION_HELP = 1,
    SHIM_OPTION_MEMORY,
    SHIM_OPTION_THREADS,
    SHIM_OPTION_SANITIZE,
    SHIM_OPTION_STRICT,
    SHIM_OPTION_STATS,
    SHIM_OPTION_CAPTURE,
    SHIM_OPTION_JSON,
    SHIM_OPTIONS_OWN
};

/* Rows of a getopt_long() table. */
/* clang-format off */
#define SHIM_OPTIONS                                           \
    {"help",     no_argument,       NULL, SHIM_OPTION_HELP},     \
    {"memory",   required_argument, NULL, SHIM_OPTION_MEMORY},   \
    {"threads",  required_argument, NULL, SHIM_OPTION_THREADS},  \
    {"sanitize", no_argument,       NULL, SHIM_OPTION_SANITIZE}, \
    {"strict",   no_argument,       NULL, SHIM_OPTION_STRICT},   \
    {"stats",    optional_argument, NULL, SHIM_OPTION_STATS},    \
    {"capture",  required_argument, NULL, SHIM_OPTION_CAPTURE},  \
    {"json",     no_argument,       NULL, SHIM_OPTION_JSON},     \
    JUDGE_OPTIONS, JUDGE_LOG_OPTIONS
/* clang-format on */

/* Puts one of these, all but the first, or one that there is not, with getopt's argument into the shim's environment. False,
 * and stderr has been told, if that cannot be. */
bool shim_option(const char *title, int option);

/* Starts a program with what the options about findings say, and says so if statistics, a trace or a capture were asked for and no
 * process has used the GPU. Returns the exit status. */
int shim_launch(struct launch *launch, struct judge *judge);

/* The board that the program finds, by name. False, and stderr has been told, if there is no such board. */
bool shim_board(const char *title, const char *name);

#endif
