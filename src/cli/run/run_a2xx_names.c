/* SPDX-License-Identifier: MIT */
/* run_a2xx_names.c - see run_a2xx_names.h. */
#include "cli/run/run_a2xx_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/run/shader_input.h"

/* --- lists --- */

/* Formats a name, whose text `names` then owns. Returns NULL if the host is out of memory. */
static const char *make_text(struct a2xx_names *names, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *make_text(struct a2xx_names *names, const char *format, ...)
{
    bool room = ARRAY_GROW(names->texts, names->text_count);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = malloc((size_t)length + 1);
    if (!room || !text) {
        free(text);
        return NULL;
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    names->texts[names->text_count++] = text;
    return text;
}

/* Appends a name. Returns false if the host is out of memory. name may be NULL if make_text() ran
 * out of memory; the function then returns false. */
static bool add(struct a2xx_names *names, const char *name, uint32_t number, uint32_t rows,
                uint32_t components)
{
    if (!ARRAY_GROW(names->items, names->list.count))
        return false;
    names->list.items = names->items;
    if (name)
        names->items[names->list.count++] = (struct shader_name){name, number, rows, components};
    return name != NULL;
}

void a2xx_names_free(struct a2xx_names *names)
{
    for (size_t i = 0; i < names->text_count; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->items);
    *names = (struct a2xx_names){0};
}

/* --- attributes --- */

static bool is_same(const struct tess_a2xx_vertex_fetch *a, const struct tess_a2xx_vertex_fetch *b)
{
    return a->constant == b->constant && a->format == b->format && a->stride == b->stride &&
           a->offset == b->offset;
}

/* Returns the name of a fetch's attribute. If the source names the attribute, returns this name,
 * with an index for the second and later registers of an array ("a[1]"). Otherwise the name is
 * "fetchN" for the first fetch of vertex constant N, and "fetchN_OFFSET" for further fetches. */
static const char *attribute_name(struct a2xx_names *names, const struct tess_a2xx_program *program,
                                  const struct tess_a2xx_vertex_fetch *fetch)
{
    const struct tess_a2xx_symbol *symbol = tess_a2xx_program_find(program, TESS_A2XX_ATTRIBUTE,
                                                                   fetch->name);
    struct shader_name other;
    if (symbol && fetch->reg == symbol->number)
        return symbol->name;
    if (symbol)
        return make_text(names, "%s[%u]", symbol->name, (unsigned)(fetch->reg - symbol->number));
    const char *name = make_text(names, "fetch%u", (unsigned)fetch->constant);
    if (!name || !shader_names_find(&names->list, name, strlen(name), &other))
        return name;
    return make_text(names, "fetch%u_%d", (unsigned)fetch->constant, (int)fetch->offset);
}

bool a2xx_names_attributes(struct a2xx_names *names, const struct tess_a2xx_program *program,
                           const struct tess_a2xx_vertex_fetch **fetches)
{
    const struct tess_a2xx_vertex_fetch *fetch;
    names->list.what = "attribute";
    for (size_t i = 0; (fetch = tess_a2xx_program_fetch(program, i)) != NULL; i++) {
        uint32_t known = 0;
        while (known < names->list.limit && !is_same(fetches[known], fetch))
            known++;
        if (known < names->list.limit)
            continue;
        if (known == SHADER_MOST_ATTRIBUTES ||
            !add(names, attribute_name(names, program, fetch), known, 1,
                 fetch->components ? fetch->components : SHADER_COMPONENTS))
            return false;
        fetches[known] = fetch;
        names->list.limit = known + 1;
    }
    return true;
}

/* --- registers and exports --- */

/* Adds the names of the source's varyings whose register numbers are below limit. */
static bool add_varyings(struct a2xx_names *names, const struct tess_a2xx_program *program,
                         uint32_t limit)
{
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++) {
        for (uint32_t k = 0; symbol->kind == TESS_A2XX_VARYING && k < symbol->count; k++) {
            const char *name = k ? make_text(names, "%s[%u]", symbol->name, (unsigned)k)
                                 : symbol->name;
            if (symbol->number + k < limit &&
                !add(names, name, symbol->number + k, 1, SHADER_COMPONENTS))
                return false;
        }
    }
    return true;
}

bool a2xx_names_inputs(struct a2xx_names *names, const struct tess_a2xx_program *program)
{
    names->list.what = "input";
    names->list.limit = TESS_A2XX_REGISTERS;
    bool good = add_varyings(names, program, TESS_A2XX_REGISTERS);
    for (uint32_t i = 0; i < TESS_A2XX_REGISTERS && good; i++)
        good = add(names, make_text(names, "R%u", (unsigned)i), i, 1, SHADER_COMPONENTS);
    return good;
}

/* For an output number that does not exist in the stage, returns the number of an export that no
 * program writes. */
uint32_t a2xx_output_export(enum tess_a2xx_stage stage, uint32_t output)
{
    enum { MEMORY = 32 };
    bool vertex = stage == TESS_A2XX_VERTEX;
    if (output >= A2XX_OUT_MEMORY)
        return MEMORY + output - A2XX_OUT_MEMORY;
    if (vertex)
        return output == A2XX_OUT_POSITION ? TESS_A2XX_POSITION
               : output == A2XX_OUT_POINT  ? TESS_A2XX_POINT
                                           : output;
    return output == A2XX_OUT_DEPTH    ? TESS_A2XX_DEPTH
           : output == A2XX_OUT_KILLED ? A2XX_NO_EXPORT
                                       : output;
}

static bool add_fixed(struct a2xx_names *names, const char *name, uint32_t output, uint32_t count)
{
    return add(names, name, output, 1, count);
}

bool a2xx_names_outputs(struct a2xx_names *names, const struct tess_a2xx_program *program,
                        enum tess_a2xx_stage stage)
{
    bool vertex = stage == TESS_A2XX_VERTEX;
    names->list.what = "varying";
    names->list.limit = A2XX_OUT_END;
    bool good = vertex ? add_fixed(names, "gl_Position", A2XX_OUT_POSITION, 4) &&
                             add_fixed(names, "gl_PointSize", A2XX_OUT_POINT, 3) &&
                             add_varyings(names, program, TESS_DRAW_VARYINGS)
                       : add_fixed(names, "gl_FragColor", TESS_A2XX_COLOUR, 4) &&
                             add_fixed(names, "gl_FragDepth", A2XX_OUT_DEPTH, 1) &&
                             add_fixed(names, "killed", A2XX_OUT_KILLED, 1);
    uint32_t exports = vertex ? A2XX_OUT_POSITION : A2XX_OUT_DEPTH;
    for (uint32_t i = 0; i < exports && good; i++)
        good = add(names, make_text(names, "export%u", (unsigned)i), i, 1, SHADER_COMPONENTS);
    for (uint32_t i = A2XX_OUT_MEMORY; i < A2XX_OUT_END && good; i++)
        good = add(names, make_text(names, "export%u", (unsigned)a2xx_output_export(stage, i)), i,
                   1, SHADER_COMPONENTS);
    return good;
}

/* --- constants --- */

static bool add_constants(struct a2xx_names *names, const struct tess_a2xx_program *program,
                          uint32_t first, const char *stage)
{
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++) {
        const char *name = stage ? make_text(names, "%s.%s", stage, symbol->name) : symbol->name;
        if (symbol->kind == TESS_A2XX_UNIFORM &&
            !add(names, name, first + symbol->number, symbol->count, 0))
            return false;
    }
    return true;
}

