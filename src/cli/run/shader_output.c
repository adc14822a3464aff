/* SPDX-License-Identifier: MIT */
/* shader_output.c - see shader_output.h. */
#include "cli/run/shader_output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/csv.h"
#include "cli/number.h"
#include "cli/run/shader_raw.h"

enum {
    TEXT_BYTES = 1 << 16,
    ROW_MOST = SHADER_MOST_VARYINGS * SHADER_COMPONENTS * (NUMBER_TEXT + 1) + 1,
    HINT_MOST = 300,
};

/* --- raw buffers --- */

static bool refuse(const struct shader_output *output, const char *argument, const char *mistake)
{
    return cli_refuse(output->options->title, "invalid varying '%s': %s", argument, mistake);
}

/* Parses text, the part FILE,format=f32|f16[,components=N] of an argument of --varying, and opens
 * the file. Returns false after an error message. */
static bool open_raw(struct shader_output *output, struct shader_varying *varying,
                     const char *argument, const char *text)
{
    struct shader_raw_text parts;
    if (!shader_raw_is(text))
        return refuse(output, argument, "expected FILE,format=f32 or FILE,format=f16");
    const char *mistake = shader_raw_parse(text, &parts);
    varying->path = parts.path;
    varying->half = parts.format && strcmp(parts.format, "f16") == 0;
    if (!mistake && !varying->half && (!parts.format || strcmp(parts.format, "f32") != 0))
        mistake = "unknown format; expected f32 or f16";
    if (!mistake && (parts.has_stride || parts.offset))
        mistake = "stride= and offset= are not supported";
    if (mistake)
        return refuse(output, argument, mistake);
    if (parts.components)
        varying->components = (uint32_t)parts.components;
    return output_open(&varying->raw, output->options->title, varying->path);
}

static bool take_argument(struct shader_output *output, const char *argument)
{
    const struct shader_output_options *options = output->options;
    const char *equals = strchr(argument, '=');
    struct shader_name name;
    char hint[HINT_MOST];
    if (!equals)
        return refuse(output, argument, "expected NAME=FILE,format=...");
    size_t length = (size_t)(equals - argument);
    if (!shader_names_find(&options->names, argument, length, &name))
        return cli_refuse(options->title, "unknown varying '%.*s'; %s", (int)length, argument,
                          shader_names_list(&options->names, hint, sizeof hint));
    struct shader_varying *varying = &output->varyings[name.number];
    if (varying->path)
        return refuse(output, argument, "the varying is given twice");
    if (varying->components == 0)
        varying->components = name.components;
    return open_raw(output, varying, argument, equals + 1);
}

/* --- the table --- */

/* Determines the order of the columns. Named varyings come first, in the order of the source.
 * Unnamed varyings follow in the order of their numbers. */
static void find_order(struct shader_output *output)
{
    const struct shader_names *names = &output->options->names;
    uint32_t seen = 0;
    for (size_t i = 0; i < names->count + names->limit; i++) {
        uint32_t number = i < names->count ? names->items[i].number : (uint32_t)(i - names->count);
        if (output->varyings[number].shown && !(seen >> number & 1))
            output->order[output->order_count++] = number;
        seen |= UINT32_C(1) << number;
    }
}

static void find_components(struct shader_output *output)
{
    const struct shader_output_options *options = output->options;
    for (uint32_t i = 0; i < options->names.limit; i++) {
        struct shader_varying *varying = &output->varyings[i];
        varying->shown = options->components(options->user, i);
        if (varying->path) /* --varying has set the number of components */
            varying->shown &= (1U << varying->components) - 1;
        while (varying->shown >> varying->components)
            varying->components++;
    }
}

static void put_header(struct shader_output *output)
{
    FILE *stream = output->table.stream;
    bool first = true;
    for (size_t i = 0; i < output->order_count; i++) {
        uint32_t number = output->order[i];
        const struct shader_name *name = shader_names_of(&output->options->names, number);
        char digits[16];
        snprintf(digits, sizeof digits, "%" PRIu32, number);
        for (unsigned c = 0; c < SHADER_COMPONENTS; c++) {
            if (!(output->varyings[number].shown >> c & 1))
                continue;
            csv_put(stream, first, name ? name->name : digits, (const char[]){'.', "xyzw"[c], 0});
            first = false;
        }
    }
    fputc('\n', stream);
}

