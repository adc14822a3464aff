/* SPDX-License-Identifier: MIT */
/* operand.c - see operand.h. ops.def has the codes. */
#include "isa/gp/operand.h"

#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Names of the units in operands. The disassembler uses the first name of a unit. For load unit 0,
 * it uses "attr" if the unit loads an attribute, and "reg0" if the unit loads a register. */
static const struct unit_name {
    const char *name;
    enum gp_unit unit;
} unit_names[] = {
    /* clang-format off */
    {"attr",    GP_UNIT_LOAD0},
    {"reg0",    GP_UNIT_LOAD0},
    {"reg1",    GP_UNIT_LOAD1},
    {"unif",    GP_UNIT_ROW},
    {"temp",    GP_UNIT_ROW},
    {"acc0",    GP_UNIT_ACC0},
    {"acc1",    GP_UNIT_ACC1},
    {"mul0",    GP_UNIT_MUL0},
    {"mul1",    GP_UNIT_MUL1},
    {"complex", GP_UNIT_COMPLEX},
    {"pass",    GP_UNIT_PASS},
    /* clang-format on */
};

static const char *const other_names[] = {"ident", "unused", "src"};

const char *gp_operand_name(size_t index)
{
    size_t others = index - COUNT(unit_names);
    return index < COUNT(unit_names)     ? unit_names[index].name
           : others < COUNT(other_names) ? other_names[others]
                                         : NULL;
}

/* The text and the position up to which it has been read. */
struct reader {
    const char *text;
    size_t length, at;
    size_t start; /* start of the operand in text */
    enum gp_place place;
    const struct asm_names *names;
    bool *unknown;
    struct asm_error *error;
};

/* An operand as it appears in the source. */
struct written {
    const char *name;
    enum gp_unit unit;
    unsigned back;
    char component; /* 'x' to 'w', or 0 if no component is written */
};

static const struct unit_name *find_unit(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(unit_names); i++)
        if (asm_is_name(name, length, unit_names[i].name))
            return &unit_names[i];
    return NULL;
}

static bool has_components(enum gp_unit unit)
{
    return unit == GP_UNIT_LOAD0 || unit == GP_UNIT_LOAD1 || unit == GP_UNIT_ROW;
}

/* Returns the greatest distance, in instructions, at which results of the unit can be read. */
static unsigned most_back(enum gp_unit unit)
{
    unsigned most = 0;
    for (unsigned code = 0; code < GP_SOURCES; code++)
        if (gp_sources[code].words && gp_sources[code].unit == unit && gp_sources[code].back > most)
            most = gp_sources[code].back;
    return most;
}

/* --- reading --- */

/* Reads a distance such as "[-1]". */
static bool read_back(struct reader *r, struct written *written)
{
    size_t start = r->at++;
    bool minus = ASM_PEEK(r) == '-';
    r->at += minus;
    ASM_PEEK(r);
    size_t digits = r->at;
    for (; r->at < r->length && ascii_is_digit(r->text[r->at]); r->at++)
        if (written->back < 1000)
            written->back = written->back * 10 + (unsigned)(r->text[r->at] - '0');
    if (r->at == digits || ASM_PEEK(r) != ']')
        return asm_fail(r->error, "gp-operand", start,
                        "write [-1] for the preceding instruction, [-2] for the one before it",
                        "expected '[-1]' or '[-2]'");
    r->at++;
    if (!minus && written->back != 0)
        return asm_fail(r->error, "gp-operand-back", start,
                        "write [-1] for the preceding instruction, [-2] for the one before it",
                        "results of later instructions cannot be read");
    return true;
}

static bool read_component(struct reader *r, struct written *written)
{
    size_t start = ++r->at, length = asm_name_length(r->text, r->length, start);
    r->at += length;
    if (length != 1 || !strchr("xyzw", r->text[start]))
        return asm_fail(r->error, "gp-component", start, "use x, y, z or w",
                        "expected one component, found '%.*s'", length > 100 ? 100 : (int)length,
                        r->text + start);
    written->component = r->text[start];
    return true;
}

