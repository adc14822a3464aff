/* SPDX-License-Identifier: MIT */
/* fault.c - tests of a finding's hint: it is passed to the callback at once, and stored for
 * later repeats of the finding. */
#include "vc4/fault/fault.h"
#include "../../register.h"

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
};

static void see(void *user, const struct tess_diag *diag)
{
    struct seen *seen = user;
    snprintf(seen->text, sizeof seen->text, "%s", diag->text);
    snprintf(seen->hint, sizeof seen->hint, "%s", diag->hint ? diag->hint : "");
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
    assert_string_equal(seen.hint, tess_vc4_finding_find("cl-order")->instead);
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
