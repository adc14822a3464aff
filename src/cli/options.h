/* SPDX-License-Identifier: MIT */
/* options.h - the options of a verb, one row for each. The parsing of the command line, the text of
 * --help, the man page and the completions of the shells come from the rows.
 *
 * In:  a table of rows; the command line.
 * Out: the members of the verb's structure, set; messages about wrong usage; the text of --help; a
 *      list of all options as JSON.
 *
 * The rows of a verb are in a file such as code/asm.def. The verb's source includes it:
 *
 *     #include "cli/option_rows.h"
 *     #define TARGET struct arguments
 *     static const struct option_row rows[] = {
 *     #include "cli/code/asm.def"
 *         OPTIONS_END};
 *     #undef TARGET
 *     const struct option_table asm_options = {rows, .column = 27}; */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tessera/isa.h>

struct json;
struct option_row;

/* An option on the command line. */
struct option_use {
    const struct option_row *row;
    const char *title; /* name of the verb for messages */
    void *target;      /* the member that the row names, or the structure if it names none */
    char *value;       /* NULL if the option has no value */
};

struct option_row {
    /* letter: 0 if the option has no letter. name: NULL for a row of text. argument: the value's
     * placeholder in --help: DIR for a folder, ID for the id of a rule or finding, ID=LEVEL for a
     * rule's level; "[=NAME]" if the value is optional; NULL if the option has no value. */
    char letter;
    const char *name, *argument;
    /* Text of --help, broken at column 90, or only at its line feeds if it has some. NULL for an
     * older name, which --help omits. */
    const char *help;
    /* Takes a value. Returns false after an error message. NULL if the row is only shown. */
    bool (*take)(const struct option_use *use);
    size_t at, size; /* offset of the target in the structure, and its size */
    size_t given;    /* 1 + offset of a bool that is true if the option is given, or 0 */
    /* noun: noun for the value in messages. words: the values that a choice accepts, separated by
     * blanks; the shells complete them. expected: accepted values in messages, if they are not the
     * words or the range. variable: environment variable that is set instead of the target. */
    const char *noun, *words, *expected, *variable;
    bool (*find)(const char *word, void *value); /* finds the value of a word */
    uint64_t least, most;                        /* range of a number */
    int64_t detail;                              /* value of a flag, or a number for .take */
    const struct option_row *group;              /* rows that several verbs share */
    bool shown_only;                             /* true if the rows of .group are only shown */
    void (*print)(FILE *stream);                 /* prints further text of --help */
};

/* The options of a verb. */
struct option_table {
    const struct option_row *rows;
    int column;  /* column of the texts in --help, counted from 0 */
    bool before; /* true if the options end before the first argument that is not an option */
};

/* --- how a value is taken --- */

bool option_take_nothing(const struct option_use *use);
bool option_take_flag(const struct option_use *use);
bool option_take_text(const struct option_use *use);
bool option_take_list(const struct option_use *use);
bool option_take_define(const struct option_use *use);
bool option_take_number(const struct option_use *use);
bool option_take_choice(const struct option_use *use);
bool option_take_explained(const struct option_use *use);
bool option_take_trace_file(const struct option_use *use);
bool option_take_variable(const struct option_use *use);

/* The names of all machines, each after a blank. */
extern const char option_machines[];

bool option_find_machine(const char *word, void *value);
bool option_find_variant(const char *word, void *value);

/* Defines a function for .find by a function that finds a value of an enum. */
#define OPTION_FINDER(name, function)               \
    static bool name(const char *word, void *value) \
    {                                               \
        return function(word, value);               \
    }

/* Values of an option that may be repeated. The structure is zero first. */
struct option_list {
    const char **items;
    size_t count;
};

struct option_defines {
    struct tess_asm_define *items;
    size_t count;
};

/* Prints an error about a value, as cli_usage_error() does. Always returns false. */
bool option_refuse(const struct option_use *use, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints an error about a value that is none of the words of the row. Always returns false. */
bool option_unknown(const struct option_use *use);

/* --- tables --- */

extern const struct option_table asm_options, check_options, decode_options, dis_options,
    gl_options, new_options, pi_options, qpu_options, run_options, tutorial_options;

enum { OPTIONS_PARSED = -1 };

/* Parses the options into target; optind is then the index of the first other argument. Returns
 * OPTIONS_PARSED. Otherwise the verb ends with the returned exit status: CLI_DONE after --help, or
 * CLI_USAGE after an error message. */
int options_parse(const struct option_table *table, void *target, int argc, char **argv);

/* Calls see for each option of the command line, without messages. Returns the first argument that
 * is not an option, or NULL. */
const char *options_scan(const struct option_row *rows, int argc, char **argv,
                         void (*see)(void *user, const char *name, const char *value), void *user);

/* True if the rows accept a name. */
bool options_have(const struct option_row *rows, const char *name);

/* Prints the text of --help on standard output. Returns an exit status. */
int options_help(const struct option_table *table, const char *title);

/* Writes the rows that --help shows: options, and texts between them. json is in an array. */
void options_json(struct json *json, const struct option_row *rows);

#endif
