/* SPDX-License-Identifier: MIT */
/* clocks.c - tests the clock manager by "BCM2835 ARM Peripherals", section 6.3. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/clocks.h"

enum { CONTROL = CLOCKS_PWM, DIVIDER = CLOCKS_PWM + 4, PASSWORD = 0x5a000000 };

static uint32_t rate(const struct board *b)
{
    return clocks_rate((const void *)b->state, CLOCKS_PWM);
}

/* The steps that the manual describes: off, not busy, settings, on. */
TEST(a_generator_is_switched_on)
{
    struct board b;
    board_open(&b, &clocks);
    board_write(&b, CONTROL, PASSWORD | 1 << 5); /* KILL */
    assert_int_equal(board_read(&b, CONTROL) & 1 << 7, 0);
    board_write(&b, DIVIDER, PASSWORD | 2 << 12);
    assert_int_equal(board_read(&b, DIVIDER), 2 << 12);
    assert_int_equal(rate(&b), 0);
    board_write(&b, CONTROL, PASSWORD | 1);
    board_write(&b, CONTROL, PASSWORD | 0x11); /* the oscillator */
    assert_int_equal(board_read(&b, CONTROL), 0x91);
    assert_int_equal(rate(&b), 9600000);
    assert_int_equal(b.finding_count, 0);
}

TEST(fractions_need_mash)
{
    struct board b;
    board_open(&b, &clocks);
    board_write(&b, DIVIDER, PASSWORD | 2 << 12 | 2048); /* 2.5 */
    board_write(&b, CONTROL, PASSWORD | 0x16);           /* 500 MHz */
    assert_int_equal(rate(&b), 250000000);
    board_write(&b, CONTROL, PASSWORD);
    board_write(&b, CONTROL, PASSWORD | 1 << 9 | 0x16);
    assert_int_equal(rate(&b), 200000000);
}

TEST(mistakes)
{
    struct board b;
    board_open(&b, &clocks);
    board_write(&b, DIVIDER, 2 << 12);
    assert_int_equal(b.finding, PI_PASSWORD);
    assert_int_equal(board_read(&b, DIVIDER), 0);
    board_write(&b, CONTROL, PASSWORD | 0x11);
    board_write(&b, CONTROL, PASSWORD | 0x16);
    assert_int_equal(b.finding, PI_CLOCK_BUSY);
    assert_int_equal(b.finding_offset, 0x1010a0);
    assert_int_equal(b.finding_count, 2);
}

/* Linux' bcm2835_pll_get_rate(): 19.2 MHz * (52 + 0x15555 / 2^20) is 1 GHz. */
TEST(plls_are_readable)
{
    struct board b;
    board_open(&b, &clocks);
    uint32_t control = board_read(&b, 0x1140), fraction = board_read(&b, 0x1240);
    assert_int_equal(control & 0x3ff, 52);
    assert_int_equal(control >> 12 & 7, 1);
    assert_int_equal(control >> 17 & 1, 1); /* not held in reset */
    uint64_t hz = (UINT64_C(19200000) * (52 * 0x100000 + fraction)) >> 20;
    assert_in_range(hz, 999999900, 1000000000);
    assert_int_equal(board_read(&b, 0x114), 0x1f00);
    assert_int_equal(clocks_rate((const void *)b.state, CLOCKS_UART), 48000750);
    /* The VPU's clock, 250 MHz: its source 5 is PLLC_CORE0 in Linux' bcm2835_clock_vpu_parents. */
    assert_int_equal(board_read(&b, 0x008) & 15, 5);
    assert_int_equal(board_read(&b, 0x1620), 1);
    assert_int_equal(board_read(&b, 0x00c), 4 << 12);
}
