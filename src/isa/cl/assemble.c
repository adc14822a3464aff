/* SPDX-License-Identifier: MIT */
/* assemble.c - see assemble.h.
 *
 * In:     a statement "family.name item, item ...". An item is "field=value", "field=[value,
 *         value]" for a repeated field, a switch's name alone, or a value alone, which is the value
 *         of the next field of the table.
 * Out:    bytes in the layout of packets.def and records.def.
 * Source: manual table 38 and the tables that records.def names. The syntax is Tessera's.
 * Left out: lists that follow a record inline (ids 42, 48, 49), which are separate statements. */
#include "isa/cl/assemble.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "isa/cl/cl.h"
#include "isa/cl/names.h"

enum { SLOTS_MAX = 32, PART_BYTES_MAX = 36, REPEATS_MAX = 256 };

/* A field of the statement and its stored number. */
struct slot {
    const struct cl_field *field;
    uint32_t part;
    bool given;
    uint32_t raw;
};

struct statement {
    const char *text;
    size_t length, at;
    const struct asm_names *names;
    struct asm_error *error;
    bool wrong; /* *error is filled; later errors are dropped */

    struct cl_form form;
    struct cl_part packet_part; /* the only part of a control record */
    bool is_packet;
    uint8_t code; /* id of a control record */

    struct slot slots[SLOTS_MAX];
    uint32_t slot_count, next; /* next: the slot for the next value without a name */
    uint32_t repeats[REPEATS_MAX];
    uint32_t repeat_count;
    const char *switch_near; /* hint that names the field most similar to a word without '=', or
                              * NULL */
};

/* Reports an error unless one has been reported. Evaluates to false. */
#define FAIL(statement, ...)    \
    ((statement)->wrong ? false \
                        : ((statement)->wrong = true, asm_fail((statement)->error, __VA_ARGS__)))

/* --- reading --- */

static char peek(const struct statement *s, size_t at)
{
    return at < s->length ? s->text[at] : '\0';
}

static bool accept(struct statement *s, char character)
{
    if (!ASM_ACCEPT(s, character))
        return false;
    ASM_PEEK(s);
    return true;
}

/* Returns the length of a name for printf's "%.*s", at most 60. */
static int shown(size_t length)
{
    return length > 60 ? 60 : (int)length;
}

/* Skips to the "," or "]" after a value that could not be parsed. */
static void skip_value(struct statement *s)
{
    unsigned depth = 0;
    for (; s->at < s->length; s->at++) {
        char c = s->text[s->at];
        if (depth == 0 && (c == ',' || c == ']'))
            return;
        depth += c == '(';
        depth -= c == ')' && depth > 0;
    }
}

/* --- names of statements --- */

static size_t family_named(const char *text, size_t length,
                           int (*compare)(const char *one, const char *other, size_t length))
{
    static const char *const families[] = {"cl", "shader", "vertex", "uniform"};
    size_t name = asm_name_length(text, length, 0);
    if (name == 0 || name + 1 >= length || text[name] != '.')
        return 0;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strlen(families[i]) == name && compare(families[i], text, name) == 0)
            return name;
    return 0;
}

static size_t family_length(const char *text, size_t length)
{
    return family_named(text, length, strncmp);
}

/* Stores candidate number index of a family in *out. Returns false if there is no such candidate.
 * Control records are numbered by id, and some ids are reserved. */
static bool candidate(const char *family, size_t length, uint32_t index, struct cl_form *out)
{
    if (length == 2) {
        const struct cl_packet *packet = cl_packet((uint8_t)index);
        if (packet)
            *out = (struct cl_form){"cl", packet->identifier, packet->words, packet->hint, 1, NULL,
                                    1,    packet->aliases};
        return packet != NULL;
    }
    uint32_t count;
    const struct cl_form *forms = cl_forms(&count);
    if (index >= count || strlen(forms[index].family) != length ||
        memcmp(forms[index].family, family, length) != 0)
        return false;
    *out = forms[index];
    return true;
}

enum { CANDIDATES = 256 };

