/* SPDX-License-Identifier: MIT */
/* run_gp_trace.c - see run_gp_trace.h.
 *
 * In:  the text of an instruction, slot by slot; the values that the model computed.
 * Out: each slot with the values of its operands and its result. The operands' names are parsed
 *      from the text. */

#include "cli/run/run_gp_trace.h"
#include "base/json.h"
#include "cli/number.h"
#include "cli/run/shader_names.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_MOST = 4096,
    OPERANDS_MOST = 4,
    SLOT_WIDTH = 40,
    /* Number of instructions from a store to the first load that can read the stored value. */
    REGISTER_DELAY = 3,
    TEMPORARY_DELAY = 4,
    ADDRESS_DELAY = 4,
};

/* One slot of an instruction: its text and its values. */
struct slot {
    const char *text;
    size_t length, name; /* length of the text, and of the operation's name, such as "mul0.mul" */
    float operands[OPERANDS_MOST];
    size_t operand_count;
    const float *loaded; /* the four floats that a load slot read, or NULL for other slots */
    bool has_result;
    float result;
    char note[64]; /* name of the row, attribute or varying that a number refers to */
};

/* --- values of operands --- */

static const char *const units[TESS_GP_UNITS] = {"mul0", "mul1", "acc0", "acc1", "complex", "pass"};

static bool begins(const char *text, size_t length, const char *with)
{
    return length >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* Returns the unit whose name is at the beginning of a text, or TESS_GP_UNITS if there is no such
 * unit. */
static unsigned find_unit(const char *text, size_t length)
{
    unsigned unit = 0;
    while (unit < TESS_GP_UNITS && !begins(text, length, units[unit]))
        unit++;
    return unit;
}

/* For an operand such as "attr.x" or "reg0[-1].y", returns the four floats that the load unit read.
 * Returns NULL for other operands. */
static const float *find_loaded(const struct gp_trace *trace, const char *text, size_t length,
                                const struct tess_gp_step *step)
{
    if (begins(text, length, "attr") || begins(text, length, "reg0"))
        return step->load0;
    if (begins(text, length, "reg1"))
        return trace->now.load1;
    if (begins(text, length, "unif") || begins(text, length, "temp"))
        return trace->now.row;
    return NULL;
}

/* Returns the step whose results an operand uses. An operand with "[-1]" or "[-2]" uses the results
 * of one or two instructions before. Other operands use the current step. */
static const struct tess_gp_step *find_step(const struct gp_trace *trace, const char *text,
                                            size_t length)
{
    const char *bracket = memchr(text, '[', length);
    bool known = bracket && length - (size_t)(bracket - text) > 3;
    return !known ? &trace->now : bracket[2] == '2' ? &trace->before[1] : &trace->before[0];
}

/* Finds the value of an operand by the operand's name. Returns false if the operand has no value.
 * The operand "ident" is 1 if multiplies is true (a slot of a multiplier), else 0. */
static bool find_value(const struct gp_trace *trace, const char *text, size_t length,
                       bool multiplies, float *value)
{
    bool negative = length && text[0] == '-';
    text += negative;
    length -= negative;
    const struct tess_gp_step *step = find_step(trace, text, length);
    const float *loaded = find_loaded(trace, text, length, step);
    unsigned unit = find_unit(text, length);
    if (loaded)
        *value = loaded[shader_component(text[length - 1]) % SHADER_COMPONENTS];
    else if (unit < TESS_GP_UNITS)
        *value = step->results[unit];
    else if (begins(text, length, "ident"))
        *value = multiplies;
    else
        return false;
    *value = negative ? -*value : *value;
    return true;
}

static void take_operands(const struct gp_trace *trace, struct slot *slot)
{
    const char *at = slot->text + slot->name, *end = slot->text + slot->length;
    bool multiplies = begins(slot->text, slot->length, "mul");
    while (at < end && slot->operand_count < OPERANDS_MOST) {
        while (at < end && (*at == ' ' || *at == ','))
            at++;
        const char *comma = memchr(at, ',', (size_t)(end - at)), *stop = comma ? comma : end;
        float value;
        if (stop > at && find_value(trace, at, (size_t)(stop - at), multiplies, &value))
            slot->operands[slot->operand_count++] = value;
        at = stop;
    }
}

/* --- names --- */

static const char *symbol_name(const struct gp_trace *trace, enum tess_gp_kind kind,
                               uint32_t number)
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; (symbol = tess_gp_program_symbol(trace->program, i)) != NULL; i++)
        if (symbol->kind == kind && symbol->number == number)
            return symbol->name;
    return NULL;
}

