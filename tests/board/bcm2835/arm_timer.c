/* SPDX-License-Identifier: MIT */
/* arm_timer.c - tests the ARM's timer by "BCM2835 ARM Peripherals", chapter 14. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/arm_timer.h"

enum {
    LOAD = 0x00,
    VALUE = 0x04,
    CONTROL = 0x08,
    CLEAR = 0x0c,
    RAW = 0x10,
    MASKED = 0x14,
    RELOAD = 0x18,
    DIVIDER = 0x1c,
    FREE_COUNTER = 0x20,
    BITS_32 = 2,
    INTERRUPT = 0x20,
    ENABLE = 0x80,
    FREE = 0x200,
};

TEST(values_after_power_on)
{
    struct board b;
    board_open(&b, &arm_timer);
    assert_int_equal(board_read(&b, CONTROL), 0x003e0020);
    assert_int_equal(board_read(&b, DIVIDER), 0x7d);
    assert_int_equal(board_next(&b), DEVICE_NEVER);
}

TEST(periods)
{
    struct board b;
    board_open(&b, &arm_timer);
    board_write(&b, DIVIDER, 249); /* 250 MHz / 250: a tick is a microsecond */
    board_write(&b, LOAD, 99999);
    board_write(&b, CONTROL, BITS_32 | INTERRUPT | ENABLE);
    assert_int_equal(board_read(&b, VALUE), 99999);
    board_wait(&b, 4000);
    assert_int_equal(board_read(&b, VALUE), 99995);
    assert_int_equal(board_next(&b), 99999000);
    board_wait(&b, 99999000 - 4000 - 1);
    assert_int_equal(board_read(&b, RAW), 0);
    board_wait(&b, 1);
    assert_int_equal(board_read(&b, RAW), 1);
    assert_int_equal(board_read(&b, MASKED), 1);
    assert_int_equal(board_read(&b, VALUE), 0);
    assert_true(b.lines[LINE_ARM_TIMER]);
    board_wait(&b, 1000);
    assert_int_equal(board_read(&b, VALUE), 99999);
    board_write(&b, CLEAR, 0);
    assert_false(b.lines[LINE_ARM_TIMER]);
    assert_int_equal(board_next(&b), 199999000); /* a period of 100000 ticks */
    board_wait(&b, 10 * 100000000ull);
    assert_int_equal(board_read(&b, VALUE), 99999);
}

TEST(reload_waits_for_the_end)
{
    struct board b;
    board_open(&b, &arm_timer);
    board_write(&b, DIVIDER, 249);
    board_write(&b, LOAD, 10);
    board_write(&b, CONTROL, BITS_32 | ENABLE); /* without interrupt */
    board_write(&b, RELOAD, 20);
    assert_int_equal(board_read(&b, LOAD), 20);
    assert_int_equal(board_read(&b, VALUE), 10);
    board_wait(&b, 10000);
    assert_int_equal(board_read(&b, RAW), 1);
    assert_int_equal(board_read(&b, MASKED), 0);
    assert_false(b.lines[LINE_ARM_TIMER]);
    board_wait(&b, 1000);
    assert_int_equal(board_read(&b, VALUE), 20);
    board_write(&b, CONTROL, BITS_32); /* off: the value stays */
    board_wait(&b, 5000);
    assert_int_equal(board_read(&b, VALUE), 20);
}

TEST(prescaler_and_16_bits)
{
    struct board b;
    board_open(&b, &arm_timer);
    board_write(&b, DIVIDER, 249);
    board_write(&b, LOAD, 0x10005);
    board_write(&b, CONTROL, 1 << 2 | ENABLE); /* divided by 16, 16 bits */
    assert_int_equal(board_read(&b, VALUE), 5);
    board_wait(&b, 16000);
    assert_int_equal(board_read(&b, VALUE), 4);
}

TEST(free_running_counter)
{
    struct board b;
    board_open(&b, &arm_timer);
    board_write(&b, CONTROL, 249u << 16 | FREE);
    board_wait(&b, 123000);
    assert_int_equal(board_read(&b, FREE_COUNTER), 123);
    b.clock_rates[TESS_PI_CLOCK_CORE] = 500000000; /* two counts in a microsecond */
    board_read(&b, FREE_COUNTER);
    board_wait(&b, 100000);
    assert_int_equal(board_read(&b, FREE_COUNTER), 323);
    board_write(&b, CONTROL, 0);
    board_wait(&b, 100000);
    assert_int_equal(board_read(&b, FREE_COUNTER), 323);
}

/* The counts are known before, also in later periods: of 3 us, and with a flag that stays set. */
TEST(counters)
{
    struct board b;
    board_open(&b, &arm_timer);
    assert_false(board_is_counter(&b, VALUE)); /* it is off */
    assert_false(board_is_counter(&b, RAW));
    board_write(&b, DIVIDER, 249);
    board_write(&b, LOAD, 2);
    board_write(&b, CONTROL, 249u << 16 | FREE | ENABLE | BITS_32);
    board_expect_counts(&b, VALUE, 1000, 20);
    board_expect_counts(&b, VALUE, 4000, 20);
    board_expect_counts(&b, FREE_COUNTER, 1000, 20);
    uint64_t now, later;
    arm_timer.counter_at(b.state, VALUE, b.time, &now);
    arm_timer.counter_at(b.state, VALUE, b.time + 300000, &later); /* 100 periods later */
    assert_int_equal((uint32_t)now, (uint32_t)later);
    assert_int_equal(later - now, UINT64_C(100) << 32);
}
