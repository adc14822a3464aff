/* SPDX-License-Identifier: MIT */
/* finding_log.h - findings for other programs: one JSON document, a SARIF 2.1.0 log, annotations of
 * GitHub's runners, or JUnit's XML. Whoever finds something fills a struct finding; the log knows
 * the formats.
 *
 * Source: RFC 8259; SARIF 2.1.0 (OASIS); GitHub's documentation of workflow commands; XML 1.0;
 *         Jenkins' junit-10.xsd. */
#ifndef FRONT_FINDING_LOG_H
#define FRONT_FINDING_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tessera/isa.h>

enum finding_format { FINDING_TEXT, FINDING_JSON, FINDING_SARIF, FINDING_GITHUB, FINDING_JUNIT };

enum { FINDING_RELATED = 10 };

/* What a finding is about. */
enum finding_cause {
    FINDING_PROGRAM, /* the program under test */
    FINDING_FILE, /* a file that cannot be read or assembled, so that nothing in it is looked at */
    FINDING_OPTIONS, /* what the user asks for */
};

/* Zero every member that is unknown. */
struct finding_place {
    const char *file;
    uint32_t line, column; /* from 1; columns count bytes */
    const char *source_line;
    bool statement;          /* the whole statement at the column is meant, not a word of it */
    bool semicolon_comments; /* ";" begins a comment in the source */
    bool has_address;
    uint32_t address, bytes;
    const char *instruction, *disassembly; /* hexadecimal digits; text */
    const char *note;                      /* of a related place: what is there */
};

struct finding {
    enum tess_check_level level;
    enum finding_cause cause;
    const char *rule, *text, *hint;
    struct finding_place place, related[FINDING_RELATED];
    unsigned related_count;
    bool has_other; /* the first related place is the other instruction that the finding is about */
    uint32_t distance; /* instructions between the two; 0: unknown */
    bool has_program;
    uint32_t program; /* address of the program's first instruction */
    const char *kind; /* of the program */
};

/* A log that is being written; fill the first members. */
struct finding_log {
    FILE *stream;
    enum finding_format format; /* not FINDING_TEXT */
    const char *tool;           /* "tessera check" */
    uint32_t machines;          /* whose rules a SARIF log describes: bits 1 << enum tess_machine */
    uint32_t models;            /* whose findings of runs it describes: the same bits */

    struct finding *last; /* not written yet: notes may follow */
    size_t count;         /* of those that are written */
    const char *file;     /* being checked */
    /* What is written later: notifications of SARIF, the cases of a file of JUnit. */
    FILE *later[2];
    char *later_text[2];
    size_t later_size[2], later_count[2];
    size_t failures, errors;
    bool no_memory;
};

/* Writes what comes first. */
void finding_log_begin(struct finding_log *log);

/* What follows is about a file; path must live until the next one. */
void finding_log_file(struct finding_log *log, const char *path);

void finding_log_add(struct finding_log *log, const struct finding *finding);

/* Adds a diagnostic; cause is that of errors. A note about how the assembler came to a line joins
 * the finding before it. */
void finding_log_diag(struct finding_log *log, const struct tess_diag *diag,
                      enum finding_cause cause);

/* Writes what comes last. complete: all files were looked at. False if the host is out of
 * memory. */
bool finding_log_end(struct finding_log *log, bool complete, int exit_status);

/* Describes rules, without findings: the tool part of a SARIF log. only: this rule; NULL: all of
 * the machines. */
void finding_log_rules(FILE *stream, const char *tool, uint32_t machines,
                       const struct tess_check_rule *only);

/* Looks up a format by its name: "text", "json", "sarif", "github", "junit". */
bool finding_format_find(const char *name, enum finding_format *format);

#endif
