/* SPDX-License-Identifier: MIT */
/* trace.c - see trace.h. */
#include "front/trace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"

enum {
    LANES = 16,
    ALL = 0xffff,
    TEXT = 512,
    PLACE_MOST = 60, /* largest width of a place in columns */
    QPU_WIDTH = 44,  /* width of the column with an instruction's text */
};

/* How the operations of a machine are printed. */
struct style {
    int width; /* width of the column with an operation's text */
    /* true if operands are vectors, which are printed with their names; false if operands and
     * results are single numbers */
    bool vectors;
};

static const struct style gp_style = {.width = 40}, a2xx_style = {.width = 44, .vectors = true};

static const char *const outcomes[] = {
    [TESS_OUTCOME_SKIPPED] = "skipped",
    [TESS_OUTCOME_TAKEN] = "taken",
    [TESS_OUTCOME_NOT_TAKEN] = "not taken",
};

/* --- values --- */

/* Values of an operand or a register: floats, or the 16 elements of a register of a QPU. */
struct values {
    const float *floats; /* NULL for a QPU */
    const uint32_t *words;
    size_t count;
    uint16_t lanes; /* elements of a QPU that are valid or written */
};

static struct values floats(const float *values, size_t count)
{
    return (struct values){.floats = values, .count = count};
}

static struct values lanes(const uint32_t *values, uint16_t mask)
{
    return (struct values){.words = values, .count = LANES, .lanes = mask};
}

/* Prints one value if all elements are valid and equal. Otherwise prints all elements, with "-" for
 * elements that are not valid. */
static void put_lanes(FILE *stream, const struct values *values)
{
    const uint32_t *words = values->words;
    if (values->lanes == ALL && memcmp(words, words + 1, (LANES - 1) * sizeof *words) == 0) {
        fprintf(stream, "0x%" PRIx32, words[0]);
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        fputs(i ? " " : "[", stream);
        if (values->lanes >> i & 1)
            fprintf(stream, "%" PRIx32, words[i]);
        else
            fputc('-', stream);
    }
    fputc(']', stream);
}

/* Prints values after a text, which is omitted if there are no values. The text of a float gives
 * the same float again. Every NaN is printed as "nan". */
static void put_values(FILE *stream, const char *before, struct values values)
{
    fputs(values.count ? before : "", stream);
    if (!values.floats) {
        put_lanes(stream, &values);
        return;
    }
    for (size_t i = 0; i < values.count; i++) {
        fputs(i ? ", " : "", stream);
        if (isnan(values.floats[i]))
            fputs("nan", stream);
        else
            fprintf(stream, "%.9g", (double)values.floats[i]);
    }
}

static void json_values(struct json *json, const char *key, struct values values)
{
    json_member_array(json, key);
    for (size_t i = 0; i < values.count; i++) {
        if (values.floats)
            json_float(json, values.floats[i]);
        else
            json_uint(json, values.words[i]);
    }
    json_end_array(json);
}

/* Writes an object with the name of an operand or a register, which is the member `key`. */
static void json_named(struct json *json, const char *key, const char *name, struct values values)
{
    json_begin_object(json);
    json_member_string(json, key, name);
    if (!values.floats)
        json_member_uint(json, "lanes", values.lanes);
    json_values(json, "values", values);
    json_end_object(json);
}

/* --- places --- */

/* Prints the place of an instruction of a program of the GP or the A2xx. */
static void put_place(FILE *stream, const struct address_name *place)
{
    if (place->symbol)
        fprintf(stream, " <%s>", place->symbol);
    if (place->file && place->line)
        fprintf(stream, ", %s:%" PRIu32, place->file, place->line);
    fputc('\n', stream);
}

static void json_place(struct json *json, const struct address_name *place)
{
    if (place->symbol)
        json_member_string(json, "label", place->symbol);
    if (place->line)
        names_json(json, "", &(struct address_name){.file = place->file, .line = place->line});
}

/* --- operations of the GP and the A2xx --- */

static void put_operands(FILE *stream, const struct tess_operation *operation,
                         const struct style *style)
{
    for (uint32_t i = 0; i < operation->operand_count; i++) {
        const struct tess_operand *operand = &operation->operands[i];
        if (style->vectors)
            fprintf(stream, "  %s = ", operand->text);
        put_values(stream,
                   style->vectors ? ""
                   : i            ? ", "
                                  : "  ",
                   floats(operand->values, operand->count));
    }
}

