/* SPDX-License-Identifier: MIT */
/* run_a2xx_trace.c - see run_a2xx_trace.h.
 *
 * In:  the text of an instruction; the registers before and after the instruction.
 * Out: each operation with the values of its operands and its result. The operands' names are
 *      parsed from the text. */

#include "cli/run/run_a2xx_trace.h"
#include "base/json.h"
#include "cli/number.h"
#include "cli/run/shader_names.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 1024, OPERANDS_MOST = 6, TEXT_WIDTH = 44, CONSTANTS = 256 };

/* An operand in the text of an instruction. */
struct operand {
    const char *text;
    size_t length;
    float values[4];
    unsigned count; /* number of values, one per component of the swizzle */
};

/* One line of an instruction's text. */
struct line {
    const char *text;
    size_t length;
    struct operand operands[OPERANDS_MOST];
    size_t operand_count;
    bool scalar; /* true if the line is the scalar operation of an ALU instruction */
};

/* --- operands --- */

/* Parses the index after the letter of a register or constant, such as "12" or "[aL+2]". Advances
 * *text past the index. Returns false if the text does not begin with an index. */
static bool take_index(const struct a2xx_trace *trace, const char **text, int64_t *index)
{
    const char *at = *text;
    char *end;
    *index = 0;
    bool bracket = *at == '[';
    if (bracket) {
        at++;
        if (strncmp(at, "a0", 2) == 0)
            *index = trace->a0;
        else if (strncmp(at, "aL", 2) == 0)
            *index = trace->al;
        else
            return false;
        at += 2;
    }
    if (*at == '+')
        at++;
    if (*at >= '0' && *at <= '9') {
        *index += strtol(at, &end, 10);
        at = end;
    } else if (!bracket) {
        return false;
    }
    if (bracket && *at++ != ']')
        return false;
    *text = at;
    return true;
}

/* Returns the value of a register or constant. A register number above 63 wraps around. A constant
 * beyond the constant file has the value 0. */
static const float *find_values(const struct a2xx_trace *trace, char letter, int64_t index)
{
    static const float zeros[4];
    if (letter == 'R')
        return trace->registers[(uint64_t)index % TESS_A2XX_REGISTERS];
    return index >= 0 && index < CONSTANTS ? trace->constants[index] : zeros;
}

static float change(float value, bool absolute, bool negative)
{
    value = absolute ? fabsf(value) : value;
    return negative ? -value : value;
}

/* Parses an operand at the start of text, of the form [-][|](Rn|Cn)[.swizzle][|]. Returns the
 * operand's length in bytes, or 0 if the text does not begin with an operand. */
static size_t take_operand(const struct a2xx_trace *trace, const char *text,
                           struct operand *operand)
{
    const char *at = text;
    bool negative = *at == '-', absolute;
    int64_t index;
    at += negative;
    absolute = *at == '|';
    at += absolute;
    char letter = *at;
    if (letter != 'R' && letter != 'C')
        return 0;
    at++;
    if (!take_index(trace, &at, &index))
        return 0;
    const float *values = find_values(trace, letter, index);
    operand->count = 0;
    if (*at == '.')
        at++;
    for (; operand->count < 4 && shader_component(*at) < SHADER_COMPONENTS; at++)
        operand->values[operand->count++] = change(values[shader_component(*at)], absolute,
                                                   negative);
    for (unsigned i = 0; operand->count == 0 && i < 4; i++)
        operand->values[i] = change(values[i], absolute, negative);
    if (operand->count == 0)
        operand->count = 4;
    at += *at == '|';
    operand->text = text;
    operand->length = (size_t)(at - text);
    return operand->length;
}

/* Parses all operands after the equals sign. */
static void take_operands(const struct a2xx_trace *trace, struct line *line)
{
    const char *end = line->text + line->length;
    const char *at = memchr(line->text, '=', line->length);
    while (at && at < end && line->operand_count < OPERANDS_MOST) {
        size_t length = at[-1] == ' ' || at[-1] == ','
                            ? take_operand(trace, at, &line->operands[line->operand_count])
                            : 0;
        line->operand_count += length != 0;
        at += length ? length : 1;
    }
}