static bool open_table(struct shader_output *output)
{
    if (output->options->no_table || output->order_count == 0)
        return true;
    output->text = malloc(TEXT_BYTES + ROW_MOST);
    if (!output->text)
        return cli_no_memory(output->options->title);
    output->open = output_open(&output->table, output->options->title, output->options->path);
    if (output->open)
        put_header(output);
    return output->open;
}

static bool make_buffers(struct shader_output *output)
{
    for (uint32_t i = 0; i < SHADER_MOST_VARYINGS; i++) {
        struct shader_varying *varying = &output->varyings[i];
        if (varying->components == 0)
            continue;
        varying->data = calloc(output->options->piece, shader_output_stride(varying));
        if (!varying->data)
            return cli_no_memory(output->options->title);
    }
    return true;
}

bool shader_output_open(struct shader_output *output, const struct shader_output_options *options)
{
    *output = (struct shader_output){.options = options};
    for (size_t i = 0; i < options->varying_count; i++)
        if (!take_argument(output, options->varyings[i]))
            return false;
    find_components(output);
    find_order(output);
    return make_buffers(output) && open_table(output);
}

/* --- values --- */

size_t shader_output_stride(const struct shader_varying *varying)
{
    return varying->components * (varying->half ? sizeof(uint16_t) : sizeof(float));
}

void shader_output_clear(struct shader_output *output, size_t count)
{
    for (uint32_t i = 0; i < SHADER_MOST_VARYINGS; i++)
        if (output->varyings[i].data)
            memset(output->varyings[i].data, 0, count * shader_output_stride(&output->varyings[i]));
}

static float value_at(const struct shader_varying *varying, size_t vertex, unsigned component)
{
    size_t index = vertex * varying->components + component;
    float value;
    uint16_t half;
    if (!varying->half) {
        memcpy(&value, varying->data + index * sizeof value, sizeof value);
        return value;
    }
    memcpy(&half, varying->data + index * sizeof half, sizeof half);
    return number_from_half(half);
}

void shader_output_values(const struct shader_varying *varying, size_t vertex,
                          float values[SHADER_COMPONENTS])
{
    for (unsigned i = 0; i < SHADER_COMPONENTS; i++)
        values[i] = varying->data && i < varying->components ? value_at(varying, vertex, i)
                                                             : (float)(i == 3);
}

void shader_output_set(const struct shader_varying *varying, size_t vertex,
                       const float values[SHADER_COMPONENTS])
{
    size_t stride = shader_output_stride(varying);
    uint16_t halves[SHADER_COMPONENTS];
    for (unsigned i = 0; i < SHADER_COMPONENTS && varying->half; i++)
        halves[i] = number_to_half(values[i]);
    if (varying->data)
        memcpy(varying->data + vertex * stride,
               varying->half ? (const void *)halves : (const void *)values, stride);
}

/* --- writing --- */

static char *put_vertex(const struct shader_output *output, char *at, size_t vertex)
{
    for (size_t i = 0; i < output->order_count; i++) {
        const struct shader_varying *varying = &output->varyings[output->order[i]];
        for (unsigned c = 0; c < SHADER_COMPONENTS; c++) {
            if (!(varying->shown >> c & 1))
                continue;
            at += number_print(at, value_at(varying, vertex, c));
            *at++ = ',';
        }
    }
    at[-1] = '\n';
    return at;
}

static bool write_table(struct shader_output *output, size_t count)
{
    char *at = output->text;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        at = put_vertex(output, at, i);
        if (at - output->text < TEXT_BYTES && i + 1 < count)
            continue;
        size_t size = (size_t)(at - output->text);
        good = fwrite(output->text, 1, size, output->table.stream) == size;
        at = output->text;
    }
    return good;
}

bool shader_output_write(struct shader_output *output, size_t count)
{
    bool good = !output->open || write_table(output, count);
    for (uint32_t i = 0; i < SHADER_MOST_VARYINGS && good; i++) {
        const struct shader_varying *varying = &output->varyings[i];
        size_t stride = shader_output_stride(varying);
        if (varying->raw.stream)
            good = fwrite(varying->data, stride, count, varying->raw.stream) == count;
    }
    return good;
}

bool shader_output_close(struct shader_output *output)
{
    bool good = !output->open || output_close(&output->table);
    for (uint32_t i = 0; i < SHADER_MOST_VARYINGS; i++) {
        struct shader_varying *varying = &output->varyings[i];
        if (varying->raw.stream)
            good &= output_close(&varying->raw);
        free(varying->data);
        free(varying->path);
    }
    free(output->text);
    *output = (struct shader_output){0};
    return good;
}
