/* SPDX-License-Identifier: MIT */
/* finding_junit.c - writes findings as XML in the format of JUnit reports, which most CI servers
 * show: a suite per file, a case per finding. Warnings and errors are failures, unreadable files
 * are errors, and notes are passing cases. A file without findings has one passing case. */
#include <inttypes.h>

#include "front/finding_private.h"
#include "front/utf8.h"

/* Writes text with U+FFFD for invalid UTF-8 and for characters that XML 1.0 does not allow. */
static void put_text(FILE *stream, const char *text)
{
    while (*text) {
        uint32_t value = 0;
        size_t bytes = utf8_character(text, &value);
        bool space = value == '\t' || value == '\n' || value == '\r';
        bool wrong = bytes == 0 || (value < 0x20 && !space) || value == 0xfffe || value == 0xffff;
        if (wrong)
            fputs("\xef\xbf\xbd", stream);
        else if (space || value == '&' || value == '<' || value == '>' || value == '"' ||
                 (value >= 0x7f && value < 0xa0))
            fprintf(stream, "&#%" PRIu32 ";", value);
        else
            fwrite(text, 1, bytes, stream);
        text += bytes ? bytes : 1;
    }
}

static void put_attribute(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, " %s=\"", name);
    put_text(stream, text);
    fputc('"', stream);
}

static void put_place(FILE *stream, const struct finding_place *place)
{
    if (place->file)
        put_text(stream, place->file);
    if (place->line)
        fprintf(stream, ":%" PRIu32, place->line);
    if (place->line && place->column)
        fprintf(stream, ":%" PRIu32, place->column);
    if (!place->line && place->has_address)
        fprintf(stream, " at 0x%08" PRIx32, place->address);
}

/* Writes the message in a compiler's format. */
static void put_message(FILE *stream, const struct finding *finding)
{
    put_place(stream, &finding->place);
    fprintf(stream, ": %s: ", finding_level_name(finding->level));
    put_text(stream, finding->text ? finding->text : "");
    if (finding->place.disassembly) {
        fprintf(stream, "&#10;");
        put_text(stream, finding->place.disassembly);
    }
    if (finding->hint) {
        fprintf(stream, "&#10;hint: ");
        put_text(stream, finding->hint);
    }
    for (unsigned i = 0; i < finding->related_count; i++) {
        fprintf(stream, "&#10;");
        put_text(stream,
                 finding->related[i].note ? finding->related[i].note : "the other instruction");
        fprintf(stream, ": ");
        put_place(stream, &finding->related[i]);
    }
}

static void add(struct finding_log *log, const struct finding *finding)
{
    FILE *stream = finding_later(log, 0);
    bool passes = finding->level < TESS_CHECK_WARNING, error = finding->cause != FINDING_PROGRAM;
    const char *element = passes ? "system-out" : error ? "error" : "failure";
    if (!stream)
        return;
    log->later_count[0]++;
    log->failures += !passes && !error;
    log->errors += !passes && error;
    fprintf(stream, "    <testcase");
    put_attribute(stream, "classname", log->file ? log->file : log->tool);
    fprintf(stream, " name=\"");
    put_text(stream, finding->rule ? finding->rule : "finding");
    if (finding->place.line)
        fprintf(stream, " (line %" PRIu32 ")", finding->place.line);
    else if (finding->place.has_address)
        fprintf(stream, " (0x%08" PRIx32 ")", finding->place.address);
    fprintf(stream, "\">\n      <%s", element);
    if (!passes) {
        put_attribute(stream, "type", finding_level_name(finding->level));
        put_attribute(stream, "message", finding->text ? finding->text : "");
    }
    fputc('>', stream);
    put_message(stream, finding);
    fprintf(stream, "</%s>\n    </testcase>\n", element);
}

static void begin_file(struct finding_log *log)
{
    log->later_count[0] = log->failures = log->errors = 0;
}

static void end_file(struct finding_log *log)
{
    FILE *stream = log->stream;
    bool none = log->later_count[0] == 0;
    fprintf(stream, "  <testsuite");
    put_attribute(stream, "name", log->file);
    fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
            none ? (size_t)1 : log->later_count[0], log->failures, log->errors);
    if (none) {
        fprintf(stream, "    <testcase");
        put_attribute(stream, "classname", log->file);
        put_attribute(stream, "name", log->tool);
        fprintf(stream, "/>\n");
    }
    finding_put_later(log, 0);
    fprintf(stream, "  </testsuite>\n");
}

static void begin(struct finding_log *log)
{
    fprintf(log->stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_attribute(log->stream, "name", log->tool);
    fprintf(log->stream, ">\n");
}

static void end(struct finding_log *log, bool complete, int exit_status)
{
    (void)complete;
    (void)exit_status;
    fprintf(log->stream, "</testsuites>\n");
}

const struct finding_writer finding_junit = {
    .begin = begin, .begin_file = begin_file, .end_file = end_file, .add = add, .end = end};