static struct name_search search_statement(const char *text, size_t family, const char *name,
                                           size_t length)
{
    struct name_search search = name_search(name, length);
    struct cl_form form;
    for (unsigned round = 0; round < 2 && search.rank == NAME_NO; round++)
        for (uint32_t i = 0; i < CANDIDATES; i++)
            if (candidate(text, family, i, &form))
                name_consider(&search, i, form.identifier, form.aliases,
                              round == 0 ? NULL : form.words);
    for (uint32_t i = 0; i < CANDIDATES && search.rank == NAME_NO; i++)
        if (candidate(text, family, i, &form))
            name_near(&search, form.identifier, form.hint);
    return search;
}

/* Parses "family.name" and fills form and parts. */
static bool take_statement_name(struct statement *s, size_t family)
{
    size_t start = family + 1, length = asm_name_length(s->text, s->length, start);
    s->at = start + length;
    if (length == 0)
        return FAIL(s, "asm-syntax", start, NULL, "expected a name after '%.*s'", shown(start),
                    s->text);
    struct name_search search = search_statement(s->text, family, s->text + start, length);
    if (search.rank == NAME_NO)
        return FAIL(s, "asm-unknown", 0, search.hint, "unknown statement '%.*s'", shown(s->at),
                    s->text);
    candidate(s->text, family, (uint32_t)search.found, &s->form);
    if (search.ambiguous) {
        struct cl_form other;
        candidate(s->text, family, (uint32_t)search.other, &other);
        return FAIL(s, "asm-unknown", 0, NULL, "'%.*s' is ambiguous: '%s.%s' or '%s.%s'",
                    shown(s->at), s->text, s->form.family, s->form.identifier, other.family,
                    other.identifier);
    }
    s->is_packet = family == 2;
    if (s->is_packet) {
        const struct cl_packet *packet = cl_packet((uint8_t)search.found);
        s->code = packet->code;
        s->packet_part = (struct cl_part){packet->fields, (uint16_t)packet->field_count,
                                          (uint16_t)(packet->bytes - 1), CL_ALWAYS};
        s->form.parts = &s->packet_part;
    }
    return true;
}

static void make_slots(struct statement *s)
{
    for (uint32_t part = 0; part < s->form.part_count; part++)
        for (uint32_t i = 0; i < s->form.parts[part].field_count; i++)
            if (s->slot_count < SLOTS_MAX) {
                const struct cl_field *field = &s->form.parts[part].fields[i];
                s->slots[s->slot_count++] = (struct slot){
                    .field = field, .part = part, .raw = field->preset};
            }
}

/* --- names of fields --- */

static struct name_search search_field(const struct statement *s, const char *name, size_t length)
{
    struct name_search search = name_search(name, length);
    for (unsigned round = 0; round < 2 && search.rank == NAME_NO; round++)
        for (uint32_t i = 0; i < s->slot_count; i++)
            name_consider(&search, i, s->slots[i].field->identifier, s->slots[i].field->aliases,
                          round == 0 ? NULL : s->slots[i].field->words);
    for (uint32_t i = 0; i < s->slot_count && search.rank == NAME_NO; i++)
        name_near(&search, s->slots[i].field->identifier, s->slots[i].field->hint);
    return search;
}

static enum cl_part_use use_of(const struct statement *s, const struct slot *slot)
{
    return s->form.parts[slot->part].use;
}

static struct slot *find_field(struct statement *s, size_t start, size_t length)
{
    const char *name = s->text + start;
    struct name_search search = search_field(s, name, length);
    struct slot *slot = &s->slots[search.found];
    if (search.rank == NAME_NO) {
        FAIL(s, "asm-unknown", start, search.hint, "%s.%s has no field '%.*s'", s->form.family,
             s->form.identifier, shown(length), name);
        return NULL;
    }
    if (search.ambiguous) {
        FAIL(s, "asm-unknown", start, NULL, "'%.*s' is ambiguous: '%s' or '%s'", shown(length),
             name, slot->field->identifier, s->slots[search.other].field->identifier);
        return NULL;
    }
    if (slot->given) {
        FAIL(s, "asm-redefined", start, NULL, "'%s' is given twice", slot->field->identifier);
        return NULL;
    }
    return slot;
}

