/* SPDX-License-Identifier: MIT */
/* report.h - shows diagnostics to people (as a compiler does) or to programs (JSON lines), on
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

/* Zero every member that you do not care about. */
struct report {
    FILE *stream; /* NULL: stderr */
    bool json;
    bool quiet;                 /* leaves notes out */
    bool strict;                /* warnings are errors */
    struct policy *policy;      /* NULL: each finding counts as it comes */
    struct finding_log *log;    /* also gets what is shown; NULL: there is none */
    bool log_only;              /* text and JSON lines are left out */
    /* Receives each finding that is shown; NULL if nobody needs them. */
    void (*relay)(const struct finding *finding);
    const char *budgets;        /* options that raise budgets, for hints; NULL: there are none */
    struct address_names names; /* of addresses; may be set later */
    uint64_t errors, warnings;  /* that count, shown or not */
    uint64_t seen;              /* errors that came, whatever became of them */
    bool reading;               /* set while a source is read: its errors are failures */
    uint64_t failed;            /* failures to read, assemble or write, which no policy hides */
    struct message_limit limit; /* how many are shown as text, and are not */
    bool more;                  /* not all were reported: the numbers are the least */
    struct report_shown *shown; /* with a policy: how often each rule has been shown */
};

/* A sink that shows each diagnostic through report, which must outlive it. */
struct tess_sink report_sink(struct report *report);

/* Writes text as a JSON string; what is no UTF-8 is taken for Latin-1. */
void report_json_text(FILE *stream, const char *text);

/* Prints the counts, if there is anything to count, and how many messages were not shown. */
void report_total(const struct report *report);

/* Adds what another report has not shown, so that one total has both. */
void report_add_hidden(struct report *report, const struct report *other);

/* Whether a run fails; wrong: the library says that the program under test is. */
bool report_fails(const struct report *report, bool wrong);

/* Releases what showing has taken. */
void report_free(struct report *report);

#endif
