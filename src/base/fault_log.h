/* SPDX-License-Identifier: MIT */
/* fault_log.h - what a model has to say about a program that it runs: which rule, where, how often.
 *
 * In:      occurrences, as items (vertices, pixels) meet them.
 * Out:     one finding for each rule and line: that of the first item, with the number of all. The order of items decides
 *          what is first, so that results do not depend on how many run side by side. */
#ifndef BASE_FAULT_LOG_H
#define BASE_FAULT_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

#include "base/diag.h"

enum {
    FAULT_LOG_SHOWN = 8,  /* findings of a rule, since the program was loaded */
    FAULT_LOG_TEXT = 400, /* characters of a finding with its hint */
};

struct fault_entry {
    uint16_t rule, line;
    uint64_t item, cycle; /* of the first occurrence */
    uint64_t count;       /* items and executions */
    char text[FAULT_LOG_TEXT];
};

/* Zero-initialise it but for rules and lines, which say how many there are; release it with fault_log_free(). */
struct fault_log {
    uint32_t rules, lines;
    struct fault_entry *entry;
    uint32_t count, capacity;
    uint16_t *index; /* number + 1 of the entry of a rule and line */
    bool failed;     /* memory was short: something is missing */
};

/* Notes `count` occurrences, of which the first is at this item and cycle. The format may end in WITH_HINT (base/diag.h) and a
 * hint, which replaces the hint of the rule. */
void fault_log_note(struct fault_log *log, uint32_t rule, uint32_t line, uint64_t item,
                    uint64_t cycle, uint64_t count, const char *format, va_list arguments)
    __attribute__((format(printf, 7, 0)));

/* Moves the entries of a log to an empty one, which can only be merged and freed. */
void fault_log_take(struct fault_log *to, struct fault_log *from);

/* Adds what another log has. */
void fault_log_merge(struct fault_log *to, const struct fault_log *from);

/* Leaves an empty log. */
void fault_log_free(struct fault_log *log);

/* Which findings have been told since the program was loaded. Zero-initialise it; fault_told_free() does so again. */
struct fault_told {
    uint8_t *lines;  /* a bit for each line of each rule */
    uint32_t *shown; /* of each rule */
    uint32_t most;   /* that are shown of each; 0: FAULT_LOG_SHOWN */
};
void fault_told_free(struct fault_told *told);

/* How a machine tells a finding. */
struct fault_teller {
    /* Fills the severity, rule, hint, file and line of *diag, and writes the place, as "instruction 12, vertex 7", to where. */
    void (*describe)(const void *user, const struct fault_entry *entry, struct tess_diag *diag,
                     char *where, size_t size);
    const void *user;
    struct tess_sink sink;
};

/* Reports what is in the log in the order of items, and empties it. Without memory it reports nothing, and says so by
 * log->failed. */
void fault_log_report(struct fault_log *log, struct fault_told *told,
                      const struct fault_teller *teller);

#endif
