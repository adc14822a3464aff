/* SPDX-License-Identifier: MIT */
/* main.c - the tessera program: finds the verb and runs it.
 *
 * In:  the command line.
 * Out: the verb's outputs; help, version and lists of ids; an exit status. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tessera/finding.h>

#include "base/json.h"
#include "cli.h"
#include "explain.h"
#include "option_rows.h"
#include "output.h"
#include "pages.h"
#include "paths.h"
#include "suggest.h"
#include "written_files.h"

static int cli_help(int argc, char **argv);

struct arguments {
    bool ids, rules, options;
};

#define TARGET struct arguments
static const struct option_row help_rows[] = {
#include "help.def"
    OPTIONS_END};
#undef TARGET

static const struct option_table help_options = {.rows = help_rows, .column = 34};

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const struct option_table *options;
    const char *summary;
} verbs[] = {
    /* clang-format off */
    {"asm",      cli_asm,      &asm_options,      "assemble shader programs"},
    {"dis",      cli_dis,      &dis_options,      "disassemble or explain shader programs"},
    {"check",    cli_check,    &check_options,    "check shader programs against hardware rules"},
    {"run",      cli_run,      &run_options,      "run a scene on the model"},
    {"decode",   cli_decode,   &decode_options,   "list the control records of a scene"},
    {"qpu",      cli_qpu,      &qpu_options,      "run a GPGPU program of a Raspberry Pi"},
    {"gl",       cli_gl,       &gl_options,       "run a GL program on Mesa's vc4 driver"},
    {"pi",       cli_pi,       &pi_options,       "run a bare-metal kernel on a Raspberry Pi"},
    {"new",      cli_new,      &new_options,      "create a small working project in a folder"},
    {"tutorial", cli_tutorial, &tutorial_options, "write the files of a tutorial to a folder"},
    {"help",     cli_help,     &help_options,     "print help about a verb, an id or a page"},
    /* clang-format on */
};

enum { VERBS = sizeof verbs / sizeof verbs[0] };

