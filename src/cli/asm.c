/* SPDX-License-Identifier: MIT */
/* asm.c - tessera asm: assembles sources into bytes, text or a scene. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/isa.h>

#include "cli.h"
#include "output.h"
#include "report.h"

static const char help[] =
    "Usage: tessera asm [OPTION]... FILE...\n"
    "Assembles FILEs, as one program, see docs/asm.md.\n\n"
    "  -m, --machine NAME      instruction set: qpu (default)\n"
    "  -f, --format FORMAT     bin (bytes), hex (words as text), c (initialiser of a uint32_t "
    "array)\n"
    "                          or elf (a scene); default by the ending of -o's name, else bin\n"
    "  -o, --output OUT        write to OUT; default is standard output\n"
    "  -I, --include DIR       look for included files in DIR, too\n"
    "  -i, --pre-include FILE  include FILE first, as .include <FILE> does; vc4.qinc is built in\n"
    "  -D, --define NAME=VALUE set a constant (1 if no value is given)\n"
    "      --json              diagnostics as JSON lines on standard error\n"
    "      --help              this text\n";

enum { OPTION_JSON = 256, OPTION_HELP };

static const struct option options[] = {
    {"machine",          required_argument, NULL, 'm'},
    {"format",              required_argument, NULL, 'f'},
    {"output",                  required_argument, NULL, 'o'},
    {"include",required_argument, NULL, 'I'},
    {"pre-include",               required_argument, NULL, 'i'},
    {"define",           required_argument, NULL, 'D'},
    {"json",              no_argument, NULL, OPTION_JSON},
    {"help",                  no_argument, NULL, OPTION_HELP},
    {0             },
};

static const struct {
    const char *name, *ending;
    enum tess_asm_format format;
} formats[] = {
    {"bin", ".bin", TESS_ASM_BIN},
    {"hex", ".hex", TESS_ASM_HEX},
    {"c",   ".c",   TESS_ASM_C  },
    {"elf", ".elf", TESS_ASM_ELF},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

struct arguments {
    struct tess_asm_options assembly;
    const char **include_dirs, **pre_includes;
    struct tess_asm_define *defines;
    const char *title, *output;
    bool has_format, json, help;
};

static bool take_format(struct arguments *arguments, const char *name)
{
    for (int i = 0; i < FORMATS; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            arguments->assembly.format = formats[i].format;
            arguments->has_format = true;
            return true;
        }
    }
    cli_usage_error(arguments->title, "there is no format '%s'", name);
    return false;
}

static void format_by_ending(struct arguments *arguments)
{
    size_t length = strlen(arguments->output);
    for (int i = 0; i < FORMATS; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length > ending && strcmp(arguments->output + length - ending, formats[i].ending) == 0)
            arguments->assembly.format = formats[i].format;
    }
}

/* Cuts NAME=VALUE in place. */
static void take_define(struct arguments *arguments, char *text)
{
    char *equals = strchr(text, '=');
    if (equals)
        *equals = '\0';
    arguments->defines[arguments->assembly.define_count++] = (struct tess_asm_define){
        text, equals ? equals + 1 : "1"};
}

/* False if the option or its value is not understood; getopt or this function has said why. */
static bool take_option(struct arguments *arguments, int option)
{
    switch (option) {
    case 'm': return cli_machine(arguments->title, optarg, &arguments->assembly.machine);
    case 'f': return take_format(arguments, optarg);
    case 'o': arguments->output = optarg; return true;
    case 'I':
        arguments->include_dirs[arguments->assembly.include_dir_count++] = optarg;
        return true;
    case 'i':
        arguments->pre_includes[arguments->assembly.pre_include_count++] = optarg;
        return true;
    case 'D': take_define(arguments, optarg); return true;
    case OPTION_JSON: arguments->json = true; return true;
    case OPTION_HELP: arguments->help = true; return true;
    default: cli_usage_hint(arguments->title); return false;
    }
}

static bool is_text(enum tess_asm_format format)
{
    return format == TESS_ASM_HEX || format == TESS_ASM_C;
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = getopt_long(argc, argv, "m:f:o:I:i:D:", options, NULL)) != -1)
        if (!take_option(arguments, option))
            return false;
    if (arguments->help)
        return true;
    if (optind == argc) {
        cli_usage_error(arguments->title, "no source file given");
        return false;
    }
    if (!arguments->has_format)
        format_by_ending(arguments);
    if (strcmp(arguments->output, "-") == 0 && !is_text(arguments->assembly.format) &&
        isatty(STDOUT_FILENO)) {
        cli_usage_error(arguments->title,
                        "this would write bytes to the terminal; use -o or -f hex");
        return false;
    }
    return true;
}

static bool write_output(const struct arguments *arguments, const uint8_t *bytes, size_t size)
{
    struct output output;
    if (!output_open(&output, arguments->title, arguments->output))
        return false;
    fwrite(bytes, 1, size, output.stream);
    return output_close(&output);
}

static int assemble(const struct arguments *arguments, const char *const *paths, size_t count)
{
    struct report report = {.json = arguments->json};
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum tess_status status = tess_assemble(paths, count, &arguments->assembly,
                                            report_sink(&report), &bytes, &size);
    if (status == TESS_NO_MEMORY)
        fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
    report_end(&report);
    int result = cli_exit_status(status);
    if (status == TESS_OK && !write_output(arguments, bytes, size))
        result = CLI_USAGE;
    tess_free(bytes);
    return result;
}

int cli_asm(int argc, char **argv)
{
    struct arguments arguments = {.title = argv[0], .output = "-"};
    arguments.include_dirs = calloc((size_t)argc, sizeof *arguments.include_dirs);
    arguments.pre_includes = calloc((size_t)argc, sizeof *arguments.pre_includes);
    arguments.defines = calloc((size_t)argc, sizeof *arguments.defines);
    int result = CLI_USAGE;
    if (!arguments.include_dirs || !arguments.pre_includes || !arguments.defines) {
        fprintf(stderr, "%s: %s\n", argv[0], tess_status_text(TESS_NO_MEMORY));
    } else if (parse(&arguments, argc, argv)) {
        arguments.assembly.include_dirs = arguments.include_dirs;
        arguments.assembly.pre_includes = arguments.pre_includes;
        arguments.assembly.defines = arguments.defines;
        if (arguments.help) {
            fputs(help, stdout);
            result = CLI_DONE;
        } else {
            result = assemble(&arguments, (const char *const *)argv + optind,
                              (size_t)(argc - optind));
        }
    }
    free(arguments.include_dirs);
    free(arguments.pre_includes);
    free(arguments.defines);
    return result;
}
