/* SPDX-License-Identifier: MIT */
/* power.c - tests the watchdog by Linux' bcm2835_wdt.c, and the V3D's power by bcm2835-power.c. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/power.h"

enum { RSTC = 0x1c, RSTS = 0x20, WDOG = 0x24, GRAFX = 0x10c, PASSWORD = 0x5a000000 };

/* Restarts the board as Linux does: after ten ticks of 1 / 65536 s, which are 152588 ns. */
static void restart(struct board *b)
{
    board_write(b, WDOG, PASSWORD | 10);
    board_write(b, RSTC, PASSWORD | (board_read(b, RSTC) & 0xffffffcf) | 0x20);
}

TEST(restart_after_ten_ticks)
{
    struct board b;
    board_open(&b, &power);
    restart(&b);
    board_wait(&b, 100000);
    assert_int_equal(board_read(&b, WDOG), 10 - 6); /* 6.55 ticks have passed */
    board_wait(&b, 52587);
    assert_int_equal(b.output_count, 0);
    board_wait(&b, 1);
    assert_int_equal(b.output_count, 1);
    assert_int_equal(b.outputs[0].output, OUTPUT_RESET);
    assert_int_equal(b.outputs[0].value, 0);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(b.output_count, 1);
}

TEST(halt_is_partition_63)
{
    struct board b;
    board_open(&b, &power);
    board_write(&b, RSTS, PASSWORD | board_read(&b, RSTS) | 0x555);
    restart(&b);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(b.output_count, 1);
    assert_int_equal(b.outputs[0].value, 63);
    assert_int_equal(board_read(&b, RSTS) & 0x20, 0x20);
}

TEST(the_watchdog_is_fed_and_stopped)
{
    struct board b;
    board_open(&b, &power);
    board_write(&b, WDOG, PASSWORD | 2 << 16);
    board_write(&b, RSTC, PASSWORD | 0x122);
    for (unsigned i = 0; i < 5; i++) {
        board_wait(&b, DEVICE_SECOND);
        assert_int_equal(board_read(&b, WDOG) >> 16, 1);
        board_write(&b, WDOG, PASSWORD | 2 << 16);
    }
    board_write(&b, RSTC, PASSWORD | 0x102);
    board_wait(&b, 3ull * DEVICE_SECOND);
    assert_int_equal(b.output_count, 0);
}

TEST(writes_need_the_password)
{
    struct board b;
    board_open(&b, &power);
    board_write(&b, WDOG, 5);
    assert_int_equal(board_read(&b, WDOG), 0);
    assert_int_equal(b.finding, PI_PASSWORD);
    assert_int_equal(b.finding_offset, 0x100024);
}

/* The steps of bcm2835_power_power_on() and bcm2835_asb_power_on(). */
TEST(linux_switches_the_v3d_on)
{
    struct board b;
    board_open(&b, &power);
    assert_false(power_v3d((const void *)b.state));
    board_write(&b, GRAFX, PASSWORD | 1);
    assert_int_equal(board_read(&b, GRAFX), 3); /* POWOK */
    board_write(&b, GRAFX, PASSWORD | 7);
    board_write(&b, GRAFX, PASSWORD | 0xf);
    assert_int_equal(board_read(&b, GRAFX) & 0x10, 0x10); /* MRDONE */
    board_write(&b, GRAFX, PASSWORD | 0x2f);
    assert_false(power_v3d((const void *)b.state));
    board_write(&b, GRAFX, PASSWORD | 0x6f);
    assert_true(power_v3d((const void *)b.state));
    board_write(&b, GRAFX, PASSWORD | 0x2f);
    assert_false(power_v3d((const void *)b.state));
    board_write(&b, GRAFX, PASSWORD);
    assert_int_equal(board_read(&b, GRAFX), 0);
}

TEST(bridges)
{
    struct board b;
    board_open(&b, &asb);
    assert_int_equal(board_read(&b, 0x20), 0x62726467);
    assert_false(asb_v3d((const void *)b.state));
    board_write(&b, 0x0c, PASSWORD | (board_read(&b, 0x0c) & ~1u));
    assert_int_equal(board_read(&b, 0x0c) & 2, 0);
    assert_false(asb_v3d((const void *)b.state));
    board_write(&b, 0x08, PASSWORD);
    assert_true(asb_v3d((const void *)b.state));
    board_write(&b, 0x08, PASSWORD | 1);
    assert_int_equal(board_read(&b, 0x08) & 2, 2);
    assert_false(asb_v3d((const void *)b.state));
}

/* The counts of the watchdog are known before, while it is armed. */
TEST(counter)
{
    struct board b;
    board_open(&b, &power);
    assert_false(board_is_counter(&b, WDOG));
    restart(&b);
    assert_false(board_is_counter(&b, RSTC));
    board_expect_counts(&b, WDOG, 15259, 9); /* a tick of 65536 Hz */
}
