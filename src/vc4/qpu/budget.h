/* SPDX-License-Identifier: MIT */
/* budget.h - limits of a run: records, instructions and clocks.
 *
 * In:  the limits that the caller has set; executed records and instructions.
 * Out: whether the run must end, and the finding that reports the reason.
 *
 * All blocks of a context spend from the same struct budget. A tile job has a budget of its own,
 * which is part of the device's budget until the job is committed. */
#ifndef VC4_QPU_BUDGET_H
#define VC4_QPU_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct bus;
struct fault_log;
struct qpu;
struct state_stream;

/* Must be zero-initialised. */
struct budget {
    /* Limits that the caller has set: records of a run, instructions of a program and of a run. 0
     * selects the default. */
    uint64_t max_records, max_instructions, max_total_instructions;
    uint64_t clock_limit; /* clocks per run for user programs, or 0 for no limit */
    uint64_t step_limit;  /* steps after which a run pauses, or 0 for no limit */

    uint64_t records_left; /* number of records and primitives that the current run may execute */
    uint64_t instructions_left; /* number of instructions that the current run may execute */
    uint64_t clock_end;         /* time limit of the current run, on the clock of shared_units.h */
    bool used_up;               /* true if a limit was reached and the current run must end */
    bool late;                  /* true if the clock limit ended the run; used_up is also true */
    uint64_t steps_left;        /* number of steps until the run pauses, or 0 for no limit */
    bool paused;                /* true if the run must pause now */
};

/* Begins a run at time `now`, on the clock of shared_units.h. */
void budget_begin(struct budget *budget, uint64_t now);

/* Begins a run, or continues a paused run. If limited is true, the run pauses after .step_limit
 * steps. */
void budget_limit_steps(struct budget *budget, bool limited);

/* Counts a step: a record, a primitive or a turn of a user program. */
static inline void budget_step(struct budget *budget)
{
    if (budget->steps_left && --budget->steps_left == 0)
        budget->paused = true;
}

/* Lists the fields for saved states (base/state.h), except the limits for which a device has
 * options and .step_limit. */
void budget_fields(struct state_stream *stream, struct budget *budget);

/* Return instruction limits: of a user program, of a fragment, vertex or coordinate shader, and of
 * all programs of a run together. */
uint64_t budget_program_limit(const struct budget *budget);
uint64_t budget_shader_limit(const struct budget *budget);
uint64_t budget_total_limit(const struct budget *budget);

/* Returns the number of instructions that a shader may execute now. */
uint64_t budget_shader_instructions(const struct budget *budget);

/* Subtracts executed instructions. There must be at least as many instructions left. */
static inline void budget_spend(struct budget *budget, uint64_t instructions)
{
    budget->instructions_left -= instructions;
}

/* Subtracts a record or primitive. If none is left, reports that the lists have not ended, and
 * returns false. */
bool budget_spend_record(struct budget *budget, struct fault_log *log);

/* Ends the run because the program on qpu has used up an instruction limit, and reports the
 * program. */
void budget_end_at_program(struct budget *budget, struct fault_log *log, struct bus *bus,
                           const struct qpu *qpu);

/* Ends the run if `time`, which the slowest program has reached, is at the clock limit. */
void budget_check_clock(struct budget *budget, uint64_t time);

/* budget_part() sets the budget of a tile job to what is left of the whole, of which the job has
 * already spent some instructions. budget_join() subtracts from the whole all instructions that the
 * job has spent. If the job's shader hangs, the whole is used up if the part is. */
void budget_part(struct budget *part, const struct budget *whole, uint64_t spent);
void budget_join(struct budget *whole, const struct budget *part, uint64_t spent, bool hangs);

#endif
