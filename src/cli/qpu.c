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

#include "cli.h"
#include "environment.h"
#include "front/limits.h"
#include "launch.h"
#include "output.h"
#include "program.h"
#include "shim.h"
#include "shim_options.h"
#include "suggest.h"

static const char help[] =
    "Usage: tessera qpu [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
    "Runs a GPGPU program that was written for a Raspberry Pi, unmodified: it finds /dev/vcio,\n"
    "/dev/mem and what else such programs use, with a modelled VideoCore IV behind them\n"
    "(docs/qpu.md).\n\n"
    "      --board NAME                zero, pi1, pi2 or pi3; default pi1\n"
    "      --memory MIB                GPU memory in MiB, default 256\n"
    "      --timeout SECONDS           of the chip's time, for programs that are started by "
    "registers;\n"
    "                                  default 10, 0: none\n"
    "      --threads COUNT             host threads, 1 to 64; default: as many as processors are "
    "online\n"
    "      --sanitize                  look for uninitialised reads and races, too; slower\n"
    "      --strict                    --sanitize, and warnings are errors\n"
    "      --stats[=FILE]              statistics at the end, to FILE or standard error\n"
    "      --trace FILE                a line for each executed QPU instruction\n"
    "      --capture FILE              record what was run as a scene (docs/scene.md)\n"
    "      --source FILE               .qasm or ELF file whose code the program runs, for labels "
    "and\n"
    "                                  lines in what is reported; repeatable\n"
    "      --json                      statistics as JSON, diagnostics as JSON "
    "lines\n" JUDGE_HELP_TEXT JUDGE_LOG_HELP_TEXT "      --help                      this text\n\n"
    "Exit status: the program's, if it is not 0, or 128 and the number of the signal that ended "
    "it;\n"
    "1 if errors were reported; 2 usage, or the program cannot be run this way; else 0.\n";

enum { OPTION_BOARD = SHIM_OPTIONS_OWN, OPTION_TIMEOUT, OPTION_TRACE, OPTION_SOURCE };

static const struct option options[] = {
    SHIM_OPTIONS,
    {"board",   required_argument, NULL, OPTION_BOARD  },
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"trace",   required_argument, NULL, OPTION_TRACE  },
    {"source",  required_argument, NULL, OPTION_SOURCE },
    {NULL,      0,                 NULL, 0             },
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
    struct judge judge = {.title = title};
    while ((option = suggest_getopt(argc, argv, "+" JUDGE_LETTERS, options)) != -1) {
        if (option == SHIM_OPTION_HELP)
            return output_text(title, help);
        if (judge_is_option(option) ? !judge_take(&judge, option) : !take_option(title, option))
            return CLI_USAGE;
    }
    if (optind == argc)
        return cli_usage_error(title, "no program given");
    if (!set_shim(title, argv[optind]))
        return CLI_USAGE;
    return shim_launch(&(struct launch){.title = title, .program = argv + optind}, &judge);
}