static void put_operation(FILE *stream, const struct tess_operation *operation,
                          const struct style *style)
{
    const char *outcome = outcomes[operation->outcome];
    bool skipped = operation->outcome == TESS_OUTCOME_SKIPPED;
    bool alone = !outcome && !operation->operand_count && !operation->result_count;
    fprintf(stream, "    %-*s", alone ? 0 : style->width, operation->text);
    if (outcome)
        fprintf(stream, "  %s", outcome);
    if (!skipped)
        put_operands(stream, operation, style);
    put_values(stream, operation->outcome == TESS_OUTCOME_LOADED ? "  = " : "  -> ",
               floats(operation->results, operation->result_count));
    if (operation->note[0])
        fprintf(stream, "  (%s)", operation->note);
    fputc('\n', stream);
}

static void json_operands(struct json *json, const struct tess_operation *operation,
                          const struct style *style)
{
    json_member_array(json, "operands");
    for (uint32_t i = 0; i < operation->operand_count; i++) {
        const struct tess_operand *operand = &operation->operands[i];
        if (style->vectors)
            json_named(json, "text", operand->text, floats(operand->values, operand->count));
        else
            json_float(json, operand->values[0]);
    }
    json_end_array(json);
}

static void json_operation(struct json *json, const struct tess_operation *operation,
                           const struct style *style)
{
    bool loaded = operation->outcome == TESS_OUTCOME_LOADED && !style->vectors;
    json_begin_object(json);
    json_member_string(json, "text", operation->text);
    if (operation->note[0])
        json_member_string(json, "note", operation->note);
    if (!loaded)
        json_operands(json, operation, style);
    if (operation->result_count && (loaded || style->vectors)) {
        json_values(json, loaded ? "loaded" : "result",
                    floats(operation->results, operation->result_count));
    } else if (operation->result_count) {
        json_key(json, "result");
        json_float(json, operation->results[0]);
    }
    json_end_object(json);
}

static void json_operations(struct json *json, const char *key,
                            const struct tess_operation *operations, size_t count,
                            const struct style *style)
{
    json_member_array(json, key);
    for (size_t i = 0; i < count; i++)
        json_operation(json, &operations[i], style);
    json_end_array(json);
}

/* --- the GP --- */

static void put_gp(FILE *stream, const struct tess_gp_step *step, const struct address_name *place)
{
    const int32_t *at = step->addresses;
    fprintf(stream, "%scycle %" PRIu64 ": instruction %zu", step->cycle ? "\n" : "", step->cycle,
            step->instruction);
    put_place(stream, place);
    for (size_t i = 0; i < step->operation_count; i++)
        put_operation(stream, &step->operations[i], &gp_style);
    if (at[0] || at[1] || at[2] || at[3])
        fprintf(stream,
                "    address registers: %" PRId32 ", %" PRId32 ", %" PRId32 ", %" PRId32 "\n",
                at[0], at[1], at[2], at[3]);
    for (size_t i = 0; i < step->pending_count; i++)
        fprintf(stream, "%s%s for cycle %" PRIu64,
                i ? ", " : "    on the way: ", step->pending[i].text, step->pending[i].cycle);
    if (step->pending_count)
        fputc('\n', stream);
}

static void json_gp(struct json *json, const struct tess_gp_step *step,
                    const struct address_name *place)
{
    json_begin_object(json);
    json_member_uint(json, "vertex", step->vertex);
    json_member_uint(json, "cycle", step->cycle);
    json_member_uint(json, "instruction", step->instruction);
    json_place(json, place);
    json_operations(json, "slots", step->operations, step->operation_count, &gp_style);
    json_member_uint(json, "row_number", step->row_number);
    json_member_array(json, "addresses");
    for (unsigned i = 0; i < 4; i++)
        json_int(json, step->addresses[i]);
    json_end_array(json);
    json_values(json, "registers", floats(step->registers[0], 64));
    json_member_array(json, "on_the_way");
    for (size_t i = 0; i < step->pending_count; i++) {
        json_begin_object(json);
        json_member_string(json, "what", step->pending[i].text);
        json_member_uint(json, "cycle", step->pending[i].cycle);
        json_end_object(json);
    }
    json_end_array(json);
    json_member_bool(json, "taken", step->taken);
    json_end_object(json);
}

bool trace_gp(void *user, const struct tess_gp_step *step)
{
    const struct trace *trace = user;
    struct json json = {.stream = trace->stream, .flow = true};
    struct address_name place = {.symbol = tess_gp_program_label(trace->gp, step->instruction)};
    tess_gp_program_line(trace->gp, step->instruction, &place.file, &place.line);
    if (trace->json)
        json_gp(&json, step, &place);
    else
        put_gp(trace->stream, step, &place);
    return true;
}

