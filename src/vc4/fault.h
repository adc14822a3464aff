/* SPDX-License-Identifier: MIT */
/* fault.h - what the model has to say about the guest program: which rule, where, what instead.
 *
 * A block reports through the fault_log of its device. The log knows the current place (control record,
 * tile, shader instruction), which the control-list executor and the QPUs keep up to date. */
#ifndef VC4_FAULT_H
#define VC4_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/tessera.h>

#include "base/diag.h"

enum fault_rule {
#define FAULT(name, ...) FAULT_##name,
#include "vc4/faults.def"
#undef FAULT
    FAULT_RULES
};

/* One kind of finding is passed on this often; then once "further ones not shown". Repeats at the same
 * shader instruction (other elements, quads, tiles and QPUs) are counted only. Of the findings that are kept, so are those of
 * one cause in control lists: the same at each vertex of a record, or in each tile. The first one says how often. */
enum { FAULT_SHOWN = 8 };

/* The same for what programs, lists and the queue wait for. */
enum { FAULT_WAITS_SHOWN = 20 };

struct fault_log {
    struct tess_sink sink;
    struct fault_kept *kept;       /* findings wait here for fault_forward(); NULL: to the sink */
    bool holds;                    /* they wait for fault_release() instead */
    bool strict;                   /* warnings are errors */
    uint32_t most;                 /* that are passed on of each kind; 0: FAULT_SHOWN */
    struct tess_place place;       /* where the machine is now */
    uint64_t count[FAULT_RULES];   /* findings by rule, shown or not */
    uint32_t shown[FAULT_RULES];   /* those passed on */
    uint32_t shown_pc[FAULT_RULES][FAULT_SHOWN]; /* their instructions, the latest ones */
    uint64_t hidden[FAULT_RULES];  /* those that were not passed on, and are no repeats */
    uint64_t errors;               /* findings of severity error */
    bool caused; /* memory is shared: what is found after that in this run may follow from it, and is only counted */
};

/* Findings of work that is done ahead of its turn. Zero-initialise it. */
struct fault_kept {
    struct fault_entry *entry;
    size_t count, capacity;
};

/* Reports kept findings to a log as if they were made now, in their order, and forgets them; also what
 * `from`, the log that kept them, has only counted. from->place stays. */
void fault_forward(struct fault_log *to, struct fault_log *from);

/* From here on findings wait in kept, so that the same mistake on several QPUs becomes one finding that names them all; and
 * hands them to the sink, in the order of their first occurrence, without those that another one has caused. */
void fault_hold(struct fault_log *log, struct fault_kept *kept);
void fault_release(struct fault_log *log);

/* Forgets kept findings and their counts. */
void fault_drop(struct fault_log *from);

/* Releases the memory of kept findings. */
void fault_kept_free(struct fault_kept *kept);

/* Reports a finding at the current place. The format may end in WITH_HINT (base/diag.h) and a hint,
 * which replaces the hint of the rule. */
void fault(struct fault_log *log, enum fault_rule rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, about a memory address or register offset. */
void fault_at(struct fault_log *log, enum fault_rule rule, uint32_t address, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* The same about an instruction that was executed before, which is the cause. word: what memory holds at pc, or NULL. */
void fault_from(struct fault_log *log, enum fault_rule rule, uint32_t pc, const uint64_t *word,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Sets the place to an instruction of a program. *word is what lies there; word is NULL where no
 * memory is mapped. */
void fault_enter_shader(struct fault_log *log, uint32_t start, uint32_t pc, const uint64_t *word,
                        uint32_t qpu);
void fault_leave_shader(struct fault_log *log);

/* The stable id of a rule. */
const char *fault_id(enum fault_rule rule);

#endif
