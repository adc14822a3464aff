/* SPDX-License-Identifier: MIT */
/* report.h - prints diagnostics for people (like a compiler) or for programs (JSON lines), on
 * stderr. */
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

/* Options, counts and state of a report. Zero-initialise the members that are not used. */
struct report {
    FILE *stream; /* NULL for stderr */
    bool json;
    bool quiet;                 /* omits notes */
    bool strict;                /* warnings become errors */
    /* levels, baseline and comments; NULL to show each finding with its own severity */
    struct policy *policy;
    struct finding_log *log;    /* also receives the shown diagnostics; may be NULL */
    bool log_only;              /* omits text and JSON lines */
    /* Receives each finding that is shown. May be NULL. */
    void (*relay)(const struct finding *finding);
    const char *budgets;        /* options that raise budgets, for hints; NULL if there are none */
    struct address_names names; /* names of addresses; may be set later */
    uint64_t errors, warnings;  /* diagnostics that count, shown or hidden */
    uint64_t seen;              /* errors that arrived, including those that the policy changed */
    bool reading;               /* true while a source is read; its errors are then failures */
    uint64_t failed;            /* failures to read, assemble or write, which no policy hides */
    struct message_limit limit; /* counts of messages shown as text, and hidden */
    bool more;                  /* some findings were not reported; the counts are lower bounds */
    struct report_shown *shown; /* with a policy: number of shown findings per rule */
};

/* Returns a sink that prints each diagnostic through report, which must outlive the sink. */
struct tess_sink report_sink(struct report *report);

/* Writes text as a JSON string. Invalid UTF-8 is taken as Latin-1. */
void report_json_text(FILE *stream, const char *text);

/* Prints the counts, unless all are 0, and the number of hidden messages. */
void report_total(const struct report *report);

/* Adds the hidden messages of another report, so that one total covers both. */
void report_add_hidden(struct report *report, const struct report *other);

/* True if the run fails. wrong: the library reports that the program under test is wrong. */
bool report_fails(const struct report *report, bool wrong);

/* Releases the memory of a report. */
void report_free(struct report *report);

#endif