static bool fail_back(const struct reader *r, const struct written *written)
{
    unsigned most = most_back(written->unit);
    bool loads = has_components(written->unit);
    if (!loads && written->back == 0)
        return asm_fail(r->error, "gp-operand-back", r->start,
                        "write [-1] for the preceding instruction",
                        "%s cannot be read in the instruction that computes it; write %s[-1]%s",
                        written->name, written->name, most > 1 ? " or [-2]" : "");
    if (most == 0)
        return asm_fail(r->error, "gp-operand-back", r->start,
                        "load the value again in this instruction",
                        "%s can only be read in the instruction that loads it", written->name);
    return asm_fail(r->error, "gp-operand-back", r->start,
                    loads ? "load the value again, or move it through a unit"
                          : "move the result in between, or store it in a register",
                    "%s%s cannot be read %u instructions later, only %s", written->name,
                    loads ? "" : "'s result", written->back, most > 1 ? "one or two" : "one");
}

/* Finds the source code of a written operand. */
static bool find_code(const struct reader *r, const struct written *written, unsigned *code)
{
    for (*code = 0; *code < GP_SOURCES; ++*code) {
        const struct gp_source_row *row = &gp_sources[*code];
        if (row->words && row->unit == written->unit && row->back == written->back &&
            row->component == written->component)
            return true;
    }
    bool wants = has_components(written->unit);
    if (written->back > most_back(written->unit) || (!wants && written->back == 0))
        return fail_back(r, written);
    if (wants)
        return asm_fail(r->error, "gp-component", r->start, "select x, y, z or w",
                        "%s needs a component, such as %s.x", written->name, written->name);
    return asm_fail(r->error, "gp-component", r->start, "remove the component",
                    "%s has a single result, without components", written->name);
}

static bool check_place(const struct reader *r, unsigned code)
{
    if (code != GP_SRC_COMPLEX_P1 || r->place != GP_SECOND)
        return true;
    return asm_fail(r->error, "gp-complex-second", r->start,
                    "swap the operands, or read a move of the complex unit's result",
                    "complex[-1] cannot be a second operand: its code is the identity there");
}

static bool read_unit(struct reader *r, const struct unit_name *unit, unsigned *code)
{
    struct written written = {.name = unit->name, .unit = unit->unit};
    if (ASM_PEEK(r) == '[' && !read_back(r, &written))
        return false;
    if (ASM_PEEK(r) == '.' && !read_component(r, &written))
        return false;
    return find_code(r, &written, code) && check_place(r, *code);
}

static bool read_store(struct reader *r, const struct unit_name *unit, unsigned *code)
{
    if (has_components(unit->unit))
        return asm_fail(r->error, "gp-store-source", r->start,
                        "move the value through a unit first: acc0.mov, mul0.mov, pass.mov",
                        "a loaded value cannot be stored directly");
    if (ASM_PEEK(r) == '[' || ASM_PEEK(r) == '.')
        return asm_fail(
            r->error, "gp-store-source", r->at, "remove the index or component",
            "a store takes results of the same instruction, without index or component");
    for (*code = 0; *code < COUNT(gp_store_sources); ++*code)
        if (gp_store_sources[*code].words && gp_store_sources[*code].unit == unit->unit)
            return true;
    return false;
}

/* Reads "src(N)". */
static bool read_number(struct reader *r, unsigned *code)
{
    struct asm_value value;
    unsigned most = r->place == GP_STORED ? COUNT(gp_store_sources) - 1 : GP_SOURCES - 1;
    if (ASM_PEEK(r) != '(')
        return asm_fail(r->error, "gp-operand", r->at,
                        "write the code in parentheses, such as src(9)", "expected '('");
    size_t start = ++r->at;
    if (!asm_evaluate(r->text, r->length, &r->at, r->names, &value, r->error))
        return false;
    if (ASM_PEEK(r) != ')')
        return asm_fail(r->error, "gp-operand", r->at, NULL, "expected ')'");
    r->at++;
    *code = 0;
    *r->unknown = *r->unknown || value.unknown;
    if (value.unknown)
        return true;
    if (value.kind != ASM_INTEGER || value.integer < 0 || value.integer > most)
        return asm_fail(r->error, "gp-range", start, NULL,
                        "the source code must be an integer from 0 to %u", most);
    *code = (unsigned)value.integer;
    return true;
}

