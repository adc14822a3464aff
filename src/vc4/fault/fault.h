/* SPDX-License-Identifier: MIT */
/* fault.h - findings: errors and risks of the guest program.
 *
 * Each block reports findings to a struct fault_log. The log contains the current place (control
 * record, tile, shader instruction), which the control list executor and the QPUs update. */
#ifndef VC4_FAULT_FAULT_H
#define VC4_FAULT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/tessera.h>

#include "base/diag.h"

enum fault_rule {
#define FAULT(name, ...) FAULT_##name,
#include "vc4/fault/faults.def"
#undef FAULT
    FAULT_RULES
};

/* Number of findings that are shown for each rule. If there are more, a note reports the number of
 * findings that are not shown. Repeats at the same shader instruction (other elements, quads, tiles
 * and QPUs) are only counted. Findings in control lists that have one cause, such as the same error
 * at each vertex of a record or in each tile, become one finding with the number of repeats. */
enum { FAULT_SHOWN = 8 };

/* Like FAULT_SHOWN, for findings about waits of programs, lists and the queue of user programs. */
enum { FAULT_WAITS_SHOWN = 20 };

struct fault_log {
    struct tess_sink sink;
    /* Findings that are reported later, by fault_forward() or fault_release(). NULL if findings go
     * to the sink at once. */
    struct fault_kept *kept;
    /* Log that counts and keeps the findings in place of this log, or NULL. The place of the
     * findings is still that of this log. */
    struct fault_log *redirect;
    bool holds;                  /* true from fault_hold() to fault_release() */
    bool strict;                 /* true if warnings count as errors */
    uint32_t most;               /* number of findings shown for each rule; 0 means FAULT_SHOWN */
    struct tess_place place;     /* current place in the guest's lists and programs */
    uint64_t count[FAULT_RULES]; /* by rule: number of findings, including those not shown */
    uint32_t shown[FAULT_RULES]; /* by rule: number of findings shown or kept */
    /* By rule: addresses of the instructions of the latest findings shown or kept. */
    uint32_t shown_pc[FAULT_RULES][FAULT_SHOWN];
    uint64_t hidden[FAULT_RULES]; /* by rule: number of findings beyond the limit, not repeats */
    uint64_t errors;              /* number of findings of severity error */
    /* True after a report of overlapping memory (cl-overlap). Later findings of the run are only
     * counted, because the overlap may have caused them. */
    bool caused;
};

/* Findings that are reported later. Initialise with zeros. */
struct fault_kept {
    struct fault_entry *entry;
    size_t count;
};

/* Reports the kept findings of the log `from` to the log `to`, in their order, as if they occurred
 * now, even if `to` is redirected. Removes the findings from `from`, and adds their number and the
 * number of hidden findings to the counts of `to`. from->place does not change. */
void fault_forward(struct fault_log *to, struct fault_log *from);

/* fault_hold() starts to keep findings in *kept, so that the same error on several QPUs becomes one
 * finding that names all these QPUs. fault_release() passes the kept findings to the sink in the
 * order of their first occurrence, and leaves out findings that follow from another finding. */
void fault_hold(struct fault_log *log, struct fault_kept *kept);
void fault_release(struct fault_log *log);

/* Removes the kept findings and resets the counts of a log. */
void fault_drop(struct fault_log *from);

/* Frees the memory of kept findings. */
void fault_kept_free(struct fault_kept *kept);

/* Reports a finding at the current place. WITH_HINT (base/diag.h) may separate the text of format
 * from a hint, which replaces the hint of the rule. */
void fault(struct fault_log *log, enum fault_rule rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like fault(), but names a memory address or register offset. */
void fault_at(struct fault_log *log, enum fault_rule rule, uint32_t address, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* Like fault(), but names the earlier instruction at pc as the cause. *word is this instruction's
 * word. word is NULL if the word is not known. */
void fault_from(struct fault_log *log, enum fault_rule rule, uint32_t pc, const uint64_t *word,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* fault_enter_shader() sets the place to the instruction at pc of the program at start. *word is
 * the instruction's word. word is NULL if no memory is mapped at pc. fault_leave_shader() removes
 * the instruction from the place. */
void fault_enter_shader(struct fault_log *log, uint32_t start, uint32_t pc, const uint64_t *word,
                        uint32_t qpu);
void fault_leave_shader(struct fault_log *log);

struct state_stream;

/* Lists a log and its kept findings for saved states (base/state.h). *kept is the memory for
 * findings that the log keeps now. The owner sets .sink, .redirect, .strict and .most. */
void fault_log_fields(struct state_stream *stream, struct fault_log *log, struct fault_kept *kept);

/* Returns the stable id of a rule. */
const char *fault_id(enum fault_rule rule);

/* Bits of V3D_ERRSTAT (manual table 87) that the model can set. */
enum {
    V3D_ERRSTAT_VCMBE = 1 << 14,   /* VCM error (binner) */
    V3D_ERRSTAT_VCMRE = 1 << 13,   /* VCM error (renderer) */
    V3D_ERRSTAT_VCDI = 1 << 12,    /* VCD is idle; not an error */
    V3D_ERRSTAT_VDWE = 1 << 10,    /* VDW error - address overflows */
    V3D_ERRSTAT_VPMEWNA = 1 << 7,  /* VPM error - write non-allocated */
    V3D_ERRSTAT_VPMERNA = 1 << 6,  /* VPM error - read non-allocated */
    V3D_ERRSTAT_VPMERR = 1 << 5,   /* VPM error - read range */
    V3D_ERRSTAT_VPMEWR = 1 << 4,   /* VPM error - write range */
    V3D_ERRSTAT_VPAERRGL = 1 << 3, /* VPM Allocator error - renderer request greater than limit */
    V3D_ERRSTAT_VPAEBRGL = 1 << 2, /* VPM Allocator error - binner request greater than limit */
    V3D_ERRSTAT_VPAEABB = 1 << 0,  /* VPM Allocator error - allocating base while busy */
};

#endif
