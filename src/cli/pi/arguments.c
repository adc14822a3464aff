/* SPDX-License-Identifier: MIT */
/* arguments.c - reads the command line of tessera pi.
 *
 * In:  the command line; the table options.def.
 * Out: struct arguments; the text of --help. */
#include "cli/pi/arguments.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/vc4.h>

#include "cli/cli.h"
#include "cli/pi/frames.h"
#include "cli/suggest.h"

const char arguments_help[] =
    "Usage: tessera pi [OPTION]... KERNEL\n"
    "Run a bare-metal kernel on a modelled Raspberry Pi: a raw image (kernel.img, kernel7.img),\n"
    "an ELF file, or a boot folder with config.txt (docs/pi-machine.md). Bytes that the kernel\n"
    "sends by its UARTs go to standard output.\n"
    "\n"
#define OPTION(name, argument, how, help) help
#include "cli/pi/options.def"
#undef OPTION
    VERDICT_HELP_TEXT "      --help                      print this help\n";

/* --- how values are taken --- */

/* An option: a function that takes its value, and what the function needs. */
struct row {
    const char *name;
    bool (*take)(struct arguments *arguments, const struct row *row, const char *value);
    size_t at;            /* offset of a member of struct arguments */
    uint64_t least, most; /* of a number */
};

static void *member(struct arguments *arguments, const struct row *row)
{
    return (char *)arguments + row->at;
}

static bool take_text(struct arguments *arguments, const struct row *row, const char *value)
{
    *(const char **)member(arguments, row) = value;
    return true;
}

static bool take_flag(struct arguments *arguments, const struct row *row, const char *value)
{
    (void)value;
    return *(bool *)member(arguments, row) = true;
}

static bool take_number(struct arguments *arguments, const struct row *row, const char *value)
{
    uint64_t *number = member(arguments, row);
    if (cli_number(value, number) && *number >= row->least && *number <= row->most)
        return true;
    cli_usage_error(arguments->title,
                    "invalid value '%s' for --%s; expected %" PRIu64 " to %" PRIu64, value,
                    row->name, row->least, row->most);
    return false;
}

static bool take_board(struct arguments *arguments, const struct row *row, const char *value)
{
    (void)row;
    arguments->board = value;
    if (tess_pi_board_find(value))
        return true;
    cli_usage_error(arguments->title, "unknown board '%s'; expected zero, pi1, pi2, pi3 or zero2",
                    value);
    return false;
}

/* Reads a rate such as 700M, 1.2G, arm=900M or 700000000, in Hz. */
static bool take_rate(struct arguments *arguments, const struct row *row, const char *value)
{
    char *end;
    const char *number = strncmp(value, "arm=", 4) == 0 ? value + 4 : value;
    double count = strtod(number, &end);
    double unit = *end == 'G' ? 1e9 : *end == 'M' ? 1e6 : *end == 'k' ? 1e3 : 1;
    bool good = end != number && (!*end || (unit > 1 && !end[1])) && count * unit <= 4e9;
    (void)row;
    arguments->rate = good && count * unit >= 1e6 ? (uint64_t)(count * unit) : ARGUMENTS_NONE;
    if (arguments->rate != ARGUMENTS_NONE)
        return true;
    cli_usage_error(arguments->title,
                    "invalid clock rate '%s'; expected 1M to 4G, such as 700M or arm=700M", value);
    return false;
}

static bool take_pin(struct arguments *arguments, const struct row *row, const char *value)
{
    (void)row;
    return pins_take(arguments->title, value, &arguments->pins);
}

static bool take_until(struct arguments *arguments, const struct row *row, const char *value)
{
    (void)row;
    return until_take(arguments->title, value, &arguments->until);
}

static bool take_expected(struct arguments *arguments, const struct row *row, const char *value)
{
    (void)row;
    return awaited_set(arguments->title, value, &arguments->expected);
}

static bool take_frames(struct arguments *arguments, const struct row *row, const char *value)
{
    (void)row;
    arguments->frames = value;
    return frames_make_folder(arguments->title, value);
}

static bool take_preview(struct arguments *arguments, const struct row *row, const char *value)
{
    (void)row;
    return preview_take(arguments->title, value, &arguments->preview);
}

/* --- the table --- */

#define TEXT(name)                take_text, offsetof(struct arguments, name), 0, 0
#define FLAG(name)                take_flag, offsetof(struct arguments, name), 0, 0
#define NUMBER(name, least, most) take_number, offsetof(struct arguments, name), least, most
#define BY(function)              function, 0, 0, 0

static const struct row rows[] = {
#define OPTION(name, argument, how, help) {name, how},
#include "cli/pi/options.def"
#undef OPTION
    {"help", FLAG(help)},
};

enum { ROWS = sizeof rows / sizeof *rows, FIRST = 1, VERDICTS = 16 };

/* Fills the options of getopt: those of the table, which return FIRST and the number of the row,
 * those about findings, and an end. */
static void fill_options(struct option *options)
{
    static const struct option verdicts[] = {VERDICT_OPTIONS, {0}};
    static const int kinds[] = {
#define OPTION(name, argument, how, help) argument,
#include "cli/pi/options.def"
#undef OPTION
        no_argument,
    };
    _Static_assert(sizeof verdicts <= VERDICTS * sizeof *verdicts, "room for all options");
    for (int i = 0; i < ROWS; i++)
        options[i] = (struct option){rows[i].name, kinds[i], NULL, FIRST + i};
    memcpy(options + ROWS, verdicts, sizeof verdicts);
}

static const struct row *find_row(const char *name)
{
    const struct row *row = rows;
    while (strcmp(row->name, name) != 0)
        row++;
    return row;
}

static bool take_option(struct arguments *arguments, int option)
{
    if (verdict_is_option(option))
        return verdict_take(&arguments->verdict, option);
    if (option == 'o')
        return take_text(arguments, find_row("output"), optarg);
    if (option >= FIRST && option < FIRST + ROWS)
        return rows[option - FIRST].take(arguments, &rows[option - FIRST], optarg);
    cli_usage_hint(arguments->title);
    return false;
}

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

bool arguments_parse(struct arguments *arguments, int argc, char **argv)
{
    struct option options[ROWS + VERDICTS];
    int option;
    *arguments = (struct arguments){.title = argv[0], .rate = ARGUMENTS_NONE, .threads = 1};
    arguments->gpu_mib = arguments->address = arguments->gdb_port = ARGUMENTS_NONE;
    arguments->verdict.title = argv[0];
    fill_options(options);
    while ((option = suggest_getopt(argc, argv, "o:" VERDICT_LETTERS, options)) != -1)
        if (!take_option(arguments, option))
            return false;
    if (arguments->help)
        return true;
    if (optind + 1 == argc)
        arguments->path = argv[optind];
    else
        cli_usage_error(arguments->title,
                        optind == argc ? "no kernel given" : "more than one kernel given");
    return arguments->path && fit_together(arguments);
}
