/* SPDX-License-Identifier: MIT */
/* config.c - see config.h.
 *
 * In:      lines NAME = VALUE, and the table [rules].
 * Out:     settings, or an error with its line and column.
 *
 * Source: toml.io, version 1.0: comments, bare and quoted keys, basic strings without escapes,
 *         booleans, tables.
 * Left out: all other syntax of TOML, which causes an error. */
#define _GNU_SOURCE /* realpath() */
#include "front/config.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <unistd.h>

#include "base/array.h"

enum { LINE_BYTES = 4096, PATH_BYTES = 4096, RULES_MOST = 4096 };

/* State while reading a file. */
struct reader {
    struct config *config;
    bool (*is_rule)(const char *id);
    struct tess_sink sink;
    char text[LINE_BYTES]; /* current line */
    uint32_t line;
    bool in_rules;
    enum tess_status status;
};

/* --- finding the file --- */

/* Returns the path of the configuration file in a folder, or NULL. */
static char *file_in(const char *folder)
{
    char path[PATH_BYTES];
    struct stat found;
    bool root = strcmp(folder, "/") == 0;
    bool fits = (size_t)snprintf(path, sizeof path, "%s/%s", root ? "" : folder, CONFIG_NAME) <
                sizeof path;
    return fits && stat(path, &found) == 0 && S_ISREG(found.st_mode) ? strdup(path) : NULL;
}

/* Removes the last part of a path. Returns false if the path has no further part. */
static bool go_up(char *folder)
{
    char *slash = strrchr(folder, '/');
    if (!slash || slash[1] == 0)
        return false;
    slash[slash == folder] = 0;
    return true;
}

/* If a path is below the current folder, makes the path relative to the current folder. */
static char *shorten(char *found)
{
    char folder[PATH_BYTES];
    size_t length = found && getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (length && strncmp(found, folder, length) == 0 && found[length] == '/')
        memmove(found, found + length + 1, strlen(found + length + 1) + 1);
    return found;
}

char *config_find(const char *path)
{
    struct stat kind;
    char *folder = realpath(path, NULL), *found = NULL;
    if (!folder)
        folder = realpath(".", NULL);
    else if (stat(folder, &kind) == 0 && !S_ISDIR(kind.st_mode))
        go_up(folder);
    for (bool more = folder != NULL; more && !found; more = !found && go_up(folder))
        found = file_in(folder);
    free(folder);
    return shorten(found);
}

/* --- errors --- */

