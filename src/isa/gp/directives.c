/* SPDX-License-Identifier: MIT */
/* directives.c - see directives.h. docs/isa/gp.md describes the directives. */
#include "isa/gp/directives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { COMPONENTS = 4 };

/* A directive and the position up to which it has been read. */
struct reader {
    struct gp_owners *owners;
    const struct asm_directive *directive;
    const struct kind *kind;
    const char *text; /* of the directive */
    size_t length, at;
    const char *name;
    size_t name_length;
    struct asm_error *error;
};

/* A kind of directive: its name, its parser, its usage line and a noun for messages. */
struct kind {
    const char *name;
    bool (*take)(struct reader *r);
    const char *usage, *what;
};

/* --- reading --- */

static bool expect_end(struct reader *r)
{
    return ASM_PEEK(r) == '\0' ||
           asm_fail(r->error, "asm-syntax", r->at, r->kind->usage, "expected the end of the line");
}

static bool evaluate(struct reader *r, const char *what, struct asm_value *value)
{
    if (ASM_PEEK(r) == '\0' || ASM_PEEK(r) == ',')
        return asm_fail(r->error, "asm-syntax", r->at, r->kind->usage, "expected %s", what);
    return asm_evaluate(r->text, r->length, &r->at, r->directive->names, value, r->error);
}

/* Reads a number. Reports an error if a symbol in it is not defined before this line. In the first
 * pass, the value of any symbol may be unknown, but the assembler does not print the errors of that
 * pass. */
static bool number(struct reader *r, const char *what, unsigned least, unsigned most,
                   unsigned *result)
{
    struct asm_value value;
    ASM_PEEK(r);
    size_t start = r->at;
    if (!evaluate(r, what, &value))
        return false;
    if (value.unknown || value.forward)
        return asm_fail(
            r->error, "asm-forward", start, "define the symbol before this line",
            "the interface depends on this value, so it must be defined before this line");
    if (value.kind != ASM_INTEGER || value.integer < least || value.integer > most)
        return asm_fail(r->error, "gp-range", start, r->kind->usage,
                        "%s must be an integer from %u to %u", what, least, most);
    *result = (unsigned)value.integer;
    return true;
}

static bool take_name(struct reader *r)
{
    r->name_length = ASM_TAKE_NAME(r, &r->name);
    return r->name_length > 0 || asm_fail(r->error, "asm-syntax", r->at, r->kind->usage,
                                          "expected the name of the %s", r->kind->what);
}

/* --- owners of attributes, varyings and rows --- */

static void keep_name(const struct reader *r, char owner[GP_NAME_SHOWN])
{
    size_t length = r->name_length < GP_NAME_SHOWN ? r->name_length : GP_NAME_SHOWN - 1;
    memcpy(owner, r->name, length);
    owner[length] = '\0';
}

static void define(const struct reader *r, unsigned value)
{
    const struct asm_directive *directive = r->directive;
    directive->define(directive, (size_t)(r->name - r->text), r->name_length, value);
}

static void write_line(const struct reader *r, unsigned first, unsigned second)
{
    buffer_printf(r->directive->lines, "%s %.*s %u %u\n", r->kind->name, (int)r->name_length,
                  r->name, first, second);
}

/* Parses the arguments of ".attribute NAME, NUMBER[, COMPONENTS]" and ".varying NAME, NUMBER[,
 * COMPONENTS]". */
static bool take_port(struct reader *r, char owners[][GP_NAME_SHOWN], unsigned count)
{
    unsigned port, components = COMPONENTS;
    if (!ASM_ACCEPT(r, ','))
        return asm_fail(r->error, "asm-syntax", r->at, r->kind->usage,
                        "expected ',' and the number of the %s", r->kind->what);
    ASM_PEEK(r);
    size_t start = r->at;
    if (!number(r, "the number", 0, count - 1, &port) ||
        (ASM_ACCEPT(r, ',') &&
         !number(r, "the number of components", 1, COMPONENTS, &components)) ||
        !expect_end(r))
        return false;
    if (owners[port][0])
        return asm_fail(r->error, "gp-clash", start, "choose another number",
                        "%s %u is already named '%s'", r->kind->what, port, owners[port]);
    keep_name(r, owners[port]);
    define(r, port);
    write_line(r, port, components);
    return true;
}

static bool take_attribute(struct reader *r)
{
    return take_port(r, r->owners->attributes, GP_ATTRIBUTES);
}

static bool take_varying(struct reader *r)
{
    return take_port(r, r->owners->varyings, GP_VARYINGS);
}

/* --- rows --- */

/* Returns the first row of the range that has an owner, or the row after the range if all rows
 * are free. */
static unsigned first_owned(const struct gp_owners *owners, unsigned row, unsigned count)
{
    unsigned end = row + count;
    while (row < end && row < GP_ROWS && !owners->rows[row][0])
        row++;
    return row;
}

