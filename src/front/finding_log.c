/* SPDX-License-Identifier: MIT */
/* finding_log.c - see finding_log.h: the part that all formats share.
 *
 * A finding is written only when the next finding arrives, because notes about the finding may
 * follow it. */
#include "base/ascii.h"
#include "front/finding_private.h"

#include <stdlib.h>
#include <string.h>

static const struct finding_writer *const writers[] = {
    [FINDING_JSON] = &finding_json,
    [FINDING_SARIF] = &finding_sarif,
    [FINDING_GITHUB] = &finding_github,
    [FINDING_JUNIT] = &finding_junit,
};

bool finding_format_find(const char *name, enum finding_format *format)
{
    static const char *const names[] = {"text", "json", "sarif", "github", "junit"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            *format = (enum finding_format)i;
            return true;
        }
    }
    return false;
}

/* --- columns --- */

static bool is_word(char c)
{
    return ascii_in_name(c) || c == '.';
}

static bool begins_comment(const char *text, bool semicolons)
{
    return text[0] == '#' || (text[0] == '/' && (text[1] == '/' || text[1] == '*')) ||
           (semicolons && text[0] == ';');
}

static const char *end_of_statement(const char *at, bool semicolons)
{
    const char *end = at;
    for (bool quoted = false; *at && (quoted || !begins_comment(at, semicolons)); at++) {
        quoted ^= *at == '"';
        if (*at != ' ' && *at != '\t' && *at != '\r')
            end = at + 1;
    }
    return end;
}

static const char *end_of_word(const char *at)
{
    if (!is_word(*at))
        return *at ? at + 1 : at;
    while (is_word(*at))
        at++;
    return at;
}

uint32_t finding_end_column(const struct finding_place *place)
{
    const char *line = place->source_line;
    if (!line || place->column == 0 || place->column > strlen(line))
        return 0;
    const char *at = line + place->column - 1;
    const char *end = place->statement ? end_of_statement(at, place->semicolon_comments)
                                       : end_of_word(at);
    return (uint32_t)((end > at ? end : at + 1) - line) + 1;
}

/* --- deferred output --- */

FILE *finding_later(struct finding_log *log)
{
    if (!log->later)
        log->later = open_memstream(&log->later_text, &log->later_size);
    log->no_memory |= !log->later;
    return log->later;
}

void finding_put_later(struct finding_log *log)
{
    if (!log->later)
        return;
    log->no_memory |= fclose(log->later) != 0;
    if (log->later_text)
        fwrite(log->later_text, 1, log->later_size, log->stream);
    free(log->later_text);
    log->later = NULL;
    log->later_text = NULL;
    log->later_size = 0;
}

/* --- the last finding --- */

static void keep(struct finding_log *log, const char **text)
{
    if (!*text)
        return;
    *text = strdup(*text);
    log->no_memory |= !*text;
}

static void keep_place(struct finding_log *log, struct finding_place *place)
{
    keep(log, &place->file);
    keep(log, &place->source_line);
    keep(log, &place->instruction);
    keep(log, &place->disassembly);
    keep(log, &place->note);
}

static void free_place(const struct finding_place *place)
{
    free((char *)place->file);
    free((char *)place->source_line);
    free((char *)place->instruction);
    free((char *)place->disassembly);
    free((char *)place->note);
}

static void free_finding(struct finding *finding)
{
    free((char *)finding->rule);
    free((char *)finding->text);
    free((char *)finding->hint);
    free_place(&finding->place);
    for (unsigned i = 0; i < finding->related_count; i++)
        free_place(&finding->related[i]);
    free(finding);
}

static struct finding *copy(struct finding_log *log, const struct finding *finding)
{
    struct finding *kept = malloc(sizeof *kept);
    log->no_memory |= !kept;
    if (!kept)
        return NULL;
    *kept = *finding;
    keep(log, &kept->rule);
    keep(log, &kept->text);
    keep(log, &kept->hint);
    keep_place(log, &kept->place);
    for (unsigned i = 0; i < kept->related_count; i++)
        keep_place(log, &kept->related[i]);
    return kept;
}

static void write_last(struct finding_log *log)
{
    if (!log->last)
        return;
    if (!log->no_memory) {
        writers[log->format]->add(log, log->last);
        log->count++;
    }
    free_finding(log->last);
    log->last = NULL;
}

/* --- the log --- */

void finding_log_begin(struct finding_log *log)
{
    writers[log->format]->begin(log);
}

static void end_file(struct finding_log *log)
{
    write_last(log);
    if (log->file && writers[log->format]->end_file)
        writers[log->format]->end_file(log);
}

void finding_log_file(struct finding_log *log, const char *path)
{
    end_file(log);
    log->file = path;
    if (writers[log->format]->begin_file)
        writers[log->format]->begin_file(log);
}

void finding_log_add(struct finding_log *log, const struct finding *finding)
{
    write_last(log);
    log->last = copy(log, finding);
}

struct finding finding_of(const struct tess_finding *from)
{
    return (struct finding){.level = from->level,
                            .rule = from->id,
                            .text = from->text,
                            .hint = from->hint,
                            .place = {.file = from->file,
                                      .line = from->line,
                                      .column = from->column,
                                      .source_line = from->source_line}};
}

void finding_log_diag(struct finding_log *log, const struct tess_finding *diag,
                      enum finding_cause cause)
{
    struct finding finding = finding_of(diag);
    struct finding_place *place = &finding.place;
    bool context = diag->level == TESS_NOTE && diag->id && strcmp(diag->id, "asm-context") == 0;
    if (!place->file)
        place->file = log->file;
    if (!context) {
        finding.cause = diag->level == TESS_ERROR ? cause : FINDING_PROGRAM;
        finding_log_add(log, &finding);
    } else if (log->last && log->last->related_count < FINDING_RELATED) {
        place->note = diag->text;
        keep_place(log, place);
        log->last->related[log->last->related_count++] = *place;
    }
}

bool finding_log_end(struct finding_log *log, bool complete, int exit_status)
{
    end_file(log);
    writers[log->format]->end(log, complete, exit_status);
    finding_put_later(log);
    return !log->no_memory;
}
