/* SPDX-License-Identifier: MIT */
/* finding_github.c - writes findings as workflow commands of GitHub's runners, which show them next
 * to the changed lines: "::error file=NAME,line=1,col=5,endColumn=8,title=RULE::TEXT". Characters
 * that would end a part are escaped as in GitHub's toolkit: %, CR and LF everywhere, : and , in
 * properties. Other control characters become question marks. */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "front/finding_private.h"

static void put_escaped(FILE *stream, const char *text, bool property)
{
    while (*text) {
        uint32_t value = 0;
        size_t bytes = utf8_character(text, &value);
        bool escaped = strchr(property ? "%\r\n:," : "%\r\n", *text) != NULL;
        bool control = (value < 0x20 && value != '\t') || (value >= 0x7f && value < 0xa0);
        if (escaped)
            fprintf(stream, "%%%02X", (unsigned char)*text);
        else if (bytes == 0 || control)
            fputc('?', stream);
        else
            fwrite(text, 1, bytes, stream);
        text += bytes ? bytes : 1;
    }
}

/* Converts a column to UTF-16 code units, which GitHub's editor counts. */
static uint32_t units(const struct finding_place *place, uint32_t column)
{
    return place->source_line && column
               ? (uint32_t)utf8_utf16_units(place->source_line, column - 1) + 1
               : column;
}

static void put_properties(FILE *stream, const struct finding *finding)
{
    const struct finding_place *place = &finding->place;
    uint32_t end = finding_end_column(place);
    const char *before = " ";
    if (place->file) {
        fprintf(stream, " file=");
        put_escaped(stream, place->file, true);
        before = ",";
    }
    if (place->file && place->line)
        fprintf(stream, ",line=%" PRIu32, place->line);
    if (place->file && place->line && place->column)
        fprintf(stream, ",col=%" PRIu32, units(place, place->column));
    if (place->file && place->line && end)
        fprintf(stream, ",endColumn=%" PRIu32, units(place, end) - 1);
    fprintf(stream, "%stitle=", before);
    put_escaped(stream, finding->rule ? finding->rule : "tessera", true);
}

static void put_related(FILE *stream, const struct finding_place *place)
{
    if (!place->file || !place->line)
        return;
    fprintf(stream, "%%0A");
    put_escaped(stream, place->note ? place->note : "the other instruction", false);
    fprintf(stream, ": ");
    put_escaped(stream, place->file, false);
    fprintf(stream, ":%" PRIu32, place->line);
}

static void add(struct finding_log *log, const struct finding *finding)
{
    static const char *const commands[] = {"debug", "notice", "warning", "error"};
    FILE *stream = log->stream;
    fprintf(stream, "::%s", commands[finding->level - TESS_OFF]);
    put_properties(stream, finding);
    fprintf(stream, "::");
    put_escaped(stream, finding->text ? finding->text : "", false);
    if (finding->place.disassembly && !finding->place.source_line) {
        fprintf(stream, ": `");
        put_escaped(stream, finding->place.disassembly, false);
        fputc('`', stream);
    }
    if (finding->hint) {
        fprintf(stream, "%%0Ahint: ");
        put_escaped(stream, finding->hint, false);
    }
    for (unsigned i = 0; i < finding->related_count; i++)
        put_related(stream, &finding->related[i]);
    fputc('\n', stream);
}

static void begin(struct finding_log *log)
{
    (void)log;
}

static void end(struct finding_log *log, bool complete, int exit_status)
{
    (void)log;
    (void)complete;
    (void)exit_status;
}

const struct finding_writer finding_github = {.begin = begin, .add = add, .end = end};