/* Returns the switch that a name alone turns on, or NULL if the name is not a switch. Abbreviations
 * do not count because the name may be a symbol. */
static struct slot *find_switch(struct statement *s, size_t start, size_t length)
{
    struct name_search search = search_field(s, s->text + start, length);
    if (search.rank < NAME_WORDS || search.ambiguous ||
        s->slots[search.found].field->kind != CL_BOOL)
        return NULL;
    return &s->slots[search.found];
}

/* --- values --- */

static bool take_meaning(struct statement *s, const struct cl_field *field, uint32_t *raw)
{
    static const char *const switches[1 << 1] = {"off", "on"};
    const char *const *meanings = field->kind == CL_BOOL ? switches : field->meanings;
    size_t length = asm_name_length(s->text, s->length, s->at);
    if (!meanings || length == 0)
        return false;
    for (uint32_t i = 0; i < UINT32_C(1) << (field->width + field->rest_width); i++) {
        if (!meanings[i] || strlen(meanings[i]) != length ||
            memcmp(meanings[i], s->text + s->at, length) != 0)
            continue;
        s->at += length;
        ASM_PEEK(s);
        *raw = i;
        return true;
    }
    return false;
}

/* Returns the range of numbers that an integer field accepts. */
static void field_range(const struct cl_field *field, int64_t *low, int64_t *high)
{
    uint32_t width = (uint32_t)field->width + field->rest_width;
    bool is_signed = field->kind == CL_INT;
    int64_t count = INT64_C(1) << width;
    *low = is_signed || field->kind == CL_HEX ? -count / 2 : 0;
    *high = is_signed ? count / 2 - 1 : count - 1 + field->wraps;
    *low = *low * (INT64_C(1) << cl_field_shift(field)) + field->bias;
    *high = *high * (INT64_C(1) << cl_field_shift(field)) + field->bias;
}

static bool fail_range(struct statement *s, const struct cl_field *field, size_t start,
                       int64_t value, int64_t low, int64_t high)
{
    if (field->kind == CL_ADDRESS || field->kind == CL_HEX)
        return FAIL(s, "asm-range", start, NULL, "'%s' must be from 0 to 0x%llx, not %s0x%llx",
                    field->identifier, (unsigned long long)high, value < 0 ? "-" : "",
                    value < 0 ? -(unsigned long long)value : (unsigned long long)value);
    return FAIL(s, "asm-range", start, NULL, "'%s' must be from %lld to %lld, not %lld",
                field->identifier, (long long)low, (long long)high, (long long)value);
}

static bool put_integer(struct statement *s, const struct cl_field *field, size_t start,
                        const struct asm_value *value, uint32_t *raw)
{
    int64_t low, high, number = value->integer;
    uint32_t multiple = UINT32_C(1) << cl_field_shift(field);
    multiple = field->align > multiple ? field->align : multiple;
    if (value->kind != ASM_INTEGER)
        return FAIL(s, "asm-type", start, NULL, "'%s' must be an integer", field->identifier);
    field_range(field, &low, &high);
    if (number % multiple != 0)
        return FAIL(s, "asm-alignment", start, NULL, "'%s' must be a multiple of %u, not 0x%llx",
                    field->identifier, multiple, (unsigned long long)number);
    if (number < low || number > high)
        return fail_range(s, field, start, number, low, high);
    *raw = (uint32_t)((number - field->bias) >> cl_field_shift(field));
    return true;
}

/* Stores a number in sixteenths, rounded to nearest. */
static bool put_fixed(struct statement *s, const struct cl_field *field, size_t start, double value,
                      uint32_t *raw)
{
    double limit = (double)(INT64_C(1) << (field->width - 1)), scaled = nearbyint(value * 16);
    if (!(scaled >= -limit && scaled < limit))
        return FAIL(s, "asm-range", start, NULL, "'%s' must be from %.9g to %.9g, not %.9g",
                    field->identifier, -limit / 16, (limit - 1) / 16, value);
    *raw = (uint32_t)(int32_t)scaled;
    return true;
}