/* --- text --- */

static void put_float(FILE *stream, float value)
{
    char text[NUMBER_TEXT];
    fwrite(text, 1, number_print(text, value), stream);
}

static void put_floats(FILE *stream, const float *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? ", " : "", stream);
        put_float(stream, values[i]);
    }
}

static void print_line(const struct a2xx_trace *trace, const struct tess_a2xx_step *step,
                       const struct line *line)
{
    FILE *stream = trace->stream;
    bool control = step->kind == TESS_A2XX_STEP_CONTROL;
    fprintf(stream, "    %-*.*s", control && !step->skipped ? 0 : TEXT_WIDTH, (int)line->length,
            line->text);
    if (step->skipped) {
        fputs(control ? "  not taken\n" : "  skipped\n", stream);
        return;
    }
    for (size_t i = 0; i < line->operand_count; i++) {
        fprintf(stream, "  %.*s = ", (int)line->operands[i].length, line->operands[i].text);
        put_floats(stream, line->operands[i].values, line->operands[i].count);
    }
    if (!control) {
        fputs("  -> ", stream);
        put_floats(stream, line->scalar ? &step->scalar : step->vector, line->scalar ? 1 : 4);
    }
    fputc('\n', stream);
}

static void print_head(const struct a2xx_trace *trace, const struct tess_a2xx_step *step)
{
    const char *file;
    uint32_t line;
    tess_a2xx_program_line(trace->program, step->slot, step->half, &file, &line);
    fprintf(trace->stream, "%sstep %" PRIu64 ": slot %zu", trace->any ? "\n" : "", step->number,
            step->slot);
    if (step->kind == TESS_A2XX_STEP_CONTROL)
        fprintf(trace->stream, ", control flow %zu", 2 * step->slot + step->half);
    if (file && line)
        fprintf(trace->stream, ", %s:%" PRIu32, file, line);
    fputc('\n', trace->stream);
}

/* Prints the registers that the instruction changed. */
static void print_written(const struct a2xx_trace *trace, const struct tess_a2xx_step *step)
{
    for (unsigned i = 0; i < TESS_A2XX_REGISTERS; i++) {
        if (memcmp(trace->registers[i], step->registers[i], sizeof trace->registers[i]) == 0)
            continue;
        fprintf(trace->stream, "    R%u: ", i);
        put_floats(trace->stream, step->registers[i], 4);
        fputc('\n', trace->stream);
    }
}

static void print_tail(const struct a2xx_trace *trace, const struct tess_a2xx_step *step)
{
    FILE *stream = trace->stream;
    print_written(trace, step);
    if (step->export_mask) {
        fputs("    exported: ", stream);
        for (unsigned i = 0; i < 4; i++)
            if (step->export_mask >> i & 1)
                fputc("xyzw"[i], stream);
        fputc('\n', stream);
    }
    if (step->predicate != trace->predicate)
        fprintf(stream, "    predicate: %d\n", step->predicate);
    if (step->a0 != trace->a0)
        fprintf(stream, "    a0: %" PRId32 "\n", step->a0);
    if (step->al != trace->al)
        fprintf(stream, "    aL: %" PRId32 "\n", step->al);
    if (step->killed && !trace->killed)
        fputs("    killed\n", stream);
}

/* --- JSON --- */

static void json_floats(struct json *json, const float *values, unsigned count)
{
    json_begin_array(json);
    for (unsigned i = 0; i < count; i++)
        json_float(json, values[i]);
    json_end_array(json);
}

static void json_text(struct json *json, const char *text, size_t length)
{
    char copy[TEXT_MOST];
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    json_member_string(json, "text", copy);
}

