/* SPDX-License-Identifier: MIT */
/* register.h - test programs: each test registers itself where it is defined, and main() runs all
 * tests of the program in the order of the source.
 *
 *     TEST(adds_two_numbers)
 *     {
 *         assert_int_equal(add(1, 2), 3);
 *     }
 *
 * A program that needs arguments or preparations has a main() of its own, which calls tests_run().
 */
#ifndef TESTS_REGISTER_H
#define TESTS_REGISTER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Adds a test. line is the line of its definition. */
void tests_add(const struct CMUnitTest *test, unsigned line);

/* Sets the functions that run before the first test and after the last test. Each may be NULL. */
void tests_set_group(CMFixtureFunction setup, CMFixtureFunction teardown);

/* Runs all tests. Returns the number of failed tests. */
int tests_run(void);

/* Defines a test with functions that run before and after it. Each function may be NULL. The body
 * can use `fixture`, the pointer that cmocka passes to these functions. */
#define TEST_WITH(name, setup, teardown)                                            \
    static void name(void **fixture);                                               \
    __attribute__((constructor)) static void name##_register(void)                  \
    {                                                                               \
        static const struct CMUnitTest test = {#name, name, setup, teardown, NULL}; \
        tests_add(&test, __LINE__);                                                 \
    }                                                                               \
    static void name(__attribute__((unused)) void **fixture)

/* Defines a test. */
#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Defines the functions that run before the first test and after the last test. */
#define TEST_GROUP(setup, teardown)                                     \
    __attribute__((constructor)) static void tests_register_group(void) \
    {                                                                   \
        tests_set_group(setup, teardown);                               \
    }

#endif
