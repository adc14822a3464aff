/* SPDX-License-Identifier: MIT */
/* fault.h - what the model has to say about a GP program: which rule, where, how often.
 *
 * In:      occurrences, as lanes meet them.
 * Out:     one finding for each rule and instruction: that of the first vertex, with the number of all. The order of
 *          vertices decides what is first, so that results do not depend on how many run side by side.
 * Source:  faults.def names its own. */
#ifndef UTGARD_FAULT_H
#define UTGARD_FAULT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/utgard.h>

#include "isa/gp/gp_isa.h"

enum fault_rule {
#define FAULT(name, ...) FAULT_##name,
#include "utgard/faults.def"
#undef FAULT
    FAULT_RULES
};

enum {
    FAULT_SHOWN = 8, /* findings of a rule, since the program was loaded */
    FAULT_NO_LINE =
        GP_PROGRAM_MAX, /* from here on: "instructions" of what concerns none, but another place */
    FAULT_LINES = FAULT_NO_LINE + 64,
    FAULT_TEXT = 200, /* characters of a finding */
};

struct fault_entry {
    enum fault_rule rule;
    uint16_t line;
    uint64_t vertex, cycle; /* of the first occurrence */
    uint64_t count;         /* vertices and executions */
    char text[FAULT_TEXT];
};

/* Zero-initialise it; release it with fault_log_free(). */
struct fault_log {
    struct fault_entry *entry;
    uint32_t count, capacity;
    uint16_t *index; /* number + 1 of the entry of a rule and line */
    bool failed;     /* memory was short: something is missing */
};

/* Notes `count` occurrences, of which the first is at this vertex and cycle. */
void fault_note(struct fault_log *log, enum fault_rule rule, uint32_t line, uint64_t vertex,
                uint64_t cycle, uint64_t count, const char *format, va_list arguments)
    __attribute__((format(printf, 7, 0)));

/* Moves the entries of a log to an empty one, which can only be merged and freed. */
void fault_take(struct fault_log *to, struct fault_log *from);

/* Adds what another log has. */
void fault_merge(struct fault_log *to, const struct fault_log *from);

void fault_log_free(struct fault_log *log);

/* Which findings have been told since the program was loaded. Zero-initialise it. */
struct fault_told {
    uint8_t lines[FAULT_RULES][FAULT_LINES / 8];
    uint32_t shown[FAULT_RULES];
};

/* Reports what is in the log in the order of vertices, and empties it. program says where instructions come from. */
void fault_report(struct fault_log *log, struct fault_told *told,
                  const struct tess_gp_program *program, struct tess_sink sink);

#endif
