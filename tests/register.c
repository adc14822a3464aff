/* SPDX-License-Identifier: MIT */
/* register.c - see register.h. */
#include "register.h"

#include <stdlib.h>

static struct {
    struct CMUnitTest *tests;
    unsigned *lines;
    size_t count;
    CMFixtureFunction setup, teardown;
} all;

void tests_add(const struct CMUnitTest *test, unsigned line)
{
    all.tests = realloc(all.tests, (all.count + 1) * sizeof *all.tests);
    all.lines = realloc(all.lines, (all.count + 1) * sizeof *all.lines);
    if (!all.tests || !all.lines)
        abort();
    size_t at = all.count++;
    for (; at > 0 && all.lines[at - 1] > line; at--) {
        all.tests[at] = all.tests[at - 1];
        all.lines[at] = all.lines[at - 1];
    }
    all.tests[at] = *test;
    all.lines[at] = line;
}

void tests_set_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    all.setup = setup;
    all.teardown = teardown;
}

int tests_run(void)
{
    return _cmocka_run_group_tests("tests", all.tests, all.count, all.setup, all.teardown);
}

__attribute__((weak)) int main(void)
{
    return tests_run();
}
