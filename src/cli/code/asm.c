/* SPDX-License-Identifier: MIT */
/* asm.c - tessera asm: assembles the sources of one program.
 *
 * In:  options; source files.
 * Out: one or more outputs (bytes, text, C, an object, a scene); diagnostics on standard error.
 *
 * Source: the letters of the options -o, -C, -c, -h, -H and -e are those of vc4asm. A build script
 *         for vc4asm therefore only has to change the name of the program. */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/isa.h>

#include "cli/cli.h"
#include "cli/levels.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/suggest.h"
#include "cli/verdict_options.h"
#include "front/report.h"

struct arguments {
    struct tess_asm_options assembly;
    /* Arrays for the values of repeated options, with one element per argument of the command line.
     * The members of assembly point into them. */
    const char **include_dirs, **pre_includes;
    struct tess_asm_define *defines;
    struct tess_asm_output *outputs;
    size_t output_count;
    const char *title;
    struct levels levels;
    bool has_machine, has_format, check, json, help;
};

/* --- formats --- */

static const struct {
    /* ending: without -f, file names with this ending select the format. May be NULL. */
    const char *name, *ending;
    enum tess_asm_format format;
    bool text;
    const char *help;
} formats[] = {
    /* clang-format off */
    /* clang-format off */
    {"bin",           ".bin", TESS_ASM_BIN,           false, "raw bytes"},
    {"hex",           ".hex", TESS_ASM_HEX,           true,  "words as text"},
    {"c",             ".c",   TESS_ASM_C,             true,
     "words in braces, the initialiser of a uint32_t array"},
    {"c-file",        NULL,   TESS_ASM_C_FILE,        true,  "C file that defines an array"},
    {"header",        ".h",   TESS_ASM_HEADER,        true,
     "header of c-file, with the values of global symbols"},
    {"header-extern", NULL,   TESS_ASM_HEADER_EXTERN, true,  "header of obj"},
    {"obj",           ".o",   TESS_ASM_OBJECT,        false, "ELF object for ARM linkers"},
    {"elf",           ".elf", TESS_ASM_ELF,           false, "scene for tessera run"},
    /* clang-format on */
    /* clang-format on */
};

enum { FORMATS = sizeof formats / sizeof formats[0], FORMAT_BY_ENDING = -1 };

static enum tess_asm_format format_by_ending(const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < FORMATS; i++) {
        size_t ending = formats[i].ending ? strlen(formats[i].ending) : length;
        if (length > ending && strcmp(path + length - ending, formats[i].ending) == 0)
            return formats[i].format;
    }
    return TESS_ASM_BIN;
}

static bool is_text(enum tess_asm_format format)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].format == format)
            return formats[i].text;
    return false;
}

/* --- options --- */

static bool take_machine(struct arguments *arguments, char *text, int detail);
static bool take_variant(struct arguments *arguments, char *text, int detail);
static bool take_format(struct arguments *arguments, char *text, int detail);
static bool take_output(struct arguments *arguments, char *text, int format);
static bool take_include(struct arguments *arguments, char *text, int detail);
static bool take_pre_include(struct arguments *arguments, char *text, int detail);
static bool take_define(struct arguments *arguments, char *text, int detail);
static bool take_flag(struct arguments *arguments, char *text, int offset);
static bool take_level(struct arguments *arguments, char *text, int detail);
static bool take_color(struct arguments *arguments, char *text, int detail);
static bool take_max_messages(struct arguments *arguments, char *text, int detail);

enum { OPTION_JSON = 256, OPTION_NO_CHECK, OPTION_VARIANT, OPTION_HELP };

enum {
    FLAG_COMMENTS = offsetof(struct arguments, assembly.comments),
    FLAG_NO_SYMBOLS = offsetof(struct arguments, assembly.no_symbols),
    FLAG_CHECK = offsetof(struct arguments, check),
    FLAG_NO_CHECK = offsetof(struct arguments, assembly.skip_check),
    FLAG_JSON = offsetof(struct arguments, json),
    FLAG_HELP = offsetof(struct arguments, help),
};

/* Table of the options. The columns are the letter (or a number above all letters if the option has
 * no letter), the long name, the placeholder for the value in the help (NULL if the option has no
 * value), the handler, a number that is passed to the handler, and the text of the help. */