/* Returns the upper half of a float, rounded to nearest, ties to even. */
static uint32_t upper_half(float value)
{
    uint32_t bits = float_bits(value);
    return value == value ? (uint32_t)(((uint64_t)bits + 0x7fff + (bits >> 16 & 1)) >> 16)
                          : bits >> 16;
}

static bool put_float(struct statement *s, const struct cl_field *field, size_t start, double value,
                      uint32_t *raw)
{
    float number = (float)value;
    if (isinf(number) && !isinf(value))
        return FAIL(s, "asm-range", start, NULL, "'%s' does not fit in a float", field->identifier);
    *raw = field->kind == CL_FLOAT187 ? upper_half(number) : float_bits(number);
    return true;
}

static bool put_value(struct statement *s, const struct cl_field *field, size_t start,
                      const struct asm_value *value, uint32_t *raw)
{
    *raw = 0;
    if (value->unknown)
        return true;
    if (value->kind != ASM_INTEGER && value->kind != ASM_FLOAT)
        return FAIL(s, "asm-type", start, NULL, "'%s' must be a number", field->identifier);
    switch (field->kind) {
    case CL_FIX4: return put_fixed(s, field, start, asm_real(value), raw);
    case CL_FLOAT:
    case CL_FLOAT187: return put_float(s, field, start, asm_real(value), raw);
    default: return put_integer(s, field, start, value, raw);
    }
}

/* Explains an undefined name in a value: the name of a field, or a word that is not a value of a
 * switch. Returns false if the name is neither. */
static bool blame_field(struct statement *s, const struct cl_field *field,
                        const struct asm_error *error)
{
    if (!error->name || strcmp(error->rule, "asm-undefined") != 0)
        return false;
    int length = shown(error->name_length);
    struct name_search search = search_field(s, error->name, error->name_length);
    const struct cl_field *named = s->slots[search.found].field;
    bool known = search.rank != NAME_NO && !search.ambiguous;
    if (known && named->kind == CL_BOOL)
        FAIL(s, "asm-syntax", error->offset, NULL,
             "'%.*s' is a field, not a value" WITH_HINT "write %s alone, or %s=on or %s=off",
             length, error->name, named->identifier, named->identifier, named->identifier);
    else if (known)
        FAIL(s, "asm-syntax", error->offset, NULL,
             "'%.*s' is a field, not a value" WITH_HINT "write %s=NUMBER", length, error->name,
             named->identifier);
    else if (field->kind == CL_BOOL)
        FAIL(s, error->rule, error->offset, NULL,
             "'%.*s' is not a value of '%s'" WITH_HINT "write %s=on or %s=off", length, error->name,
             field->identifier, field->identifier, field->identifier);
    return known || field->kind == CL_BOOL;
}

/* Reports a value that cannot be evaluated, with a suggestion. */
static bool fail_value(struct statement *s, const struct cl_field *field, size_t start,
                       const struct asm_error *error)
{
    size_t length = asm_name_length(s->text, s->length, start);
    struct name_search search = name_search(s->text + start, length);
    uint32_t count = field->kind == CL_ENUM ? UINT32_C(1) << (field->width + field->rest_width) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (field->meanings[i])
            name_near(&search, field->meanings[i], field->meanings[i]);
    if (s->switch_near && strcmp(error->rule, "asm-undefined") == 0)
        return FAIL(s, "asm-unknown", start, s->switch_near, "%s.%s has no field '%.*s'",
                    s->form.family, s->form.identifier, shown(length), s->text + start);
    if (blame_field(s, field, error))
        return false;
    if (count == 0 || length == 0 || strcmp(error->rule, "asm-undefined") != 0) {
        bool good = FAIL(s, error->rule, error->offset, error->hint, "%s", error->text);
        s->error->name = error->name;
        s->error->name_length = error->name_length;
        return good;
    }
    return FAIL(s, error->rule, start, NULL, "'%.*s' is neither a value of '%s' nor a symbol%s%s%s",
                shown(length), s->text + start, field->identifier,
                search.hint ? "; did you mean '" : "", search.hint ? search.hint : "",
                search.hint ? "'?" : "");
}

