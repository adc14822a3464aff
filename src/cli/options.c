/* SPDX-License-Identifier: MIT */
/* options.c - see options.h. */
#include "cli/options.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/explain.h"
#include "cli/output.h"
#include "cli/suggest.h"

enum { MOST = 192, FIRST = 256, WIDTH = 90, EXPECTED_BYTES = 256 };

/* --- values --- */

bool option_refuse(const struct option_use *use, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_usage_error_list(use->title, format, arguments);
    va_end(arguments);
    return false;
}

static bool no_memory(const struct option_use *use)
{
    return cli_no_memory(use->title);
}

bool option_take_nothing(const struct option_use *use)
{
    (void)use;
    return true;
}

static void store(const struct option_use *use, uint64_t value)
{
    if (use->row->size == sizeof(uint8_t))
        *(uint8_t *)use->target = (uint8_t)value;
    else if (use->row->size == sizeof(uint32_t))
        *(uint32_t *)use->target = (uint32_t)value;
    else
        *(uint64_t *)use->target = value;
}

bool option_take_flag(const struct option_use *use)
{
    store(use, (uint64_t)use->row->detail);
    return true;
}

bool option_take_text(const struct option_use *use)
{
    *(const char **)use->target = use->value;
    return true;
}

bool option_take_list(const struct option_use *use)
{
    struct option_list *list = use->target;
    if (!ARRAY_GROW(list->items, list->count))
        return no_memory(use);
    list->items[list->count++] = use->value;
    return true;
}

/* Splits NAME=VALUE in place. Without a value, NAME is defined as 1. */
bool option_take_define(const struct option_use *use)
{
    struct option_defines *list = use->target;
    char *equals = strchr(use->value, '=');
    if (!ARRAY_GROW(list->items, list->count))
        return no_memory(use);
    if (equals)
        *equals = 0;
    list->items[list->count++] = (struct tess_asm_define){use->value, equals ? equals + 1 : "1"};
    return true;
}

/* Returns the values that an option accepts, as "1 to 64" or "adreno or xenos". */
static const char *expected(const struct option_row *row, char text[EXPECTED_BYTES])
{
    if (row->expected)
        return row->expected;
    if (!row->words) {
        snprintf(text, EXPECTED_BYTES, "%" PRIu64 " to %" PRIu64, row->least, row->most);
        return text;
    }
    size_t length = 0;
    const char *last = strrchr(row->words, ' ');
    for (const char *at = row->words; *at; at++) {
        const char *part = *at != ' ' ? (char[]){*at, 0} : at == last ? " or " : ", ";
        length += (size_t)snprintf(text + length, EXPECTED_BYTES - length, "%s", part);
    }
    return text;
}

bool option_take_number(const struct option_use *use)
{
    const struct option_row *row = use->row;
    char text[EXPECTED_BYTES];
    uint64_t value;
    if (!cli_number(use->value, &value) || value < row->least || value > row->most) {
        if (row->noun)
            return option_refuse(use, "invalid %s '%s': expected %s", row->noun, use->value,
                                 expected(row, text));
        return option_refuse(use, "invalid value '%s' for --%s; expected %s", use->value, row->name,
                             expected(row, text));
    }
    if (row->variable)
        return environment_set(use->title, row->variable, use->value);
    store(use, value);
    return true;
}

bool option_unknown(const struct option_use *use)
{
    const struct option_row *row = use->row;
    char text[EXPECTED_BYTES];
    if (row->noun)
        return option_refuse(use, "unknown %s '%s'; expected %s", row->noun, use->value,
                             expected(row, text));
    return option_refuse(use, "invalid value '%s' for --%s; expected %s", use->value, row->name,
                         expected(row, text));
}

bool option_take_choice(const struct option_use *use)
{
    return use->row->find(use->value, use->target) || option_unknown(use);
}

bool option_take_explained(const struct option_use *use)
{
    option_take_text(use);
    if (explain_knows(use->value))
        return true;
    explain_unknown(use->title, use->row->noun, use->value, use->row->expected);
    return false;
}

