/* SPDX-License-Identifier: MIT */
/* qpu_trace.c - see qpu_trace.h. */
#include "front/qpu_trace.h"

#include <inttypes.h>
#include <string.h>

#include <tessera/isa.h>

#include "base/json.h"

enum {
    ELEMENTS = 16,
    ALL = 0xffff,
    TEXT = 512,
    PLACE_MOST = 60, /* largest width of a place in columns */
    INSTRUCTION_WIDTH = 44,
    STENCIL_SETUP = 43, /* addresses of registers; manual, table 14 */
    TLB_Z = 44,
    TLB_COLOUR_MS = 45,
    TLB_COLOUR_ALL = 46,
    XY = 41,
};

static void name_of(const struct qpu_trace *trace, const struct tess_vc4_step *step,
                    struct address_name *name)
{
    *name = (struct address_name){0};
    if (trace->names)
        names_instruction(trace->names, step->pc, &step->word, name);
}

/* --- text --- */

/* Prints one value if all elements are valid and equal. Otherwise prints all elements, with "-" for
 * elements that are not valid. */
static void print_values(FILE *stream, const uint32_t values[ELEMENTS], uint16_t lanes)
{
    unsigned first = lanes ? (unsigned)__builtin_ctz(lanes) : 0;
    bool same = lanes == ALL;
    for (unsigned i = 0; i < ELEMENTS && same; i++)
        same = values[i] == values[first];
    if (same) {
        fprintf(stream, "0x%" PRIx32, values[first]);
        return;
    }
    for (unsigned i = 0; i < ELEMENTS; i++) {
        fputs(i ? " " : "[", stream);
        if (lanes >> i & 1)
            fprintf(stream, "%" PRIx32, values[i]);
        else
            fputc('-', stream);
    }
    fputc(']', stream);
}

static void print_value(FILE *stream, const char *name, unsigned number,
                        const uint32_t values[ELEMENTS], uint16_t lanes)
{
    fprintf(stream, "  %s%u=", name, number);
    print_values(stream, values, lanes);
}

static void print_written(FILE *stream, const struct tess_vc4_step *step)
{
    if (step->written_a != TESS_VC4_NO_REGISTER)
        print_value(stream, "ra", step->written_a, step->ra[step->written_a], step->lanes_a);
    if (step->written_b != TESS_VC4_NO_REGISTER)
        print_value(stream, "rb", step->written_b, step->rb[step->written_b], step->lanes_b);
    for (unsigned i = 0; i < 6; i++)
        if (step->accumulators >> i & 1)
            print_value(stream, "r", i, step->accumulator[i], step->lanes_accumulator[i]);
    if (step->flags_set)
        fprintf(stream, "  z=%04x n=%04x c=%04x", step->z, step->n, step->c);
}

/* Returns the meaning of event->number, such as " 1 t" for a TMU write, or "" if the name of the
 * event's kind is sufficient. */
static const char *detail_of(const struct tess_vc4_event *event, char text[24])
{
    static const char *const functions[] = {"recip", "recipsqrt", "exp", "log"};
    text[0] = 0;
    switch (event->kind) {
    case TESS_VC4_EVENT_TMU_WRITE:
        snprintf(text, 24, " %u %c", event->number / 4 & 1, "strb"[event->number & 3]);
        break;
    case TESS_VC4_EVENT_TMU_RESULT:
    case TESS_VC4_EVENT_SEMAPHORE_ACQUIRE:
    case TESS_VC4_EVENT_SEMAPHORE_RELEASE: snprintf(text, 24, " %" PRIu32, event->number); break;
    case TESS_VC4_EVENT_SFU: snprintf(text, 24, " %s", functions[event->number & 3]); break;
    case TESS_VC4_EVENT_TLB_WRITE:
        snprintf(text, 24, " %s",
                 event->number == STENCIL_SETUP    ? "stencil"
                 : event->number == TLB_Z          ? "z"
                 : event->number == TLB_COLOUR_MS  ? "sample colour"
                 : event->number == TLB_COLOUR_ALL ? "colour"
                                                   : "mask");
        break;
    case TESS_VC4_EVENT_PIXELS_READ:
    case TESS_VC4_EVENT_PIXELS_WRITE:
        snprintf(text, 24, " %s", event->number == XY ? "coordinates" : "flags");
        break;
    default: break;
    }
    return text;
}