/* --- the A2xx --- */

static void put_changes(FILE *stream, const struct tess_a2xx_step *step)
{
    const struct tess_a2xx_lane *before = &step->before;
    for (unsigned i = 0; i < TESS_A2XX_REGISTERS; i++) {
        if (memcmp(before->registers[i], step->registers[i], sizeof step->registers[i]) == 0)
            continue;
        fprintf(stream, "    R%u", i);
        put_values(stream, ": ", floats(step->registers[i], 4));
        fputc('\n', stream);
    }
    if (step->export_mask) {
        fputs("    exported: ", stream);
        for (unsigned i = 0; i < 4; i++)
            if (step->export_mask >> i & 1)
                fputc("xyzw"[i], stream);
        fputc('\n', stream);
    }
    if (step->predicate != before->predicate)
        fprintf(stream, "    predicate: %d\n", step->predicate);
    if (step->a0 != before->a0)
        fprintf(stream, "    a0: %" PRId32 "\n", step->a0);
    if (step->al != before->al)
        fprintf(stream, "    aL: %" PRId32 "\n", step->al);
    if (step->killed && !before->killed)
        fputs("    killed\n", stream);
}

static void put_a2xx(FILE *stream, const struct tess_a2xx_step *step,
                     const struct address_name *place)
{
    fprintf(stream, "%sstep %" PRIu64 ": slot %zu", step->number ? "\n" : "", step->number,
            step->slot);
    if (step->kind == TESS_A2XX_STEP_CONTROL)
        fprintf(stream, ", control flow %zu", 2 * step->slot + step->half);
    put_place(stream, place);
    for (size_t i = 0; i < step->operation_count; i++)
        put_operation(stream, &step->operations[i], &a2xx_style);
    put_changes(stream, step);
}

static void json_a2xx(struct json *json, const struct tess_a2xx_step *step,
                      const struct address_name *place, const char *what)
{
    static const char *const kinds[] = {"control", "alu", "fetch"};
    json_begin_object(json);
    json_member_uint(json, what, step->lane);
    json_member_uint(json, "step", step->number);
    json_member_string(json, "kind", kinds[step->kind]);
    json_member_uint(json, "slot", step->slot);
    json_member_uint(json, "half", step->half);
    json_member_bool(json, "skipped", step->skipped);
    json_place(json, place);
    json_operations(json, "operations", step->operations, step->operation_count, &a2xx_style);
    json_member_uint(json, "exported", step->export_mask);
    json_member_bool(json, "predicate", step->predicate);
    json_member_bool(json, "killed", step->killed);
    json_member_int(json, "a0", step->a0);
    json_member_int(json, "aL", step->al);
    json_values(json, "registers", floats(step->registers[0], (size_t)4 * TESS_A2XX_REGISTERS));
    json_end_object(json);
}

bool trace_a2xx(void *user, const struct tess_a2xx_step *step)
{
    const struct trace *trace = user;
    struct json json = {.stream = trace->stream, .flow = true};
    struct address_name place = {0};
    tess_a2xx_program_line(trace->a2xx, step->slot, step->half, &place.file, &place.line);
    if (trace->json)
        json_a2xx(&json, step, &place, trace->what);
    else
        put_a2xx(trace->stream, step, &place);
    return true;
}

/* --- the QPU --- */

static void put_event(FILE *stream, const struct tess_vc4_event *event)
{
    fprintf(stream, "  {%s", tess_vc4_event_name(event->kind));
    if (event->detail)
        fprintf(stream, " %s", event->detail);
    if (event->has_address)
        fprintf(stream, " 0x%08" PRIx32, event->address);
    if (event->has_setup)
        fprintf(stream, "%s 0x%08" PRIx32, event->has_address ? " setup" : "", event->number);
    if (event->values && !event->in_results)
        put_values(stream, ": ", lanes(event->values, event->lanes ? event->lanes : ALL));
    fputc('}', stream);
}

/* Prints the place of an instruction as a column that is as wide as the longest place so far. */
static void put_column(struct trace *trace, struct address_name *name)
{
    char text[TEXT];
    names_shorten(name);
    names_text(text, sizeof text, name);
    int length = (int)strnlen(text, PLACE_MOST);
    if (length > trace->place_width)
        trace->place_width = length;
    fprintf(trace->stream, "  %-*s", trace->place_width, text[0] ? text : "-");
}

