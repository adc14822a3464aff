/* SPDX-License-Identifier: MIT */
/* headers.c - parses the headers of an A2xx program's interface, such as "@attribute(R1) name".
 *
 * In:      a header.
 * Out:     a line of the section ".tessera" (interface.c).
 * Source:  freedreno's assembler, fdre-a2xx/asm/parser.y; @bool and @loop are Tessera's own. */
#include "base/ascii.h"
#include "isa/a2xx/parse.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/nearest.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* A kind of header: its name, its parser and the numbers that its parentheses may contain. */
struct header {
    const char *name;
    bool (*take)(struct a2xx_line *line, const struct header *header, struct buffer *lines);
    /* names of the register files in parentheses, or NULL for a plain number */
    const char *files[2];
    unsigned most; /* largest permitted number */
    const char *usage;
};

static const char *file_name(const char *letters)
{
    return letters[0] == 'R' ? "register" : letters[0] == 'C' ? "constant" : letters;
}

/* Parses a register such as "R1", or a number. */
static bool take_item(struct a2xx_line *line, const struct header *header, unsigned *number)
{
    int64_t value = 0;
    ASM_PEEK(line);
    size_t start = line->at, length = asm_name_length(line->text, line->length, line->at);
    if (!header->files[0]) {
        bool good = a2xx_number(line, "the number", 0, header->most, &value);
        *number = (unsigned)value;
        return good;
    }
    for (unsigned i = 0; i < COUNT(header->files) && header->files[i]; i++) {
        size_t letters = 0;
        while (letters < length && !ascii_is_digit(line->text[start + letters]))
            letters++;
        line->at = start + letters;
        if (asm_is_name(line->text + start, letters, header->files[i]))
            return a2xx_digits(line, file_name(header->files[i]), header->most, number);
    }
    return asm_fail(line->error, "a2xx-header", start, header->usage, "expected '%s' and a number",
                    header->files[0]);
}

/* Parses "(R1)" or "(R1-R3)". */
static bool take_range(struct a2xx_line *line, const struct header *header, unsigned *first,
                       unsigned *count)
{
    unsigned end;
    if (!a2xx_expect(line, '(', header->usage) || !take_item(line, header, first))
        return false;
    end = *first;
    size_t start = line->at;
    if (ASM_ACCEPT(line, '-') && !take_item(line, header, &end))
        return false;
    if (end < *first)
        return asm_fail(line->error, "a2xx-header", start, header->usage,
                        "the end of the range is before its start");
    *count = end - *first + 1;
    return a2xx_expect(line, ')', header->usage);
}

static bool take_name(struct a2xx_line *line, const struct header *header, const char **name,
                      size_t *length)
{
    *length = ASM_TAKE_NAME(line, name);
    return (*length > 0 ||
            asm_fail(line->error, "a2xx-header", line->at, header->usage, "expected a name")) &&
           a2xx_expect_end(line, header->usage);
}

static bool take_named(struct a2xx_line *line, const struct header *header, struct buffer *lines)
{
    const char *name;
    size_t length;
    unsigned first = 0, count = 0;
    if (!take_range(line, header, &first, &count) || !take_name(line, header, &name, &length))
        return false;
    buffer_printf(lines, "%s %.*s %u %u\n", header->name, (int)length, name, first, count);
    return true;
}

/* Parses "(N)". */
static bool take_one(struct a2xx_line *line, const struct header *header, unsigned *number)
{
    return a2xx_expect(line, '(', header->usage) && take_item(line, header, number) &&
           a2xx_expect(line, ')', header->usage);
}

static bool take_sampler(struct a2xx_line *line, const struct header *header, struct buffer *lines)
{
    const char *name;
    size_t length;
    unsigned number;
    if (!take_one(line, header, &number) || !take_name(line, header, &name, &length))
        return false;
    buffer_printf(lines, "sampler %.*s %u\n", (int)length, name, number);
    return true;
}

static bool take_float(struct a2xx_line *line, const struct header *header, uint32_t *bits)
{
    struct asm_value value;
    char first = ASM_PEEK(line);
    size_t start = line->at;
    if (first == '\0' || first == ',')
        return asm_fail(line->error, "a2xx-header", start, header->usage, "expected a value");
    if (!asm_evaluate(line->text, line->length, &line->at, line->names, &value, line->error))
        return false;
    *bits = asm_float_bits(&value, line->names, start);
    return true;
}

