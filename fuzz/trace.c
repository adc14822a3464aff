/* SPDX-License-Identifier: MIT */
/* trace.c - fuzz target: the writer of QPU traces, src/front/trace.c. The input is a series of
 * steps with any words, operands, results and events. json-c parses the JSON, which must contain
 * the step's word, kind, operands, results and events. The text must have a line for each step and
 * for each start of a program, and one line at the beginning. */
#include <stdint.h>

#include "frame.h"
#include "front/trace.h"
#include "json_read.h"

enum { STEPS = 20, EVENTS = 5, OPERANDS = 8 };

static uint32_t registers[70][16];

static void fill(struct input *input)
{
    uint32_t value = input_bits(input, 4);
    for (unsigned i = 0; i < 70; i++)
        for (unsigned lane = 0; lane < 16; lane++)
            registers[i][lane] = value = i & 1 ? value : value * 1664525 + 1013904223;
}

static size_t read_events(struct input *input, struct tess_vc4_event events[EVENTS])
{
    size_t count = input_bits(input, 1) % (EVENTS + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t kind = input_bits(input, 1);
        if (!tess_vc4_event_name((enum tess_vc4_event_kind)kind))
            kind = TESS_VC4_EVENT_UNIFORM;
        events[i] = (struct tess_vc4_event){.kind = (enum tess_vc4_event_kind)kind,
                                            .number = input_bits(input, 4),
                                            .address = input_bits(input, 2),
                                            .lanes = (uint16_t)input_bits(input, 2)};
        events[i].has_address = events[i].number & 2;
        events[i].has_setup = events[i].number & 4;
        events[i].in_results = events[i].number & 8;
        events[i].detail = events[i].number & 16 ? "0 s" : NULL;
        events[i].values = events[i].number & 1 ? registers[events[i].number % 70] : NULL;
    }
    return count;
}

/* Reads operands, or results if `written` is true. */
static size_t read_operands(struct input *input, bool written,
                            struct tess_vc4_operand operands[OPERANDS])
{
    size_t count = input_bits(input, 1) % (OPERANDS + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = input_bits(input, 1) % 64;
        operands[i] = (struct tess_vc4_operand){.name = "ra5",
                                                .lanes = (uint16_t)input_bits(input, 2),
                                                .before = registers[number],
                                                .after = written ? registers[number + 6] : NULL};
    }
    return count;
}

static struct tess_vc4_step read_step(struct input *input, struct tess_vc4_event events[EVENTS],
                                      struct tess_vc4_operand operands[2][OPERANDS])
{
    struct tess_vc4_step step = {.kind = (enum tess_vc4_shader_kind)(input_bits(input, 1) % 4),
                                 .qpu = input_bits(input, 1) % 16,
                                 .shader = input_bits(input, 4) & ~7u,
                                 .pc = input_bits(input, 4) & ~7u,
                                 .word = input_bits(input, 4),
                                 .text = "add.ifn ra3, ra3, r1",
                                 .number = input_bits(input, 1),
                                 .ra = registers,
                                 .rb = registers + 32,
                                 .accumulator = registers + 64,
                                 .operands = operands[0],
                                 .results = operands[1],
                                 .events = events};
    uint32_t more = input_bits(input, 4);
    step.word = step.word << 32 | input_bits(input, 4);
    step.clock = (uint64_t)more << (more & 31);
    step.stalls[more % TESS_VC4_STALLS] = more & 0xff;
    step.broken = more & 0x100;
    step.flags_set = more >> 28 & 1;
    step.operand_count = read_operands(input, false, operands[0]);
    step.result_count = read_operands(input, true, operands[1]);
    step.event_count = read_events(input, events);
    return step;
}

static void see(const struct json_object *line, void *user)
{
    const struct tess_vc4_step *step = user;
    char word[24];
    snprintf(word, sizeof word, "0x%016llx", (unsigned long long)step->word);
    json_expect(line, "word", word);
    json_expect(line, "kind", tess_vc4_shader_kind_name(step->kind));
    if (json_count(json_member(line, "events")) != step->event_count ||
        json_count(json_member(line, "operands")) != step->operand_count ||
        json_count(json_member(line, "written")) != step->result_count ||
        (json_member(line, "flags") != NULL) != step->flags_set)
        abort();
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    while ((text = strchr(text, '\n')))
        lines++, text++;
    return lines;
}

static void print(struct trace *trace, struct tess_vc4_step *step)
{
    char *text;
    size_t size, before = trace->begun ? 0 : 1;
    before += step->number == 0;
    trace->stream = open_memstream(&text, &size);
    trace_qpu(trace, step);
    fclose(trace->stream);
    if (trace->json ? json_read_lines(text, size, see, step) != 1 : lines_of(text) != 1 + before)
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct trace lines = {0}, json = {.json = true};
    fill(&input);
    for (unsigned steps = 0; input.left && steps < STEPS; steps++) {
        struct tess_vc4_event events[EVENTS];
        struct tess_vc4_operand operands[2][OPERANDS];
        struct tess_vc4_step step = read_step(&input, events, operands);
        print(&lines, &step);
        print(&json, &step);
    }
    return 0;
}