static bool has_setup(const struct tess_vc4_event *event)
{
    return event->kind == TESS_VC4_EVENT_VPM_READ_SETUP ||
           event->kind == TESS_VC4_EVENT_VPM_WRITE_SETUP ||
           event->kind == TESS_VC4_EVENT_DMA_LOAD || event->kind == TESS_VC4_EVENT_DMA_STORE;
}

static bool has_address(const struct tess_vc4_event *event)
{
    return event->kind == TESS_VC4_EVENT_UNIFORM || event->kind == TESS_VC4_EVENT_UNIFORM_ADDRESS ||
           event->kind == TESS_VC4_EVENT_DMA_LOAD || event->kind == TESS_VC4_EVENT_DMA_STORE ||
           event->kind == TESS_VC4_EVENT_BRANCH;
}

/* Returns true if the values of the event are in r4, which is printed separately. */
static bool goes_to_r4(const struct tess_vc4_event *event)
{
    return event->kind == TESS_VC4_EVENT_TMU_RESULT || event->kind == TESS_VC4_EVENT_TLB_READ ||
           event->kind == TESS_VC4_EVENT_SFU_RESULT;
}

static void print_event(FILE *stream, const struct tess_vc4_event *event)
{
    char detail[24];
    fprintf(stream, "  {%s%s", tess_vc4_event_name(event->kind), detail_of(event, detail));
    if (has_address(event))
        fprintf(stream, " 0x%08" PRIx32, event->address);
    if (has_setup(event))
        fprintf(stream, "%s 0x%08" PRIx32, has_address(event) ? " setup" : "", event->number);
    if (event->values && !goes_to_r4(event)) {
        fputs(": ", stream);
        print_values(stream, event->values, event->lanes ? event->lanes : ALL);
    }
    fputc('}', stream);
}

static void print_stalls(FILE *stream, const struct tess_vc4_step *step)
{
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        if (step->stalls[i])
            fprintf(stream, "  +%" PRIu64 " %s", step->stalls[i],
                    tess_vc4_stall_name((enum tess_vc4_stall)i));
}

static int place_width(struct qpu_trace *trace, const char *place)
{
    size_t length = strlen(place);
    if (length > PLACE_MOST)
        length = PLACE_MOST;
    if ((int)length > trace->place_width)
        trace->place_width = (int)length;
    return trace->place_width;
}

static void print_head(struct qpu_trace *trace)
{
    if (!trace->begun)
        fprintf(trace->stream,
                "# qpu  clock  address  place  instruction  registers written, other "
                "effects; clocks stalled\n");
    trace->begun = true;
}

static void print_step(struct qpu_trace *trace, const struct tess_vc4_step *step)
{
    FILE *stream = trace->stream;
    char place[TEXT], text[TEXT];
    struct address_name name;
    name_of(trace, step, &name);
    names_shorten(&name);
    names_text(place, sizeof place, &name);
    tess_qpu_mnemonic(text, sizeof text, step->word, step->pc);
    print_head(trace);
    if (step->number == 0)
        fprintf(stream, "# QPU %" PRIu32 " begins the %s program at 0x%08" PRIx32 "\n", step->qpu,
                tess_vc4_shader_kind_name(step->kind), step->shader);
    fprintf(stream, "%2" PRIu32 "  %10" PRIu64 "  0x%08" PRIx32 "  %-*s  %-*s", step->qpu,
            step->clock, step->pc, place_width(trace, place), place[0] ? place : "-",
            INSTRUCTION_WIDTH, text);
    print_written(stream, step);
    for (size_t i = 0; i < step->event_count; i++)
        print_event(stream, &step->events[i]);
    print_stalls(stream, step);
    fprintf(stream, "%s\n", step->broken ? "  {hangs}" : "");
}