bool option_take_trace_file(const struct option_use *use)
{
    option_take_text(use);
    return cli_trace_file(use->title, use->value);
}

bool option_take_variable(const struct option_use *use)
{
    return environment_set(use->title, use->row->variable, use->row->expected);
}

const char option_machines[] =
#define MACHINE(NAME, name, extension, prefix, MODEL) " " name
#include "isa/machines.def"
    ;

bool option_find_machine(const char *word, void *value)
{
    return tess_machine_find(word, value);
}

bool option_find_variant(const char *word, void *value)
{
    return tess_a2xx_variant_find(word, value);
}

/* --- getopt --- */

/* The rows of a table and of its groups that take values, in their order. */
struct flat {
    struct option options[MOST + 1];
    struct {
        const struct option_row *row;
        size_t base; /* offset of the group's structure */
    } uses[MOST];
    char letters[2 * MOST + 2];
    size_t count;
};

static bool is_row(const struct option_row *row)
{
    return row->name || row->help || row->group || row->print;
}

static int kind_of(const struct option_row *row)
{
    if (!row->argument)
        return no_argument;
    return row->argument[0] == '[' ? optional_argument : required_argument;
}

static void add(struct flat *flat, const struct option_row *row, size_t base)
{
    char letter[] = {row->letter, kind_of(row) == required_argument ? ':' : 0, 0};
    for (size_t i = 0; i < flat->count; i++)
        if (strcmp(flat->options[i].name, row->name) == 0)
            return;
    assert(flat->count < MOST);
    flat->options[flat->count] = (struct option){row->name, kind_of(row), NULL,
                                                 FIRST + (int)flat->count};
    flat->uses[flat->count].row = row;
    flat->uses[flat->count++].base = base;
    if (row->letter)
        strcat(flat->letters, letter);
}

static void flatten(struct flat *flat, const struct option_row *row, size_t base)
{
    for (; is_row(row); row++) {
        if (row->group && !row->shown_only)
            flatten(flat, row->group, base + row->at);
        else if (row->take)
            add(flat, row, base);
    }
}

/* Returns the index of the option that getopt has returned. */
static size_t index_of(const struct flat *flat, int option)
{
    size_t index = 0;
    if (option >= FIRST)
        return (size_t)(option - FIRST);
    while (index < flat->count && flat->uses[index].row->letter != option)
        index++;
    return index;
}

static bool take(const struct flat *flat, size_t index, void *target, const char *title)
{
    const struct option_row *row = flat->uses[index].row;
    char *base = target ? (char *)target + flat->uses[index].base : NULL;
    const struct option_use use = {row, title, base ? base + row->at : NULL, optarg};
    if (!row->take(&use))
        return false;
    if (row->given)
        *(bool *)(base + row->given - 1) = true;
    return true;
}

int options_parse(const struct option_table *table, void *target, int argc, char **argv)
{
    struct flat flat = {.letters = ""};
    int option;
    bool help = false;
    if (table->before)
        strcat(flat.letters, "+");
    flatten(&flat, table->rows, 0);
    while ((option = suggest_getopt(argc, argv, flat.letters, flat.options)) != -1) {
        size_t index = option == '?' ? flat.count : index_of(&flat, option);
        if (index == flat.count)
            cli_usage_hint(argv[0]);
        if (index == flat.count || !take(&flat, index, target, argv[0]))
            return CLI_USAGE;
        help |= strcmp(flat.options[index].name, "help") == 0;
        if (help && table->before)
            break;
    }
    return help ? options_help(table, argv[0]) : OPTIONS_PARSED;
}

