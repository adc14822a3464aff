/* SPDX-License-Identifier: MIT */
/* shader_data.c - see shader_data.h. */
#include "shader_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/output.h"

enum { MOST_COLUMNS = 16, LINE_BYTES = 512 };

bool shader_writing;
const char *shader_made;

void shader_arguments(int argc, char **argv)
{
    shader_writing = argc > 1 && strcmp(argv[1], "--write") == 0;
    shader_made = argc > 1 + shader_writing ? argv[1 + shader_writing] : NULL;
}

/* --- files --- */

void shader_path(char path[512], const struct shader_example *example, const char *file)
{
    snprintf(path, 512, "%s/../examples/%s/%s", TEST_DATA, example->folder, file);
}

void shader_path_expected(char path[512], const struct shader_example *example, const char *ending)
{
    char file[64];
    snprintf(file, sizeof file, "%s.%s", example->expected, ending);
    shader_path(path, example, file);
}

void shader_path_made(char path[512], const struct shader_example *example, const char *ending)
{
    snprintf(path, 512, "%s/%s.%s", shader_made, example->name, ending);
}

struct buffer shader_load(const char *path)
{
    struct buffer file;
    if (file_read(path, &file) != TESS_OK)
        fail_msg("%s cannot be read", path);
    return file;
}

/* Removes the next line from a text, without its end. Returns false at the end of the text. */
static bool next_line(const char **text, char line[LINE_BYTES])
{
    size_t length = strcspn(*text, "\n");
    if (!**text)
        return false;
    assert_true(length < LINE_BYTES);
    memcpy(line, *text, length);
    line[length] = 0;
    *text += length + ((*text)[length] == '\n');
    return true;
}

/* Splits a line at its commas. Returns the number of fields. */
static unsigned split(char *line, char *fields[MOST_COLUMNS])
{
    unsigned count = 0;
    for (char *at = line; at; count++) {
        assert_true(count < MOST_COLUMNS);
        fields[count] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = 0;
    }
    return count;
}

/* Parses NAME.x to NAME.w, or NAME alone, as a component. */
static bool is_component(const char *field, const char *name, unsigned *component)
{
    size_t length = strlen(name);
    if (strncmp(field, name, length) != 0 || (field[length] && field[length] != '.'))
        return false;
    *component = field[length] ? (unsigned)(strchr("xyzw", field[length + 1]) - "xyzw") : 0;
    return true;
}

/* --- data --- */