static void take_value(struct statement *s, const struct cl_field *field, uint32_t *raw)
{
    struct asm_value value;
    struct asm_error error = {0};
    ASM_PEEK(s);
    size_t start = s->at;
    *raw = 0;
    if (take_meaning(s, field, raw))
        return;
    if (asm_evaluate(s->text, s->length, &s->at, s->names, &value, &error)) {
        put_value(s, field, start, &value, raw);
        return;
    }
    fail_value(s, field, start, &error);
    s->at = start;
    skip_value(s);
}

/* --- items --- */

static void take_repeat(struct statement *s, const struct cl_field *field)
{
    uint32_t raw;
    size_t start = s->at;
    take_value(s, field, &raw);
    if (s->repeat_count == REPEATS_MAX)
        FAIL(s, "asm-limit", start, NULL, "more than %d values", REPEATS_MAX);
    else
        s->repeats[s->repeat_count++] = raw;
}

static bool take_list(struct statement *s, const struct cl_field *field)
{
    size_t start = s->at;
    if (!accept(s, '[')) {
        take_repeat(s, field);
        return true;
    }
    if (accept(s, ']'))
        return true;
    do
        take_repeat(s, field);
    while (accept(s, ','));
    return accept(s, ']') ||
           FAIL(s, "asm-syntax", start, "close the list with ]", "unterminated list");
}

static bool take_named(struct statement *s, size_t start, size_t length)
{
    struct slot *slot = find_field(s, start, length);
    if (!slot) {
        skip_value(s);
        if (accept(s, ']'))
            skip_value(s);
        return true;
    }
    slot->given = true;
    if (use_of(s, slot) == CL_REPEATED)
        return take_list(s, slot->field);
    take_value(s, slot->field, &slot->raw);
    return true;
}

/* Parses a value without a name. Such values are for the fields of the parts that are always
 * present, in order, and then for the repeated field. */
static bool take_positional(struct statement *s)
{
    while (s->next < s->slot_count && use_of(s, &s->slots[s->next]) == CL_IF_GIVEN)
        s->next++;
    if (s->next == s->slot_count)
        return FAIL(s, "asm-syntax", s->at, NULL, "%s.%s has no field left for this value",
                    s->form.family, s->form.identifier);
    struct slot *slot = &s->slots[s->next];
    if (use_of(s, slot) == CL_REPEATED) {
        slot->given = true;
        return take_list(s, slot->field);
    }
    if (slot->given)
        return FAIL(s, "asm-redefined", s->at, "put values without a name first",
                    "'%s' is given twice", slot->field->identifier);
    slot->given = true;
    s->next++;
    take_value(s, slot->field, &slot->raw);
    return true;
}

static bool take_item(struct statement *s)
{
    size_t start = s->at, length = asm_name_length(s->text, s->length, start),
           behind = start + length;
    if (start == s->length)
        return FAIL(s, "asm-syntax", start, NULL, "expected a field after ','");
    while (asm_is_blank(peek(s, behind)))
        behind++;
    char next = peek(s, behind);
    if (length > 0 && next == '=' && peek(s, behind + 1) != '=') {
        s->at = behind + 1;
        ASM_PEEK(s);
        return take_named(s, start, length);
    }
    struct slot *slot = NULL;
    if (length > 0 && (next == ',' || behind >= s->length))
        slot = find_switch(s, start, length);
    if (!slot && length > 0 && (next == ',' || behind >= s->length))
        s->switch_near = search_field(s, s->text + start, length).hint;
    if (!slot)
        return take_positional(s);
    if (slot->given)
        FAIL(s, "asm-redefined", start, NULL, "'%s' is given twice", slot->field->identifier);
    slot->given = true;
    slot->raw = 1;
    s->at = behind;
    return true;
}

static void take_items(struct statement *s)
{
    ASM_PEEK(s);
    if (s->at == s->length)
        return;
    do
        if (!take_item(s))
            return;
    while (accept(s, ','));
    ASM_PEEK(s);
    if (s->at < s->length) {
        char found = s->text[s->at];
        FAIL(s, "asm-syntax", s->at, "separate fields by ','", "unexpected '%c'",
             found >= 0x20 && found < 0x7f ? found : '?');
    }
}

