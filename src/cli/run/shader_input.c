/* SPDX-License-Identifier: MIT */
/* shader_input.c - see shader_input.h. */
#include "cli/run/shader_input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "cli/cli.h"
#include "cli/number.h"
#include "cli/run/shader_raw.h"

enum {
    MOST_COLUMNS = 4096,
    PLAIN_BYTES = 4 * sizeof(float), /* bytes per vertex of an attribute from a table */
    TEXT_MOST = 300,
};

/* Attribute and component whose values a column contains. used is false if the column is
 * ignored. */
struct column {
    uint32_t attribute, component;
    bool used;
};

struct shader_table {
    char *path;
    struct csv csv;
    struct column columns[MOST_COLUMNS];
    size_t width; /* number of fields per row */
    /* True if the first row is data and is still the current row of csv. False for a header. */
    bool first_is_data;
    bool ended;
};

/* --- messages --- */

static bool complain(struct shader_input *input, const char *file, const char *rule,
                     const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static bool complain(struct shader_input *input, const char *file, const char *rule,
                     const char *hint, const char *format, ...)
{
    char text[TEXT_MOST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const struct tess_finding diag = {
        .level = TESS_ERROR, .id = rule, .text = text, .hint = hint, .file = file};
    if (input->sink.report)
        input->sink.report(input->sink.user, &diag);
    input->wrong = true;
    return false;
}

static bool complain_of_memory(struct shader_input *input)
{
    cli_no_memory(input->options->title);
    input->wrong = true;
    return false;
}

/* --- columns of a table --- */

/* Finds the attribute that a header field names, such as "position.y", "position", "0.y" or "0".
 * Sets *component to the named component, or to SHADER_COMPONENTS if no component is named. */
static bool find_column(const struct shader_input *input, const struct csv_field *field,
                        struct shader_name *name, uint32_t *component)
{
    const struct shader_names *names = &input->options->names;
    size_t length = field->length;
    *component = SHADER_COMPONENTS;
    if (shader_names_find(names, field->text, length, name))
        return true;
    if (length < 3 || field->text[length - 2] != '.')
        return false;
    *component = shader_component(field->text[length - 1]);
    return *component < SHADER_COMPONENTS &&
           shader_names_find(names, field->text, length - 2, name);
}

/* Assigns a column to a component of an attribute. Returns false after reporting an error. */
static bool take_column(struct shader_input *input, struct shader_table *table, size_t index,
                        const struct shader_name *name, uint32_t component)
{
    const struct csv_field *field = &table->csv.fields[index];
    struct shader_attribute *attribute = &input->attributes[name->number];
    if (component >= name->components)
        return csv_complain(&table->csv, field->column, "csv-column", NULL,
                            "the attribute has %u component%s", (unsigned)name->components,
                            name->components == 1 ? "" : "s");
    for (size_t i = 0; i < table->width; i++)
        if (table->columns[i].used && table->columns[i].attribute == name->number &&
            table->columns[i].component == component)
            return csv_complain(&table->csv, field->column, "csv-column", NULL,
                                "column %zu has this component already", i + 1);
    table->columns[index] = (struct column){name->number, component, true};
    if (attribute->components <= component)
        attribute->components = component + 1;
    return true;
}

/* True if a column without a component contains the next component of the previous column's
 * attribute. This is so if both columns name the same attribute, or if the column has no name (name
 * is NULL). */
static bool goes_on(const struct shader_table *table, size_t index, const struct shader_name *name)
{
    const struct column *before = index ? &table->columns[index - 1] : NULL;
    return before && before->used && (!name || name->number == before->attribute);
}

/* Reports a column "NAME.x" for an attribute that the program does not read. A column without a
 * component may contain other data and is not reported. */
static void report_unread(const struct shader_input *input, const struct shader_table *table,
                          const struct csv_field *field)
{
    char name[TEXT_MOST];
    size_t length = field->length;
    if (!input->options->unread || length < 3 || length >= sizeof name ||
        field->text[length - 2] != '.' || field->text[length - 1] != 'x')
        return;
    memcpy(name, field->text, length - 2);
    name[length - 2] = 0;
    input->options->unread(input->options->user, table->path, name);
}

static bool take_header_field(struct shader_input *input, struct shader_table *table, size_t index)
{
    const struct csv_field *field = &table->csv.fields[index];
    struct shader_name name;
    uint32_t component;
    if (field->length == 0) {
        if (!goes_on(table, index, NULL))
            return true;
        const struct column *before = &table->columns[index - 1];
        const struct shader_name *known = shader_names_of(&input->options->names,
                                                          before->attribute);
        name = known ? *known : (struct shader_name){NULL, before->attribute, 1, SHADER_COMPONENTS};
        return take_column(input, table, index, &name, before->component + 1);
    }
    if (!find_column(input, field, &name, &component)) {
        report_unread(input, table, field);
        return true;
    }
    if (component == SHADER_COMPONENTS)
        component = goes_on(table, index, &name) ? table->columns[index - 1].component + 1 : 0;
    return take_column(input, table, index, &name, component);
}

/* Allocates the buffer for the values of an attribute from a table. */
static bool take_buffer(struct shader_input *input, uint32_t number)
{
    struct shader_attribute *attribute = &input->attributes[number];
    if (!input->values[number])
        input->values[number] = calloc(SHADER_PIECE, PLAIN_BYTES);
    if (!input->values[number])
        return complain_of_memory(input);
    attribute->data = input->values[number];
    attribute->size = SHADER_PIECE * PLAIN_BYTES;
    attribute->stride = PLAIN_BYTES;
    attribute->format = input->options->plain_format;
    return true;
}

/* Checks that each attribute of the table has all components up to its last one, and allocates the
 * buffers. */
static bool check_components(struct shader_input *input, const struct shader_table *table)
{
    uint32_t seen[SHADER_MOST_ATTRIBUTES] = {0};
    for (size_t i = 0; i < table->width; i++)
        if (table->columns[i].used)
            seen[table->columns[i].attribute] |= 1U << table->columns[i].component;
    for (uint32_t i = 0; i < SHADER_MOST_ATTRIBUTES; i++) {
        if (!seen[i])
            continue;
        const struct shader_name *name = shader_names_of(&input->options->names, i);
        for (unsigned c = 0; c < input->attributes[i].components; c++)
            if (!(seen[i] >> c & 1))
                return csv_complain(&table->csv, 0, "csv-column", NULL,
                                    "attribute %u%s%s has no column for its component %c",
                                    (unsigned)i, name ? ", " : "", name ? name->name : "",
                                    "xyzw"[c]);
        if (!take_buffer(input, i))
            return false;
    }
    return true;
}

static bool is_taken(const struct shader_input *input, uint32_t attribute)
{
    return input->attributes[attribute].components != 0;
}

/* --- tables --- */

/* Adds a table and opens its file. The file's name is the first `length` bytes of path. Returns
 * NULL after reporting an error. */
static struct shader_table *add_table(struct shader_input *input, const char *path, size_t length)
{
    struct shader_table *table = &input->tables[input->table_count];
    table->path = strndup(path, length);
    if (!table->path && !complain_of_memory(input))
        return NULL;
    input->table_count++;
    return csv_open(&table->csv, table->path, input->sink) ? table : NULL;
}

static bool read_first_row(struct shader_input *input, struct shader_table *table)
{
    enum csv_status status = csv_next(&table->csv);
    if (status == CSV_END)
        return complain(input, table->csv.name, "csv-empty", "name the columns in the first line",
                        "the file is empty");
    if (status == CSV_WRONG)
        return false;
    table->width = table->csv.count;
    if (table->width > MOST_COLUMNS)
        return csv_complain(&table->csv, 0, "csv-column", NULL, "more than %d columns",
                            MOST_COLUMNS);
    return true;
}

/* Opens the table of --attributes FILE.csv. */
static bool open_table(struct shader_input *input, const char *path)
{
    struct shader_table *table = add_table(input, path, strlen(path));
    bool any = false;
    if (!table || !read_first_row(input, table))
        return false;
    for (size_t i = 0; i < table->width; i++)
        if (!take_header_field(input, table, i))
            return false;
    for (size_t i = 0; i < table->width; i++)
        any |= table->columns[i].used;
    char hint[TEXT_MOST];
    if (!any)
        return csv_complain(&table->csv, 1, "csv-column",
                            shader_names_list(&input->options->names, hint, sizeof hint),
                            "no column is an attribute of the program");
    return check_components(input, table);
}

/* Assigns one column of the list COLUMNS in --attribute NAME=FILE.csv:COLUMNS. text is the column's
 * name, or its number counted from 1. */
static bool select_column(struct shader_input *input, struct shader_table *table, const char *text,
                          size_t length, const struct shader_name *name, uint32_t component)
{
    char wanted[TEXT_MOST], *end;
    if (length >= sizeof wanted)
        length = sizeof wanted - 1;
    memcpy(wanted, text, length);
    wanted[length] = 0;
    for (size_t i = 0; i < table->width; i++)
        if (!table->first_is_data && csv_is(&table->csv.fields[i], wanted))
            return take_column(input, table, i, name, component);
    unsigned long number = strtoul(wanted, &end, 10);
    if (*wanted < '0' || *wanted > '9' || *end || number < 1 || number > table->width)
        return csv_complain(&table->csv, 0, "csv-column",
                            "use the name of a column in the first line, or its number from 1",
                            "unknown column '%s'", wanted);
    return take_column(input, table, number - 1, name, component);
}

static bool select_columns(struct shader_input *input, struct shader_table *table,
                           const char *columns, const struct shader_name *name)
{
    for (uint32_t component = 0; *columns; component++) {
        size_t length = strcspn(columns, ",");
        if (!select_column(input, table, columns, length, name, component))
            return false;
        columns += length + (columns[length] == ',');
    }
    return true;
}

/* Assigns columns if the argument does not list columns. Assigns the columns with the attribute's
 * name, or all columns if no column has this name. */
static bool default_columns(struct shader_input *input, struct shader_table *table,
                            const struct shader_name *wanted)
{
    for (size_t i = 0; i < table->width && !table->first_is_data; i++) {
        struct shader_name name;
        uint32_t component;
        bool known = find_column(input, &table->csv.fields[i], &name, &component);
        if (known && name.number != wanted->number)
            continue;
        if ((known || table->csv.fields[i].length == 0) && !take_header_field(input, table, i))
            return false;
    }
    if (is_taken(input, wanted->number))
        return true;
    for (size_t i = 0; i < table->width; i++)
        if (!take_column(input, table, i, wanted, (uint32_t)i))
            return false;
    return true;
}

/* True if the current row contains only numbers. A first row of numbers is data, not a header. */
static bool is_data(const struct csv *csv)
{
    float value;
    for (size_t i = 0; i < csv->count; i++)
        if (!number_parse(csv->fields[i].text, csv->fields[i].length, &value))
            return false;
    return true;
}

/* Opens the table of --attribute NAME=FILE.csv[:COLUMNS]. */
static bool open_column_table(struct shader_input *input, const struct shader_name *name,
                              const char *path)
{
    const char *colon = access(path, F_OK) == 0 ? NULL : strrchr(path, ':');
    size_t length = colon ? (size_t)(colon - path) : strlen(path);
    struct shader_table *table = add_table(input, path, length);
    if (!table || !read_first_row(input, table))
        return false;
    table->first_is_data = is_data(&table->csv);
    bool good = colon && colon[1] ? select_columns(input, table, colon + 1, name)
                                  : default_columns(input, table, name);
    return good && check_components(input, table);
}

/* --- raw buffers --- */

/* Writes an error text with the names of all formats: "unknown format; expected one of f32 f16". */
static const char *no_format(const struct shader_input_options *options, char *text, size_t size)
{
    enum { CODES = 0x102 };
    struct shader_format format;
    bool f32 = options->format("f32", &format);
    size_t length = (size_t)snprintf(text, size, "unknown format; expected one of%s",
                                     f32 ? " f32" : "");
    for (uint32_t code = 0; options->format_name && code < CODES && length < size; code++) {
        const char *name = options->format_name(code);
        if (name && strcmp(name, "f32") != 0 && options->format(name, &format))
            length += (size_t)snprintf(text + length, size - length, " %s", name);
    }
    return text;
}

/* Opens the buffer of --attribute NAME=FILE,format=... */
static bool open_raw(struct shader_input *input, const struct shader_name *name, const char *text)
{
    const struct shader_input_options *options = input->options;
    struct shader_attribute *attribute = &input->attributes[name->number];
    struct shader_raw *raw = &input->raws[input->raw_count];
    struct shader_raw_text parts;
    struct shader_format format = {0};
    char formats[1000];
    const char *mistake = shader_raw_parse(text, &parts);
    *raw = (struct shader_raw){.path = parts.path, .file = -1, .attribute = name->number};
    input->raw_count++;
    if (!mistake && !options->format(parts.format, &format))
        mistake = no_format(options, formats, sizeof formats);
    if (mistake)
        return cli_refuse(options->title, "invalid buffer '%s': %s", text, mistake);
    attribute->format = format.code;
    attribute->components = parts.components ? (uint32_t)parts.components : name->components;
    raw->element = (format.whole ? 1 : attribute->components) * format.bytes;
    raw->stride = parts.has_stride ? parts.stride : raw->element;
    raw->offset = parts.offset;
    if (!shader_raw_open(raw))
        return complain(input, raw->path, "raw-io", "use a regular file", "cannot be read: %s",
                        strerror(errno));
    input->piece = shader_raw_piece(raw, input->piece);
    return true;
}

/* --- opening --- */

static bool open_attribute(struct shader_input *input, const char *argument)
{
    const struct shader_input_options *options = input->options;
    const char *equals = strchr(argument, '=');
    struct shader_name name;
    char hint[TEXT_MOST];
    if (!equals || !equals[1])
        return cli_refuse(options->title, "invalid attribute '%s': expected NAME=FILE", argument);
    size_t length = (size_t)(equals - argument);
    if (!shader_names_find(&options->names, argument, length, &name))
        return cli_refuse(options->title, "unknown attribute '%.*s'; %s", (int)length, argument,
                          shader_names_list(&options->names, hint, sizeof hint));
    if (is_taken(input, name.number))
        return cli_refuse(options->title, "attribute '%.*s' is given twice", (int)length, argument);
    return shader_raw_is(equals + 1) ? open_raw(input, &name, equals + 1)
                                     : open_column_table(input, &name, equals + 1);
}

/* Checks that each attribute which the program names and reads has data, if tables were given.
 * Returns false after reporting an error. */
static bool check_all(struct shader_input *input)
{
    const struct shader_input_options *options = input->options;
    for (size_t i = 0; i < options->names.count && options->table_count; i++) {
        const struct shader_name *name = &options->names.items[i];
        if (!is_taken(input, name->number) && options->reads(options->user, name->number))
            return complain(input, options->tables[0], "csv-column",
                            "add a column for each component, NAME.x, NAME.y and so on",
                            "no column for attribute '%s', which the program reads", name->name);
    }
    return true;
}

/* Sets attributes without data to 0, 0, 0, 1 if no table was given, and notes them as missing. */
static void take_missing(struct shader_input *input)
{
    static const float nothing[SHADER_COMPONENTS] = {0, 0, 0, 1};
    const struct shader_input_options *options = input->options;
    for (size_t i = 0; i < options->names.count && options->table_count == 0; i++) {
        const struct shader_name *name = &options->names.items[i];
        if (is_taken(input, name->number) || !options->reads(options->user, name->number))
            continue;
        shader_missing_attribute(options->missing, options->names.what, name->name,
                                 name->components);
        input->attributes[name->number] = (struct shader_attribute){
            nothing, sizeof nothing, 0, options->plain_format, SHADER_COMPONENTS, true};
    }
}

/* Sets the number of vertices from the options and the raw buffers. If only tables are given,
 * leaves the number 0, and the run ends with the last row. Returns false after reporting an
 * error. */
static bool find_total(struct shader_input *input)
{
    const struct shader_input_options *options = input->options;
    uint64_t fewest = UINT64_MAX;
    input->total = options->count;
    for (size_t i = 0; i < input->raw_count; i++) {
        const struct shader_raw *raw = &input->raws[i];
        uint64_t count = shader_raw_count(raw);
        if (count <= options->first || count - options->first < options->count)
            return complain(input, raw->path, "raw-rows", "use a smaller --vertices, or add data",
                            "the file has %" PRIu64 " vertices, but the run needs vertex %" PRIu64,
                            count, options->first + (options->count ? options->count - 1 : 0));
        fewest = count < fewest ? count : fewest;
    }
    if (input->total == 0 && fewest != UINT64_MAX)
        input->total = fewest - options->first;
    else if (input->total == 0 && input->table_count == 0)
        input->total = 1; /* Without data, all vertices are equal, so one vertex is enough. */
    return true;
}

bool shader_input_open(struct shader_input *input, const struct shader_input_options *options,
                       struct tess_sink sink)
{
    size_t piece = options->piece ? options->piece : SHADER_PIECE;
    *input = (struct shader_input){.options = options, .sink = sink, .piece = piece};
    size_t most = options->attribute_count + options->table_count;
    input->tables = calloc(most + 1, sizeof *input->tables);
    input->raws = calloc(most + 1, sizeof *input->raws);
    if (!input->tables || !input->raws)
        return complain_of_memory(input);
    bool good = true;
    for (size_t i = 0; i < options->attribute_count && good; i++)
        good = open_attribute(input, options->attributes[i]);
    for (size_t i = 0; i < options->table_count && good; i++)
        good = open_table(input, options->tables[i]);
    good = good && check_all(input) && find_total(input);
    if (good)
        take_missing(input);
    input->wrong = !good;
    return good;
}

void shader_input_close(struct shader_input *input)
{
    for (size_t i = 0; i < input->table_count; i++) {
        csv_close(&input->tables[i].csv);
        free(input->tables[i].path);
    }
    for (size_t i = 0; i < input->raw_count; i++)
        shader_raw_close(&input->raws[i]);
    for (size_t i = 0; i < SHADER_MOST_ATTRIBUTES; i++)
        free(input->values[i]);
    free(input->tables);
    free(input->raws);
    *input = (struct shader_input){0};
}

/* --- reading --- */

/* Reads the next row of data. Returns CSV_WRONG after reporting an error, for example if the number
 * of fields differs from the number in the first row. */
static enum csv_status next_row(struct shader_table *table)
{
    if (table->first_is_data) {
        table->first_is_data = false;
        return CSV_ROW;
    }
    enum csv_status status = csv_next(&table->csv);
    if (status != CSV_ROW || table->csv.count == table->width)
        return status;
    csv_complain(&table->csv, 0, "csv-ragged", "give a value for every column",
                 "%zu field%s, but the first row has %zu", table->csv.count,
                 table->csv.count == 1 ? "" : "s", table->width);
    return CSV_WRONG;
}

/* Parses the current row into the values of the vertex with index `index` in the piece. */
static bool take_row(struct shader_input *input, const struct shader_table *table, size_t index)
{
    for (size_t i = 0; i < table->width; i++) {
        const struct column *column = &table->columns[i];
        if (!column->used)
            continue;
        float *values = input->values[column->attribute] + index * SHADER_COMPONENTS;
        if (!csv_float(&table->csv, &table->csv.fields[i], &values[column->component]))
            return false;
    }
    return true;
}

/* Skips the rows before the first vertex. */
static bool skip_rows(struct shader_input *input, struct shader_table *table)
{
    for (uint64_t i = 0; i < input->options->first; i++) {
        enum csv_status status = next_row(table);
        if (status == CSV_END)
            return complain(input, table->path, "csv-rows", "use a smaller --first, or add data",
                            "the file has %" PRIu64
                            " rows of data, but the run begins with vertex %" PRIu64,
                            i, input->options->first);
        if (status == CSV_WRONG)
            return false;
    }
    return true;
}

/* Reads up to wanted rows. Sets *count to the number of valid rows. Returns false after reporting
 * an error. */
static bool read_rows(struct shader_input *input, struct shader_table *table, size_t wanted,
                      size_t *count)
{
    *count = 0;
    if (input->done == 0 && !skip_rows(input, table))
        return false;
    for (; *count < wanted; ++*count) {
        enum csv_status status = next_row(table);
        table->ended = status == CSV_END;
        if (status != CSV_ROW)
            return status == CSV_END;
        if (!take_row(input, table, *count))
            return false;
    }
    return true;
}

/* Reports a table that has fewer rows than the requested number of vertices. Returns false after
 * such a report. */
static bool check_end(struct shader_input *input, size_t wanted, size_t count)
{
    bool exact = input->total != 0;
    for (size_t i = 0; i < input->table_count; i++) {
        const struct shader_table *table = &input->tables[i];
        uint64_t rows = input->options->first + input->done + count;
        if (table->ended && exact && count < wanted)
            return complain(input, table->path, "csv-rows", "use a smaller --vertices, or add data",
                            "the file has %" PRIu64 " rows of data, but the run needs %" PRIu64,
                            rows, input->options->first + input->total);
    }
    return true;
}

/* Without --vertices, reports an error if the tables have different numbers of rows. Returns false
 * after such a report. */
static bool check_together(struct shader_input *input, size_t wanted, const size_t *counts,
                           size_t fewest)
{
    const struct shader_table *shortest = NULL;
    bool more = false;
    for (size_t i = 0; i < input->table_count; i++) {
        if (counts[i] == fewest && input->tables[i].ended)
            shortest = &input->tables[i];
        more |= counts[i] > fewest;
    }
    if (input->total || fewest == wanted || !more || !shortest)
        return true;
    return complain(input, shortest->path, "csv-rows", "use --vertices, or add data",
                    "the file has %" PRIu64 " rows of data, but another table has more",
                    input->options->first + input->done + fewest);
}

/* Reads a piece of every table. Returns the number of vertices for which all tables have a row. */
static size_t read_tables(struct shader_input *input, size_t wanted)
{
    size_t *counts = calloc(input->table_count + 1, sizeof *counts), fewest = wanted;
    if (!counts) {
        complain_of_memory(input);
        return 0;
    }
    for (size_t i = 0; i < input->table_count; i++) {
        input->wrong |= !read_rows(input, &input->tables[i], wanted, &counts[i]);
        fewest = counts[i] < fewest ? counts[i] : fewest;
    }
    if (!input->wrong && check_end(input, wanted, fewest))
        check_together(input, wanted, counts, fewest);
    free(counts);
    return fewest;
}

static bool read_raw(struct shader_input *input, struct shader_raw *raw, size_t count)
{
    struct shader_attribute *attribute = &input->attributes[raw->attribute];
    attribute->size = shader_raw_read(raw, input->options->first + input->done, count);
    attribute->data = raw->bytes;
    attribute->stride = (size_t)raw->stride;
    return attribute->size ||
           complain(input, raw->path, "raw-io", NULL, "cannot be read: %s", strerror(errno));
}

size_t shader_input_read(struct shader_input *input)
{
    uint64_t left = input->total ? input->total - input->done : UINT64_MAX;
    size_t wanted = left < input->piece ? (size_t)left : input->piece;
    if (input->wrong || wanted == 0)
        return 0;
    size_t count = input->table_count ? read_tables(input, wanted) : wanted;
    for (size_t i = 0; i < input->raw_count && count; i++)
        if (!read_raw(input, &input->raws[i], count))
            return 0;
    input->done += count;
    return count;
}
