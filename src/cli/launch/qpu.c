/* SPDX-License-Identifier: MIT */
/* qpu.c - tessera qpu: starts a Raspberry Pi program with the shim preloaded (docs/qpu.md), and
 * derives the exit status.
 *
 * In:  options; a program and its arguments.
 * Out: the environment of the shim; the program's exit status, or 1 if only the shim reported
 *      errors. */
#define _GNU_SOURCE /* realpath() */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/launch/launch.h"
#include "cli/launch/program.h"
#include "cli/launch/shim.h"
#include "cli/launch/shim_options.h"
#include "cli/option_rows.h"
#include "front/limits.h"

/* --- options, which set environment variables of the shim --- */

static bool add_source(const struct option_use *use)
{
    char *full = realpath(use->value, NULL);
    if (!full) {
        fprintf(stderr, "%s: %s: %s\n", use->title, use->value, strerror(errno));
        return false;
    }
    bool good = environment_add(use->title, "TESSERA_SOURCE", full, false);
    free(full);
    return good;
}

static bool set_timeout(const struct option_use *use)
{
    uint64_t seconds;
    if (cli_number(use->value, &seconds) && seconds <= LIMIT_SECONDS)
        return environment_set(use->title, "TESSERA_TIMEOUT", use->value);
    return option_refuse(use, "invalid timeout '%s': expected 0 to %d seconds", use->value,
                         LIMIT_SECONDS);
}

static bool set_trace(const struct option_use *use)
{
    return cli_trace_file(use->title, use->value) &&
           environment_set_shared_file(use->title, "TESSERA_TRACE", use->value);
}

static const struct option_row rows[] = {
#include "cli/launch/qpu.def"
    OPTIONS_END};

const struct option_table qpu_options = {.rows = rows, .column = 34, .before = true};

/* --- The shim --- */

static bool set_shim(const char *title, const char *program)
{
    struct program_kind kind;
    return program_find(title, program, &kind) && shim_preload_vcio(title, program, &kind);
}

int cli_qpu(int argc, char **argv)
{
    const char *title = argv[0];
    struct verdict_options verdict = {.title = title};
    int status = options_parse(&qpu_options, &verdict, argc, argv);
    if (status != OPTIONS_PARSED)
        return status;
    if (optind == argc)
        return cli_usage_error(title, "no program given");
    if (!set_shim(title, argv[optind]))
        return CLI_USAGE;
    return shim_launch(&(struct launch){.title = title, .program = argv + optind}, &verdict);
}
