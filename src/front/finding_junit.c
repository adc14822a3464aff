/* SPDX-License-Identifier: MIT */
/* finding_junit.c - writes findings as XML in the format of JUnit reports, which most CI servers
 * show: a suite per file, a case per finding. Warnings and errors are failures, unreadable files
 * are errors, and notes are passing cases. A file without findings has one passing case. */
#include <inttypes.h>

#include "front/finding_private.h"
#include "front/policy.h"
#include "front/xml.h"

static void put_place(FILE *stream, const struct finding_place *place)
{
    if (place->file)
        xml_text(stream, place->file);
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
    fprintf(stream, ": %s: ", policy_level_name(finding->level));
    xml_text(stream, finding->text ? finding->text : "");
    if (finding->place.disassembly) {
        xml_text(stream, "\n");
        xml_text(stream, finding->place.disassembly);
    }
    if (finding->hint) {
        xml_text(stream, "\nhint: ");
        xml_text(stream, finding->hint);
    }
    for (unsigned i = 0; i < finding->related_count; i++) {
        const char *note = finding->related[i].note;
        xml_text(stream, "\n");
        xml_text(stream, note ? note : "the other instruction");
        fprintf(stream, ": ");
        put_place(stream, &finding->related[i]);
    }
}

/* Writes the name of a finding's test case. */
static void put_name(FILE *stream, const struct finding *finding)
{
    const struct finding_place *place = &finding->place;
    char where[32] = "";
    if (place->line)
        snprintf(where, sizeof where, " (line %" PRIu32 ")", place->line);
    else if (place->has_address)
        snprintf(where, sizeof where, " (0x%08" PRIx32 ")", place->address);
    xml_attribute(stream, "name", finding->rule ? finding->rule : "finding", where);
}

static void add(struct finding_log *log, const struct finding *finding)
{
    FILE *stream = finding_later(log);
    bool passes = finding->level < TESS_WARNING, error = finding->cause != FINDING_PROGRAM;
    const char *element = passes ? "system-out" : error ? "error" : "failure";
    if (!stream)
        return;
    log->later_count++;
    log->failures += !passes && !error;
    log->errors += !passes && error;
    xml_begin(stream, 4, "testcase");
    xml_attribute(stream, "classname", log->file ? log->file : log->tool, "");
    put_name(stream, finding);
    fprintf(stream, ">\n");
    xml_begin(stream, 6, element);
    if (!passes) {
        xml_attribute(stream, "type", policy_level_name(finding->level), "");
        xml_attribute(stream, "message", finding->text ? finding->text : "", "");
    }
    fputc('>', stream);
    put_message(stream, finding);
    xml_end(stream, 0, element);
    xml_end(stream, 4, "testcase");
}

static void begin_file(struct finding_log *log)
{
    log->later_count = log->failures = log->errors = 0;
}

static void end_file(struct finding_log *log)
{
    FILE *stream = log->stream;
    bool none = log->later_count == 0;
    xml_begin(stream, 2, "testsuite");
    xml_attribute(stream, "name", log->file, "");
    xml_attribute_number(stream, "tests", none ? 1 : log->later_count);
    xml_attribute_number(stream, "failures", log->failures);
    xml_attribute_number(stream, "errors", log->errors);
    fprintf(stream, ">\n");
    if (none) {
        xml_begin(stream, 4, "testcase");
        xml_attribute(stream, "classname", log->file, "");
        xml_attribute(stream, "name", log->tool, "");
        fprintf(stream, "/>\n");
    }
    finding_put_later(log);
    xml_end(stream, 2, "testsuite");
}

static void begin(struct finding_log *log)
{
    xml_head(log->stream);
    xml_begin(log->stream, 0, "testsuites");
    xml_attribute(log->stream, "name", log->tool, "");
    fprintf(log->stream, ">\n");
}

static void end(struct finding_log *log, bool complete, int exit_status)
{
    (void)complete;
    (void)exit_status;
    xml_end(log->stream, 0, "testsuites");
}

const struct finding_writer finding_junit = {
    .begin = begin, .begin_file = begin_file, .end_file = end_file, .add = add, .end = end};