/* Parses "(C11) f, f, f, f". */
static bool take_const(struct a2xx_line *line, const struct header *header, struct buffer *lines)
{
    uint32_t bits[4] = {0};
    unsigned number, count = 0;
    if (!take_one(line, header, &number))
        return false;
    do {
        if (count == COUNT(bits))
            return asm_fail(line->error, "a2xx-header", line->at, header->usage,
                            "a constant has four values");
        if (!take_float(line, header, &bits[count++]))
            return false;
    } while (ASM_ACCEPT(line, ','));
    buffer_printf(lines, "constant %u 0x%08x 0x%08x 0x%08x 0x%08x\n", number, bits[0], bits[1],
                  bits[2], bits[3]);
    return a2xx_expect_end(line, header->usage);
}

static bool take_bool(struct a2xx_line *line, const struct header *header, struct buffer *lines)
{
    unsigned number;
    int64_t value = 0;
    if (!take_one(line, header, &number) || !a2xx_number(line, "a boolean", 0, 1, &value))
        return false;
    buffer_printf(lines, "bool %u %u\n", number, (unsigned)value);
    return a2xx_expect_end(line, header->usage);
}

/* Parses "(0) count, start, step". */
static bool take_loop(struct a2xx_line *line, const struct header *header, struct buffer *lines)
{
    unsigned number;
    int64_t count = 0, start = 0, step = 0;
    if (!take_one(line, header, &number) ||
        !a2xx_number(line, "the count of a loop", 0, 255, &count) ||
        !a2xx_expect(line, ',', header->usage) ||
        !a2xx_number(line, "the start of a loop", 0, 255, &start) ||
        !a2xx_expect(line, ',', header->usage) ||
        !a2xx_number(line, "the step of a loop", -128, 127, &step))
        return false;
    buffer_printf(lines, "loop %u %u %u %d\n", number, (unsigned)count, (unsigned)start, (int)step);
    return a2xx_expect_end(line, header->usage);
}

/* clang-format off */
static const struct header headers[] = {
    {"attribute", take_named, {"R"}, A2XX_REGISTERS - 1,
     "@attribute(R1) name, @attribute(R0-R1) name"},
    {"varying", take_named, {"R", "export"}, A2XX_REGISTERS - 1,
     "@varying(R0) name, @varying(R0-R1) name"},
    {"uniform", take_named, {"C"}, A2XX_CONSTANTS - 1, "@uniform(C0) name, @uniform(C0-C3) name"},
    {"sampler", take_sampler, {NULL}, A2XX_FETCH_CONSTANTS - 1, "@sampler(0) name"},
    {"const", take_const, {"C"}, A2XX_CONSTANTS - 1, "@const(C11) 1.0, 0.0, 0.0, 1.0"},
    {"bool", take_bool, {NULL}, A2XX_BOOLS - 1, "@bool(0) 1"},
    {"loop", take_loop, {NULL}, A2XX_LOOPS - 1, "@loop(0) COUNT, START, STEP"},
};
/* clang-format on */

const char *a2xx_header_name(size_t index)
{
    return index < COUNT(headers) ? headers[index].name : NULL;
}

bool a2xx_parse_header(struct a2xx_line *line, struct buffer *lines)
{
    const char *name;
    (void)ASM_ACCEPT(line, '@');
    size_t start = line->at, length = ASM_TAKE_NAME(line, &name);
    for (size_t i = 0; i < COUNT(headers); i++)
        if (asm_is_name(name, length, headers[i].name))
            return headers[i].take(line, &headers[i], lines);
    if (length == 0)
        return asm_fail(line->error, "a2xx-header", start, NULL, "expected the name of a header");
    asm_fail_name(line->error, "a2xx-header", start, name, length, "unknown header");
    struct nearest search = nearest_begin(name, length);
    for (size_t i = 0; a2xx_header_name(i); i++)
        nearest_consider(&search, a2xx_header_name(i), strlen(a2xx_header_name(i)));
    line->error->near = search.best;
    return false;
}
