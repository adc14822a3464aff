/* SPDX-License-Identifier: MIT */
/* shader_arguments.c - see shader_arguments.h. */
#include "cli/run/shader_arguments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/input_file.h"

enum { MOST_THREADS = 64, MOST_FILE = 64 << 20 };

static struct shader_list *lists_of(struct shader_arguments *arguments, size_t index)
{
    struct shader_list *const lists[] = {
        &arguments->attributes,     &arguments->tables,   &arguments->uniforms,
        &arguments->uniform_tables, &arguments->varyings, &arguments->choices,
        &arguments->includes,
    };
    return index < sizeof lists / sizeof lists[0] ? lists[index] : NULL;
}

bool shader_list_begin(struct shader_list *list, size_t most)
{
    list->items = calloc(most, sizeof *list->items);
    return list->items != NULL;
}

bool shader_list_add(struct shader_list *list, const char *item)
{
    list->items[list->count++] = item;
    return true;
}

bool shader_arguments_begin(struct shader_arguments *arguments, int argc, char **argv)
{
    size_t most = (size_t)argc;
    struct shader_list *list;
    *arguments = (struct shader_arguments){.title = argv[0], .verdict = {.title = argv[0]}};
    arguments->defines = calloc(most, sizeof *arguments->defines);
    shader_draw_defaults(&arguments->draw, argv[0]);
    bool good = arguments->defines != NULL;
    for (size_t i = 0; (list = lists_of(arguments, i)) != NULL; i++)
        good &= shader_list_begin(list, most);
    if (!good)
        fprintf(stderr, "%s: %s\n", argv[0], tess_status_text(TESS_NO_MEMORY));
    return good;
}

void shader_arguments_free(struct shader_arguments *arguments)
{
    struct shader_list *list;
    for (size_t i = 0; (list = lists_of(arguments, i)) != NULL; i++)
        free(list->items);
    free(arguments->defines);
    shader_draw_options_free(&arguments->draw);
    *arguments = (struct shader_arguments){0};
}

static bool take_number(const struct shader_arguments *arguments, const char *what, uint64_t least,
                        uint64_t most, uint64_t *number)
{
    if (cli_number(optarg, number) && *number >= least && *number <= most)
        return true;
    cli_usage_error(arguments->title, "invalid %s '%s': expected %" PRIu64 " to %" PRIu64, what,
                    optarg, least, most);
    return false;
}

static bool take_threads(struct shader_arguments *arguments)
{
    uint64_t threads;
    if (!take_number(arguments, "thread count", 1, MOST_THREADS, &threads))
        return false;
    arguments->threads = (unsigned)threads;
    return true;
}

/* Parses "NAME=VALUE" or "NAME", which is split in place, and adds the definition. Without a value,
 * NAME is defined as 1. */
static bool take_define(struct shader_arguments *arguments)
{
    char *equals = strchr(optarg, '=');
    if (equals)
        *equals = 0;
    arguments->defines[arguments->define_count++] = (struct tess_asm_define){
        optarg, equals ? equals + 1 : "1"};
    return true;
}

static bool take_explain(struct shader_arguments *arguments)
{
    arguments->explain = optarg;
    if (explain_knows(optarg))
        return true;
    explain_unknown(arguments->title, "finding", optarg,
                    "docs/utgard/findings.md and docs/a2xx/findings.md");
    return false;
}

static bool take_trace(struct shader_arguments *arguments)
{
    arguments->has_trace = true;
    arguments->trace_path = optarg;
    return cli_trace_file(arguments->title, optarg);
}

bool shader_arguments_take(struct shader_arguments *arguments, int option)
{
    static const uint64_t most = UINT32_MAX;
    if (verdict_is_option(option))
        return verdict_take(&arguments->verdict, option);
    if (shader_draw_is_option(option))
        return shader_draw_take(&arguments->draw, option);
    switch (option) {
    case 'm': return true; /* cli_run() has handled -m */
    case 'o': arguments->output = optarg; return true;
    case 'I': return shader_list_add(&arguments->includes, optarg);
    case 'D': return take_define(arguments);
    case SHADER_ATTRIBUTE: return shader_list_add(&arguments->attributes, optarg);
    case SHADER_ATTRIBUTE_TABLE: return shader_list_add(&arguments->tables, optarg);
    case SHADER_UNIFORM: return shader_list_add(&arguments->uniforms, optarg);
    case SHADER_UNIFORM_TABLE: return shader_list_add(&arguments->uniform_tables, optarg);
    case SHADER_VARYING: return shader_list_add(&arguments->varyings, optarg);
    case SHADER_VERTICES:
        return take_number(arguments, "vertex count", 1, most, &arguments->vertices);
    case SHADER_FIRST: return take_number(arguments, "vertex number", 0, most, &arguments->first);
    case SHADER_TRACE: return take_trace(arguments);
    case SHADER_TRACE_VERTEX:
        arguments->has_trace = true;
        return take_number(arguments, "vertex number", 0, most, &arguments->trace);
    case SHADER_MAX_INSTRUCTIONS:
        return take_number(arguments, "instruction limit", 1, UINT64_MAX,
                           &arguments->max_instructions);
    case SHADER_CHOOSE: return shader_list_add(&arguments->choices, optarg);
    case SHADER_THREADS: return take_threads(arguments);
    case SHADER_STRICT: arguments->strict = true; return true;
    case SHADER_STATS: arguments->stats = true; return true;
    case SHADER_JSON: arguments->json = true; return true;
    case SHADER_PROGRESS: arguments->progress = true; return true;
    case SHADER_QUIET: arguments->quiet = true; return true;
    case SHADER_SANITIZE: arguments->no_sanitize = false; return true;
    case SHADER_NO_SANITIZE: arguments->no_sanitize = true; return true;
    case SHADER_EXPLAIN: return take_explain(arguments);
    case SHADER_HELP: arguments->help = true; return true;
    default: cli_usage_hint(arguments->title); return false;
    }
}

bool shader_arguments_end(struct shader_arguments *arguments, int argc, char **argv)
{
    if (arguments->help || arguments->explain)
        return true;
    arguments->path = cli_one_file(arguments->title, "shader", argc, argv);
    return arguments->path != NULL;
}

/* --- the file --- */

const char *shader_arguments_name(const struct shader_arguments *arguments)
{
    return input_file_name(arguments->path);
}

bool shader_arguments_read(const struct shader_arguments *arguments, struct report *report,
                           void **bytes, size_t *size)
{
    uint8_t *read;
    bool good = input_file_read(arguments->path, MOST_FILE, report_sink(report), &read, size);
    *bytes = read;
    return good;
}
