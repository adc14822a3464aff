/* SPDX-License-Identifier: MIT */
/* finding_log.h - writes findings for other programs: as one JSON document, SARIF 2.1.0 log,
 * annotations of GitHub's runners, or JUnit XML. The caller fills a struct finding; the log writes
 * the format.
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

/* Subject of a finding. */
enum finding_cause {
    FINDING_PROGRAM, /* the program under test */
    /* A file that cannot be read or assembled, so that nothing in the file is checked. */
    FINDING_FILE,
    FINDING_OPTIONS, /* the user's options */
};

/* A place. Zero unknown members. */
struct finding_place {
    const char *file;
    uint32_t line, column; /* from 1; columns count bytes */
    const char *source_line;
    /* True if the finding is about the whole statement at the column, false for one word. */
    bool statement;
    bool semicolon_comments; /* true if ";" begins a comment in the source */
    bool has_address;
    uint32_t address, bytes;
    const char *instruction, *disassembly; /* hexadecimal digits; text */
    const char *note;                      /* of a related place: its description */
};

struct finding {
    enum tess_check_level level;
    enum finding_cause cause;
    const char *rule, *text, *hint;
    struct finding_place place, related[FINDING_RELATED];
    unsigned related_count;
    bool has_other;    /* the first related place is the other instruction of the finding */
    uint32_t distance; /* number of instructions between the two places, 0 if unknown */
    bool has_program;
    uint32_t program; /* address of the program's first instruction */
    const char *kind; /* kind of the program */
};

/* A log under construction. Set the first members and zero the others. */
struct finding_log {
    FILE *stream;
    enum finding_format format; /* any format except FINDING_TEXT */
    const char *tool;           /* name of the tool, such as "tessera check" */
    /* Machines whose rules a SARIF log describes: bits 1 << enum tess_machine. */
    uint32_t machines;
    /* Machines whose findings at run time a SARIF log describes: bits 1 << enum tess_machine. */
    uint32_t models;

    struct finding *last; /* latest finding, not written yet because notes may follow */
    size_t count;         /* number of findings written */
    const char *file;     /* file that is being checked */
    /* Text that is written later: notifications in SARIF, cases of a file in JUnit. */
    FILE *later[2];
    char *later_text[2];
    size_t later_size[2], later_count[2];
    size_t failures, errors;
    bool no_memory;
};

/* Writes the start of the document. */
void finding_log_begin(struct finding_log *log);

/* Begins the findings of a file. path must stay valid until the next call or the end of the log. */
void finding_log_file(struct finding_log *log, const char *path);

void finding_log_add(struct finding_log *log, const struct finding *finding);

/* Adds a diagnostic; cause applies to errors. A note about the macros and files that led to a line
 * is attached to the previous finding. */
void finding_log_diag(struct finding_log *log, const struct tess_diag *diag,
                      enum finding_cause cause);

/* Writes the end of the document. complete is true if all files were checked. Returns false if the
 * host is out of memory. */
bool finding_log_end(struct finding_log *log, bool complete, int exit_status);

/* Writes a SARIF log that describes rules and contains no findings. If `only` is NULL, describes
 * all rules of the machines, else that rule. */
void finding_log_rules(FILE *stream, const char *tool, uint32_t machines,
                       const struct tess_check_rule *only);

/* Looks up a format: "text", "json", "sarif", "github" or "junit". Returns false for other
 * names. */
bool finding_format_find(const char *name, enum finding_format *format);

#endif
