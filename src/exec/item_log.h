/* SPDX-License-Identifier: MIT */
/* item_log.h - collects the findings of a model about the program that the model runs. A finding
 * has a rule, a program line and a number of occurrences.
 *
 * In:      occurrences in any order. Each is caused by an item (a vertex or pixel) in a cycle.
 * Out:     one finding for each rule and line, with the text of the earliest occurrence and the
 *          number of occurrences. The earliest occurrence has the lowest item number, so the
 *          findings do not depend on the number of items that run in parallel. */
#ifndef EXEC_ITEM_LOG_H
#define EXEC_ITEM_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/machine.h>

#include "base/diag.h"
#include "base/state.h"

enum {
    ITEM_LOG_SHOWN = 8,  /* default maximum of findings shown per rule */
    ITEM_LOG_TEXT = 400, /* size of a finding's text with hint and NUL, in bytes */
};

struct item_finding {
    uint16_t rule, line;
    uint64_t item, cycle; /* item and cycle of the earliest occurrence */
    uint64_t count;       /* total number of occurrences */
    char text[ITEM_LOG_TEXT];
};

/* A log. The caller sets rules and lines to the number of rules and of program lines, sets the
 * other members to 0, and releases the log with item_log_free(). */
struct item_log {
    uint32_t rules, lines;
    struct item_finding *entry;
    uint32_t count;
    uint16_t *index; /* number of the entry of a rule and line, plus 1, or 0 without an entry */
    bool failed;     /* true if an entry could not be added, so that findings are missing */
};

/* Adds `count` occurrences. The first of them was caused by `item` in `cycle`. The format may end
 * in WITH_HINT (base/diag.h) and a hint that replaces the rule's hint. */
void item_log_note(struct item_log *log, uint32_t rule, uint32_t line, uint64_t item,
                   uint64_t cycle, uint64_t count, const char *format, va_list arguments)
    __attribute__((format(printf, 7, 0)));

/* Moves the entries of `from` to the empty log `to`. Afterwards, `to` may only be passed to
 * item_log_merge() as its source and to item_log_free(). */
void item_log_take(struct item_log *to, struct item_log *from);

/* Adds the entries of another log. */
void item_log_merge(struct item_log *to, const struct item_log *from);

/* Moves the entries of *from to *to, like item_log_take() and item_log_merge(). */
void item_log_gather(struct item_log *to, struct item_log *from);

/* Frees the entries and leaves an empty log. */
void item_log_free(struct item_log *log);

/* Lists the entries for a saved state. When reading, the log must be empty. */
void item_log_state(struct state_stream *stream, struct item_log *log);

/* Record of the findings that were reported since the program was loaded. The caller sets the
 * structure to zero first. item_reported_free() releases the memory and sets the structure to
 * zero. */
struct item_reported {
    uint8_t *lines;  /* one bit per rule and line, set if the finding was reported */
    uint32_t *shown; /* number of findings shown, by rule */
    uint32_t most;   /* maximum number of findings shown per rule, or 0 for ITEM_LOG_SHOWN */
};
void item_reported_free(struct item_reported *reported);

/* Lists the record for a saved state. .most is not part of the state. The log has the numbers of
 * rules and lines. When reading, the record must be zero. */
void item_reported_state(struct state_stream *stream, struct item_reported *reported,
                         const struct item_log *log);

/* Describes how the findings of a machine are reported. */
struct item_teller {
    unsigned first_rule; /* index of the machine's first rule in the table (finding/rules.h) */
    /* Sets the file, line and column of *finding, and writes the place, such as
     * "instruction 12, vertex 7", to where. */
    void (*locate)(const void *user, const struct item_finding *entry, struct tess_finding *finding,
                   char *where, size_t size);
    const void *user;
    const struct tess_machine_options *options; /* sink, strictness */
};

/* Reports the entries that have not been reported before, in the order of items, records them in
 * *reported and empties the log. If memory runs out, reports nothing and sets log->failed. */
void item_log_report(struct item_log *log, struct item_reported *reported,
                     const struct item_teller *teller);

#endif