static const struct rule {
    int letter;
    const char *name, *value;
    bool (*take)(struct arguments *arguments, char *text, int detail);
    int detail;
    const char *help;
} rules[] = {
    {'m', "machine", "NAME", take_machine, 0,
     "set the machine: qpu, gp or a2xx (default: from FILE, else qpu)"},
    {OPTION_VARIANT, "variant", "NAME", take_variant, 0,
     "set the A2xx variant: adreno (default) or xenos"},
    {'f', "format", "FORMAT", take_format, 0,
     "set the format of OUT (default: from its name, else bin)"},
    {'o', "output", "OUT", take_output, FORMAT_BY_ENDING,
     "write the program to OUT (default: standard output)"},
    {'C', "hex", "OUT", take_output, TESS_ASM_HEX, "write format hex to OUT"},
    {'c', "c-file", "OUT", take_output, TESS_ASM_C_FILE, "write format c-file to OUT"},
    {'h', "header", "OUT", take_output, TESS_ASM_HEADER, "write format header to OUT"},
    {'H', "header-extern", "OUT", take_output, TESS_ASM_HEADER_EXTERN,
     "write format header-extern to OUT"},
    {'e', "object", "OUT", take_output, TESS_ASM_OBJECT, "write format obj to OUT"},
    {'v', "comments", NULL, take_flag, FLAG_COMMENTS,
     "add offsets, labels and source lines to -C and -c"},
    {'s', "no-symbols", NULL, take_flag, FLAG_NO_SYMBOLS,
     "omit symbols named after files in -e and -H"},
    {'I', "include", "DIR", take_include, 0, "search DIR for included files"},
    {'i', "pre-include", "FILE", take_pre_include, 0,
     "include FILE first (built in: vc4.qinc, gp.inc)"},
    {'D', "define", "NAME=VALUE", take_define, 0, "define a constant (VALUE defaults to 1)"},
    {'V', "check", NULL, take_flag, FLAG_CHECK, "check the program (default)"},
    {OPTION_NO_CHECK, "no-check", NULL, take_flag, FLAG_NO_CHECK,
     "omit the warnings of tessera check"},
    {'W', "rule", "ID=LEVEL", take_level, 0,
     "set the level of ID or all: off, note, warning or error"},
    {OPTION_JSON, "json", NULL, take_flag, FLAG_JSON,
     "print diagnostics as JSON lines to standard error"},
    {VERDICT_COLOR, "color", "WHEN", take_color, 0,
     "use colours: auto (on a terminal), always or never"},
    {VERDICT_MAX_MESSAGES, "max-messages", "N", take_max_messages, 0,
     "show up to N messages per severity (default 100; 0: all)"},
    {OPTION_HELP, "help", NULL, take_flag, FLAG_HELP, "print this help"},
};

enum { RULES = sizeof rules / sizeof rules[0], HELP_COLUMN = 26 };

static bool take_machine(struct arguments *arguments, char *text, int detail)
{
    (void)detail;
    arguments->has_machine = true;
    return cli_machine(arguments->title, text, &arguments->assembly.machine);
}

static bool take_variant(struct arguments *arguments, char *text, int detail)
{
    (void)detail;
    return cli_variant(arguments->title, text, &arguments->assembly.variant);
}

static bool take_format(struct arguments *arguments, char *text, int detail)
{
    (void)detail;
    for (int i = 0; i < FORMATS; i++) {
        if (strcmp(text, formats[i].name) == 0) {
            arguments->assembly.format = formats[i].format;
            arguments->has_format = true;
            return true;
        }
    }
    cli_usage_error(arguments->title,
                    "unknown format '%s'; expected bin, hex, c, c-file, header, header-extern, obj "
                    "or elf",
                    text);
    return false;
}

static bool take_output(struct arguments *arguments, char *text, int format)
{
    for (size_t i = 0; i < arguments->output_count; i++) {
        if (strcmp(arguments->outputs[i].name, text) == 0) {
            cli_usage_error(arguments->title, "output '%s' is given twice", text);
            return false;
        }
    }
    /* format may be the placeholder FORMAT_BY_ENDING. finish_outputs() replaces it after all
     * options are parsed, since -f may follow -o. */
    arguments->outputs[arguments->output_count++] = (struct tess_asm_output){
        .format = (enum tess_asm_format)format, .name = text};
    return true;
}

static bool take_include(struct arguments *arguments, char *text, int detail)
{
    (void)detail;
    arguments->include_dirs[arguments->assembly.include_dir_count++] = text;
    return true;
}

static bool take_pre_include(struct arguments *arguments, char *text, int detail)
{
    (void)detail;
    arguments->pre_includes[arguments->assembly.pre_include_count++] = text;
    return true;
}

/* Splits NAME=VALUE in place and adds the definition. */
static bool take_define(struct arguments *arguments, char *text, int detail)
{
    (void)detail;
    char *equals = strchr(text, '=');
    if (equals)
        *equals = '\0';
    arguments->defines[arguments->assembly.define_count++] = (struct tess_asm_define){
        text, equals ? equals + 1 : "1"};
    return true;
}

