/* SPDX-License-Identifier: MIT */
/* diag.c - tests the hints of diagnostics: in the reporter, and in the fault log (item_log.h). */
#include "base/diag.h"
#include "../register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exec/item_log.h"
#include "finding/rules.h"

/* The latest diagnostic. */
struct seen {
    char text[200], hint[200];
    unsigned count;
};

static void see(void *user, const struct tess_finding *diag)
{
    struct seen *seen = user;
    snprintf(seen->text, sizeof seen->text, "%s", diag->text);
    snprintf(seen->hint, sizeof seen->hint, "%s", diag->hint ? diag->hint : "");
    seen->count++;
}

TEST(own_hint_replaces_the_rules)
{
    const struct tess_finding diag = {.id = "a-rule", .hint = "of the rule"};
    struct seen seen = {0};
    const struct tess_sink sink = {see, &seen};
    diag_report(sink, &diag, "row %d" WITH_HINT "write row %d first", 3, 3);
    assert_string_equal(seen.text, "row 3");
    assert_string_equal(seen.hint, "write row 3 first");
    diag_report(sink, &diag, "row %d", 4);
    assert_string_equal(seen.text, "row 4");
    assert_string_equal(seen.hint, "of the rule");
    (void)fixture;
}

TEST(appends_before_the_hint)
{
    char text[64];
    diag_append(text, sizeof text, "a" WITH_HINT "b", " (2 times)");
    assert_string_equal(text, "a (2 times)" WITH_HINT "b");
    assert_int_equal(diag_text_length(text), 11);
    assert_string_equal(diag_own_hint(text), "b");
    diag_append(text, sizeof text, "a", " (2 times)");
    assert_string_equal(text, "a (2 times)");
    assert_null(diag_own_hint(text));
    diag_append(text, 4, "abcdef" WITH_HINT "b", "");
    assert_string_equal(text, "abc");
    (void)fixture;
}

/* The first finding is shown, the second becomes a note, and further ones are hidden. */
TEST(limit)
{
    uint32_t shown = 0;
    assert_int_equal(diag_limit(&shown, 1), DIAG_SHOW);
    assert_int_equal(diag_limit(&shown, 1), DIAG_SHOW_NOTE);
    assert_int_equal(diag_limit(&shown, 1), DIAG_HIDE);
    assert_int_equal(shown, 2);
    (void)fixture;
}

static void locate(const void *user, const struct item_finding *entry, struct tess_finding *finding,
                   char *where, size_t size)
{
    finding->file = user;
    snprintf(where, size, "line %u", entry->line);
}

static void note(struct item_log *log, uint64_t count, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    item_log_note(log, 0, 1, 0, 0, count, format, arguments);
    va_end(arguments);
}

TEST(a_log_of_lanes_keeps_it)
{
    struct item_log log = {.rules = 1, .lines = 2};
    struct item_reported told = {0};
    struct seen seen = {0};
    const struct tess_machine_options options = {.sink = {see, &seen}};
    const struct item_teller teller = {RULE_GP_FIRST, locate, "file", &options};
    note(&log, 5, "R%d is unset" WITH_HINT "write R%d", 2, 2);
    item_log_report(&log, &told, &teller);
    assert_string_equal(seen.text, "line 1: R2 is unset (5 times)");
    assert_string_equal(seen.hint, "write R2");
    assert_int_equal(seen.count, 1);
    item_reported_free(&told);
    item_log_free(&log);
    (void)fixture;
}