static void print_help(FILE *stream)
{
    char folder[PATH_MAX];
    fprintf(stream,
            "Usage: tessera VERB [OPTION]... [FILE]...\n"
            "Assemble, disassemble, check, run and explain programs for classic mobile GPUs.\n\n");
    for (int i = 0; i < VERBS; i++)
        fprintf(stream, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(stream,
            "\nSee 'tessera VERB --help', 'tessera help VERB' or 'man tessera-VERB' for a verb.\n"
            "'tessera --version' or '-V' prints the version. The file name '-' is standard input\n"
            "or output.\n");
    if (pages_folder(folder, sizeof folder))
        fprintf(stream,
                "The pages docs/... are in %s/docs;\n"
                "'tessera help docs/README.md' prints the first page.\n",
                folder);
    fprintf(stream,
            "Exit status: 0 on success, 1 if the program under test is wrong, 2 on wrong usage "
            "or unreadable input.\n");
}

static int unknown_option(const char *word)
{
    struct suggestion suggestion = suggest_begin(word);
    suggest_try(&suggestion, "--help");
    suggest_try(&suggestion, "--version");
    if (suggestion.name)
        return cli_usage_error("tessera", "unrecognized option '%s'; did you mean '%s'?", word,
                               suggestion.name);
    return cli_usage_error(
        "tessera", "unrecognized option '%s'; options follow the verb, as in 'tessera VERB %s'",
        word, word);
}

/* Prints an error about an unknown verb, with a suggestion of the word that was probably meant. */
static int unknown_verb(const char *word, bool before_help)
{
    struct suggestion suggestion = suggest_begin(word);
    for (int i = 0; i < VERBS; i++)
        suggest_try(&suggestion, verbs[i].name);
    if (word[0] == '-')
        return unknown_option(word);
    if (before_help && !suggestion.name)
        suggestion.name = explain_nearest(word);
    if (suggestion.name)
        return cli_usage_error("tessera", "unknown verb '%s'; did you mean '%s'?", word,
                               suggestion.name);
    if (access(word, F_OK) == 0 && !before_help)
        return cli_usage_error("tessera", "unknown verb '%s'; did you mean 'tessera %s %s'?", word,
                               paths_is_folder(word) ? "check" : "run", word);
    return cli_usage_error("tessera", "unknown verb '%s'", word);
}

static int find_verb(const char *name)
{
    int verb = 0;
    while (verb < VERBS && strcmp(name, verbs[verb].name) != 0)
        verb++;
    return verb;
}

static int run_verb(const char *name, int argc, char **argv)
{
    char title[32];
    int verb = find_verb(name);
    if (verb == VERBS)
        return unknown_verb(name, false);
    snprintf(title, sizeof title, "tessera %s", name);
    argv[0] = title; /* getopt() prefixes its messages with argv[0] */
    int status = verbs[verb].run(argc, argv);
    bool whole = status == CLI_DONE || status == CLI_WRONG;
    return whole && !outputs_commit(title) ? CLI_USAGE : status;
}

/* Prints the help of a verb, the explanation of an id (of a rule, finding, erratum or message), or
 * a page. Further arguments are passed to the verb, as in "help run -m gp". */
static int help_of(int argc, char **argv)
{
    enum { MOST = 8 };
    static char option[] = "--help";
    char *arguments[MOST + 2];
    int count = argc < MOST ? argc : MOST;
    if (find_verb(argv[0]) < VERBS) {
        memcpy(arguments, argv, (size_t)count * sizeof *arguments);
        arguments[count] = option;
        arguments[count + 1] = NULL;
        return run_verb(argv[0], count + 1, arguments);
    }
    if (pages_is_name(argv[0]))
        return pages_print("tessera help", argv[0]);
    if (!explain_knows(argv[0]))
        return unknown_verb(argv[0], true);
    explain_print(stdout, argv[0], true, false);
    return CLI_DONE;
}

/* Prints ids, one per line, for shell completions and scripts. */
static int print_ids(bool rules_only)
{
    const struct tess_rule *rule;
    for (size_t i = 0; (rule = tess_rule_get(i)) != NULL && rule->of == TESS_RULE_CHECK; i++)
        puts(rule->id);
    if (!rules_only)
        explain_print_ids(stdout);
    return CLI_DONE;
}

/* Prints the options of all verbs as JSON, for the man pages and the shells' completions. */
static int print_options(void)
{
    struct json json = {.stream = stdout};
    json_begin_object(&json);
    json_member_array(&json, "verbs");
    for (int i = 0; i < VERBS; i++) {
        json_begin_object(&json);
        json_member_string(&json, "name", verbs[i].name);
        json_member_string(&json, "summary", verbs[i].summary);
        json_member_array(&json, "rows");
        options_json(&json, verbs[i].options->rows);
        json_end_array(&json);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    return CLI_DONE;
}

static int cli_help(int argc, char **argv)
{
    struct arguments arguments = {0};
    bool option = argc == 2 && argv[1][0] == '-' && options_have(help_rows, argv[1] + 2);
    if (option && options_parse(&help_options, &arguments, argc, argv) != OPTIONS_PARSED)
        return CLI_DONE;
    if (arguments.ids || arguments.rules)
        return print_ids(arguments.rules);
    if (arguments.options)
        return print_options();
    if (argc == 2 && strcmp(argv[1], "help") == 0)
        return options_help(&help_options, argv[0]);
    if (argc > 1)
        return help_of(argc - 1, argv + 1);
    print_help(stdout);
    return CLI_DONE;
}

static int run_program(int argc, char **argv)
{
    const char *first = argc < 2 ? "" : argv[1];
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        print_help(stdout);
        return CLI_DONE;
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        printf("tessera %s\n", tess_version());
        return CLI_DONE;
    }
    return run_verb(first, argc - 1, argv + 1);
}

/* Flushes standard output and standard error. Returns CLI_USAGE if standard output could not be
 * written, or if status is CLI_DONE and standard error could not be written. Otherwise returns
 * status. */
static int flush(int status)
{
    if (!output_flush_standard("tessera"))
        return CLI_USAGE;
    bool good = fflush(stderr) == 0 && !ferror(stderr);
    return good || status != CLI_DONE ? status : CLI_USAGE;
}

int main(int argc, char **argv)
{
    if (!outputs_begin())
        return CLI_USAGE;
    int status = flush(run_program(argc, argv));
    written_files_end(outputs_committed());
    outputs_end();
    return status;
}
