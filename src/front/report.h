/* SPDX-License-Identifier: MIT */
/* report.h - prints diagnostics on stderr, either as text like a compiler or as JSON lines for
 * programs. */
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
    bool quiet;  /* true to omit notes */
    bool strict; /* true if warnings count as errors */
    /* levels, baseline and comments; NULL to show each finding with its default severity */
    struct policy *policy;
    struct finding_log *log; /* log that also receives the diagnostics that are shown; may be
                              * NULL */
    bool log_only;           /* true to print neither text nor JSON lines */
    /* Receives each finding that is shown. May be NULL. */
    void (*relay)(const struct finding *finding);
    const char *budgets;        /* command-line options that raise limits, for hints; NULL if the
                                 * command has none */
    struct address_names names; /* names of addresses; may be set later */
    uint64_t errors, warnings;  /* numbers of errors and warnings, shown or hidden, with their
                                 * severity after the policy */
    uint64_t seen;              /* number of errors before the policy changed their severity */
    bool reading;               /* true while a source is read; every error is then a failure */
    uint64_t failed;            /* number of failures to read, assemble or write, which no policy
                                 * hides */
    struct message_limit limit; /* counts of messages shown as text, and hidden */
    bool more;                  /* true if some findings were not reported, so that the counts are
                                 * lower bounds */
    uint32_t *shown; /* number of shown findings, by index of the rule; used only with a policy */
};

/* Returns a sink that prints each diagnostic through report, which must outlive the sink. */
struct tess_sink report_sink(struct report *report);

/* Prints the counts, unless all are 0, and the number of hidden messages. */
void report_total(const struct report *report);

/* Adds the number of another report's hidden messages, so that report_total() includes them. */
void report_add_hidden(struct report *report, const struct report *other);

/* Returns true if the run fails. wrong is true if the library has returned TESS_WRONG. */
bool report_fails(const struct report *report, bool wrong);

/* Releases the memory of a report. */
void report_free(struct report *report);

#endif
