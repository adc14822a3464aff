/* SPDX-License-Identifier: MIT */
/* arguments.c - parts of command lines that all verbs have: messages about wrong usage, numbers,
 * names of machines.
 *
 * In:  arguments of a verb.
 * Out: values; messages. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

int cli_exit_status(enum tess_status status)
{
    return status == TESS_OK ? CLI_DONE : status == TESS_WRONG ? CLI_WRONG : CLI_USAGE;
}

void cli_usage_hint(const char *title)
{
    fprintf(stderr, "Try '%s --help' for more information.\n", title);
}

void cli_usage_error_list(const char *title, const char *format, va_list arguments)
{
    fprintf(stderr, "%s: ", title);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    cli_usage_hint(title);
}

int cli_usage_error(const char *title, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_usage_error_list(title, format, arguments);
    va_end(arguments);
    return CLI_USAGE;
}

bool cli_refuse(const char *title, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_usage_error_list(title, format, arguments);
    va_end(arguments);
    return false;
}

bool cli_no_memory(const char *title)
{
    fprintf(stderr, "%s: %s\n", title, tess_status_text(TESS_NO_MEMORY));
    return false;
}

bool cli_trace_file(const char *title, const char *path)
{
    uint64_t number;
    if (!cli_number(path, &number))
        return true;
    return cli_refuse(title,
                      "invalid file name '%s' for --trace; use --trace-vertex %s to trace a vertex "
                      "of a shader, or --trace ./%s to write a file with this name",
                      path, path, path);
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

/* Returns the names of all machines, such as "qpu, gp or a2xx". */
static const char *machine_names(void)
{
    static char text[128];
    const char *name;
    size_t length = 0;
    for (int i = 0; (name = tess_machine_name((enum tess_machine)i)) != NULL; i++) {
        bool last = !tess_machine_name((enum tess_machine)(i + 1));
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                   i == 0 ? ""
                                   : last ? " or "
                                          : ", ",
                                   name);
    }
    return text;
}

bool cli_machine(const char *title, const char *name, enum tess_machine *machine)
{
    if (tess_machine_find(name, machine))
        return true;
    return cli_refuse(title, "unknown machine '%s'; expected %s", name, machine_names());
}
