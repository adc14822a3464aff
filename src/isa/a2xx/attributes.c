/* SPDX-License-Identifier: MIT */
/* attributes.c - see attributes.h. */
#include "isa/a2xx/attributes.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { READINGS = 32, COMPONENTS = 4, NAME = 64, TEXT = 400 };

/* A vertex fetch. */
struct reading {
    uint32_t slot;
    struct a2xx_vertex fetch;
    const char *name; /* name of the attribute in the register that the fetch writes, or NULL */
};

/* Set of the vertex fetches from which moves, sums and products compute a value. The bit of
 * readings[i] is 1 << i. */
typedef uint32_t reading_set;

struct tracker {
    const struct a2xx_attribute_input *input;
    struct reading readings[READINGS];
    unsigned count;
    bool too_many, jumps;
    reading_set registers[A2XX_REGISTERS][COMPONENTS];
    reading_set position, parameters;
    void (*report)(void *user, const struct a2xx_attribute_finding *found);
    void *user;
};

/* --- names --- */

enum role { ROLE_UNKNOWN, ROLE_POSITION, ROLE_OTHER };

static bool has_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words))
            return true;
    return false;
}

static bool is_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

/* Returns the name without a prefix such as "a_" or "in_". */
static const char *stem(const char *name)
{
    static const char *const prefixes[] = {"a_", "in_", "i_", "v_", "vs_", "gl_", NULL};
    for (const char *const *prefix = prefixes; *prefix; prefix++)
        if (strncmp(name, *prefix, strlen(*prefix)) == 0)
            return name + strlen(*prefix);
    return name;
}

static enum role role_of_name(const char *name)
{
    static const char *const positions[] = {"position", NULL}, *const short_positions[] = {
                                                                   "pos", "apos", "vertex", "vert",
                                                                   NULL};
    static const char *const others[] = {"color",   "colour",    "normal",  "texcoord",
                                         "texture", "tex_coord", "tangent", NULL},
                             *const short_others[] = {"col", "uv", "st", "tc", "rgb", "rgba", NULL};
    char text[NAME];
    size_t length = 0;
    for (; name[length] && length < sizeof text - 1; length++)
        text[length] = (char)tolower((unsigned char)name[length]);
    text[length] = 0;
    bool position = has_any(text, positions) || is_any(stem(text), short_positions);
    bool other = has_any(text, others) || is_any(stem(text), short_others);
    return position == other ? ROLE_UNKNOWN : position ? ROLE_POSITION : ROLE_OTHER;
}

static const char *format_name(const struct tracker *tracker, const struct reading *reading)
{
    const char *name = a2xx_formats[tracker->input->variant][reading->fetch.format].name;
    return name ? name : "?";
}

/* Returns the role of a fetched value, which follows from the attribute's name. If the name does
 * not show the role, four bytes that are normalised to 0..1 are taken as a colour. */
static enum role role_of(const struct tracker *tracker, const struct reading *reading)
{
    enum role role = reading->name ? role_of_name(reading->name) : ROLE_UNKNOWN;
    bool bytes = strcmp(format_name(tracker, reading), "8_8_8_8") == 0;
    if (role == ROLE_UNKNOWN && bytes && !reading->fetch.num_format_all &&
        !reading->fetch.format_comp_all)
        return ROLE_OTHER;
    return role;
}

/* --- values --- */

static bool is_linear_vector(unsigned opcode)
{
    return opcode == A2XX_V_ADD || opcode == A2XX_V_MUL || opcode == A2XX_V_MAX ||
           opcode == A2XX_V_MULADD || opcode == A2XX_V_DOT4 || opcode == A2XX_V_DOT3 ||
           opcode == A2XX_V_DOT2ADD;
}

static bool is_linear_scalar(unsigned opcode)
{
    return opcode == A2XX_S_ADD || opcode == A2XX_S_MUL || opcode == A2XX_S_MAX ||
           opcode == A2XX_S_SUB || (opcode >= A2XX_S_MUL_CONST_0 && opcode <= A2XX_S_SUB_CONST_1);
}

