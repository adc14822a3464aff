/* SPDX-License-Identifier: MIT */
/* Tests of two detectors: stale cache lines, which lookups find after DMA stores, and the
 * uniform from which an address originates. Expected values are worked out by hand from the
 * sizes in tmu.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vc4/origin.h"
#include "vc4/stale.h"

enum { LINE = 64, PC = 0x40000040, BUFFER = 0x40100000 };

static int setup(void **state)
{
    struct stale *stale = test_calloc(1, sizeof *stale);
    stale_clear(stale);
    *state = stale;
    return 0;
}

static int teardown(void **state)
{
    test_free(*state);
    return 0;
}

static void test_a_word_that_was_read_before(void **state)
{
    struct stale *stale = *state;
    assert_int_equal(stale_read(stale, 0, BUFFER), 0);
    stale_store(stale, BUFFER, 4, PC);
    assert_int_equal(stale_read(stale, 0, BUFFER), PC);
    assert_int_equal(stale_read(stale, 0, BUFFER + 4), 0);    /* a word of the same line that was
                                                                 not stored */
    assert_int_equal(stale_read(stale, 0, BUFFER + LINE), 0); /* a word of another line */
    assert_int_equal(stale_read(stale, 0, 0xc0100000), PC);   /* alias bits select only the SoC's
                                                                 cache */
}

/* The other TMU has not fetched the line, but finds it in the level 2 cache. */
static void test_the_level_2_cache(void **state)
{
    struct stale *stale = *state;
    stale_read(stale, 0, BUFFER);
    stale_store(stale, BUFFER, LINE, PC);
    assert_int_equal(stale_read(stale, 5, BUFFER + 60), PC);
    assert_int_equal(stale_read(stale, 5, BUFFER + 60), PC); /* now found in the TMU's own cache */
}

/* A line is evicted from both caches and fetched again, four times. A line 4 KB away evicts it
 * from the TMU's cache of one way. Four lines 8 KB apart evict it from the level 2 cache of four
 * ways. */
static void test_a_line_that_is_fetched_again(void **state)
{
    struct stale *stale = *state;
    stale_read(stale, 0, BUFFER);
    stale_store(stale, BUFFER, LINE, PC);
    for (uint32_t i = 1; i <= 4; i++)
        stale_read(stale, 0, BUFFER + i * TMU_L2_SIZE / TMU_L2_WAYS);
    assert_int_equal(stale_read(stale, 0, BUFFER), 0);
    assert_int_equal(stale_read(stale, 0, BUFFER), 0);
}

static void test_cleared_caches(void **state)
{
    struct stale *stale = *state;
    stale_read(stale, 3, BUFFER);
    stale_store(stale, BUFFER, LINE, PC);
    stale_clear(stale);
    assert_int_equal(stale_read(stale, 3, BUFFER), 0);
}

static void test_a_store_before_the_first_read(void **state)
{
    struct stale *stale = *state;
    stale_store(stale, BUFFER, LINE, PC);
    assert_int_equal(stale_read(stale, 1, BUFFER), 0);
}

/* More lines of a set are stored than the set has ways. Marks of evicted lines are replaced. */
static void test_many_stores(void **state)
{
    struct stale *stale = *state;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t address = BUFFER + i * TMU_L2_SIZE / TMU_L2_WAYS;
        stale_read(stale, 2, address);
        stale_store(stale, address + 8, 4, PC + i);
        assert_int_equal(stale_read(stale, 2, address + 8), PC + i);
    }
}

static void test_origins(void **state)
{
    (void)state;
    static const uint32_t words[] = {0x40100000, 1024, 0, 0x40200000};
    struct fault_log log = {0};
    struct bus bus = {.log = &log};
    char text[ORIGIN_SIZE];
    struct origin origin = {BUFFER, BUFFER + sizeof words};
    assert_int_equal(bus_map(&bus, BUFFER, 64, NULL), TESS_OK);
    memcpy(bus_peek(&bus, BUFFER, sizeof words), words, sizeof words);
    assert_string_equal(origin_text(&origin, &bus, 1024, text),
                        "; the uniform at 0x40100004, number 2 of its stream, is 0x00000400");
    assert_string_equal(origin_text(&origin, &bus, 1024 + 60, text),
                        "; the uniform at 0x40100004, number 2 of its stream, is 0x00000400");
    assert_string_equal(origin_text(&origin, &bus, 0, text),
                        "; the uniform at 0x40100008, number 3 of its stream, is 0x00000000");
    assert_string_equal(origin_text(&origin, &bus, 0x10000000, text), "");
    origin.next = BUFFER; /* no uniform was read, so the origin is unknown */
    assert_string_equal(origin_text(&origin, &bus, 1024, text), "");
    bus_free(&bus);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_word_that_was_read_before),
        TEST(test_the_level_2_cache),
        TEST(test_a_line_that_is_fetched_again),
        TEST(test_cleared_caches),
        TEST(test_a_store_before_the_first_read),
        TEST(test_many_stores),
        TEST(test_origins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