static void json_line(struct json *json, const struct tess_a2xx_step *step, const struct line *line)
{
    json_begin_object(json);
    json_text(json, line->text, line->length);
    json_member_array(json, "operands");
    for (size_t i = 0; i < line->operand_count; i++) {
        json_begin_object(json);
        json_text(json, line->operands[i].text, line->operands[i].length);
        json_key(json, "values");
        json_floats(json, line->operands[i].values, line->operands[i].count);
        json_end_object(json);
    }
    json_end_array(json);
    if (step->kind != TESS_A2XX_STEP_CONTROL && !step->skipped) {
        json_key(json, "result");
        json_floats(json, line->scalar ? &step->scalar : step->vector, line->scalar ? 1 : 4);
    }
    json_end_object(json);
}

static void json_head(struct json *json, const struct a2xx_trace *trace,
                      const struct tess_a2xx_step *step)
{
    static const char *const kinds[] = {"control", "alu", "fetch"};
    const char *file;
    uint32_t line;
    tess_a2xx_program_line(trace->program, step->slot, step->half, &file, &line);
    json_begin_object(json);
    json_member_uint(json, trace->what, step->lane);
    json_member_uint(json, "step", step->number);
    json_member_string(json, "kind", kinds[step->kind]);
    json_member_uint(json, "slot", step->slot);
    json_member_uint(json, "half", step->half);
    json_member_bool(json, "skipped", step->skipped);
    if (file && line) {
        json_member_string(json, "file", file);
        json_member_uint(json, "line", line);
    }
    json_member_array(json, "operations");
}

static void json_tail(struct json *json, const struct tess_a2xx_step *step)
{
    json_end_array(json);
    json_member_uint(json, "exported", step->export_mask);
    json_member_bool(json, "predicate", step->predicate);
    json_member_bool(json, "killed", step->killed);
    json_member_int(json, "a0", step->a0);
    json_member_int(json, "aL", step->al);
    json_key(json, "registers");
    json_floats(json, step->registers[0], 4 * TESS_A2XX_REGISTERS);
    json_end_object(json);
}

/* --- steps --- */

/* True if a line of an ALU instruction is the scalar operation. The names of vector operations end
 * in "v", "vEQ" or "vNE". */
static bool is_scalar(const struct line *line)
{
    const char *at = memchr(line->text, ':', line->length), *end = line->text + line->length;
    at = at ? at + 1 : line->text;
    at += strspn(at, " ");
    size_t length = strcspn(at, " \n");
    bool suffix = length > 2 && at + length < end &&
                  (memcmp(at + length - 2, "EQ", 2) == 0 || memcmp(at + length - 2, "NE", 2) == 0);
    return length > 0 && at[length - 1] != 'v' && !(suffix && at[length - 3] == 'v');
}

/* Finds the next line of the text, without leading blanks. Returns false at the end of the text. */
static bool next_line(const char **at, struct line *line)
{
    *at += strspn(*at, "\n \t");
    *line = (struct line){.text = *at, .length = strcspn(*at, "\n")};
    *at += line->length;
    return line->length != 0;
}

bool a2xx_trace_step(void *user, const struct tess_a2xx_step *step)
{
    struct a2xx_trace *trace = user;
    bool control = step->kind == TESS_A2XX_STEP_CONTROL;
    struct json json = {.stream = trace->stream, .flow = true};
    char text[TEXT_MOST];
    const char *at = text;
    struct line line;
    tess_a2xx_program_text(trace->program, step->slot, text, sizeof text);
    if (trace->json)
        json_head(&json, trace, step);
    else
        print_head(trace, step);
    for (uint32_t number = 0; next_line(&at, &line); number++) {
        if (control && number != step->half)
            continue;
        line.scalar = step->kind == TESS_A2XX_STEP_ALU && is_scalar(&line);
        if (!control)
            take_operands(trace, &line);
        if (trace->json)
            json_line(&json, step, &line);
        else
            print_line(trace, step, &line);
    }
    if (trace->json)
        json_tail(&json, step);
    else
        print_tail(trace, step);
    memcpy(trace->registers, step->registers, sizeof trace->registers);
    trace->a0 = step->a0;
    trace->al = step->al;
    trace->predicate = step->predicate;
    trace->killed = step->killed;
    trace->any = true;
    return true;
}
