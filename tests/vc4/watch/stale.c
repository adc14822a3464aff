/* SPDX-License-Identifier: MIT */
/* Tests of two detectors: stale cache lines, which lookups find after DMA stores, and the
 * uniform from which an address originates. Expected values are worked out by hand from the
 * sizes in tmu.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../register.h"
#include "vc4/watch/origin.h"
#include "vc4/watch/stale.h"

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

TEST_WITH(test_a_word_that_was_read_before, setup, teardown)
{
    struct stale *stale = *fixture;
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
TEST_WITH(test_the_level_2_cache, setup, teardown)
{
    struct stale *stale = *fixture;
    stale_read(stale, 0, BUFFER);
    stale_store(stale, BUFFER, LINE, PC);
    assert_int_equal(stale_read(stale, 5, BUFFER + 60), PC);
    assert_int_equal(stale_read(stale, 5, BUFFER + 60), PC); /* now found in the TMU's own cache */
}

/* A line is evicted from both caches and fetched again, four times. A line 4 KB away evicts it
 * from the TMU's cache of one way. Four lines 8 KB apart evict it from the level 2 cache of four
 * ways. */
TEST_WITH(test_a_line_that_is_fetched_again, setup, teardown)
{
    struct stale *stale = *fixture;
    stale_read(stale, 0, BUFFER);
    stale_store(stale, BUFFER, LINE, PC);
    for (uint32_t i = 1; i <= 4; i++)
        stale_read(stale, 0, BUFFER + i * TMU_L2_SIZE / TMU_L2_WAYS);
    assert_int_equal(stale_read(stale, 0, BUFFER), 0);
    assert_int_equal(stale_read(stale, 0, BUFFER), 0);
}

TEST_WITH(test_cleared_caches, setup, teardown)
{
    struct stale *stale = *fixture;
    stale_read(stale, 3, BUFFER);
    stale_store(stale, BUFFER, LINE, PC);
    stale_clear(stale);
    assert_int_equal(stale_read(stale, 3, BUFFER), 0);
}

TEST_WITH(test_a_store_before_the_first_read, setup, teardown)
{
    struct stale *stale = *fixture;
    stale_store(stale, BUFFER, LINE, PC);
    assert_int_equal(stale_read(stale, 1, BUFFER), 0);
}

/* More lines of a set are stored than the set has ways. Marks of evicted lines are replaced. */
TEST_WITH(test_many_stores, setup, teardown)
{
    struct stale *stale = *fixture;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t address = BUFFER + i * TMU_L2_SIZE / TMU_L2_WAYS;
        stale_read(stale, 2, address);
        stale_store(stale, address + 8, 4, PC + i);
        assert_int_equal(stale_read(stale, 2, address + 8), PC + i);
    }
}

TEST_WITH(test_origins, setup, teardown)
{
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
