/* SPDX-License-Identifier: MIT */
/* qpu_trace.c - see qpu_trace.h. */
#include "front/qpu_trace.h"

#include <inttypes.h>
#include <string.h>

#include <tessera/isa.h>

#include "front/report.h"

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

static void json_values(FILE *stream, const uint32_t values[ELEMENTS])
{
    for (unsigned i = 0; i < ELEMENTS; i++)
        fprintf(stream, "%s%" PRIu32, i ? ", " : "[", values[i]);
    fputc(']', stream);
}

static void json_register(FILE *stream, const char **before, const char *name, unsigned number,
                          const uint32_t values[ELEMENTS], uint16_t lanes)
{
    fprintf(stream, "%s{\"register\": \"%s%u\", \"lanes\": %u, \"values\": ", *before, name, number,
            lanes);
    json_values(stream, values);
    fputc('}', stream);
    *before = ", ";
}

static void json_written(FILE *stream, const struct tess_vc4_step *step)
{
    const char *before = "";
    fputs(", \"written\": [", stream);
    if (step->written_a != TESS_VC4_NO_REGISTER)
        json_register(stream, &before, "ra", step->written_a, step->ra[step->written_a],
                      step->lanes_a);
    if (step->written_b != TESS_VC4_NO_REGISTER)
        json_register(stream, &before, "rb", step->written_b, step->rb[step->written_b],
                      step->lanes_b);
    for (unsigned i = 0; i < 6; i++)
        if (step->accumulators >> i & 1)
            json_register(stream, &before, "r", i, step->accumulator[i],
                          step->lanes_accumulator[i]);
    fputc(']', stream);
    if (step->flags_set)
        fprintf(stream, ", \"flags\": {\"z\": %u, \"n\": %u, \"c\": %u}", step->z, step->n,
                step->c);
}

static void json_event(FILE *stream, const struct tess_vc4_event *event)
{
    fprintf(stream, "{\"kind\": \"%s\", \"number\": %" PRIu32, tess_vc4_event_name(event->kind),
            event->number);
    if (has_address(event))
        fprintf(stream, ", \"address\": \"0x%08" PRIx32 "\"", event->address);
    if (event->lanes)
        fprintf(stream, ", \"lanes\": %u", event->lanes);
    if (event->values) {
        fputs(", \"values\": ", stream);
        json_values(stream, event->values);
    }
    fputc('}', stream);
}

static void json_place(const struct qpu_trace *trace, const struct tess_vc4_step *step)
{
    struct address_name name;
    name_of(trace, step, &name);
    if (name.symbol) {
        fputs(", \"symbol\": ", trace->stream);
        report_json_text(trace->stream, name.symbol);
        fprintf(trace->stream, ", \"offset\": %" PRIu32, name.offset);
    }
    if (name.file) {
        fputs(", \"file\": ", trace->stream);
        report_json_text(trace->stream, name.file);
        fprintf(trace->stream, ", \"line\": %" PRIu32, name.line);
    }
}

static void json_stalls(FILE *stream, const struct tess_vc4_step *step)
{
    const char *before = "";
    fputs("], \"stalls\": {", stream);
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++) {
        if (!step->stalls[i])
            continue;
        fprintf(stream, "%s\"%s\": %" PRIu64, before, tess_vc4_stall_name((enum tess_vc4_stall)i),
                step->stalls[i]);
        before = ", ";
    }
    fprintf(stream, "}%s}\n", step->broken ? ", \"hangs\": true" : "");
}

static void json_step(const struct qpu_trace *trace, const struct tess_vc4_step *step)
{
    FILE *stream = trace->stream;
    char text[TEXT];
    tess_qpu_mnemonic(text, sizeof text, step->word, step->pc);
    fprintf(stream,
            "{\"qpu\": %" PRIu32 ", \"clock\": %" PRIu64
            ", \"kind\": \"%s\", \"shader\": \"0x%08" PRIx32 "\", \"number\": %" PRIu64
            ", \"pc\": \"0x%08" PRIx32 "\", \"word\": \"0x%016" PRIx64 "\"",
            step->qpu, step->clock, tess_vc4_shader_kind_name(step->kind), step->shader,
            step->number, step->pc, step->word);
    json_place(trace, step);
    fputs(", \"text\": ", stream);
    report_json_text(stream, text);
    json_written(stream, step);
    fputs(", \"events\": [", stream);
    for (size_t i = 0; i < step->event_count; i++) {
        fputs(i ? ", " : "", stream);
        json_event(stream, &step->events[i]);
    }
    json_stalls(stream, step);
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
