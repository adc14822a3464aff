/* SPDX-License-Identifier: MIT */
/* local.c - tests the local controller by "BCM2836 ARM-local peripherals", revision 3.4. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/local.h"

enum { IRQ = 1, FIQ = 2 };

static uint32_t levels(const struct board *b, unsigned core)
{
    return local_levels((const void *)b->state, core);
}

TEST(interrupts_of_the_gpu_go_to_one_core)
{
    struct board b;
    board_open(&b, &local);
    local_gpu((void *)b.state, true, true);
    assert_int_equal(levels(&b, 0), IRQ | FIQ);
    assert_int_equal(board_read(&b, 0x60), 1 << 8);
    assert_int_equal(board_read(&b, 0x70), 1 << 8);
    board_write(&b, 0x0c, 3 | 2 << 2); /* IRQ to core 3, FIQ to core 2 */
    assert_int_equal(levels(&b, 0), 0);
    assert_int_equal(levels(&b, 2), FIQ);
    assert_int_equal(levels(&b, 3), IRQ);
    assert_int_equal(levels(&b, 4), 0); /* there is no core 4 */
}

TEST(generic_timers)
{
    struct board b;
    board_open(&b, &local);
    local_timer((void *)b.state, 1, 1, true);
    local_timer((void *)b.state, 1, 3, true);
    assert_int_equal(levels(&b, 1), 0);
    board_write(&b, 0x44, 0x02);
    assert_int_equal(levels(&b, 1), IRQ);
    assert_int_equal(board_read(&b, 0x64), 0x02);
    board_write(&b, 0x44, 0x8a); /* timer 3 to FIQ, which has priority over its IRQ bit */
    assert_int_equal(board_read(&b, 0x64), 0x02);
    assert_int_equal(board_read(&b, 0x74), 0x08);
    assert_int_equal(levels(&b, 1), IRQ | FIQ);
    local_timer((void *)b.state, 1, 1, false);
    assert_int_equal(levels(&b, 1), FIQ);
}

TEST(mailboxes)
{
    struct board b;
    board_open(&b, &local);
    board_write(&b, 0xb8, 0x50); /* core 3, mailbox 2 */
    board_write(&b, 0xb8, 0x01);
    assert_int_equal(board_read(&b, 0xb8), 0); /* write-only */
    assert_int_equal(board_read(&b, 0xf8), 0x51);
    assert_int_equal(levels(&b, 3), 0);
    board_write(&b, 0x5c, 0x04);
    assert_int_equal(levels(&b, 3), IRQ);
    assert_int_equal(board_read(&b, 0x6c), 0x40);
    board_write(&b, 0xf8, 0x50);
    assert_int_equal(levels(&b, 3), IRQ); /* bit 0 is still set */
    board_write(&b, 0xf8, 0x01);
    assert_int_equal(levels(&b, 3), 0);
}

TEST(local_timer_counts_at_38_4_mhz)
{
    struct board b;
    board_open(&b, &local);
    board_write(&b, 0x24, 1);                           /* to the IRQ of core 1 */
    board_write(&b, 0x34, 1u << 28 | 1u << 29 | 38400); /* a period of a millisecond */
    board_wait(&b, 999999);
    assert_int_equal(levels(&b, 1), 0);
    board_wait(&b, 1);
    assert_int_equal(levels(&b, 1), IRQ);
    assert_int_equal(board_read(&b, 0x64), 1 << 11);
    assert_int_equal(board_read(&b, 0x34), 0xb0009600);
    board_write(&b, 0x38, 1u << 31);
    assert_int_equal(levels(&b, 1), 0);
    board_wait(&b, 999999);
    assert_int_equal(levels(&b, 1), 0);
    board_write(&b, 0x38, 1u << 30); /* the period starts again */
    board_wait(&b, 999999);
    assert_int_equal(levels(&b, 1), 0);
    board_wait(&b, 1);
    assert_int_equal(levels(&b, 1), IRQ);
    board_write(&b, 0x24, 5); /* to the FIQ of core 1 */
    assert_int_equal(levels(&b, 1), FIQ);
}

TEST(local_timer_does_not_drift)
{
    struct board b;
    board_open(&b, &local);
    /* A period of 1 / 38.4 MHz * 7 = 182.29 ns: 24 periods have 4375 ns. */
    board_write(&b, 0x34, 1u << 28 | 7);
    for (unsigned i = 1; i <= 240; i++) {
        uint64_t time = (uint64_t)i * 4375 / 24 + ((uint64_t)i * 4375 % 24 != 0);
        assert_int_equal(board_next(&b), time);
        board_wait(&b, time - b.time);
        assert_int_equal(board_read(&b, 0x34) >> 31, 1);
        board_write(&b, 0x38, 1u << 31);
    }
}

TEST(core_timer)
{
    struct board b;
    board_open(&b, &local);
    board_wait(&b, DEVICE_SECOND); /* 19.2 MHz */
    assert_int_equal(board_read(&b, 0x1c), 19200000);
    assert_int_equal(board_read(&b, 0x20), 0);
    /* The manual's example: the prescaler 0x06aaaaab divides by 19.2. */
    board_write(&b, 0x08, 0x06aaaaab);
    board_write(&b, 0x1c, 0xfff00000);
    board_write(&b, 0x20, 5);
    board_wait(&b, 2ull * DEVICE_SECOND);
    uint32_t low = board_read(&b, 0x1c);
    assert_in_range(low, 2000000 - 0x100000, 2000001 - 0x100000);
    assert_int_equal(board_read(&b, 0x20), 6);
    board_write(&b, 0x08, 0x80000000);
    board_write(&b, 0x00, 1 << 8 | 1 << 9); /* the APB clock, 2 at each tick */
    low = board_read(&b, 0x1c);
    board_wait(&b, 1000);
    assert_int_equal(board_read(&b, 0x1c) - low, 500);
}

/* The earliest time of a count, with prescalers that round in several ways. */
TEST(times_of_counts)
{
    static const uint32_t prescalers[] = {0x80000000, 0x06aaaaab, 0xffffffff, 3};
    struct board b;
    const struct local *state = (const struct local *)(const void *)b.state;
    board_open(&b, &local);
    for (unsigned i = 0; i < 4; i++) {
        board_write(&b, 0x08, prescalers[i]);
        uint64_t start = local_count(state, b.time);
        for (uint64_t count = start + 1; count < start + 1000; count += 37) {
            uint64_t time = local_time_of(state, count);
            assert_true(local_count(state, time) >= count);
            assert_true(local_count(state, time - 1) < count);
        }
    }
    board_write(&b, 0x08, 0);
    assert_int_equal(local_time_of(state, local_count(state, b.time) + 1), DEVICE_NEVER);
}

TEST(counter)
{
    struct board b;
    board_open(&b, &local);
    assert_false(board_is_counter(&b, 0x20));
    board_expect_counts(&b, 0x1c, 53, 20); /* 19.2 MHz */
}