static reading_set operands_of(const struct tracker *tracker, const struct a2xx_alu *alu,
                               enum a2xx_unit unit)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(alu, tracker->input->variant, list);
    reading_set set = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < COMPONENTS; c++)
            if (list[i].by == unit && !list[i].constant && list[i].components >> c & 1)
                set |= tracker->registers[list[i].number % A2XX_REGISTERS][c];
    return set;
}

static void set_register(struct tracker *tracker, unsigned number, unsigned components,
                         reading_set set)
{
    for (unsigned c = 0; c < COMPONENTS; c++)
        if (components >> c & 1)
            tracker->registers[number % A2XX_REGISTERS][c] = set;
}

static void step_alu(struct tracker *tracker, const struct a2xx_alu *alu)
{
    unsigned vector_mask = a2xx_result_mask(alu, A2XX_UNIT_VECTOR),
             scalar_mask = a2xx_result_mask(alu, A2XX_UNIT_SCALAR);
    reading_set vector = is_linear_vector(alu->vector_opc)
                             ? operands_of(tracker, alu, A2XX_UNIT_VECTOR)
                             : 0,
                scalar = is_linear_scalar(alu->scalar_opc)
                             ? operands_of(tracker, alu, A2XX_UNIT_SCALAR)
                             : 0;
    if (!alu->export_data) {
        set_register(tracker, alu->vector_dest, vector_mask, vector);
        set_register(tracker, alu->scalar_dest, scalar_mask, scalar);
        return;
    }
    reading_set set = (vector_mask ? vector : 0) | (scalar_mask ? scalar : 0);
    if (alu->vector_dest == A2XX_EXPORT_POSITION)
        tracker->position |= set;
    else if (alu->vector_dest < A2XX_EXPORT_PARAMETERS)
        tracker->parameters |= set;
}

static void step_fetch(struct tracker *tracker, uint32_t slot, const struct a2xx_fetch *fetch)
{
    struct a2xx_fetch_register result = a2xx_fetch_result(fetch);
    reading_set set = 0;
    if (fetch->form == A2XX_FORM_VERTEX && tracker->count < READINGS) {
        set = UINT32_C(1) << tracker->count;
        tracker->readings[tracker->count++] = (struct reading){
            slot, fetch->vertex, tracker->input->names[result.number % A2XX_REGISTERS]};
    } else if (fetch->form == A2XX_FORM_VERTEX) {
        tracker->too_many = true;
    }
    set_register(tracker, result.number, result.components, set);
}

static void step_clause(struct tracker *tracker, const struct a2xx_exec *exec)
{
    const struct a2xx_attribute_input *input = tracker->input;
    for (uint32_t i = 0; i < exec->count && exec->address + i < input->slots; i++) {
        const uint32_t *words = input->words + (size_t)(exec->address + i) * A2XX_WORDS;
        struct a2xx_alu alu = a2xx_decode_alu(words);
        struct a2xx_fetch fetch = a2xx_decode_fetch(words);
        if (a2xx_is_fetch(exec, i))
            step_fetch(tracker, exec->address + i, &fetch);
        else
            step_alu(tracker, &alu);
    }
}

static void follow(struct tracker *tracker)
{
    const struct a2xx_attribute_input *input = tracker->input;
    for (uint32_t i = 0; i < input->cf_slots * A2XX_CF_PER_SLOT; i++) {
        struct a2xx_cf cf = a2xx_decode_cf(a2xx_cf_half(
            input->words + (size_t)(i / A2XX_CF_PER_SLOT) * A2XX_WORDS, i % A2XX_CF_PER_SLOT));
        tracker->jumps |= cf.form == A2XX_FORM_JUMP;
        if (cf.form == A2XX_FORM_EXEC)
            step_clause(tracker, &cf.exec);
        if (a2xx_is_end(cf.opcode))
            return;
    }
}

/* --- findings --- */

static void find(struct tracker *tracker, enum a2xx_attribute_kind kind,
                 const struct reading *reading, const struct reading *other, const char *format,
                 ...) __attribute__((format(printf, 5, 6)));

static void find(struct tracker *tracker, enum a2xx_attribute_kind kind,
                 const struct reading *reading, const struct reading *other, const char *format,
                 ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const struct a2xx_attribute_finding found = {kind, reading ? reading->slot : 0,
                                                 other ? other->slot : 0, text};
    tracker->report(tracker->user, &found);
}