/* --- JSON --- */

static void json_values(struct json *json, const uint32_t values[ELEMENTS])
{
    json_member_array(json, "values");
    for (unsigned i = 0; i < ELEMENTS; i++)
        json_uint(json, values[i]);
    json_end_array(json);
}

static void json_register(struct json *json, const char *name, unsigned number,
                          const uint32_t values[ELEMENTS], uint16_t lanes)
{
    char text[16];
    snprintf(text, sizeof text, "%s%u", name, number);
    json_begin_object(json);
    json_member_string(json, "register", text);
    json_member_uint(json, "lanes", lanes);
    json_values(json, values);
    json_end_object(json);
}

static void json_written(struct json *json, const struct tess_vc4_step *step)
{
    json_member_array(json, "written");
    if (step->written_a != TESS_VC4_NO_REGISTER)
        json_register(json, "ra", step->written_a, step->ra[step->written_a], step->lanes_a);
    if (step->written_b != TESS_VC4_NO_REGISTER)
        json_register(json, "rb", step->written_b, step->rb[step->written_b], step->lanes_b);
    for (unsigned i = 0; i < 6; i++)
        if (step->accumulators >> i & 1)
            json_register(json, "r", i, step->accumulator[i], step->lanes_accumulator[i]);
    json_end_array(json);
    if (!step->flags_set)
        return;
    json_member_object(json, "flags");
    json_member_uint(json, "z", step->z);
    json_member_uint(json, "n", step->n);
    json_member_uint(json, "c", step->c);
    json_end_object(json);
}

static void json_event(struct json *json, const struct tess_vc4_event *event)
{
    json_begin_object(json);
    json_member_string(json, "kind", tess_vc4_event_name(event->kind));
    json_member_uint(json, "number", event->number);
    if (has_address(event))
        json_member_hex(json, "address", event->address, 8);
    if (event->lanes)
        json_member_uint(json, "lanes", event->lanes);
    if (event->values)
        json_values(json, event->values);
    json_end_object(json);
}

static void json_stalls(struct json *json, const struct tess_vc4_step *step)
{
    json_member_object(json, "stalls");
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        if (step->stalls[i])
            json_member_uint(json, tess_vc4_stall_name((enum tess_vc4_stall)i), step->stalls[i]);
    json_end_object(json);
}

static void json_step(const struct qpu_trace *trace, const struct tess_vc4_step *step)
{
    struct json json = {.stream = trace->stream, .flow = true};
    struct address_name name;
    char text[TEXT];
    tess_qpu_mnemonic(text, sizeof text, step->word, step->pc);
    name_of(trace, step, &name);
    json_begin_object(&json);
    json_member_uint(&json, "qpu", step->qpu);
    json_member_uint(&json, "clock", step->clock);
    json_member_string(&json, "kind", tess_vc4_shader_kind_name(step->kind));
    json_member_hex(&json, "shader", step->shader, 8);
    json_member_uint(&json, "number", step->number);
    json_member_hex(&json, "pc", step->pc, 8);
    json_member_hex(&json, "word", step->word, 16);
    names_json(&json, "", &name);
    json_member_string(&json, "text", text);
    json_written(&json, step);
    json_member_array(&json, "events");
    for (size_t i = 0; i < step->event_count; i++)
        json_event(&json, &step->events[i]);
    json_end_array(&json);
    json_stalls(&json, step);
    if (step->broken)
        json_member_bool(&json, "hangs", true);
    json_end_object(&json);
}

void qpu_trace_step(void *user, const struct tess_vc4_step *step)
{
    struct qpu_trace *trace = user;
    /* A program starts. Another program may have been at its address before. */
    if (step->number == 0 && trace->names)
        names_forget(trace->names);
    if (trace->json)
        json_step(trace, step);
    else
        print_step(trace, step);
}
