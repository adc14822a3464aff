/* SPDX-License-Identifier: MIT */
/* fault.c - tests of a finding's hint, which is passed to the callback at once and stored for later
 * repeats of the finding, and of a finding's place. */
#include "vc4/fault/fault.h"
#include "../../register.h"
#include "finding/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <tessera/vc4.h>

/* The latest diagnostic. */
struct seen {
    char text[200], hint[400];
    struct tess_place place;
};

static void see(void *user, const struct tess_finding *diag)
{
    struct seen *seen = user;
    snprintf(seen->text, sizeof seen->text, "%s", diag->text);
    snprintf(seen->hint, sizeof seen->hint, "%s", diag->hint ? diag->hint : "");
    seen->place = diag->place;
}

static struct fault_log log_to(struct seen *seen)
{
    return (struct fault_log){
        .sink = {see, seen},
        .place = {.known = TESS_PLACE_LIST, .list_address = 16},
    };
}

static void find(struct fault_log *log)
{
    fault(log, FAULT_CL_ORDER, "record %d" WITH_HINT "write record %d first", 6, 112);
}

TEST(own_hint_replaces_the_rules)
{
    struct seen seen = {0};
    struct fault_log log = log_to(&seen);
    find(&log);
    assert_string_equal(seen.text, "record 6");
    assert_string_equal(seen.hint, "write record 112 first");
    fault(&log, FAULT_CL_ORDER, "record %d", 6);
    assert_string_equal(seen.hint, tess_rule_find("cl-order", TESS_RULES_OF_RUNS)->instead);
    (void)fixture;
}

TEST(held_findings_keep_it)
{
    struct seen seen = {0};
    struct fault_log log = log_to(&seen);
    struct fault_kept kept = {0};
    fault_hold(&log, &kept);
    find(&log);
    find(&log);
    fault_release(&log);
    assert_string_equal(seen.text, "record 6; the same happens 1 more time");
    assert_string_equal(seen.hint, "write record 112 first");
    fault_kept_free(&kept);
    (void)fixture;
}

TEST(forwarded_findings_keep_it)
{
    struct seen seen = {0};
    struct fault_kept kept = {0};
    struct fault_log log = log_to(&seen), ahead = log_to(&seen);
    ahead.kept = &kept;
    find(&ahead);
    find(&ahead);
    fault_forward(&log, &ahead);
    assert_string_equal(seen.text, "record 6; the same happens 1 more time");
    assert_string_equal(seen.hint, "write record 112 first");
    fault_kept_free(&kept);
    (void)fixture;
}

/* A redirected log keeps its place, and the other log counts and keeps the findings. */
TEST(a_log_can_be_redirected)
{
    struct fault_kept kept = {0};
    struct fault_log inner = {.kept = &kept}, log = {.redirect = &inner};
    log.place = (struct tess_place){.known = TESS_PLACE_LIST, .list_address = 0x1000};
    fault(&log, FAULT_CL_ORDER, "text");
    assert_int_equal(log.count[FAULT_CL_ORDER], 0);
    assert_int_equal(inner.count[FAULT_CL_ORDER], 1);
    assert_int_equal(kept.count, 1);
    fault_forward(&log, &inner);
    assert_int_equal(log.count[FAULT_CL_ORDER], 1);
    assert_int_equal(inner.count[FAULT_CL_ORDER], 0);
    fault_kept_free(&kept);
}

/* The log's place keeps members of an earlier record, tile and instruction. */
TEST(members_of_an_earlier_place_are_zero)
{
    const uint64_t word = 0x100009e7009e7000;
    struct seen seen = {0};
    struct fault_log log = log_to(&seen);
    log.place.record = 24;
    log.place.tile_column = 3;
    fault_enter_shader(&log, 0x1000, 0x1008, &word, 5);
    fault_leave_shader(&log);
    find(&log);
    assert_int_equal(seen.place.list_address, 16);
    assert_int_equal(seen.place.record, 24);
    assert_int_equal(seen.place.tile_column, 0);
    assert_int_equal(seen.place.pc, 0);
    assert_int_equal(seen.place.instruction, 0);
    assert_int_equal(seen.place.qpu, 0);
    log.place.known = 0;
    fault_at(&log, FAULT_REGISTER_ACCESS, 0x24, "the register");
    assert_int_equal(seen.place.known, TESS_PLACE_ADDRESS);
    assert_int_equal(seen.place.address, 0x24);
    assert_int_equal(seen.place.list_address, 0);
    assert_int_equal(seen.place.record, 0);
    (void)fixture;
}

/* After a finding outside of programs, a finding at any instruction is new. */
TEST(earlier_places_do_not_hide_findings)
{
    const uint64_t word = 0x100009e7009e7000;
    struct seen seen = {0};
    struct fault_log log = log_to(&seen);
    fault_enter_shader(&log, 0x1000, 0x1008, &word, 5);
    fault_leave_shader(&log);
    fault(&log, FAULT_CL_ORDER, "outside");
    fault_enter_shader(&log, 0x1000, 0x1008, &word, 5);
    fault(&log, FAULT_CL_ORDER, "inside");
    assert_string_equal(seen.text, "inside");
    assert_int_equal(seen.place.pc, 0x1008);
    (void)fixture;
}