static bool read_identity(struct reader *r, unsigned *code)
{
    *code = GP_SRC_IDENTITY;
    return r->place == GP_SECOND ||
           asm_fail(r->error, "gp-ident", r->start,
                    "use ident only as the second operand of a multiplier or an accumulator",
                    "ident is not allowed here");
}

/* Reads operands that are not units: src(N), ident, unused and _. */
static bool read_other(struct reader *r, const char *name, size_t length, unsigned *code)
{
    bool stored = r->place == GP_STORED;
    if (asm_is_name(name, length, "src"))
        return read_number(r, code);
    if (asm_is_name(name, length, "_") && stored) {
        *code = GP_STORE_NONE;
        return true;
    }
    if (asm_is_name(name, length, "ident") && !stored)
        return read_identity(r, code);
    if (asm_is_name(name, length, "unused") && !stored) {
        *code = GP_SRC_UNUSED;
        return true;
    }
    return asm_fail_name(r->error, "gp-operand", r->start, name, length, "unknown operand");
}

bool gp_operand_read(const char *text, size_t length, size_t *at, enum gp_place place,
                     const struct asm_names *names, unsigned *code, bool *unknown,
                     struct asm_error *error)
{
    struct reader r = {text, length, *at, *at, place, names, unknown, error};
    ASM_PEEK(&r);
    r.start = r.at;
    size_t name_length = asm_name_length(text, length, r.start);
    const char *name = text + r.start;
    if (name_length == 0)
        return asm_fail(error, "gp-operand", r.start,
                        "write an operand such as attr.x, reg0.x, unif.x, acc0[-1] or ident; "
                        "define numbers with .constant",
                        "expected an operand");
    r.at += name_length;
    const struct unit_name *unit = find_unit(name, name_length);
    bool good = !unit                ? read_other(&r, name, name_length, code)
                : place == GP_STORED ? read_store(&r, unit, code)
                                     : read_unit(&r, unit, code);
    ASM_PEEK(&r);
    *at = r.at;
    return good;
}

/* --- writing --- */

static const char *unit_text(enum gp_unit unit, bool attribute)
{
    if (unit == GP_UNIT_LOAD0)
        return attribute ? "attr" : "reg0";
    for (size_t i = 0; i < COUNT(unit_names); i++)
        if (unit_names[i].unit == unit)
            return unit_names[i].name;
    return "unused";
}

static void store_text(char text[GP_OPERAND_TEXT], unsigned code)
{
    const struct gp_source_row *row = &gp_store_sources[code % COUNT(gp_store_sources)];
    if (!row->words)
        snprintf(text, GP_OPERAND_TEXT, "src(%u)", code);
    else
        snprintf(text, GP_OPERAND_TEXT, "%s",
                 row->unit == GP_UNIT_NONE ? "_" : unit_text(row->unit, false));
}

void gp_operand_text(char text[GP_OPERAND_TEXT], unsigned code, enum gp_place place, bool attribute)
{
    if (place == GP_STORED) {
        store_text(text, code);
        return;
    }
    const struct gp_source_row *row = &gp_sources[code % GP_SOURCES];
    const char *unit = unit_text(row->unit, attribute);
    if (!row->words)
        snprintf(text, GP_OPERAND_TEXT, "src(%u)", code);
    else if (place == GP_SECOND && gp_is_identity(code))
        snprintf(text, GP_OPERAND_TEXT, "ident");
    else if (row->unit == GP_UNIT_NONE)
        snprintf(text, GP_OPERAND_TEXT, "unused");
    else if (row->component && row->back)
        snprintf(text, GP_OPERAND_TEXT, "%s[-%u].%c", unit, row->back, row->component);
    else if (row->component)
        snprintf(text, GP_OPERAND_TEXT, "%s.%c", unit, row->component);
    else
        snprintf(text, GP_OPERAND_TEXT, "%s[-%u]", unit, row->back);
}