const char *options_scan(const struct option_row *rows, int argc, char **argv,
                         void (*see)(void *user, const char *name, const char *value), void *user)
{
    struct flat flat = {.letters = ""};
    int option;
    flatten(&flat, rows, 0);
    opterr = 0;
    while ((option = getopt_long(argc, argv, flat.letters, flat.options, NULL)) != -1) {
        size_t index = option == '?' ? flat.count : index_of(&flat, option);
        if (index < flat.count)
            see(user, flat.options[index].name, optarg);
    }
    const char *first = optind < argc ? argv[optind] : NULL;
    opterr = 1;
    optind = 0; /* restarts getopt() */
    return first;
}

bool options_have(const struct option_row *rows, const char *name)
{
    struct flat flat = {.letters = ""};
    flatten(&flat, rows, 0);
    for (size_t i = 0; i < flat.count; i++)
        if (strcmp(flat.options[i].name, name) == 0)
            return true;
    return false;
}

/* --- help --- */

/* Prints a text that begins at a column. Breaks it at its line feeds, or at WIDTH if there are
 * none. */
static void print_text(FILE *stream, const char *text, int column)
{
    bool broken = strchr(text, '\n') != NULL;
    int at = column;
    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " \n");
        bool first = word == text, fits = broken ? word[-!first] != '\n' : at + 1 + length <= WIDTH;
        if (!first && !fits)
            fprintf(stream, "\n%*s", column, "");
        else if (!first)
            fputc(' ', stream);
        at = first || !fits ? column + length : at + 1 + length;
        fprintf(stream, "%.*s", length, word);
        word += length + (word[length] != 0);
    }
    fputc('\n', stream);
}

static void print_option(FILE *stream, const struct option_row *row, int column)
{
    char letter[] = {'-', row->letter, ',', 0};
    int length = fprintf(stream, "  %3s --%s", row->letter ? letter : "", row->name);
    if (row->argument)
        length += fprintf(stream, kind_of(row) == optional_argument ? "%s" : " %s", row->argument);
    if (length < column)
        fprintf(stream, "%*s", column - length, "");
    else
        fprintf(stream, "\n%*s", column, "");
    print_text(stream, row->help, column);
}

static void print_rows(FILE *stream, const struct option_row *row, int column)
{
    for (; is_row(row); row++) {
        if (row->print)
            row->print(stream);
        else if (row->group)
            print_rows(stream, row->group, column);
        else if (!row->name)
            fputs(row->help, stream);
        else if (row->help)
            print_option(stream, row, column);
    }
}

int options_help(const struct option_table *table, const char *title)
{
    print_rows(stdout, table->rows, table->column);
    return output_flush_standard(title) ? CLI_DONE : CLI_USAGE;
}

/* --- JSON --- */

/* Writes a text with spaces instead of line feeds. */
static void json_line(struct json *json, const char *key, const char *text)
{
    struct buffer line = {0};
    for (const char *at = text; *at; at++)
        if (*at != '\n' || at[1])
            buffer_byte(&line, *at == '\n' ? ' ' : (uint8_t)*at);
    buffer_byte(&line, 0);
    json_member_text(json, key, line.failed ? "" : (const char *)line.data);
    buffer_free(&line);
}

static void json_option(struct json *json, const struct option_row *row)
{
    char letter[] = {row->letter, 0};
    json_begin_object(json);
    json_member_text(json, "letter", row->letter ? letter : NULL);
    json_member_string(json, "name", row->name);
    json_member_text(json, "argument", row->argument);
    json_member_text(json, "values", row->words);
    json_line(json, "help", row->help);
    json_end_object(json);
}

static void json_printed(struct json *json, void (*print)(FILE *stream))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        print(stream);
        fclose(stream);
    }
    json_begin_object(json);
    json_member_string(json, "text", text ? text : "");
    json_end_object(json);
    free(text);
}

void options_json(struct json *json, const struct option_row *row)
{
    for (; is_row(row); row++) {
        if (row->print) {
            json_printed(json, row->print);
        } else if (row->group) {
            options_json(json, row->group);
        } else if (row->name && row->help) {
            json_option(json, row);
        } else if (!row->name) {
            json_begin_object(json);
            json_member_string(json, "text", row->help);
            json_end_object(json);
        }
    }
}
