/* SPDX-License-Identifier: MIT */
/* budget.c - see budget.h. */
#include "vc4/qpu/budget.h"

#include "base/order.h"
#include "base/state.h"
#include "vc4/fault/fault.h"
#include "vc4/qpu/program.h"

static const uint64_t default_records = UINT64_C(64) << 20;
static const uint64_t default_instructions = UINT64_C(16) << 20;
static const uint64_t default_total_instructions = UINT64_C(4) << 30;

/* Returns the limit of records of a run. */
static uint64_t budget_record_limit(const struct budget *budget)
{
    return budget->max_records ? budget->max_records : default_records;
}

uint64_t budget_shader_limit(const struct budget *budget)
{
    return budget->max_instructions ? budget->max_instructions : default_instructions;
}

uint64_t budget_program_limit(const struct budget *budget)
{
    bool by_clock = budget->clock_limit && !budget->max_instructions;
    return by_clock ? UINT64_MAX : budget_shader_limit(budget);
}

uint64_t budget_total_limit(const struct budget *budget)
{
    if (budget->max_total_instructions)
        return budget->max_total_instructions;
    return budget->clock_limit ? UINT64_MAX : default_total_instructions;
}

uint64_t budget_shader_instructions(const struct budget *budget)
{
    return least_u64(budget_shader_limit(budget), budget->instructions_left);
}

/* Returns the time at which the clock limit ends a run that begins now. */
static uint64_t end_of_run(const struct budget *budget, uint64_t now)
{
    uint64_t limit = budget->clock_limit ? budget->clock_limit : UINT64_MAX;
    return limit > UINT64_MAX - now ? UINT64_MAX : now + limit;
}

void budget_begin(struct budget *budget, uint64_t now)
{
    budget->records_left = budget_record_limit(budget);
    budget->instructions_left = budget_total_limit(budget);
    budget->clock_end = end_of_run(budget, now);
    budget->used_up = budget->late = false;
}

void budget_limit_steps(struct budget *budget, bool limited)
{
    budget->steps_left = limited ? budget->step_limit : 0;
    budget->paused = false;
}

bool budget_spend_record(struct budget *budget, struct fault_log *log)
{
    if (budget->records_left-- > 0)
        return true;
    budget->records_left = 0;
    budget->used_up = true;
    fault(log, FAULT_BUDGET,
          "the control lists have executed %llu records and primitives without ending",
          (unsigned long long)budget_record_limit(budget));
    return false;
}

void budget_end_at_program(struct budget *budget, struct fault_log *log, struct bus *bus,
                           const struct qpu *qpu)
{
    uint64_t own = qpu->kind == QPU_USER ? budget_program_limit(budget)
                                         : budget_shader_limit(budget);
    program_report_limit(log, bus, qpu, own, budget_total_limit(budget));
    budget->used_up = true;
}

void budget_check_clock(struct budget *budget, uint64_t time)
{
    budget->late = time >= budget->clock_end;
    budget->used_up |= budget->late;
}

void budget_part(struct budget *part, const struct budget *whole, uint64_t spent)
{
    *part = *whole;
    budget_spend(part, spent);
}

void budget_join(struct budget *whole, const struct budget *part, uint64_t spent, bool hangs)
{
    budget_spend(whole, spent);
    whole->used_up |= hangs && part->used_up;
}

void budget_fields(struct state_stream *stream, struct budget *budget)
{
    state_u64(stream, &budget->clock_limit);
    state_in(stream, &budget->records_left, 0, budget_record_limit(budget));
    STATE_FIELDS(stream, &budget->instructions_left, &budget->clock_end, &budget->used_up,
                 &budget->late);
}
