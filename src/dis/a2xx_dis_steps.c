/* SPDX-License-Identifier: MIT */
/* a2xx_dis_steps.c - recovers the headers of an A2xx program's interface for the disassembler.
 *
 * How: parses an interface line, writes a line from the parsed symbol, and compares the two lines.
 *      A header is printed only if they are equal, because it then assembles to exactly the
 *      original line. */
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "base/ascii.h"
#include "base/bits.h"
#include "base/text.h"
#include "dis/dis_map.h"
#include "isa/a2xx/explain.h"
#include "isa/a2xx/facts.h"
#include "isa/interface_read.h"

/* Largest length of a header and largest number of lines. No real program reaches the limits. Lines
 * that exceed them have neither headers nor notes. */
enum { HEADER_MAX = 512, STEPS_MAX = 2048 };

/* --- headers --- */

static bool is_identifier(const char *name)
{
    const char *end = name;
    while (ascii_in_name(*end))
        end++;
    return ascii_starts_name(*name) && !*end;
}

/* Writes a range and its name, such as "(R1) name" or "(R0-R3) name". */
static void put_range(struct text *text, char file, const struct tess_a2xx_symbol *symbol)
{
    text_put(text, "(%c%u", file, (unsigned)symbol->number);
    if (symbol->count != 1)
        text_put(text, "-%c%u", file, (unsigned)(symbol->number + symbol->count - 1));
    text_put(text, ") %s", symbol->name);
}

/* Writes a number with a fraction or an exponent, so that it reads as a float. */
static void put_float(struct text *text, float value)
{
    char digits[32];
    struct text number = {digits, sizeof digits, 0};
    bool minus_zero = value == 0 && float_bits(value) != 0;
    text_put(&number, minus_zero ? "-0.0" : "%.9g", (double)value);
    text_put(text, "%s%s", digits, strpbrk(digits, ".en") ? "" : ".0");
}

static void put_floats(struct text *text, const struct tess_a2xx_symbol *symbol)
{
    text_put(text, "(C%u) ", (unsigned)symbol->number);
    for (unsigned i = 0; i < 4; i++) {
        text_put(text, i ? ", " : "");
        put_float(text, symbol->values[i]);
    }
}

static void put_header(struct text *text, const struct tess_a2xx_symbol *symbol)
{
    switch (symbol->kind) {
    case TESS_A2XX_ATTRIBUTE:
        text_put(text, "@attribute");
        put_range(text, 'R', symbol);
        break;
    case TESS_A2XX_VARYING:
        text_put(text, "@varying");
        put_range(text, 'R', symbol);
        break;
    case TESS_A2XX_UNIFORM:
        text_put(text, "@uniform");
        put_range(text, 'C', symbol);
        break;
    case TESS_A2XX_SAMPLER:
        text_put(text, "@sampler(%u) %s", (unsigned)symbol->number, symbol->name);
        break;
    case TESS_A2XX_CONST:
        text_put(text, "@const");
        put_floats(text, symbol);
        break;
    case TESS_A2XX_BOOL:
        text_put(text, "@bool(%u) %d", (unsigned)symbol->number, (int)symbol->values[0]);
        break;
    case TESS_A2XX_LOOP:
        text_put(text, "@loop(%u) %d, %d, %d", (unsigned)symbol->number, (int)symbol->values[0],
                 (int)symbol->values[1], (int)symbol->values[2]);
        break;
    }
}

/* Writes the line to which the header assembles. */
static void put_line(struct text *text, const struct tess_a2xx_symbol *symbol)
{
    static const char *const ranges[] = {[TESS_A2XX_ATTRIBUTE] = "attribute",
                                         [TESS_A2XX_VARYING] = "varying",
                                         [TESS_A2XX_UNIFORM] = "uniform"};
    unsigned number = (unsigned)symbol->number;
    switch (symbol->kind) {
    case TESS_A2XX_ATTRIBUTE:
    case TESS_A2XX_VARYING:
    case TESS_A2XX_UNIFORM:
        text_put(text, "%s %s %u %u", ranges[symbol->kind], symbol->name, number,
                 (unsigned)symbol->count);
        break;
    case TESS_A2XX_SAMPLER: text_put(text, "sampler %s %u", symbol->name, number); break;
    case TESS_A2XX_CONST:
        text_put(text, "constant %u", number);
        for (unsigned i = 0; i < 4; i++)
            text_put(text, " 0x%08x", (unsigned)float_bits(symbol->values[i]));
        break;
    case TESS_A2XX_BOOL: text_put(text, "bool %u %d", number, (int)symbol->values[0]); break;
    case TESS_A2XX_LOOP:
        text_put(text, "loop %u %d %d %d", number, (int)symbol->values[0], (int)symbol->values[1],
                 (int)symbol->values[2]);
        break;
    }
}

static bool is_finite(const struct tess_a2xx_symbol *symbol)
{
    for (unsigned i = 0; i < 4; i++)
        if (symbol->kind == TESS_A2XX_CONST && symbol->values[i] - symbol->values[i] != 0)
            return false;
    return true;
}

