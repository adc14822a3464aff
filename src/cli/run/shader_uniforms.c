/* SPDX-License-Identifier: MIT */
/* shader_uniforms.c - see shader_uniforms.h. */
#include "cli/run/shader_uniforms.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/csv.h"
#include "cli/number.h"

enum { HINT_MOST = 300, SHOWN = 60 };

/* The floats that a text such as "scale.y" names. The index of the first float is `first`, which
 * equals 4 * row + component. most is the greatest number of values. */
struct target {
    uint32_t first, most;
};

/* --- names --- */

/* If a text ends in "[ROW]", shortens *length by this part, stores the row in *index and returns
 * true. Otherwise returns false. */
static bool take_index(const char *text, size_t *length, uint32_t *index)
{
    size_t at = *length;
    uint32_t scale = 1;
    *index = 0;
    if (at < 4 || text[--at] != ']')
        return false;
    for (at--; at > 0 && text[at] >= '0' && text[at] <= '9' && scale < 10000; at--, scale *= 10)
        *index += scale * (uint32_t)(text[at] - '0');
    if (at == 0 || text[at] != '[' || scale == 1)
        return false;
    *length = at;
    return true;
}

/* Finds the floats that a text of the form NAME, NAME[ROW], NAME.x or NAME[ROW].x names. Returns
 * false if there is no such uniform or row. */
static bool find_target(const struct shader_names *names, const char *text, size_t length,
                        struct target *target)
{
    struct shader_name name;
    unsigned component = SHADER_COMPONENTS;
    uint32_t index = 0;
    bool found = shader_names_find(names, text, length, &name), indexed = false;
    if (!found && length > 2 && text[length - 2] == '.' &&
        (component = shader_component(text[length - 1])) < SHADER_COMPONENTS) {
        length -= 2;
        found = shader_names_find(names, text, length, &name);
    }
    if (!found && (indexed = take_index(text, &length, &index)))
        found = shader_names_find(names, text, length, &name);
    if (!found)
        return false;
    uint32_t rows = name.name ? name.rows : names->limit - name.number;
    bool one = component < SHADER_COMPONENTS;
    target->first = (name.number + index) * SHADER_COMPONENTS + (one ? component : 0);
    target->most = one ? 1 : indexed ? SHADER_COMPONENTS : rows * SHADER_COMPONENTS;
    return index < rows;
}

static void put(struct shader_uniforms *uniforms, uint32_t at, float value)
{
    uniforms->rows[at / SHADER_COMPONENTS][at % SHADER_COMPONENTS] = value;
    uniforms->given[at / SHADER_COMPONENTS] |= (uint8_t)(1U << at % SHADER_COMPONENTS);
}

/* --- the command line --- */

static bool put_values(struct shader_uniforms *uniforms, const char *argument, const char *text,
                       const struct target *target)
{
    for (uint32_t i = 0;; i++) {
        text += strspn(text, " \t");
        size_t length = strcspn(text, ","), used = length;
        float value;
        while (used && (text[used - 1] == ' ' || text[used - 1] == '\t'))
            used--;
        if (i == target->most)
            return cli_refuse(uniforms->title, "too many values in '%s': at most %u fit", argument,
                              (unsigned)target->most);
        if (!number_parse(text, used, &value))
            return cli_refuse(uniforms->title, "invalid number '%.*s' in '%s'", (int)used, text,
                              argument);
        put(uniforms, target->first + i, value);
        if (text[length] == 0)
            return true;
        text += length + 1;
    }
}

bool shader_uniforms_take(struct shader_uniforms *uniforms, const char *argument)
{
    const char *equals = strchr(argument, '=');
    struct target target;
    char hint[HINT_MOST];
    if (!equals)
        return cli_refuse(uniforms->title, "invalid uniform '%s': expected NAME=VALUE,VALUE...",
                          argument);
    size_t length = (size_t)(equals - argument);
    if (!find_target(&uniforms->names, argument, length, &target))
        return cli_refuse(uniforms->title, "unknown uniform '%.*s'; %s", (int)length, argument,
                          shader_names_list(&uniforms->names, hint, sizeof hint));
    return put_values(uniforms, argument, equals + 1, &target);
}

/* --- tables --- */

/* True if the row is a header, the first line "name,...". */
static bool is_header(const struct csv *csv)
{
    float value;
    return csv->line == 1 && csv->count > 1 && csv_is(&csv->fields[0], "name") &&
           !number_parse(csv->fields[1].text, csv->fields[1].length, &value);
}

/* True if the program has no uniform of this name. A table may have rows for several programs. */
static bool is_foreign(const struct shader_names *names, const struct csv_field *field)
{
    struct shader_name name;
    size_t length = 0;
    while (length < field->length && !strchr(".[", field->text[length]))
        length++;
    bool number = length > 0 && strspn(field->text, "0123456789") >= length;
    return length > 0 && !number && !shader_names_find(names, field->text, length, &name);
}

static bool take_row(struct shader_uniforms *uniforms, const struct csv *csv)
{
    const struct csv_field *name = &csv->fields[0];
    struct target target;
    char hint[HINT_MOST];
    size_t values = csv->count - 1;
    while (values && csv->fields[values].length == 0)
        values--; /* Spreadsheets add empty fields to the end of short rows. */
    int shown = name->length < SHOWN ? (int)name->length : SHOWN;
    if (is_foreign(&uniforms->names, name)) {
        csv_warn(csv, name->column, "csv-uniform",
                 shader_names_list(&uniforms->names, hint, sizeof hint),
                 "the program has no uniform '%.*s'; the row is ignored", shown, name->text);
        return true;
    }
    if (!find_target(&uniforms->names, name->text, name->length, &target))
        return csv_complain(csv, name->column, "csv-uniform",
                            shader_names_list(&uniforms->names, hint, sizeof hint),
                            "unknown uniform '%.*s'", shown, name->text);
    if (values == 0)
        return csv_complain(csv, name->column, "csv-uniform", "write rows as NAME,VALUE,VALUE...",
                            "missing value");
    if (values > target.most)
        return csv_complain(csv, csv->fields[target.most + 1].column, "csv-uniform", NULL,
                            "too many values: at most %u fit", (unsigned)target.most);
    for (uint32_t i = 0; i < values; i++) {
        float value;
        if (!csv_float(csv, &csv->fields[i + 1], &value))
            return false;
        put(uniforms, target.first + i, value);
    }
    return true;
}

bool shader_uniforms_read(struct shader_uniforms *uniforms, const char *path)
{
    struct csv csv;
    bool good = csv_open(&csv, path, uniforms->sink);
    enum csv_status status = CSV_ROW;
    while (good && (status = csv_next(&csv)) == CSV_ROW)
        good = is_header(&csv) || take_row(uniforms, &csv);
    csv_close(&csv);
    return good && status == CSV_END;
}

bool shader_uniforms_missing(const struct shader_uniforms *uniforms, const struct shader_name *name)
{
    for (uint32_t i = 0; i < name->rows; i++)
        if (uniforms->given[name->number + i])
            return false;
    return true;
}

void shader_uniforms_check(struct shader_uniforms *uniforms, const struct shader_name *name,
                           const char *file)
{
    if (!shader_uniforms_missing(uniforms, name))
        return;
    shader_missing_uniform(uniforms->missing, name->name, file);
    memset(uniforms->given + name->number, 15, name->rows);
}