/* Finds count consecutive free rows at or after owners->next_row. */
static bool find_rows(struct reader *r, unsigned count, unsigned *row)
{
    struct gp_owners *owners = r->owners;
    *row = owners->next_row;
    for (unsigned owned; (owned = first_owned(owners, *row, count)) < *row + count;) {
        if (owned >= GP_ROWS)
            return asm_fail(r->error, "gp-rows", (size_t)(r->name - r->text),
                            "use fewer rows; uniforms, constants and temporaries share them",
                            "the GP has %d rows, and no %u consecutive rows are free after row %d",
                            GP_ROWS, count, (int)*row - 1);
        *row = owned + 1;
    }
    owners->next_row = *row + count;
    return true;
}

static bool check_rows(const struct reader *r, size_t start, unsigned row, unsigned count)
{
    unsigned owned = first_owned(r->owners, row, count);
    if (row + count > GP_ROWS)
        return asm_fail(r->error, "gp-rows", start, NULL,
                        "rows %u to %u are out of range; there are only %d rows", row,
                        row + count - 1, GP_ROWS);
    if (owned < row + count)
        return asm_fail(r->error, "gp-clash", start, "omit the row number to use free rows",
                        "row %u already belongs to '%s'", owned, r->owners->rows[owned]);
    return true;
}

static void warn_of_rows(const struct reader *r, unsigned end)
{
    const struct asm_names *names = r->directive->names;
    struct asm_error warning = {0};
    if (end <= GP_ROWS_DRIVER || !names->warn)
        return;
    asm_fail(&warning, "gp-rows-driver", (size_t)(r->name - r->text),
             "use fewer rows if the program is for Mesa's driver",
             "row %u is beyond the %d rows of Mesa's driver", end - 1, GP_ROWS_DRIVER);
    names->warn(names->user, &warning);
}

static void own_rows(const struct reader *r, unsigned row, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        keep_name(r, r->owners->rows[row + i]);
    define(r, row);
    warn_of_rows(r, row + count);
}

/* Parses the arguments of ".uniform NAME[, ROWS[, ROW]]" and ".temporary NAME[, ROWS[, ROW]]". */
static bool take_rows(struct reader *r)
{
    unsigned count = 1, row = 0;
    bool placed = false;
    size_t start = r->at;
    if (ASM_ACCEPT(r, ',')) {
        if (!number(r, "the number of rows", 1, GP_ROWS, &count))
            return false;
        placed = ASM_ACCEPT(r, ',');
        ASM_PEEK(r);
        start = r->at;
    }
    if (placed && !number(r, "the first row", 0, GP_ROWS - 1, &row))
        return false;
    if (!expect_end(r) || !(placed ? check_rows(r, start, row, count) : find_rows(r, count, &row)))
        return false;
    own_rows(r, row, count);
    write_line(r, row, count);
    return true;
}

/* Parses the values of ".constant NAME, VALUE, ...". */
static bool take_constant(struct reader *r)
{
    uint32_t bits[COMPONENTS] = {0};
    unsigned count = 0, row;
    while (ASM_ACCEPT(r, ',')) {
        struct asm_value value;
        ASM_PEEK(r);
        size_t start = r->at;
        if (count == COMPONENTS)
            return asm_fail(r->error, "asm-syntax", start, r->kind->usage,
                            "a constant has at most four values");
        if (!evaluate(r, "a value", &value))
            return false;
        if (value.kind == ASM_OPERAND)
            return asm_fail(r->error, "asm-type", start, r->kind->usage, "expected a number");
        bits[count++] = asm_float_bits(&value, r->directive->names, start);
    }
    if (count == 0 && ASM_PEEK(r) == '\0')
        return asm_fail(r->error, "asm-syntax", r->at, r->kind->usage, "expected a value");
    if (!expect_end(r) || !find_rows(r, 1, &row))
        return false;
    own_rows(r, row, 1);
    buffer_printf(r->directive->lines, "constant %.*s %u 0x%08x 0x%08x 0x%08x 0x%08x\n",
                  (int)r->name_length, r->name, row, bits[0], bits[1], bits[2], bits[3]);
    return true;
}

/* --- table of directives --- */

static const struct kind kinds[] = {
    {"attribute", take_attribute, ".attribute NAME, NUMBER[, COMPONENTS]", "attribute"},
    {"varying", take_varying, ".varying NAME, NUMBER[, COMPONENTS]", "varying"},
    {"uniform", take_rows, ".uniform NAME[, ROWS[, ROW]]", "uniform"},
    {"constant", take_constant, ".constant NAME, VALUE[, VALUE ...]", "constant"},
    {"temporary", take_rows, ".temporary NAME[, ROWS[, ROW]]", "temporary"},
};

const char *gp_directive_name(size_t index)
{
    return index < COUNT(kinds) ? kinds[index].name : NULL;
}

enum asm_taken gp_directive(struct gp_owners *owners, const struct asm_directive *directive,
                            struct asm_error *error)
{
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct reader r = {
            owners, directive, &kinds[i], directive->text, directive->length, directive->at,
            NULL,   0,         error};
        if (asm_is_name(directive->name, directive->name_length, kinds[i].name))
            return take_name(&r) && kinds[i].take(&r) ? ASM_TAKEN : ASM_WRONG;
    }
    return ASM_NOT_MINE;
}