static void put_qpu(struct trace *trace, const struct tess_vc4_step *step,
                    struct address_name *name)
{
    FILE *stream = trace->stream;
    if (!trace->begun)
        fprintf(stream, "# qpu  clock  address  place  instruction  registers written, other "
                        "effects; clocks stalled\n");
    trace->begun = true;
    if (step->number == 0)
        fprintf(stream, "# QPU %" PRIu32 " begins the %s program at 0x%08" PRIx32 "\n", step->qpu,
                tess_vc4_shader_kind_name(step->kind), step->shader);
    fprintf(stream, "%2" PRIu32 "  %10" PRIu64 "  0x%08" PRIx32, step->qpu, step->clock, step->pc);
    put_column(trace, name);
    fprintf(stream, "  %-*s", QPU_WIDTH, step->text);
    for (size_t i = 0; i < step->result_count; i++) {
        fprintf(stream, "  %s", step->results[i].name);
        put_values(stream, "=", lanes(step->results[i].after, step->results[i].lanes));
    }
    if (step->flags_set)
        fprintf(stream, "  z=%04x n=%04x c=%04x", step->z, step->n, step->c);
    for (size_t i = 0; i < step->event_count; i++)
        put_event(stream, &step->events[i]);
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        if (step->stalls[i])
            fprintf(stream, "  +%" PRIu64 " %s", step->stalls[i],
                    tess_vc4_stall_name((enum tess_vc4_stall)i));
    fprintf(stream, "%s\n", step->broken ? "  {hangs}" : "");
}

/* Writes operands with their values before the instruction, or results with those after it. */
static void json_registers(struct json *json, const char *key, const struct tess_vc4_operand *list,
                           size_t count)
{
    json_member_array(json, key);
    for (size_t i = 0; i < count; i++)
        json_named(json, "register", list[i].name,
                   lanes(list[i].after ? list[i].after : list[i].before, list[i].lanes));
    json_end_array(json);
}

static void json_event(struct json *json, const struct tess_vc4_event *event)
{
    json_begin_object(json);
    json_member_string(json, "kind", tess_vc4_event_name(event->kind));
    json_member_uint(json, "number", event->number);
    if (event->has_address)
        json_member_hex(json, "address", event->address, 8);
    if (event->lanes)
        json_member_uint(json, "lanes", event->lanes);
    if (event->values)
        json_values(json, "values", lanes(event->values, ALL));
    json_end_object(json);
}

static void json_effects(struct json *json, const struct tess_vc4_step *step)
{
    json_registers(json, "operands", step->operands, step->operand_count);
    json_registers(json, "written", step->results, step->result_count);
    if (step->flags_set) {
        json_member_object(json, "flags");
        json_member_uint(json, "z", step->z);
        json_member_uint(json, "n", step->n);
        json_member_uint(json, "c", step->c);
        json_end_object(json);
    }
    json_member_array(json, "events");
    for (size_t i = 0; i < step->event_count; i++)
        json_event(json, &step->events[i]);
    json_end_array(json);
    json_member_object(json, "stalls");
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        if (step->stalls[i])
            json_member_uint(json, tess_vc4_stall_name((enum tess_vc4_stall)i), step->stalls[i]);
    json_end_object(json);
}

static void json_qpu(struct json *json, const struct tess_vc4_step *step,
                     const struct address_name *name)
{
    json_begin_object(json);
    json_member_uint(json, "qpu", step->qpu);
    json_member_uint(json, "clock", step->clock);
    json_member_string(json, "kind", tess_vc4_shader_kind_name(step->kind));
    json_member_hex(json, "shader", step->shader, 8);
    json_member_uint(json, "number", step->number);
    json_member_hex(json, "pc", step->pc, 8);
    json_member_hex(json, "word", step->word, 16);
    names_json(json, "", name);
    json_member_string(json, "text", step->text);
    json_effects(json, step);
    if (step->broken)
        json_member_bool(json, "hangs", true);
    json_end_object(json);
}

bool trace_qpu(void *user, const struct tess_vc4_step *step)
{
    struct trace *trace = user;
    struct json json = {.stream = trace->stream, .flow = true};
    struct address_name name = {0};
    /* A program starts. Another program may have been at its address before. */
    if (step->number == 0 && trace->names)
        names_forget(trace->names);
    if (trace->names)
        names_instruction(trace->names, step->pc, &step->word, &name);
    if (trace->json)
        json_qpu(&json, step, &name);
    else
        put_qpu(trace, step, &name);
    return true;
}