bool a2xx_names_constants(struct a2xx_names *names, const struct tess_a2xx_program *vertex,
                          const struct tess_a2xx_program *pixel)
{
    static const struct shader_prefix both[] = {
        {"C", 0, A2XX_STAGE_CONSTANTS},
        {"vertex.C", 0, A2XX_STAGE_CONSTANTS},
        {"pixel.C", A2XX_STAGE_CONSTANTS, A2XX_STAGE_CONSTANTS},
        {"fragment.C", A2XX_STAGE_CONSTANTS, A2XX_STAGE_CONSTANTS},
        {NULL, 0, 0}};
    static const struct shader_prefix only_pixel[] = {
        {"C", A2XX_STAGE_CONSTANTS, A2XX_STAGE_CONSTANTS},
        {"pixel.C", A2XX_STAGE_CONSTANTS, A2XX_STAGE_CONSTANTS},
        {"fragment.C", A2XX_STAGE_CONSTANTS, A2XX_STAGE_CONSTANTS},
        {NULL, 0, 0}};
    names->list.what = "uniform";
    names->list.limit = TESS_A2XX_CONSTANTS;
    names->list.prefixes = vertex ? both : only_pixel;
    return add_constants(names, vertex, 0, NULL) &&
           add_constants(names, pixel, A2XX_STAGE_CONSTANTS, NULL) &&
           (!vertex || !pixel ||
            (add_constants(names, vertex, 0, "vertex") &&
             add_constants(names, pixel, A2XX_STAGE_CONSTANTS, "pixel") &&
             add_constants(names, pixel, A2XX_STAGE_CONSTANTS, "fragment")));
}
