/* SPDX-License-Identifier: MIT */
/* finding_json.c - writes findings as one JSON document. docs/schema/check.json is its schema. */
#include <inttypes.h>

#include "front/finding_private.h"
#include "front/report.h"

static void member(FILE *stream, const char *before, const char *key, const char *text)
{
    if (!text)
        return;
    fprintf(stream, "%s\"%s\": ", before, key);
    report_json_text(stream, text);
}

/* Writes a member if there is a text. Returns the separator before the next member. */
static const char *next_member(FILE *stream, const char *before, const char *key, const char *text)
{
    member(stream, before, key, text);
    return text ? ", " : before;
}

static const char *put_line(FILE *stream, const struct finding_place *place, const char *before)
{
    if (!place->line)
        return before;
    fprintf(stream, "%s\"line\": %" PRIu32, before, place->line);
    if (place->column)
        fprintf(stream, ", \"column\": %" PRIu32, place->column);
    if (finding_end_column(place))
        fprintf(stream, ", \"end_column\": %" PRIu32, finding_end_column(place));
    return ", ";
}

static void put_place(FILE *stream, const struct finding_place *place, const char *before)
{
    if (place->has_address) {
        fprintf(stream, "%s\"address\": \"0x%08" PRIx32 "\"", before, place->address);
        before = ", ";
    }
    before = next_member(stream, before, "file", place->file);
    before = put_line(stream, place, before);
    before = next_member(stream, before, "instruction", place->instruction);
    before = next_member(stream, before, "disassembly", place->disassembly);
    next_member(stream, before, "text", place->note);
}

/* Writes the macro calls and includes that produced the line. */
static void put_context(FILE *stream, const struct finding *finding)
{
    unsigned first = finding->has_other;
    for (unsigned i = first; i < finding->related_count; i++) {
        fprintf(stream, i == first ? ", \"context\": [{" : ", {");
        put_place(stream, &finding->related[i], "");
        fputc('}', stream);
    }
    if (finding->related_count > first)
        fputc(']', stream);
}

static void add(struct finding_log *log, const struct finding *finding)
{
    FILE *stream = log->stream;
    fprintf(stream, log->count ? ",\n  {" : "\n  {");
    member(stream, "", "rule", finding->rule ? finding->rule : "unknown");
    member(stream, ", ", "level", finding_level_name(finding->level));
    member(stream, ", ", "text", finding->text);
    member(stream, ", ", "instead", finding->hint);
    put_place(stream, &finding->place, ", ");
    if (finding->has_other) {
        fprintf(stream, ", \"other\": {");
        put_place(stream, &finding->related[0], "");
        fputc('}', stream);
    }
    put_context(stream, finding);
    if (finding->distance)
        fprintf(stream, ", \"distance\": %" PRIu32, finding->distance);
    if (finding->has_program)
        fprintf(stream, ", \"program\": \"0x%08" PRIx32 "\"", finding->program);
    member(stream, ", ", "kind", finding->kind);
    fputc('}', stream);
}

static void begin(struct finding_log *log)
{
    fprintf(log->stream, "{\"findings\": [");
}

static void end(struct finding_log *log, bool complete, int exit_status)
{
    fprintf(log->stream, "\n], \"complete\": %s, \"status\": %d}\n", complete ? "true" : "false",
            exit_status);
}

const struct finding_writer finding_json = {.begin = begin, .add = add, .end = end};