/* Returns the first fetch that writes a register of the attribute, or NULL if there is no such
 * fetch. */
static const struct reading *reading_of(const struct tracker *tracker, const char *name)
{
    for (unsigned i = 0; i < tracker->count; i++)
        if (tracker->readings[i].name == name)
            return &tracker->readings[i];
    return NULL;
}

/* Returns the first of the fetches whose values reach the exported position, if none of these
 * values can be a position. Returns NULL if one of them can be a position, or if no fetched value
 * reaches the exported position. */
static const struct reading *false_position(const struct tracker *tracker)
{
    const struct reading *found = NULL;
    for (unsigned i = 0; i < tracker->count; i++) {
        if (!(tracker->position >> i & 1))
            continue;
        if (role_of(tracker, &tracker->readings[i]) != ROLE_OTHER)
            return NULL;
        if (!found)
            found = &tracker->readings[i];
    }
    return found;
}

/* Returns the name of the first attribute that is named like a position, or NULL. */
static const char *unused_position(const struct tracker *tracker)
{
    for (unsigned i = 0; i < A2XX_REGISTERS; i++) {
        const char *name = tracker->input->names[i];
        if (name && role_of_name(name) == ROLE_POSITION)
            return name;
    }
    return NULL;
}

/* Reports a program that exports an attribute as the position although the attribute cannot be a
 * position. Returns the name of the attribute that should be exported instead, or NULL if there is
 * no finding. */
static const char *check_position(struct tracker *tracker)
{
    const struct reading *wrong = false_position(tracker);
    const char *name = unused_position(tracker);
    if (!wrong || !name || tracker->jumps || tracker->too_many)
        return NULL;
    const struct reading *right = reading_of(tracker, name);
    bool parameter = right && tracker->parameters >> (right - tracker->readings) & 1;
    char text[2 * NAME];
    snprintf(text, sizeof text,
             right ? parameter ? "'%.40s' goes to a parameter" : "'%.40s' goes to no export"
                   : "no fetch reads '%.40s'",
             name);
    find(tracker, A2XX_ATTRIBUTE_USE, wrong, right,
         "'%.40s' (FMT_%s from CONST(%u, %u), in R%u) goes to the position, and %s",
         wrong->name ? wrong->name : "an attribute without a name", format_name(tracker, wrong),
         wrong->fetch.const_index, wrong->fetch.const_sel, wrong->fetch.dst_reg, text);
    return name;
}

/* Writes a list of the fetches, such as "R1 from CONST(20, 0), R2 from CONST(20, 1)". */
static void list_readings(const struct tracker *tracker, char *text, size_t size)
{
    size_t length = 0;
    *text = 0;
    for (unsigned i = 0; i < tracker->count && length + NAME < size; i++) {
        const struct a2xx_vertex *fetch = &tracker->readings[i].fetch;
        length += (size_t)snprintf(text + length, size - length, "%sR%u from CONST(%u, %u)",
                                   i ? ", " : "", fetch->dst_reg, fetch->const_index,
                                   fetch->const_sel);
    }
}

static void check_unread(struct tracker *tracker, const char *reported)
{
    const char *before = NULL;
    char list[TEXT / 2];
    for (unsigned i = 0; i < A2XX_REGISTERS; i++) {
        const char *name = tracker->input->names[i];
        bool again = name == before;
        before = name;
        if (!name || again || name == reported || reading_of(tracker, name) || tracker->too_many)
            continue;
        list_readings(tracker, list, sizeof list);
        if (tracker->count)
            find(tracker, A2XX_ATTRIBUTE_UNREAD, &tracker->readings[0], NULL,
                 "no fetch reads attribute '%.40s', which is in R%u: the fetches write %s", name, i,
                 list);
        else
            find(tracker, A2XX_ATTRIBUTE_UNREAD, NULL, NULL,
                 "no fetch reads attribute '%.40s', which is in R%u: the program has no vertex "
                 "fetch",
                 name, i);
    }
}

void a2xx_attributes_check(const struct a2xx_attribute_input *input,
                           void (*report)(void *user, const struct a2xx_attribute_finding *found),
                           void *user)
{
    struct tracker tracker = {.input = input, .report = report, .user = user};
    follow(&tracker);
    check_unread(&tracker, check_position(&tracker));
}
