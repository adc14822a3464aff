/* SPDX-License-Identifier: MIT */
/* shader_trace.c - see shader_trace.h. */
#include "cli/run/shader_trace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "cli/number.h"

/* Place of an instruction in the program. Members are NULL and 0 if unknown. */
struct place {
    const char *label, *file;
    uint32_t line;
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

/* --- text --- */

static void put_floats(FILE *stream, const char *before, const float *values, size_t count)
{
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%.*s", i ? ", " : before, (int)number_print(text, values[i]), text);
}

static void put_operands(FILE *stream, const struct tess_operation *operation,
                         const struct style *style)
{
    for (uint32_t i = 0; i < operation->operand_count; i++) {
        const struct tess_operand *operand = &operation->operands[i];
        if (style->vectors)
            fprintf(stream, "  %s = ", operand->text);
        put_floats(stream, style->vectors ? "" : i ? ", " : "  ", operand->values, operand->count);
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
    put_floats(stream, operation->outcome == TESS_OUTCOME_LOADED ? "  = " : "  -> ",
               operation->results, operation->result_count);
    if (operation->note[0])
        fprintf(stream, "  (%s)", operation->note);
    fputc('\n', stream);
}

static void put_operations(FILE *stream, const struct tess_operation *operations, size_t count,
                           const struct style *style)
{
    for (size_t i = 0; i < count; i++)
        put_operation(stream, &operations[i], style);
}

static void put_place(FILE *stream, const struct place *place)
{
    if (place->label)
        fprintf(stream, " <%s>", place->label);
    if (place->file && place->line)
        fprintf(stream, ", %s:%" PRIu32, place->file, place->line);
    fputc('\n', stream);
}

/* --- JSON --- */

/* Writes a number as the text of a trace does. NaN and infinities become strings. */
static void json_value(struct json *json, float value)
{
    char text[NUMBER_TEXT + 1];
    size_t length = number_print(text, value);
    text[length] = 0;
    if (isfinite(value))
        json_raw(json, text, length);
    else
        json_string(json, text);
}

/* --- operations as JSON --- */

static void json_floats(struct json *json, const char *key, const float *values, size_t count)
{
    json_member_array(json, key);
    for (size_t i = 0; i < count; i++)
        json_value(json, values[i]);
    json_end_array(json);
}

static void json_vectors(struct json *json, const struct tess_operation *operation)
{
    json_member_array(json, "operands");
    for (uint32_t i = 0; i < operation->operand_count; i++) {
        json_begin_object(json);
        json_member_string(json, "text", operation->operands[i].text);
        json_floats(json, "values", operation->operands[i].values, operation->operands[i].count);
        json_end_object(json);
    }
    json_end_array(json);
    if (operation->result_count)
        json_floats(json, "result", operation->results, operation->result_count);
}

static void json_numbers(struct json *json, const struct tess_operation *operation)
{
    if (operation->outcome == TESS_OUTCOME_LOADED) {
        json_floats(json, "loaded", operation->results, operation->result_count);
        return;
    }
    json_member_array(json, "operands");
    for (uint32_t i = 0; i < operation->operand_count; i++)
        json_value(json, operation->operands[i].values[0]);
    json_end_array(json);
    if (operation->result_count) {
        json_key(json, "result");
        json_value(json, operation->results[0]);
    }
}

static void json_operations(struct json *json, const char *key,
                            const struct tess_operation *operations, size_t count,
                            const struct style *style)
{
    json_member_array(json, key);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(json);
        json_member_string(json, "text", operations[i].text);
        if (operations[i].note[0])
            json_member_string(json, "note", operations[i].note);
        (style->vectors ? json_vectors : json_numbers)(json, &operations[i]);
        json_end_object(json);
    }
    json_end_array(json);
}

static void json_place(struct json *json, const struct place *place)
{
    if (place->label)
        json_member_string(json, "label", place->label);
    if (place->file && place->line) {
        json_member_string(json, "file", place->file);
        json_member_uint(json, "line", place->line);
    }
}

/* --- the GP --- */

static void put_gp(FILE *stream, const struct tess_gp_step *step, const struct place *place)
{
    const int32_t *at = step->addresses;
    fprintf(stream, "%scycle %" PRIu64 ": instruction %zu", step->cycle ? "\n" : "", step->cycle,
            step->instruction);
    put_place(stream, place);
    put_operations(stream, step->operations, step->operation_count, &gp_style);
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

static void json_gp(struct json *json, const struct tess_gp_step *step, const struct place *place)
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
    json_floats(json, "registers", step->registers[0], 64);
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

bool shader_trace_gp(void *user, const struct tess_gp_step *step)
{
    const struct shader_trace *trace = user;
    struct json json = {.stream = trace->stream, .flow = true};
    struct place place = {.label = tess_gp_program_label(trace->gp, step->instruction)};
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
        put_floats(stream, ": ", step->registers[i], 4);
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

static void put_a2xx(FILE *stream, const struct tess_a2xx_step *step, const struct place *place)
{
    fprintf(stream, "%sstep %" PRIu64 ": slot %zu", step->number ? "\n" : "", step->number,
            step->slot);
    if (step->kind == TESS_A2XX_STEP_CONTROL)
        fprintf(stream, ", control flow %zu", 2 * step->slot + step->half);
    put_place(stream, place);
    put_operations(stream, step->operations, step->operation_count, &a2xx_style);
    put_changes(stream, step);
}

static void json_a2xx(struct json *json, const struct tess_a2xx_step *step,
                      const struct place *place, const char *what)
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
    json_floats(json, "registers", step->registers[0], (size_t)4 * TESS_A2XX_REGISTERS);
    json_end_object(json);
}

bool shader_trace_a2xx(void *user, const struct tess_a2xx_step *step)
{
    const struct shader_trace *trace = user;
    struct json json = {.stream = trace->stream, .flow = true};
    struct place place = {0};
    tess_a2xx_program_line(trace->a2xx, step->slot, step->half, &place.file, &place.line);
    if (trace->json)
        json_a2xx(&json, step, &place, trace->what);
    else
        put_a2xx(trace->stream, step, &place);
    return true;
}
