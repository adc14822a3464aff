/* SPDX-License-Identifier: MIT */
/* option_rows.h - the macros with which .def files write rows of options (options.h). TARGET is the
 * structure of the rows. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include "cli/options.h"

/* --- rows --- */

/* clang-format off */
#define OPTION(letter_, name_, argument_, how, help_) \
    {.letter = (letter_), .name = (name_), .argument = (argument_), .help = (help_), how},
/* An older name, or an option that --help shows in another row. */
#define HIDDEN(letter_, name_, argument_, how) \
    {.letter = (letter_), .name = (name_), .argument = (argument_), how},
/* A second form of an option, which only --help needs. */
#define FORM(letter_, name_, argument_, help_) \
    {.letter = (letter_), .name = (name_), .argument = (argument_), .help = (help_)},
#define HELP OPTION(0, "help", NULL, NOTHING, "print this help")
/* Text of --help between options, which is printed unchanged. */
#define LINES(text)       {.help = (text)},
#define PRINTED(function) {.print = (function)},
/* The rows of a group. Its structure is a member of the verb's structure, or the same. */
#define GROUP(rows, member)   {.group = (rows), .at = offsetof(TARGET, member)},
#define GROUP_HERE(rows)      {.group = (rows)},
#define SHOWN_GROUP(rows)     {.group = (rows), .shown_only = true},
#define OPTIONS_END           {0},
/* clang-format on */

/* --- how a value is taken --- */

/* clang-format off */
#define OPTION_TO(member) .at = offsetof(TARGET, member), .size = sizeof(((TARGET *)0)->member)

#define NOTHING              .take = option_take_nothing
#define FLAG(member)         VALUE(member, true)
#define VALUE(member, value) .take = option_take_flag, OPTION_TO(member), .detail = (value)
#define TEXT(member)         .take = option_take_text, OPTION_TO(member)
#define LIST(member)         .take = option_take_list, OPTION_TO(member)
#define DEFINES(member)      .take = option_take_define, OPTION_TO(member)
#define NUMBER(member, noun_, least_, most_) \
    .take = option_take_number, OPTION_TO(member), .noun = (noun_), \
    .least = (least_), .most = (most_)
#define CHOICE(member, find_, noun_, words_) \
    .take = option_take_choice, OPTION_TO(member), .find = (find_), .noun = (noun_), \
    .words = (words_)
#define MACHINE(member)      CHOICE(member, option_find_machine, "machine", option_machines + 1)
#define VARIANT(member)      CHOICE(member, option_find_variant, "variant", "adreno xenos")
/* An id to explain. noun_ and listed are for the message about an unknown id. */
#define EXPLAINED(member, noun_, listed) \
    .take = option_take_explained, OPTION_TO(member), .noun = (noun_), .expected = (listed)
#define TRACE_FILE(member)   .take = option_take_trace_file, OPTION_TO(member)
/* A function of the verb, which receives the whole structure, or a member. */
#define BY(function)         .take = (function)
#define BY_PART(function, member) .take = (function), OPTION_TO(member)
/* Environment variables of a shim. */
#define VARIABLE(variable_, value) \
    .take = option_take_variable, .variable = (variable_), .expected = (value)
#define VARIABLE_NUMBER(variable_, noun_, least_, most_) \
    .take = option_take_number, .variable = (variable_), .noun = (noun_), \
    .least = (least_), .most = (most_)
/* Additions: a bool that is true if the option is given; a number for the function; the words of
 * the shells' completions; the accepted values in messages. */
#define GIVEN(member, how)   how, .given = 1 + offsetof(TARGET, member)
#define WITH(detail_, how)   how, .detail = (detail_)
#define WORDS(noun_, words_, how) how, .noun = (noun_), .words = (words_)
#define EXPECTED(text, how)  how, .expected = (text)
/* clang-format on */

#endif
