/* SPDX-License-Identifier: MIT */
/* main.c - the tessera program: finds the verb and hands over. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "paths.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} verbs[] = {
    {"asm",    cli_asm,    "assemble shader programs"               },
    {"dis",    cli_dis,    "disassemble or explain shader programs" },
    {"check",  cli_check,  "find what the hardware would punish in silence"},
    {"run",    cli_run,    "run a scene on the model"               },
    {"decode", cli_decode, "list a scene's control records in words"},
    {"qpu",    cli_qpu,    "run a Raspberry Pi's GPGPU program, unmodified"},
    {"gl",     cli_gl,     "run a GL program on Mesa's vc4 driver"     },
};

enum { VERBS = sizeof verbs / sizeof verbs[0] };

int cli_exit_status(enum tess_status status)
{
    return status == TESS_OK ? CLI_DONE : status == TESS_WRONG ? CLI_WRONG : CLI_USAGE;
}

void cli_usage_hint(const char *title)
{
    fprintf(stderr, "Try '%s --help'.\n", title);
}

int cli_usage_error(const char *title, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", title);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    cli_usage_hint(title);
    return CLI_USAGE;
}

const char *cli_one_file(const char *title, const char *what, int argc, char **argv)
{
    if (optind + 1 == argc && strcmp(argv[optind], "-") != 0 && paths_is_folder(argv[optind]))
        fprintf(stderr,
                "%s: cannot read '%s': Is a directory; name one of the files in it ('tessera "
                "check' takes "
                "folders)\n",
                title, argv[optind]);
    else if (optind + 1 == argc)
        return argv[optind];
    else
        cli_usage_error(title, optind == argc ? "no %s given" : "more than one %s given", what);
    return NULL;
}

bool cli_number(const char *text, uint64_t *value)
{
    char *end;
    bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, hex ? 16 : 10);
    return *end == 0 && errno == 0;
}

bool cli_machine(const char *title, const char *name, enum tess_machine *machine)
{
    if (tess_machine_find(name, machine))
        return true;
    cli_usage_error(title, "there is no machine '%s'; they are qpu, gp and a2xx", name);
    return false;
}

bool cli_variant(const char *title, const char *name, enum tess_a2xx_variant *variant)
{
    if (tess_a2xx_variant_find(name, variant))
        return true;
    cli_usage_error(title, "there is no variant '%s'; they are adreno and xenos", name);
    return false;
}

static void print_help(FILE *stream)
{
    fprintf(stream,
            "Usage: tessera VERB [OPTION]... [FILE]...\n"
            "Assembles, disassembles, checks, runs and explains programs for classic mobile GPUs.\n\n");
    for (int i = 0; i < VERBS; i++)
        fprintf(stream, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(stream,
            "\n'tessera VERB --help' has more. A file name '-' is standard input or output.\n"
            "Exit status: 0 done, 1 the program under test is wrong, 2 usage or unreadable "
            "input.\n");
}

static int run_verb(const char *name, int argc, char **argv)
{
    char title[32];
    for (int i = 0; i < VERBS; i++) {
        if (strcmp(name, verbs[i].name) != 0)
            continue;
        snprintf(title, sizeof title, "tessera %s", name);
        argv[0] = title; /* getopt puts it in front of its messages */
        int status = verbs[i].run(argc, argv);
        bool whole = status == CLI_DONE || status == CLI_WRONG;
        return whole && !outputs_commit(title) ? CLI_USAGE : status;
    }
    return cli_usage_error("tessera", "there is no verb '%s'", name);
}

static int run_program(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return CLI_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("tessera %s\n", tess_version());
        return CLI_DONE;
    }
    return run_verb(argv[1], argc - 1, argv + 1);
}

/* What standard error has not taken is lost, too. */
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
    outputs_end();
    return status;
}