static void take_vertex(const struct shader_example *example, struct shader_table *table,
                        char **header, char **fields, unsigned count)
{
    struct shader_vertex *vertex = &table->vertices[table->count];
    *vertex = (struct shader_vertex){.rows = (const float(*)[4])table->rows};
    for (unsigned i = 0; i < SHADER_MOST_INPUTS; i++)
        vertex->attributes[i][3] = 1; /* the default of missing components is 0, 0, 0, 1 */
    for (unsigned column = 0; column < count; column++) {
        unsigned component;
        for (unsigned i = 0; example->attributes[i]; i++)
            if (is_component(header[column], example->attributes[i], &component))
                vertex->attributes[i][component] = strtof(fields[column], NULL);
    }
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void load_vertices(const struct shader_example *example, struct shader_table *table)
{
    char path[512], header_line[LINE_BYTES], line[LINE_BYTES], *header[MOST_COLUMNS],
        *fields[MOST_COLUMNS];
    shader_path(path, example, "vertices.csv");
    struct buffer file = shader_load(path);
    const char *text = (const char *)file.data;
    size_t most = lines_of(text);
    table->vertices = test_calloc(most, sizeof *table->vertices);
    table->want = test_calloc(most, sizeof *table->want);
    assert_true(next_line(&text, header_line));
    unsigned columns = split(header_line, header);
    for (; next_line(&text, line); table->count++) {
        assert_int_equal(split(line, fields), columns);
        take_vertex(example, table, header, fields, columns);
    }
    buffer_free(&file);
}

/* Stores a row of a uniform from a line NAME[ROW],VALUE,... or NAME,VALUE,... */
static void take_uniform(const struct shader_example *example, struct shader_table *table,
                         char **fields, unsigned count)
{
    unsigned row = 0;
    for (const struct shader_name *uniform = example->uniforms; uniform->name; uniform++) {
        size_t length = strlen(uniform->name);
        if (strncmp(fields[0], uniform->name, length) == 0 &&
            (fields[0][length] == '[' || !fields[0][length])) {
            if (fields[0][length])
                row += (unsigned)strtoul(fields[0] + length + 1, NULL, 10);
            for (unsigned i = 1; i < count; i++)
                table->rows[row][i - 1] = strtof(fields[i], NULL);
            return;
        }
        row += uniform->count;
    }
    fail_msg("%s has no uniform %s", example->name, fields[0]);
}

static void load_uniforms(const struct shader_example *example, struct shader_table *table)
{
    char path[512], line[LINE_BYTES], *fields[MOST_COLUMNS];
    if (!example->uniforms[0].name)
        return;
    shader_path(path, example, "uniforms.csv");
    struct buffer file = shader_load(path);
    const char *text = (const char *)file.data;
    while (next_line(&text, line))
        take_uniform(example, table, fields, split(line, fields));
    buffer_free(&file);
}

void shader_table_open(struct shader_table *table, const struct shader_example *example)
{
    *table = (struct shader_table){0};
    load_uniforms(example, table);
    load_vertices(example, table);
    for (size_t i = 0; i < table->count; i++)
        example->reference(&table->vertices[i], table->want[i]);
}

void shader_table_close(struct shader_table *table)
{
    test_free(table->vertices);
    test_free(table->want);
}

/* --- results --- */

/* Compares the file beside the example with these bytes. With --write, writes the file. */
static void check_committed(const struct shader_example *example, const void *bytes, size_t size)
{
    char path[512];
    shader_path_expected(path, example, "csv");
    if (shader_writing)
        assert_int_equal(tess_output_write(path, bytes, size), TESS_OK);
    struct buffer committed = shader_load(path);
    assert_int_equal(committed.size, size);
    assert_memory_equal(committed.data, bytes, size);
    buffer_free(&committed);
}

void shader_check_table(const struct shader_example *example, const struct shader_table *table)
{
    struct buffer text = {0};
    char field[64];
    for (const struct shader_name *output = example->outputs; output->name; output++)
        for (unsigned i = 0; i < output->count; i++) {
            bool first = output == example->outputs && i == 0;
            snprintf(field, sizeof field, "%s%s.%c", first ? "" : ",", output->name, "xyzw"[i]);
            buffer_append(&text, field, strlen(field));
        }
    for (size_t vertex = 0; vertex < table->count; vertex++)
        for (unsigned v = 0; example->outputs[v].name; v++)
            for (unsigned i = 0; i < example->outputs[v].count; i++) {
                snprintf(field, sizeof field, "%c%.9g", v || i ? ',' : '\n',
                         (double)(float)table->want[vertex][v][i].value);
                buffer_append(&text, field, strlen(field));
            }
    buffer_append(&text, "\n", 1);
    check_committed(example, text.data, text.size);
    buffer_free(&text);
}

static void compare_field(const struct shader_example *example, const struct shader_table *table,
                          size_t vertex, const char *header, const char *field)
{
    unsigned component;
    for (unsigned v = 0; example->outputs[v].name; v++) {
        if (!is_component(header, example->outputs[v].name, &component))
            continue;
        struct near want = table->want[vertex][v][component];
        double got = (double)strtof(field, NULL);
        if (!(fabs(got - want.value) <= want.error))
            fail_msg("%s, vertex %zu: %s is %s, not %.9g", example->name, vertex, header, field,
                     want.value);
        return;
    }
    fail_msg("%s has no %s", example->name, header);
}

void shader_compare_table(const struct shader_example *example, const struct shader_table *table)
{
    char path[512], header_line[LINE_BYTES], line[LINE_BYTES], *header[MOST_COLUMNS],
        *fields[MOST_COLUMNS];
    unsigned components = 0;
    for (const struct shader_name *output = example->outputs; output->name; output++)
        components += output->count;
    shader_path_made(path, example, "csv");
    struct buffer file = shader_load(path);
    const char *text = (const char *)file.data;
    assert_true(next_line(&text, header_line));
    assert_int_equal(split(header_line, header), components);
    for (size_t vertex = 0; vertex < table->count; vertex++) {
        assert_true(next_line(&text, line));
        assert_int_equal(split(line, fields), components);
        for (unsigned i = 0; i < components; i++)
            compare_field(example, table, vertex, header[i], fields[i]);
    }
    assert_false(next_line(&text, line));
    buffer_free(&file);
}