/* Stores the number and name of a row in slot->note, such as "row 6, mvp[2]". */
static void note_row(const struct gp_trace *trace, struct slot *slot, uint32_t row)
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; (symbol = tess_gp_program_symbol(trace->program, i)) != NULL; i++) {
        bool rows = symbol->kind != TESS_GP_ATTRIBUTE && symbol->kind != TESS_GP_VARYING;
        if (!rows || row < symbol->number || row - symbol->number >= symbol->count)
            continue;
        if (symbol->count > 1)
            snprintf(slot->note, sizeof slot->note, "row %" PRIu32 ", %.30s[%" PRIu32 "]", row,
                     symbol->name, row - symbol->number);
        else
            snprintf(slot->note, sizeof slot->note, "row %" PRIu32 ", %.30s", row, symbol->name);
        return;
    }
    snprintf(slot->note, sizeof slot->note, "row %" PRIu32, row);
}

static void note_name(struct slot *slot, const char *name)
{
    if (name)
        snprintf(slot->note, sizeof slot->note, "%.60s", name);
}

static uint32_t first_number(const struct slot *slot)
{
    return (uint32_t)strtoul(slot->text + slot->name, NULL, 10);
}

/* --- slots --- */

static void take_load(const struct gp_trace *trace, struct slot *slot)
{
    const struct tess_gp_step *now = &trace->now;
    if (begins(slot->text, slot->length, "load.reg1")) {
        slot->loaded = now->load1;
    } else if (begins(slot->text, slot->length, "load.unif")) {
        slot->loaded = now->row;
        note_row(trace, slot, now->row_number);
    } else {
        slot->loaded = now->load0;
        if (begins(slot->text, slot->length, "load.attr"))
            note_name(slot, symbol_name(trace, TESS_GP_ATTRIBUTE, first_number(slot)));
    }
}

static struct slot take_slot(const struct gp_trace *trace, const char *text, size_t length)
{
    struct slot slot = {.text = text, .length = length};
    const char *blank = memchr(text, ' ', length);
    unsigned unit = find_unit(text, length);
    slot.name = blank ? (size_t)(blank - text) : length;
    if (begins(text, length, "load.")) {
        take_load(trace, &slot);
        return slot;
    }
    if (begins(text, length, "store") || unit < TESS_GP_UNITS)
        take_operands(trace, &slot);
    if (begins(text, slot.name, "store") && slot.name == strlen("store0.varying"))
        note_name(&slot, symbol_name(trace, TESS_GP_VARYING, first_number(&slot)));
    slot.has_result = unit < TESS_GP_UNITS && trace->now.active >> unit & 1;
    slot.result = slot.has_result ? trace->now.results[unit] : 0;
    return slot;
}

/* --- pending stores --- */

static void add_path(struct gp_trace *trace, const char *kind, uint32_t number,
                     const char *components, unsigned delay)
{
    if (trace->way_count == GP_TRACE_WAYS)
        return;
    struct gp_way *way = &trace->ways[trace->way_count++];
    way->due = trace->now.cycle + delay;
    snprintf(way->what, sizeof way->what, "%s %" PRIu32 "%s%s", kind, number,
             components[0] ? "." : "", components);
}

/* Adds a pending store for a slot that stores to registers or temporaries. The slot's last two
 * operands are the stored components. A component "_" is not stored. */
