/* SPDX-License-Identifier: MIT */
/* Tests of the guard, which detects changes of tile lists. The tests check which changes are
 * reported, when, and at which address. Expected values are worked out by hand from ptb_guard.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vc4/bus.h"
#include "vc4/fault.h"
#include "vc4/ptb_guard.h"

enum { FIRST = 0x40001000, POOL = 0x40001100, SPILL = 0x40004000 };

static struct fault_log fault_log_of_test;
static struct bus bus;
static struct ptb_guard guard;

/* The lists consist of two first blocks, two adjacent pieces of the pool, and one piece of an
 * overspill block. */
static int begin(void **state)
{
    (void)state;
    fault_log_of_test = (struct fault_log){0};
    bus = (struct bus){.log = &fault_log_of_test};
    guard = (struct ptb_guard){0};
    bus_map(&bus, FIRST, 0x8000, NULL);
    ptb_guard_begin(&guard);
    ptb_guard_take(&guard, FIRST, 64);
    ptb_guard_take(&guard, POOL, 512);
    ptb_guard_take(&guard, POOL + 512, 512);
    ptb_guard_take(&guard, SPILL, 33);
    ptb_guard_close(&guard, &bus);
    return 0;
}

static int end(void **state)
{
    (void)state;
    bus_free(&bus);
    return 0;
}

static uint64_t told(void)
{
    return fault_log_of_test.count[FAULT_PTB_LISTS];
}

static void frame(uint32_t address)
{
    ptb_guard_use(&guard, &bus, &fault_log_of_test, address);
    ptb_guard_end(&guard, &bus, &fault_log_of_test);
}

static void silent_while_nothing_changes(void **state)
{
    (void)state;
    bus_write8(&bus, BUS_TLB, FIRST + 64, 1); /* a write between the first blocks and the pool */
    bus_write8(&bus, BUS_TLB, SPILL + 33, 1);
    bus_write8(&bus, BUS_TLB, SPILL - 1, 1);
    frame(FIRST);
    frame(FIRST + 32);
    assert_int_equal(told(), 0);
}

static void every_byte_counts(void **state)
{
    static const uint32_t places[] = {FIRST, FIRST + 63, POOL, POOL + 1023, SPILL, SPILL + 32};
    (void)state;
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        bus_write8(&bus, BUS_TLB, places[i], 0x80);
        frame(FIRST | 0xc0000000); /* the same lists by another alias */
        assert_int_equal(told(), i + 1); /* each change is reported once */
    }
    frame(FIRST);
    assert_int_equal(told(), sizeof places / sizeof places[0]);
}

static void within_a_frame(void **state)
{
    (void)state;
    ptb_guard_use(&guard, &bus, &fault_log_of_test, FIRST);
    bus_write8(&bus, BUS_TLB, POOL, 1);
    ptb_guard_use(&guard, &bus, &fault_log_of_test, FIRST + 32); /* a frame is checked only once */
    assert_int_equal(told(), 0);
    ptb_guard_end(&guard, &bus, &fault_log_of_test);
    assert_int_equal(told(), 1);
}

/* Reports nothing for other lists, for memory that is reused after the frame, and for lists that
 * the binner is still writing. */
static void not_its_business(void **state)
{
    (void)state;
    bus_write8(&bus, BUS_TLB, FIRST, 1);
    frame(FIRST + 64);
    assert_int_equal(told(), 0);
    ptb_guard_begin(&guard);
    ptb_guard_take(&guard, FIRST, 64);
    bus_write8(&bus, BUS_TLB, FIRST, 2);
    frame(FIRST);
    assert_int_equal(told(), 0);
}

/* The lists have more memory than the guard has pieces of 32 bytes. The guard still covers all
 * of the memory. */
static void large_lists(void **state)
{
    (void)state;
    ptb_guard_begin(&guard);
    ptb_guard_take(&guard, FIRST, 0x7fff);
    ptb_guard_close(&guard, &bus);
    frame(FIRST);
    assert_int_equal(told(), 0);
    bus_write8(&bus, BUS_TLB, FIRST + 0x7ffe, 1);
    frame(FIRST);
    assert_int_equal(told(), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(silent_while_nothing_changes), TEST(every_byte_counts), TEST(within_a_frame),
        TEST(not_its_business), TEST(large_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
