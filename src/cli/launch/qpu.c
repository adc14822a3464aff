/* SPDX-License-Identifier: MIT */
/* qpu.c - tessera qpu: starts a Raspberry Pi program with the shim preloaded (docs/qpu.md), and
 * derives the exit status.
 *
 * In:  options; a program and its arguments.
 * Out: the environment of the shim; the program's exit status, or 1 if only the shim reported
 *      errors. */
#define _GNU_SOURCE /* realpath() */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/launch/launch.h"
#include "cli/launch/program.h"
#include "cli/launch/shim.h"
#include "cli/launch/shim_options.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "front/limits.h"

/* clang-format off */
static const char help[] =
    "Usage: tessera qpu [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
    "Run an unmodified GPGPU program of a Raspberry Pi on a modelled VideoCore IV. The program\n"
    "sees /dev/vcio, /dev/mem and the other files that such programs use (docs/qpu.md).\n"
    "\n"
    "      --board NAME                set the board: zero, pi1 (default), pi2, pi3 or zero2\n"
    "      --memory MIB                set the GPU memory in MiB (default 256)\n"
    "      --timeout SECONDS           stop programs that are started by registers after\n"
    "                                  SECONDS of chip time (default 10; 0: never)\n"
    "      --threads N                 use N host threads, 1 to 64 (default: all processors)\n"
    "      --sanitize                  detect uninitialised reads and races (slower)\n"
    "      --strict                    treat warnings as errors; implies --sanitize\n"
    "      --stats[=FILE]              write statistics to FILE, or to standard error\n"
    "      --trace FILE                write a line per QPU instruction to FILE (can be large)\n"
    "      --capture FILE              write the run to FILE as a scene (docs/scene.md)\n"
    "      --source FILE               read labels and lines for messages from FILE, the .qasm\n"
    "                                  or ELF file of the program's code (repeatable)\n"
    SHIM_LAST_HELP_TEXT;
/* clang-format on */

enum { OPTION_BOARD = SHIM_OPTIONS_OWN, OPTION_TIMEOUT, OPTION_TRACE, OPTION_SOURCE };

static const struct option options[] = {
    SHIM_OPTIONS,
    {"board", required_argument, NULL, OPTION_BOARD},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"source", required_argument, NULL, OPTION_SOURCE},
    {NULL, 0, NULL, 0},
};

/* --- options, which set environment variables of the shim --- */

static bool add_source(const char *title, const char *path)
{
    char *full = realpath(path, NULL);
    if (!full) {
        fprintf(stderr, "%s: %s: %s\n", title, path, strerror(errno));
        return false;
    }
    bool good = environment_add(title, "TESSERA_SOURCE", full, false);
    free(full);
    return good;
}

static bool set_timeout(const char *title, const char *text)
{
    uint64_t seconds;
    if (cli_number(text, &seconds) && seconds <= LIMIT_SECONDS)
        return environment_set(title, "TESSERA_TIMEOUT", text);
    cli_usage_error(title, "invalid timeout '%s': expected 0 to %d seconds", text, LIMIT_SECONDS);
    return false;
}

static bool take_option(const char *title, int option)
{
    switch (option) {
    case OPTION_BOARD: return shim_board(title, optarg);
    case OPTION_TIMEOUT: return set_timeout(title, optarg);
    case OPTION_TRACE:
        return cli_trace_file(title, optarg) &&
               environment_set_shared_file(title, "TESSERA_TRACE", optarg);
    case OPTION_SOURCE: return add_source(title, optarg);
    default: return shim_option(title, option);
    }
}

/* --- The shim --- */

static bool set_shim(const char *title, const char *program)
{
    struct program_kind kind;
    return program_find(title, program, &kind) && shim_preload_vcio(title, program, &kind);
}

int cli_qpu(int argc, char **argv)
{
    int option;
    const char *title = argv[0];
    struct verdict_options verdict = {.title = title};
    while ((option = suggest_getopt(argc, argv, "+" VERDICT_LETTERS, options)) != -1) {
        if (option == SHIM_OPTION_HELP)
            return output_text(title, help);
        if (verdict_is_option(option) ? !verdict_take(&verdict, option)
                                      : !take_option(title, option))
            return CLI_USAGE;
    }
    if (optind == argc)
        return cli_usage_error(title, "no program given");
    if (!set_shim(title, argv[optind]))
        return CLI_USAGE;
    return shim_launch(&(struct launch){.title = title, .program = argv + optind}, &verdict);
}
