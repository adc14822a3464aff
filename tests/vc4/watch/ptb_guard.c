/* SPDX-License-Identifier: MIT */
/* Tests of the guard, which detects changes of tile lists. The tests check which changes are
 * reported, when, and at which address. Expected values are worked out by hand from ptb_guard.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../register.h"
#include "vc4/fault/fault.h"
#include "vc4/memory/bus.h"
#include "vc4/watch/ptb_guard.h"

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

TEST_WITH(silent_while_nothing_changes, begin, end)
{
    bus_write8(&bus, BUS_TLB, FIRST + 64, 1); /* a write between the first blocks and the pool */
    bus_write8(&bus, BUS_TLB, SPILL + 33, 1);
    bus_write8(&bus, BUS_TLB, SPILL - 1, 1);
    frame(FIRST);
    frame(FIRST + 32);
    assert_int_equal(told(), 0);
}

TEST_WITH(every_byte_counts, begin, end)
{
    static const uint32_t places[] = {FIRST, FIRST + 63, POOL, POOL + 1023, SPILL, SPILL + 32};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        bus_write8(&bus, BUS_TLB, places[i], 0x80);
        frame(FIRST | 0xc0000000);       /* the same lists by another alias */
        assert_int_equal(told(), i + 1); /* each change is reported once */
    }
    frame(FIRST);
    assert_int_equal(told(), sizeof places / sizeof places[0]);
}

TEST_WITH(within_a_frame, begin, end)
{
    ptb_guard_use(&guard, &bus, &fault_log_of_test, FIRST);
    bus_write8(&bus, BUS_TLB, POOL, 1);
    ptb_guard_use(&guard, &bus, &fault_log_of_test, FIRST + 32); /* a frame is checked only once */
    assert_int_equal(told(), 0);
    ptb_guard_end(&guard, &bus, &fault_log_of_test);
    assert_int_equal(told(), 1);
}

/* Reports nothing for other lists, for memory that is reused after the frame, and for lists that
 * the binner is still writing. */
TEST_WITH(not_its_business, begin, end)
{
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
TEST_WITH(large_lists, begin, end)
{
    ptb_guard_begin(&guard);
    ptb_guard_take(&guard, FIRST, 0x7fff);
    ptb_guard_close(&guard, &bus);
    frame(FIRST);
    assert_int_equal(told(), 0);
    bus_write8(&bus, BUS_TLB, FIRST + 0x7ffe, 1);
    frame(FIRST);
    assert_int_equal(told(), 1);
}
