/* SPDX-License-Identifier: MIT */
/* Tests of the limits of a run. The defaults are those of tessera/vc4.h: 2^26 records, 2^24
 * instructions of a program, 2^32 instructions of a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../register.h"
#include "vc4/fault/fault.h"
#include "vc4/qpu/budget.h"

TEST(limits_have_defaults)
{
    struct budget budget = {.max_records = 0};
    budget_begin(&budget, 5);
    assert_int_equal(budget.records_left, 1 << 26);
    assert_int_equal(budget_program_limit(&budget), 1 << 24);
    assert_int_equal(budget_shader_limit(&budget), 1 << 24);
    assert_true(budget_total_limit(&budget) == UINT64_C(1) << 32);
    assert_true(budget.clock_end == UINT64_MAX);
}

/* With a limit of clocks, user programs have no limit of instructions, but shaders have. */
TEST(a_clock_limit_replaces_the_limits_of_programs)
{
    struct budget budget = {.clock_limit = 100};
    budget_begin(&budget, 5);
    assert_true(budget.clock_end == 105);
    assert_true(budget_program_limit(&budget) == UINT64_MAX);
    assert_true(budget_total_limit(&budget) == UINT64_MAX);
    assert_int_equal(budget_shader_limit(&budget), 1 << 24);
    budget_check_clock(&budget, 104);
    assert_false(budget.used_up);
    budget_check_clock(&budget, 105);
    assert_true(budget.used_up && budget.late);
    budget_begin(&budget, UINT64_MAX - 1);
    assert_true(budget.clock_end == UINT64_MAX);
    assert_false(budget.used_up || budget.late);
}

TEST(records_end_the_run_once)
{
    struct fault_log log = {.strict = false};
    struct budget budget = {.max_records = 2};
    budget_begin(&budget, 0);
    assert_true(budget_spend_record(&budget, &log));
    assert_true(budget_spend_record(&budget, &log));
    assert_false(budget.used_up);
    assert_false(budget_spend_record(&budget, &log));
    assert_true(budget.used_up);
    assert_int_equal(log.count[FAULT_BUDGET], 1);
}

/* A job that is drawn in two parts spends what both parts have executed. */
TEST(a_part_is_joined_once)
{
    struct budget whole = {.max_instructions = 60, .max_total_instructions = 100}, part;
    budget_begin(&whole, 0);
    budget_part(&part, &whole, 0);
    assert_int_equal(budget_shader_instructions(&part), 60);
    budget_spend(&part, 50);
    assert_int_equal(budget_shader_instructions(&part), 50);
    budget_part(&part, &whole, 50);
    budget_spend(&part, 20);
    assert_int_equal(part.instructions_left, 30);
    part.used_up = true;
    budget_join(&whole, &part, 70, false);
    assert_int_equal(whole.instructions_left, 30);
    assert_false(whole.used_up);
    budget_join(&whole, &part, 0, true);
    assert_true(whole.used_up);
}