static bool returns_buffer(const struct dis_step *step, const struct tess_a2xx_symbol *symbol)
{
    char line[HEADER_MAX];
    struct text text = {line, sizeof line, 0};
    bool named = symbol->kind <= TESS_A2XX_UNIFORM || symbol->kind == TESS_A2XX_SAMPLER;
    put_line(&text, symbol);
    return text.length < sizeof line && text.length == step->length &&
           memcmp(line, step->text, step->length) == 0 && is_finite(symbol) &&
           (!named || is_identifier(symbol->name));
}

/* --- the index --- */

/* A name and the range that it names. .name points to the second word of the line, and is not
 * terminated by NUL. */
struct named {
    enum tess_a2xx_kind kind;
    uint32_t number, count;
    const char *name;
    size_t length;
};

/* One element for each line. .count is 0 for lines without a header. */
struct index {
    size_t count;
    struct named names[];
};

/* Returns true if an earlier line has the same name. */
static bool is_repeated(const struct index *index, size_t number, const struct named *named)
{
    for (size_t i = 0; i < number; i++) {
        const struct named *other = &index->names[i];
        if (other->count && named->length && other->length == named->length &&
            memcmp(other->name, named->name, named->length) == 0)
            return true;
    }
    return false;
}

static char *header_of(const struct tess_a2xx_symbol *symbol)
{
    char header[HEADER_MAX];
    struct text text = {header, sizeof header, 0};
    put_header(&text, symbol);
    char *copy = malloc(strlen(header) + 1);
    return copy ? strcpy(copy, header) : NULL;
}

static struct named name_of(const struct dis_step *step, const struct tess_a2xx_symbol *symbol)
{
    struct named named = {symbol->kind, symbol->number, symbol->count, NULL, strlen(symbol->name)};
    named.name = memchr(step->text, ' ', step->length);
    if (named.name)
        named.name++;
    else
        named.length = 0;
    return named;
}

static enum tess_status take_step(struct dis_step *step, struct index *index, size_t number)
{
    struct interface_lines interface;
    enum tess_status status = interface_read(&interface, &a2xx_interface, step->text, step->length,
                                             NULL, (struct tess_sink){0});
    const struct tess_a2xx_symbol *symbol = interface.symbols;
    if (status == TESS_OK && interface.count == 1 && returns_buffer(step, symbol)) {
        struct named named = name_of(step, symbol);
        if (!is_repeated(index, number, &named)) {
            index->names[number] = named;
            step->directive = header_of(symbol);
            status = step->directive ? TESS_OK : TESS_NO_MEMORY;
        }
    }
    interface_free(&interface);
    return status;
}

bool a2xx_find_directives(struct dis_map *map)
{
    size_t count = map->step_count < STEPS_MAX ? map->step_count : STEPS_MAX;
    struct index *index = calloc(1, sizeof *index + count * sizeof index->names[0]);
    bool good = index != NULL;
    map->step_index = index;
    if (index)
        index->count = count;
    for (size_t i = 0; good && i < count; i++)
        good = take_step(&map->steps[i], index, i) != TESS_NO_MEMORY;
    return good;
}

/* --- names --- */

static void put_name(struct text *text, const struct index *index, enum tess_a2xx_kind kind,
                     const char *what, uint32_t number)
{
    for (size_t i = 0; i < index->count; i++) {
        const struct named *named = &index->names[i];
        if (!named->count || named->kind != kind || number - named->number >= named->count)
            continue;
        text_put(text, "- %s%u is %.*s", what, (unsigned)number, (int)named->length, named->name);
        if (named->count > 1)
            text_put(text, " + %u", (unsigned)(number - named->number));
        text_put(text, "\n");
    }
}

static void put_alu_names(struct text *text, const struct index *index, const struct a2xx_alu *alu,
                          enum tess_a2xx_variant variant)
{
    struct a2xx_operand operands[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(alu, variant, operands);
    for (unsigned i = 0; i < count; i++)
        if (operands[i].constant && !operands[i].relative)
            put_name(text, index, TESS_A2XX_UNIFORM, "C", operands[i].number);
    if (alu->export_data && !alu->vector_dest_rel)
        put_name(text, index, TESS_A2XX_VARYING, "export", alu->vector_dest);
}

void a2xx_put_names(struct text *text, const struct dis_map *map, const struct a2xx_insn *insn)
{
    const struct index *index = map->step_index;
    if (insn->form == A2XX_FORM_ALU)
        put_alu_names(text, index, &insn->alu, insn->variant);
    if (insn->form == A2XX_FORM_VERTEX)
        put_name(text, index, TESS_A2XX_ATTRIBUTE, "R", insn->fetch.vertex.dst_reg);
    if (insn->form == A2XX_FORM_TEXTURE)
        put_name(text, index, TESS_A2XX_SAMPLER, "texture constant ",
                 insn->fetch.texture.const_index);
}