static void take_store(struct gp_trace *trace, const struct slot *slot)
{
    const char *end = slot->text + slot->length, *second = end, *first;
    const char *letters = slot->text[5] == '0' ? "xy" : "zw";
    char components[3] = "";
    size_t count = 0;
    while (second > slot->text && second[-1] != ' ')
        second--;
    for (first = second - 2; first > slot->text && first[-1] != ' ';)
        first--;
    if (*first != '_')
        components[count++] = letters[0];
    if (*second != '_')
        components[count++] = letters[1];
    components[count] = 0;
    if (begins(slot->text + 6, slot->length - 6, ".reg"))
        add_path(trace, "register", first_number(slot), components, REGISTER_DELAY);
    else if (begins(slot->text + 6, slot->length - 6, ".temp"))
        add_path(trace, "temporary", (uint32_t)trace->row, components, TEMPORARY_DELAY);
}

/* Handles a write to address registers. A write to register 0 applies to the stores of the same
 * instruction. A write to another register becomes a pending store. */
static void take_address(struct gp_trace *trace, const char *number, bool zero, bool both)
{
    float row = trace->now.results[both ? TESS_GP_PASS : TESS_GP_COMPLEX];
    if (zero || both)
        trace->row = fabsf(row) < (float)INT32_MAX ? (int32_t)floorf(row) : 0;
    if (!zero)
        add_path(trace, "address", both ? 1 : (uint32_t)strtoul(number, NULL, 10), "",
                 ADDRESS_DELAY);
}

static void take_path(struct gp_trace *trace, const struct slot *slot)
{
    static const char address[] = "complex.addr";
    const char *number = slot->text + strlen(address);
    if (begins(slot->text, slot->length, "store"))
        take_store(trace, slot);
    else if (begins(slot->text, slot->length, address))
        take_address(trace, number, slot->name == strlen("complex.addr0") && *number == '0',
                     slot->name == strlen("complex.addr01"));
}

/* Removes the pending stores whose values the next instruction can read. After a taken branch, the
 * next instruction can read the values of all stores. */
static void drop_paths(struct gp_trace *trace)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->way_count; i++)
        if (!trace->now.taken && trace->ways[i].due > trace->now.cycle + 1)
            trace->ways[kept++] = trace->ways[i];
    trace->way_count = kept;
}

/* --- text --- */

static void put_float(FILE *stream, const char *before, float value)
{
    char text[NUMBER_TEXT];
    fprintf(stream, "%s%.*s", before, (int)number_print(text, value), text);
}

static void put_floats(FILE *stream, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_float(stream, i ? ", " : "", values[i]);
}

static void print_slot(const struct gp_trace *trace, const struct slot *slot)
{
    FILE *stream = trace->stream;
    bool values = slot->loaded || slot->operand_count || slot->has_result;
    bool branch = begins(slot->text, slot->length, "branch");
    fprintf(stream, "    %-*.*s", values || branch ? SLOT_WIDTH : 0, (int)slot->length, slot->text);
    if (slot->loaded) {
        fputs("  = ", stream);
        put_floats(stream, slot->loaded, 4);
    } else if (values) {
        fputs("  ", stream);
        put_floats(stream, slot->operands, slot->operand_count);
    }
    if (slot->has_result)
        put_float(stream, slot->operand_count ? "  -> " : "-> ", slot->result);
    if (branch)
        fputs(trace->now.taken ? "  taken" : "  not taken", stream);
    if (slot->note[0])
        fprintf(stream, "  (%s)", slot->note);
    fputc('\n', stream);
}

static void print_head(const struct gp_trace *trace)
{
    const struct tess_gp_step *now = &trace->now;
    const char *label = tess_gp_program_label(trace->program, now->instruction), *file;
    uint32_t line;
    tess_gp_program_line(trace->program, now->instruction, &file, &line);
    fprintf(trace->stream, "%scycle %" PRIu64 ": instruction %zu", now->cycle ? "\n" : "",
            now->cycle, now->instruction);
    if (label)
        fprintf(trace->stream, " <%s>", label);
    if (file && line)
        fprintf(trace->stream, ", %s:%" PRIu32, file, line);
    fputc('\n', trace->stream);
}

