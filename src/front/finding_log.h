/* SPDX-License-Identifier: MIT */
/* finding_log.h - findings for other programs: one JSON document, a SARIF 2.1.0 log, annotations of
 * GitHub's runners, or JUnit XML. Callers fill a struct finding; the log handles the formats.
 *
 * Source: RFC 8259; SARIF 2.1.0 (OASIS); GitHub's documentation of workflow commands; XML 1.0;
 *         Jenkins' junit-10.xsd. */
#ifndef FRONT_FINDING_LOG_H
#define FRONT_FINDING_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tessera/finding.h>
#include <tessera/isa.h>

#include "base/json.h"

enum finding_format { FINDING_TEXT, FINDING_JSON, FINDING_SARIF, FINDING_GITHUB, FINDING_JUNIT };

enum { FINDING_RELATED = 10 };

/* Subject of a finding. */
enum finding_cause {
    FINDING_PROGRAM, /* the program under test */
    FINDING_FILE,    /* a file that cannot be read or assembled, and therefore is not checked */
    FINDING_OPTIONS, /* the user's options */
};

/* Place of a finding. Zero-initialise the members that are unknown. */
struct finding_place {
    const char *file;
    uint32_t line, column; /* from 1; columns count bytes */
    const char *source_line;
    /* true if the finding is about the whole statement at the column; false if it is about a
     * word */
    bool statement;
    bool semicolon_comments; /* true if the source has comments that begin with ";" */
    bool has_address;
    uint32_t address, bytes;
    const char *instruction, *disassembly; /* hexadecimal digits; mnemonic */
    const char *note;                      /* message of a related place */
};

struct finding {
    enum tess_level level;
    enum finding_cause cause;
    const char *rule, *text, *hint;
    struct finding_place place, related[FINDING_RELATED];
    unsigned related_count;
    bool has_other;    /* true if the first related place is the other instruction of the finding */
    uint32_t distance; /* distance of the two instructions in instructions; 0 if unknown */
    bool has_program;
    uint32_t program; /* address of the program's first instruction */
    const char *kind; /* kind of the program */
};

/* Notifications of a SARIF log, an array that is written at the end. */
struct finding_notes {
    struct buffer text;
    struct json json;
};

/* A log that is being written. Set the members up to .models. */
struct finding_log {
    FILE *stream;
    enum finding_format format; /* any format but FINDING_TEXT */
    const char *tool;           /* such as "tessera check" */
    /* mask of the machines whose rules a SARIF log describes (bits 1 << enum tess_machine) */
    uint32_t machines;
    /* mask of the machines whose run-time findings a SARIF log describes (bits 1 << enum
     * tess_machine) */
    uint32_t models;

    struct finding *last; /* finding that has not been written yet, because notes about it may
                           * follow */
    size_t count;         /* number of written findings */
    const char *file;     /* file that is being checked */
    struct json json;     /* writer of a JSON document or SARIF log */
    struct finding_notes notes[2];
    FILE *later; /* test cases of a file in a JUnit report, which follow their number */
    char *later_text;
    size_t later_size, later_count;
    size_t failures, errors;
    bool no_memory;
};

/* Writes the beginning of the document. */
void finding_log_begin(struct finding_log *log);

/* Starts the findings of a file. path must live until the next call. */
void finding_log_file(struct finding_log *log, const char *path);

/* Returns the entry of the log for a finding, with its position in the source. */
struct finding finding_of(const struct tess_finding *from);

void finding_log_add(struct finding_log *log, const struct finding *finding);

/* Adds a diagnostic. cause is used if the diagnostic is an error. A note with the rule asm-context
 * is attached to the preceding finding; such a note names the macro call, loop or include that
 * produced the finding's line. */
void finding_log_diag(struct finding_log *log, const struct tess_finding *diag,
                      enum finding_cause cause);

/* Writes the end of the document. complete is true if all files were checked. Returns false if the
 * host is out of memory. */
bool finding_log_end(struct finding_log *log, bool complete, int exit_status);

/* Writes a SARIF log that describes rules and has no findings. `only` is the rule to describe, or
 * NULL for all rules of the machines. */
void finding_log_rules(FILE *stream, const char *tool, uint32_t machines,
                       const struct tess_rule *only);

/* Writes the address of the page that describes a rule, relative to docs/. A rule of the checker
 * for several machines is on the page of the first of these machines. */
enum { FINDING_PAGE = 128 };
void finding_page(char page[FINDING_PAGE], const struct tess_rule *rule);

/* Finds a format by its name: "text", "json", "sarif", "github" or "junit". Returns false for other
 * names. */
bool finding_format_find(const char *name, enum finding_format *format);

#endif
