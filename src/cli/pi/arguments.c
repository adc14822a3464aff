/* SPDX-License-Identifier: MIT */
/* arguments.c - reads the command line of tessera pi.
 *
 * In:  the command line; the table options.def.
 * Out: struct arguments. */
#include "cli/pi/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/vc4.h>

#include "cli/cli.h"
#include "cli/option_rows.h"
#include "cli/pi/frames.h"

static bool take_board(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    arguments->board = use->value;
    return tess_pi_board_find(use->value) || option_unknown(use);
}

/* Reads a rate such as 700M, 1.2G, arm=900M or 700000000, in Hz. */
static bool take_rate(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    char *end;
    const char *number = strncmp(use->value, "arm=", 4) == 0 ? use->value + 4 : use->value;
    double count = strtod(number, &end);
    double unit = *end == 'G' ? 1e9 : *end == 'M' ? 1e6 : *end == 'k' ? 1e3 : 1;
    bool good = end != number && (!*end || (unit > 1 && !end[1])) && count * unit <= 4e9;
    arguments->rate = good && count * unit >= 1e6 ? (uint64_t)(count * unit) : ARGUMENTS_NONE;
    if (arguments->rate != ARGUMENTS_NONE)
        return true;
    cli_usage_error(arguments->title,
                    "invalid clock rate '%s'; expected 1M to 4G, such as 700M or arm=700M",
                    use->value);
    return false;
}

static bool take_pin(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    return pins_take(arguments->title, use->value, &arguments->pins);
}

static bool take_until(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    return until_take(arguments->title, use->value, &arguments->until);
}

static bool take_expected(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    return awaited_set(arguments->title, use->value, &arguments->expected);
}

static bool take_frames(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    arguments->frames = use->value;
    return frames_make_folder(arguments->title, use->value);
}

static bool take_preview(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    return preview_take(arguments->title, use->value, &arguments->preview);
}

#define TARGET struct arguments
static const struct option_row rows[] = {
#include "cli/pi/options.def"
    OPTIONS_END};
#undef TARGET

const struct option_table pi_options = {.rows = rows, .column = 34};

/* Checks options that exclude each other. */
static bool fit_together(const struct arguments *arguments)
{
    bool gdb = arguments->gdb_port != ARGUMENTS_NONE;
    const char *other = gdb && arguments->capture ? "--capture; use gdb's command 'monitor capture'"
                        : gdb && arguments->window ? "--window; use --frames or --preview"
                                                   : NULL;
    if (!other)
        return true;
    cli_usage_error(arguments->title, "--gdb does not go with %s", other);
    return false;
}

int arguments_parse(struct arguments *arguments, int argc, char **argv)
{
    *arguments = (struct arguments){.title = argv[0], .rate = ARGUMENTS_NONE, .threads = 1};
    arguments->gpu_mib = arguments->address = arguments->gdb_port = ARGUMENTS_NONE;
    arguments->verdict.title = argv[0];
    int status = options_parse(&pi_options, arguments, argc, argv);
    if (status != OPTIONS_PARSED)
        return status;
    if (optind + 1 != argc)
        return cli_usage_error(arguments->title,
                               optind == argc ? "no kernel given" : "more than one kernel given");
    arguments->path = argv[optind];
    return fit_together(arguments) ? OPTIONS_PARSED : CLI_USAGE;
}
