/* SPDX-License-Identifier: MIT */
/* shim_options.h - the options that "tessera qpu" and "tessera gl" share. */
#ifndef CLI_LAUNCH_SHIM_OPTIONS_H
#define CLI_LAUNCH_SHIM_OPTIONS_H

#include <stdbool.h>

#include "cli/launch/launch.h"
#include "cli/verdict_options.h"

/* Values of the shared long options for getopt_long(). The values of a verb's other options begin
 * at SHIM_OPTIONS_OWN. */
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
    VERDICT_OPTIONS, VERDICT_LOG_OPTIONS
/* clang-format on */

/* The last lines of --help. */
/* clang-format off */
#define SHIM_LAST_HELP_TEXT                                                                       \
    "      --json                      print statistics as JSON, and diagnostics as JSON lines\n" \
    VERDICT_HELP_TEXT VERDICT_LOG_HELP_TEXT                                                       \
    "      --help                      print this help\n"                                         \
    "\n"                                                                                          \
    "Exit status: the program's own status if not 0 (128 plus the number if a signal ended the\n" \
    "program); 1 if errors were reported; 2 on wrong usage or if the program cannot be run;\n"    \
    "otherwise 0.\n"
/* clang-format on */

/* Sets the environment variable of a shared option, whose value is optarg. Accepts all shared
 * options except --help. Returns false after an error message if the option or its value is
 * invalid. */
bool shim_option(const char *title, int option);

/* Runs a program and applies the options about findings. Reports a note if statistics, a trace or a
 * capture were requested but no process used the GPU. Returns the exit status. */
int shim_launch(struct launch *launch, struct verdict_options *verdict);

/* Selects the board that the program sees. Returns false after an error message if the name is
 * unknown. */
bool shim_board(const char *title, const char *name);

#endif