static void complain(struct reader *reader, const char *at, const char *hint, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

static void complain(struct reader *reader, const char *at, const char *hint, const char *format,
                     ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const struct tess_finding diag = {.level = TESS_ERROR,
                                      .id = "config",
                                      .text = text,
                                      .hint = hint,
                                      .file = reader->config->path,
                                      .line = reader->line,
                                      .column = (uint32_t)(at - reader->text) + 1,
                                      .source_line = reader->text};
    if (reader->sink.report)
        reader->sink.report(reader->sink.user, &diag);
    reader->status = TESS_BAD_INPUT;
}

/* --- settings --- */

static const char level_hint[] = "use \"off\", \"note\", \"warning\" or \"error\"";

static void take_rule(struct reader *reader, const char *at, const char *id, const char *value_at,
                      const char *value)
{
    struct config *config = reader->config;
    enum tess_level level;
    if (strcmp(id, "all") != 0 && !reader->is_rule(id)) {
        complain(reader, at,
                 "see tessera check --list-rules for rules, docs/faults.md for "
                 "findings",
                 "unknown rule or finding '%.60s'", id);
        return;
    }
    if (!policy_level(value, &level)) {
        complain(reader, value_at, level_hint, "invalid level '%.60s'", value);
        return;
    }
    bool room = config->rule_count < RULES_MOST && ARRAY_GROW(config->rules, config->rule_count);
    char *copy = room ? strdup(id) : NULL;
    if (copy)
        config->rules[config->rule_count++] = (struct policy_rule){copy, level};
    else
        reader->status = TESS_NO_MEMORY;
}

/* Sets the path of the baseline. A relative value is relative to the folder of the configuration
 * file. */
static void take_baseline(struct reader *reader, const char *value)
{
    char path[2 * PATH_BYTES];
    const char *slash = strrchr(reader->config->path, '/');
    int folder = slash && value[0] != '/' ? (int)(slash - reader->config->path) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%s", folder, reader->config->path, value);
    free(reader->config->baseline);
    reader->config->baseline = strdup(path);
    if (!reader->config->baseline)
        reader->status = TESS_NO_MEMORY;
}

static void take_max_messages(struct reader *reader, const char *at, const char *value)
{
    enum { DIGITS_MOST = 18 };
    size_t digits = strspn(value, "0123456789");
    struct config *config = reader->config;
    config->has_max_messages = digits && digits <= DIGITS_MOST && !value[digits];
    if (config->has_max_messages)
        config->max_messages = strtoull(value, NULL, 10);
    else
        complain(reader, at, "use a number; 0 shows all messages",
                 "invalid number of messages '%.60s'", value);
}

static void take_setting(struct reader *reader, const char *at, const char *name,
                         const char *value_at, const char *value)
{
    struct config *config = reader->config;
    if (reader->in_rules) {
        take_rule(reader, at, name, value_at, value);
    } else if (strcmp(name, "fail-on") == 0) {
        config->has_fail_on = policy_severity(value, &config->fail_on);
        if (!config->has_fail_on)
            complain(reader, value_at, "use \"error\", \"warning\" or \"note\"",
                     "invalid severity '%.60s'", value);
    } else if (strcmp(name, "color") == 0) {
        config->has_colour = colour_find(value, &config->colour);
        if (!config->has_colour)
            complain(reader, value_at, "use \"auto\", \"always\" or \"never\"",
                     "invalid choice of colours '%.60s'", value);
    } else if (strcmp(name, "max-messages") == 0) {
        take_max_messages(reader, value_at, value);
    } else if (strcmp(name, "baseline") == 0) {
        take_baseline(reader, value);
    } else if (strcmp(name, "strict") == 0) {
        config->strict = strcmp(value, "true") == 0;
        if (!config->strict && strcmp(value, "false") != 0)
            complain(reader, value_at, "use true or false", "invalid truth value '%.60s'", value);
    } else {
        complain(reader, at,
                 "use fail-on, baseline, strict, color or max-messages; levels of rules belong "
                 "below [rules]",
                 "unknown setting '%.60s'", name);
    }
}

/* --- lines --- */

static char *skip_blanks(char *at)
{
    return at + strspn(at, " \t");
}

static bool is_end(const char *at)
{
    return *at == 0 || *at == '#';
}

/* Copies the bare or quoted word at *at to word and moves *at past it. Reports an error and returns
 * false if there is no word. */
static bool take_word(struct reader *reader, char **at, const char *what, char word[LINE_BYTES])
{
    char *start = *at;
    bool quoted = *start == '"';
    size_t length = quoted ? strcspn(start + 1, "\"\\") : 0;
    while (!quoted && (isalnum((unsigned char)start[length]) || strchr("-_", start[length])) &&
           start[length])
        length++;
    if (quoted ? start[1 + length] != '"' : length == 0) {
        complain(reader, start,
                 quoted ? "end the string with a double quote; backslashes are not supported"
                        : "write NAME = \"VALUE\", or [rules]",
                 quoted ? "unterminated string" : "expected %s", what);
        return false;
    }
    snprintf(word, LINE_BYTES, "%.*s", (int)length, start + quoted);
    *at = skip_blanks(start + length + 2 * (size_t)quoted);
    return true;
}

static void take_table(struct reader *reader, char *at)
{
    static const char rules[] = "[rules]";
    size_t length = sizeof rules - 1;
    reader->in_rules = strncmp(at, rules, length) == 0;
    if (!reader->in_rules)
        complain(reader, at, "use [rules], the only table", "unknown table");
    else if (!is_end(skip_blanks(at + length)))
        complain(reader, skip_blanks(at + length), NULL, "unexpected text after the table");
}

static void take_line(struct reader *reader)
{
    char name[LINE_BYTES], value[LINE_BYTES];
    char *at = skip_blanks(reader->text), *name_at = at, *value_at;
    if (is_end(at))
        return;
    if (*at == '[') {
        take_table(reader, at);
        return;
    }
    if (!take_word(reader, &at, "the name of a setting", name))
        return;
    if (*at != '=') {
        complain(reader, at, "write NAME = \"VALUE\", or [rules]", "expected '='");
        return;
    }
    value_at = at = skip_blanks(at + 1);
    if (!take_word(reader, &at, "the value", value))
        return;
    if (!is_end(at))
        complain(reader, at, NULL, "unexpected text after the value");
    else
        take_setting(reader, name_at, name, value_at, value);
}

static void read_lines(struct reader *reader, FILE *file)
{
    while (reader->status != TESS_NO_MEMORY && fgets(reader->text, LINE_BYTES, file)) {
        reader->line++;
        size_t length = strcspn(reader->text, "\r\n");
        bool whole = reader->text[length] || feof(file);
        reader->text[length] = 0;
        if (!whole) {
            complain(reader, reader->text, NULL, "the line is longer than %d bytes", LINE_BYTES);
            return;
        }
        take_line(reader);
    }
}

enum tess_status config_read(struct config *config, const char *path,
                             bool (*is_rule)(const char *id), struct tess_sink sink)
{
    struct reader reader = {.config = config, .is_rule = is_rule, .sink = sink};
    FILE *file = fopen(path, "re");
    config->path = strdup(path);
    if (!config->path) {
        reader.status = TESS_NO_MEMORY;
    } else if (!file) {
        complain(&reader, reader.text, NULL, "cannot read the file");
        reader.status = TESS_IO;
    } else {
        read_lines(&reader, file);
    }
    if (file)
        fclose(file);
    return reader.status;
}

void config_free(struct config *config)
{
    for (size_t i = 0; i < config->rule_count; i++)
        free((char *)(uintptr_t)config->rules[i].id);
    free(config->rules);
    free(config->baseline);
    free(config->path);
    *config = (struct config){0};
}
