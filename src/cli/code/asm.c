/* SPDX-License-Identifier: MIT */
/* asm.c - tessera asm: assembles the sources of one program.
 *
 * In:  options; source files.
 * Out: one or more outputs (bytes, text, C, an object, a scene); diagnostics on standard error.
 *
 * Source: the letters of the options -o, -C, -c, -h, -H and -e are those of vc4asm. A build script
 *         for vc4asm therefore only has to change the name of the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/isa.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/levels.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/verdict_options.h"
#include "front/report.h"

struct arguments {
    struct tess_asm_options assembly;
    struct option_list include_dirs, pre_includes;
    struct option_defines defines;
    struct tess_asm_output *outputs;
    size_t output_count;
    const char *title;
    struct levels levels;
    bool has_machine, has_format, json;
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

static bool find_format(const char *name, void *value)
{
    for (int i = 0; i < FORMATS; i++) {
        if (strcmp(name, formats[i].name) != 0)
            continue;
        *(enum tess_asm_format *)value = formats[i].format;
        return true;
    }
    return false;
}

static void print_formats(FILE *stream)
{
    for (int i = 0; i < FORMATS; i++)
        fprintf(stream, "  %-24s %s\n", formats[i].name, formats[i].help);
}

/* Adds an output. Its format may be the placeholder FORMAT_BY_ENDING. finish_outputs() replaces it
 * after all options are parsed, since -f may follow -o. Returns false after an error message. */
static bool add_output(struct arguments *arguments, const char *name, int format)
{
    if (!ARRAY_GROW(arguments->outputs, arguments->output_count))
        return cli_no_memory(arguments->title);
    arguments->outputs[arguments->output_count++] = (struct tess_asm_output){
        .format = (enum tess_asm_format)format, .name = name};
    return true;
}

static bool take_output(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    for (size_t i = 0; i < arguments->output_count; i++)
        if (strcmp(arguments->outputs[i].name, use->value) == 0)
            return option_refuse(use, "output '%s' is given twice", use->value);
    return add_output(arguments, use->value, (int)use->row->detail);
}

static bool take_level(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    return levels_take(&arguments->levels, use->title, use->value);
}

#define TARGET struct arguments
static const struct option_row rows[] = {
#include "cli/code/asm.def"
    OPTIONS_END};
#undef TARGET

const struct option_table asm_options = {.rows = rows, .column = 27};

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
    if (arguments->output_count == 0 && !add_output(arguments, "-", FORMAT_BY_ENDING))
        return false;
    for (size_t i = 0; i < arguments->output_count; i++) {
        struct tess_asm_output *output = &arguments->outputs[i];
        if ((int)output->format != FORMAT_BY_ENDING)
            continue;
        open++;
        output->format = arguments->has_format ? arguments->assembly.format
                                               : format_by_ending(output->name);
    }
    if (arguments->has_format && open != 1)
        return cli_refuse(arguments->title, "-f needs exactly one -o, but %zu are given", open);
    for (size_t i = 0; i < arguments->output_count; i++) {
        const struct tess_asm_output *output = &arguments->outputs[i];
        if (is_standard(output) && !is_text(output->format) && isatty(STDOUT_FILENO))
            return cli_refuse(arguments->title,
                              "refusing to write bytes to the terminal; use -o FILE or -f hex");
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

static void filter_message(void *user, const struct tess_finding *diag)
{
    const struct filter *filter = user;
    struct tess_finding levelled = *diag;
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

/* Determines the machine and the outputs, and assembles the sources. */
static int finish(struct arguments *arguments, const char *const *paths, size_t count)
{
    if (count == 0)
        return cli_usage_error(arguments->title, "no source file given");
    arguments->assembly.include_dirs = arguments->include_dirs.items;
    arguments->assembly.include_dir_count = arguments->include_dirs.count;
    arguments->assembly.pre_includes = arguments->pre_includes.items;
    arguments->assembly.pre_include_count = arguments->pre_includes.count;
    arguments->assembly.defines = arguments->defines.items;
    arguments->assembly.define_count = arguments->defines.count;
    if (!find_machine(arguments, paths, count) || !finish_outputs(arguments))
        return CLI_USAGE;
    return assemble(arguments, paths, count);
}

int cli_asm(int argc, char **argv)
{
    struct arguments arguments = {.title = argv[0]};
    int result = options_parse(&asm_options, &arguments, argc, argv);
    if (result == OPTIONS_PARSED)
        result = finish(&arguments, (const char *const *)argv + optind, (size_t)(argc - optind));
    free(arguments.include_dirs.items);
    free(arguments.pre_includes.items);
    free(arguments.defines.items);
    free(arguments.outputs);
    levels_free(&arguments.levels);
    return result;
}