static bool take_flag(struct arguments *arguments, char *text, int offset)
{
    (void)text;
    *(bool *)((char *)arguments + offset) = true;
    return true;
}

static bool take_color(struct arguments *arguments, char *text, int detail)
{
    (void)text;
    (void)detail;
    return verdict_color(arguments->title);
}

static bool take_max_messages(struct arguments *arguments, char *text, int detail)
{
    (void)text;
    (void)detail;
    return verdict_max_messages(arguments->title);
}

static bool take_level(struct arguments *arguments, char *text, int detail)
{
    (void)detail;
    return levels_take(&arguments->levels, arguments->title, text);
}

static void print_rule(const struct rule *rule)
{
    char names[80];
    int length = rule->letter < OPTION_JSON ? snprintf(names, sizeof names, "  -%c, ", rule->letter)
                                            : snprintf(names, sizeof names, "      ");
    snprintf(names + length, sizeof names - (size_t)length, "--%s%s%s", rule->name,
             rule->value ? " " : "", rule->value ? rule->value : "");
    printf("%-*s %s\n", HELP_COLUMN, names, rule->help);
}

static void print_help(void)
{
    printf("Usage: tessera asm [OPTION]... FILE...\n"
           "Assemble FILEs as one program. See docs/asm.md.\n\n");
    for (int i = 0; i < RULES; i++)
        print_rule(&rules[i]);
    printf("\nOptions with an OUT can be combined. Formats:\n\n");
    for (int i = 0; i < FORMATS; i++)
        printf("  %-*s %s\n", HELP_COLUMN - 2, formats[i].name, formats[i].help);
}

static const struct rule *find_rule(int letter)
{
    for (int i = 0; i < RULES; i++)
        if (rules[i].letter == letter)
            return &rules[i];
    return NULL;
}

/* Parses all options. Returns false after an error message if an option or its value is invalid. */
static bool take_options(struct arguments *arguments, int argc, char **argv)
{
    struct option options[RULES + 1] = {0};
    char letters[2 * RULES + 1], *next = letters;
    for (int i = 0; i < RULES; i++) {
        options[i] = (struct option){rules[i].name, rules[i].value != NULL, NULL, rules[i].letter};
        if (rules[i].letter < OPTION_JSON)
            *next++ = (char)rules[i].letter;
        if (rules[i].letter < OPTION_JSON && rules[i].value)
            *next++ = ':';
    }
    *next = '\0';
    int letter;
    while ((letter = suggest_getopt(argc, argv, letters, options)) != -1) {
        const struct rule *rule = find_rule(letter);
        if (!rule) {
            cli_usage_hint(arguments->title);
            return false;
        }
        if (!rule->take(arguments, optarg, rule->detail))
            return false;
    }
    return true;
}

/* --- outputs --- */

static bool is_standard(const struct tess_asm_output *output)
{
    return strcmp(output->name, "-") == 0;
}

/* Sets the format of each output of -o. Adds standard output if no option names an output. Returns
 * false after an error message if -f is given without exactly one -o, or if bytes would be written
 * to a terminal. */
static bool finish_outputs(struct arguments *arguments)
{
    size_t open = 0;
    if (arguments->output_count == 0)
        take_output(arguments, "-", FORMAT_BY_ENDING);
    for (size_t i = 0; i < arguments->output_count; i++) {
        struct tess_asm_output *output = &arguments->outputs[i];
        if ((int)output->format != FORMAT_BY_ENDING)
            continue;
        open++;
        output->format = arguments->has_format ? arguments->assembly.format
                                               : format_by_ending(output->name);
    }
    if (arguments->has_format && open != 1) {
        cli_usage_error(arguments->title, "-f needs exactly one -o, but %zu are given", open);
        return false;
    }
    for (size_t i = 0; i < arguments->output_count; i++) {
        const struct tess_asm_output *output = &arguments->outputs[i];
        if (is_standard(output) && !is_text(output->format) && isatty(STDOUT_FILENO)) {
            cli_usage_error(arguments->title,
                            "refusing to write bytes to the terminal; use -o FILE or -f hex");
            return false;
        }
    }
    return true;
}

/* Determines the machine of the sources. Returns false after an error message if a source is a
 * folder or the sources are for different machines. */
