/* SPDX-License-Identifier: MIT */
/* fault.h - findings: errors and risks of the guest program.
 *
 * A block reports through the fault_log of its device. The log contains the current place (control
 * record, tile, shader instruction), which the control list executor and the QPUs update. */
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

/* Number of findings shown for each rule. The next one becomes a note that further findings are not
 * shown. Repeats at the same shader instruction (other elements, quads, tiles and QPUs) are only
 * counted. Kept findings in control lists that have one cause, such as the same error at each
 * vertex of a record or in each tile, are also only counted. The first of them reports the number
 * of repeats. */
enum { FAULT_SHOWN = 8 };

/* The same limit for waits of programs, lists and the queue. */
enum { FAULT_WAITS_SHOWN = 20 };

struct fault_log {
    struct tess_sink sink;
    /* findings that wait for fault_forward(), or NULL if findings go to the sink */
    struct fault_kept *kept;
    bool holds;                  /* findings in kept wait for fault_release() instead */
    bool strict;                 /* warnings count as errors */
    uint32_t most;               /* limit shown for each rule; 0: FAULT_SHOWN */
    struct tess_place place;     /* current place in the guest's lists and programs */
    uint64_t count[FAULT_RULES]; /* findings by rule, shown or not */
    uint32_t shown[FAULT_RULES]; /* findings by rule that were passed on */
    uint32_t shown_pc[FAULT_RULES][FAULT_SHOWN]; /* instructions of the latest findings passed on */
    uint64_t hidden[FAULT_RULES];                /* findings not passed on, repeats excluded */
    uint64_t errors;                             /* number of findings of severity error */
    /* shared memory was reported; later findings of this run may follow from it and are only
     * counted */
    bool caused;
};

/* Findings of work that is done ahead of its turn. Initialise with zeros. */
struct fault_kept {
    struct fault_entry *entry;
    size_t count, capacity;
};

/* Reports the kept findings of `from` to another log, in their order, as if they occurred now, and
 * removes them. Adds the findings that `from` only counted. from->place does not change. */
void fault_forward(struct fault_log *to, struct fault_log *from);

/* fault_hold() keeps findings in *kept from now on, so that the same error on several QPUs becomes
 * one finding that names them all. fault_release() passes them to the sink in the order of their
 * first occurrence, except those that another finding has caused. */
void fault_hold(struct fault_log *log, struct fault_kept *kept);
void fault_release(struct fault_log *log);

/* Removes kept findings and resets the counts. */
void fault_drop(struct fault_log *from);

/* Frees the memory of kept findings. */
void fault_kept_free(struct fault_kept *kept);

/* Reports a finding at the current place. The format may end in WITH_HINT (base/diag.h) and a hint,
 * which replaces the hint of the rule. */
void fault(struct fault_log *log, enum fault_rule rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like fault(), but names a memory address or register offset. */
void fault_at(struct fault_log *log, enum fault_rule rule, uint32_t address, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* Like fault(), but names an earlier instruction as the cause. *word is the instruction at pc, or
 * word is NULL. */
void fault_from(struct fault_log *log, enum fault_rule rule, uint32_t pc, const uint64_t *word,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Sets the place to an instruction of a program. *word is the instruction at pc. word is NULL if no
 * memory is mapped there. */
void fault_enter_shader(struct fault_log *log, uint32_t start, uint32_t pc, const uint64_t *word,
                        uint32_t qpu);
void fault_leave_shader(struct fault_log *log);

/* Returns the stable id of a rule. */
const char *fault_id(enum fault_rule rule);

#endif
