/* SPDX-License-Identifier: MIT */
/* report.h - prints diagnostics on stderr, as text in a compiler's format or as JSON lines. */
#ifndef FRONT_REPORT_H
#define FRONT_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include <tessera/tessera.h>

#include "front/message_limit.h"
#include "front/names.h"
#include "front/policy.h"

struct finding;
struct finding_log;

/* Zero unused members. */
struct report {
    FILE *stream; /* NULL for stderr */
    bool json;
    bool quiet;                 /* true to suppress notes */
    bool strict;                /* true to report warnings as errors */
    struct policy *policy;      /* policy for findings, or NULL */
    struct finding_log *log;    /* log that also receives what is shown, or NULL */
    bool log_only;              /* true to suppress text and JSON lines */
    /* Receives each finding that is shown. May be NULL. */
    void (*relay)(const struct finding *finding);
    const char *budgets;        /* options that raise budgets, for hints; NULL if there are none */
    struct address_names names; /* names of addresses; may be set later */
    uint64_t errors, warnings;  /* numbers of errors and warnings that count, shown or not */
    /* Number of all errors reported, whatever the policy did with them. */
    uint64_t seen;
    bool reading;               /* true while a source is read: errors are then failures */
    /* Number of failures to read, assemble or write, which no policy hides. */
    uint64_t failed;
    struct message_limit limit; /* limit on messages shown as text */
    /* True if not all findings were reported, so the counts are lower bounds. */
    bool more;
    struct report_shown *shown; /* with a policy: number of findings shown, by rule */
};

/* Returns a sink that shows each diagnostic through report, which must outlive the sink. */
struct tess_sink report_sink(struct report *report);

/* Writes text as a JSON string. Bytes that are not UTF-8 are read as Latin-1. */
void report_json_text(FILE *stream, const char *text);

/* Prints the number of errors and warnings, unless all are 0, and the number of messages not
 * shown. */
void report_total(const struct report *report);

/* Adds the number of messages that another report has not shown, so that one total includes
 * both. */
void report_add_hidden(struct report *report, const struct report *other);

/* True if a run fails. wrong is true if the library reports errors in the program under test. */
bool report_fails(const struct report *report, bool wrong);

/* Releases the memory of a report. */
void report_free(struct report *report);

#endif
