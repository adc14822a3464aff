/* SPDX-License-Identifier: MIT */
/* shader_arguments.c - see shader_arguments.h. */
#include "cli/run/shader_arguments.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/input_file.h"
#include "cli/option_rows.h"

enum { MOST_THREADS = 64, MOST_FILE = 64 << 20 };

void shader_arguments_begin(struct shader_arguments *arguments, const char *title)
{
    *arguments = (struct shader_arguments){.title = title, .verdict = {.title = title}};
    shader_draw_defaults(&arguments->draw, title);
}

void shader_arguments_free(struct shader_arguments *arguments)
{
    const struct option_list lists[] = {
        arguments->attributes, arguments->tables,  arguments->uniforms, arguments->uniform_tables,
        arguments->varyings,   arguments->choices, arguments->includes,
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i].items);
    free(arguments->defines.items);
    shader_draw_options_free(&arguments->draw);
    *arguments = (struct shader_arguments){0};
}

#define TARGET struct shader_arguments

const struct option_row shader_rows[] = {
#include "cli/run/shader.def"
    OPTIONS_END};

const struct option_row shader_last_rows[] = {
#include "cli/run/shader_last.def"
    OPTIONS_END};

#undef TARGET

int shader_arguments_work(struct shader_arguments *arguments, int argc, char **argv,
                          int (*work)(void *user), void *user)
{
    struct verdict_options *verdict = &arguments->verdict;
    if (arguments->explain) {
        explain_print(stdout, arguments->explain, false, arguments->json);
        return CLI_DONE;
    }
    arguments->path = cli_one_file(arguments->title, "shader", argc, argv);
    if (!arguments->path)
        return CLI_USAGE;
    return verdict_end(verdict, verdict_begin(verdict, arguments->path) ? work(user) : CLI_USAGE);
}

/* --- the file --- */

const char *shader_arguments_name(const struct shader_arguments *arguments)
{
    return input_file_name(arguments->path);
}

struct tess_asm_options shader_arguments_assembly(const struct shader_arguments *arguments,
                                                  enum tess_machine machine)
{
    return (struct tess_asm_options){.machine = machine,
                                     .include_dirs = arguments->includes.items,
                                     .include_dir_count = arguments->includes.count,
                                     .defines = arguments->defines.items,
                                     .define_count = arguments->defines.count,
                                     .max_errors = message_limit_errors(),
                                     .skip_check = true};
}

bool shader_arguments_read(const struct shader_arguments *arguments, struct report *report,
                           void **bytes, size_t *size)
{
    uint8_t *read;
    bool good = input_file_read(arguments->path, MOST_FILE, report_sink(report), &read, size);
    *bytes = read;
    return good;
}