/* --- fields that were left out --- */

static bool part_given(const struct statement *s, uint32_t part)
{
    for (uint32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].part == part && s->slots[i].given)
            return true;
    return false;
}

/* Returns true if an address is not used because another field is 0. */
static bool is_unused(const struct statement *s, const struct cl_field *field)
{
    for (uint32_t i = 0; field->unless && i < s->slot_count; i++)
        if (strcmp(s->slots[i].field->identifier, field->unless) == 0)
            return s->slots[i].raw == 0;
    return false;
}

static bool must_be_given(const struct statement *s, const struct slot *slot)
{
    const struct cl_field *field = slot->field;
    if (use_of(s, slot) == CL_IF_GIVEN)
        return part_given(s, slot->part);
    if (field->need == CL_BY_KIND)
        return field->kind == CL_ADDRESS && !is_unused(s, field);
    return field->need == CL_MUST;
}

static void check_needs(struct statement *s)
{
    for (uint32_t i = 0; i < s->slot_count; i++) {
        struct slot *slot = &s->slots[i];
        if (slot->given)
            continue;
        if (slot->field->need == CL_SAME && i > 0)
            slot->raw = s->slots[i - 1].raw;
        if (must_be_given(s, slot))
            FAIL(s, "asm-syntax", 0, NULL, "%s.%s needs %s=...: %s", s->form.family,
                 s->form.identifier, slot->field->identifier, slot->field->words);
    }
}

/* --- output --- */

static void put_field(uint8_t *data, const struct cl_field *field, uint32_t raw)
{
    cl_put_bits(data, field->bit, field->width, raw);
    if (field->rest_width > 0)
        cl_put_bits(data, field->rest_bit, field->rest_width, raw >> field->width);
}

static void write_part(const struct statement *s, uint32_t part, struct buffer *bytes)
{
    uint8_t data[PART_BYTES_MAX] = {0};
    for (uint32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].part == part)
            put_field(data, s->slots[i].field, s->slots[i].raw);
    buffer_append(bytes, data, s->form.parts[part].bytes);
}

static void write_repeats(const struct statement *s, const struct cl_part *part,
                          struct buffer *bytes)
{
    for (uint32_t i = 0; i < s->repeat_count; i++) {
        uint8_t data[PART_BYTES_MAX] = {0};
        put_field(data, part->fields, s->repeats[i]);
        buffer_append(bytes, data, part->bytes);
    }
}

static void write_statement(const struct statement *s, struct buffer *bytes)
{
    if (s->is_packet)
        buffer_byte(bytes, s->code);
    for (uint32_t i = 0; i < s->form.part_count; i++) {
        const struct cl_part *part = &s->form.parts[i];
        if (part->use == CL_REPEATED)
            write_repeats(s, part, bytes);
        else if (part->use == CL_ALWAYS || part_given(s, i))
            write_part(s, i, bytes);
    }
}

enum asm_taken cl_assemble(const char *text, size_t length, uint32_t address,
                           const struct asm_names *names, struct buffer *bytes,
                           struct asm_error *error)
{
    struct statement s = {.text = text, .length = length, .names = names, .error = error};
    size_t family = family_length(text, length);
    if (family == 0 && family_named(text, length, strncasecmp) > 0) {
        FAIL(&s, "asm-unknown", 0, "write cl, shader, vertex and uniform in lower case",
             "unknown statement '%.*s'", shown(length), text);
        return ASM_WRONG;
    }
    if (family == 0)
        return ASM_NOT_MINE;
    if (!take_statement_name(&s, family))
        return ASM_WRONG;
    make_slots(&s);
    if (address % s.form.align != 0)
        FAIL(&s, "asm-alignment", 0, "put .align before the statement",
             "%s.%s is at 0x%08x, which is not a multiple of %u", s.form.family, s.form.identifier,
             address, s.form.align);
    take_items(&s);
    if (!s.wrong)
        check_needs(&s);
    write_statement(&s, bytes);
    return s.wrong ? ASM_WRONG : ASM_TAKEN;
}