static bool find_machine(struct arguments *arguments, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(paths[i], "-") == 0 || !paths_is_folder(paths[i]))
            continue;
        fprintf(stderr, "%s: cannot read '%s': Is a directory; name the files of one program\n",
                arguments->title, paths[i]);
        return false;
    }
    return arguments->has_machine ||
           paths_one_machine(arguments->title, paths, count, &arguments->assembly.machine);
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    if (!take_options(arguments, argc, argv))
        return false;
    if (arguments->help)
        return true;
    if (optind == argc) {
        cli_usage_error(arguments->title, "no source file given");
        return false;
    }
    return find_machine(arguments, (const char *const *)argv + optind, (size_t)(argc - optind)) &&
           finish_outputs(arguments);
}

static bool write_file(const struct arguments *arguments, const struct tess_asm_output *result)
{
    struct output output;
    if (!output_open(&output, arguments->title, result->name))
        return false;
    fwrite(result->bytes, 1, result->size, output.stream);
    return output_close(&output);
}

/* Writes all outputs. Standard output is written last, since text on standard output cannot be
 * withdrawn if a file cannot be written. */
static bool write_outputs(const struct arguments *arguments)
{
    bool good = true;
    for (size_t i = 0; i < arguments->output_count; i++)
        if (!is_standard(&arguments->outputs[i]))
            good = write_file(arguments, &arguments->outputs[i]) && good;
    for (size_t i = 0; i < arguments->output_count && good; i++)
        if (is_standard(&arguments->outputs[i]))
            good = write_file(arguments, &arguments->outputs[i]);
    return good;
}

/* Assembles the sources. During the assembly the output with the name "-" has the name NULL, which
 * the library expects for standard output. */
static enum tess_status run(struct arguments *arguments, const char *const *paths, size_t count,
                            struct tess_sink sink)
{
    size_t standard = arguments->output_count;
    for (size_t i = 0; i < arguments->output_count; i++)
        if (is_standard(&arguments->outputs[i]))
            standard = i;
    if (standard < arguments->output_count)
        arguments->outputs[standard].name = NULL;
    enum tess_status status = tess_assemble_outputs(paths, count, &arguments->assembly, sink,
                                                    arguments->outputs, arguments->output_count);
    if (standard < arguments->output_count)
        arguments->outputs[standard].name = "-";
    return status;
}

/* Filter that applies the levels of -W to each diagnostic. Passes the diagnostic to sink unless its
 * level is "off". */
struct filter {
    const struct levels *levels;
    struct tess_sink sink;
};

static void filter_message(void *user, const struct tess_diag *diag)
{
    const struct filter *filter = user;
    struct tess_diag levelled = *diag;
    if (levels_apply(filter->levels, &levelled))
        filter->sink.report(filter->sink.user, &levelled);
}

static int assemble(struct arguments *arguments, const char *const *paths, size_t count)
{
    struct report report = {.json = arguments->json};
    struct filter filter = {&arguments->levels, report_sink(&report)};
    arguments->assembly.max_errors = message_limit_errors();
    enum tess_status status = run(arguments, paths, count,
                                  (struct tess_sink){filter_message, &filter});
    if (status == TESS_OK && report.errors)
        status = TESS_WRONG; /* a warning was raised to an error */
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
    report_total(&report);
    int result = cli_exit_status(status);
    if (status == TESS_OK && !write_outputs(arguments))
        result = CLI_USAGE;
    for (size_t i = 0; i < arguments->output_count; i++)
        tess_free(arguments->outputs[i].bytes);
    return result;
}

/* Allocates the arrays of arguments, each with count elements. Returns false after an error message
 * if the host is out of memory. */
static bool make_room(struct arguments *arguments, size_t count)
{
    arguments->include_dirs = calloc(count, sizeof *arguments->include_dirs);
    arguments->pre_includes = calloc(count, sizeof *arguments->pre_includes);
    arguments->defines = calloc(count, sizeof *arguments->defines);
    arguments->outputs = calloc(count, sizeof *arguments->outputs);
    arguments->assembly.include_dirs = arguments->include_dirs;
    arguments->assembly.pre_includes = arguments->pre_includes;
    arguments->assembly.defines = arguments->defines;
    if (arguments->include_dirs && arguments->pre_includes && arguments->defines &&
        arguments->outputs)
        return true;
    fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(TESS_NO_MEMORY));
    return false;
}

int cli_asm(int argc, char **argv)
{
    struct arguments arguments = {.title = argv[0]};
    int result = CLI_USAGE;
    if (make_room(&arguments, (size_t)argc + 1) && parse(&arguments, argc, argv)) {
        if (arguments.help) {
            print_help();
            result = CLI_DONE;
        } else {
            result = assemble(&arguments, (const char *const *)argv + optind,
                              (size_t)(argc - optind));
        }
    }
    free(arguments.include_dirs);
    free(arguments.pre_includes);
    free(arguments.defines);
    free(arguments.outputs);
    levels_free(&arguments.levels);
    return result;
}