static bool any_address(const struct tess_gp_step *step)
{
    return step->addresses[0] || step->addresses[1] || step->addresses[2] || step->addresses[3];
}

static void print_tail(const struct gp_trace *trace)
{
    const struct tess_gp_step *now = &trace->now;
    if (any_address(now))
        fprintf(trace->stream,
                "    address registers: %" PRId32 ", %" PRId32 ", %" PRId32 ", %" PRId32 "\n",
                now->addresses[0], now->addresses[1], now->addresses[2], now->addresses[3]);
    if (trace->way_count)
        fprintf(trace->stream, "    on the way:");
    for (size_t i = 0; i < trace->way_count; i++)
        fprintf(trace->stream, "%s %s for cycle %" PRIu64, i ? "," : "", trace->ways[i].what,
                trace->ways[i].due);
    if (trace->way_count)
        fputc('\n', trace->stream);
}

/* --- JSON --- */

static void json_floats(struct json *json, const char *key, const float *values, size_t count)
{
    json_member_array(json, key);
    for (size_t i = 0; i < count; i++)
        json_float(json, values[i]);
    json_end_array(json);
}

static void json_slot(struct json *json, const struct slot *slot)
{
    char text[LINE_MOST];
    snprintf(text, sizeof text, "%.*s", (int)slot->length, slot->text);
    json_begin_object(json);
    json_member_string(json, "text", text);
    if (slot->note[0])
        json_member_string(json, "note", slot->note);
    if (slot->loaded)
        json_floats(json, "loaded", slot->loaded, 4);
    else
        json_floats(json, "operands", slot->operands, slot->operand_count);
    if (slot->has_result) {
        json_key(json, "result");
        json_float(json, slot->result);
    }
    json_end_object(json);
}

static void json_head(struct json *json, const struct gp_trace *trace)
{
    const struct tess_gp_step *now = &trace->now;
    const char *file;
    uint32_t line;
    tess_gp_program_line(trace->program, now->instruction, &file, &line);
    json_begin_object(json);
    json_member_uint(json, "vertex", now->vertex);
    json_member_uint(json, "cycle", now->cycle);
    json_member_uint(json, "instruction", now->instruction);
    json_member_text(json, "label", tess_gp_program_label(trace->program, now->instruction));
    if (file && line) {
        json_member_string(json, "file", file);
        json_member_uint(json, "line", line);
    }
    json_member_array(json, "slots");
}

static void json_tail(struct json *json, const struct gp_trace *trace)
{
    const struct tess_gp_step *now = &trace->now;
    json_end_array(json);
    json_member_uint(json, "row_number", now->row_number);
    json_member_array(json, "addresses");
    for (size_t i = 0; i < 4; i++)
        json_int(json, now->addresses[i]);
    json_end_array(json);
    json_floats(json, "registers", now->registers[0], 64);
    json_member_array(json, "on_the_way");
    for (size_t i = 0; i < trace->way_count; i++) {
        json_begin_object(json);
        json_member_string(json, "what", trace->ways[i].what);
        json_member_uint(json, "cycle", trace->ways[i].due);
        json_end_object(json);
    }
    json_end_array(json);
    json_member_bool(json, "taken", now->taken);
    json_end_object(json);
}

/* --- steps --- */

bool gp_trace_step(void *user, const struct tess_gp_step *step)
{
    struct gp_trace *trace = user;
    struct json json = {.stream = trace->stream, .flow = true};
    char text[LINE_MOST];
    trace->now = *step;
    trace->row = step->addresses[0];
    tess_gp_program_text(trace->program, step->instruction, text, sizeof text);
    if (trace->json)
        json_head(&json, trace);
    else
        print_head(trace);
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ";");
        struct slot slot = take_slot(trace, at, length);
        take_path(trace, &slot);
        if (trace->json)
            json_slot(&json, &slot);
        else
            print_slot(trace, &slot);
        at += length + strspn(at + length, "; ");
    }
    drop_paths(trace);
    if (trace->json)
        json_tail(&json, trace);
    else
        print_tail(trace);
    trace->before[1] = trace->before[0];
    trace->before[0] = trace->now;
    return true;
}
