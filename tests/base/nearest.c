/* SPDX-License-Identifier: MIT */
/* nearest.c - tests the search for the known name that is nearest to a mistyped name. Distances
 * are counted by hand. */
#include "base/nearest.h"
#include "../register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the nearest of the names (the last is NULL), or "" if no name is near. */
static const char *best(const char *wrong, const char *const *names)
{
    struct nearest search = nearest_begin(wrong, strlen(wrong));
    for (; *names; names++)
        nearest_consider(&search, *names, strlen(*names));
    return search.best ? search.best : "";
}

TEST(finds_the_nearest)
{
    static const char *const names[] = {"mov", "unif", "vary", "vw_setup", "r0", "fadd", NULL};
    static const struct {
        const char *wrong, *meant;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {"unfi",      "unif"},     /* two letters are swapped */
        {"unf",       "unif"},
        {"uniff",     "unif"},
        {"onif",      "unif"},
        {"MOV",       "mov"},
        {"Unif",      "unif"},
        {"vw_stup",   "vw_setup"},
        {"wv_setpu",  "vw_setup"}, /* two mistakes in a long name */
        {"wv_estpu",  ""},         /* three mistakes */
        {"ufni",      ""},         /* two mistakes in a short name */
        {"R",         ""},
        {"something", ""},
        {"",          ""},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(best(cases[i].wrong, names), cases[i].meant);
}

TEST(prefers_the_same_case)
{
    static const char *const names[] = {"main", "MAIN", NULL}, *const other[] = {"MAIN", "main",
                                                                                 NULL};
    assert_string_equal(best("Main", names), "main");
    assert_string_equal(best("MAIM", other), "MAIN");
    assert_string_equal(best("mian", other), "MAIN");
    assert_string_equal(best("main", names), "MAIN"); /* equal names are not suggested */
}

TEST(long_names_are_far)
{
    static const char *const names[] = {"a123456789b123456789c123456789d123456789e", NULL};
    assert_string_equal(best("a123456789b123456789c123456789d123456789f", names), "");
}
