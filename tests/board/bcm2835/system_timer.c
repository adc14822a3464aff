/* SPDX-License-Identifier: MIT */
/* system_timer.c - tests the system timer by "BCM2835 ARM Peripherals", chapter 12. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/system_timer.h"

enum { CS = 0x00, CLO = 0x04, CHI = 0x08, C0 = 0x0c, C1 = 0x10, C3 = 0x18 };

TEST(counts_microseconds)
{
    struct board b;
    board_open(&b, &system_timer);
    board_wait(&b, 5999);
    assert_int_equal(board_read(&b, CLO), 5);
    board_wait(&b, UINT64_C(0x100000000) * 1000);
    assert_int_equal(board_read(&b, CLO), 5);
    assert_int_equal(board_read(&b, CHI), 1);
}

TEST(counters)
{
    struct board b;
    board_open(&b, &system_timer);
    assert_false(board_is_counter(&b, CS));
    board_expect_counts(&b, CLO, 1000, 10);
    board_expect_counts(&b, CHI, UINT64_C(0x100000000) * 1000, 2);
}

TEST(matches_at_the_exact_time)
{
    struct board b;
    board_open(&b, &system_timer);
    board_wait(&b, 10000);
    board_write(&b, C1, 1000);
    board_write(&b, C3, 30);
    assert_int_equal(board_next(&b), 30000);
    board_wait(&b, 19999);
    assert_int_equal(board_read(&b, CS), 0);
    board_wait(&b, 1);
    assert_int_equal(board_read(&b, CS), 8);
    assert_true(b.lines[3]);
    assert_int_equal(board_next(&b), 1000000);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(board_read(&b, CS), 10);
    assert_true(b.lines[1]);
    board_write(&b, CS, 8);
    assert_false(b.lines[3]);
    assert_true(b.lines[1]);
    assert_int_equal(board_read(&b, CS), 2);
    assert_int_equal(b.finding_count, 0);
}

TEST(a_match_comes_again_after_a_turn)
{
    struct board b;
    board_open(&b, &system_timer);
    board_wait(&b, 10000);
    board_write(&b, C3, 20);
    board_wait(&b, 10000);
    board_write(&b, CS, 8);
    board_wait(&b, UINT64_C(0xffffffff) * 1000);
    assert_int_equal(board_read(&b, CS) & 8, 0);
    board_wait(&b, 1000);
    assert_int_equal(board_read(&b, CS) & 8, 8);
}

TEST(the_present_count_matches_at_once)
{
    struct board b;
    board_open(&b, &system_timer);
    board_wait(&b, 10000);
    board_write(&b, C1, 10);
    assert_int_equal(board_read(&b, CS), 2);
    assert_int_equal(b.finding_count, 0);
}

TEST(mistakes)
{
    struct board b;
    board_open(&b, &system_timer);
    board_wait(&b, 10000);
    board_write(&b, C1, 9);
    assert_int_equal(b.finding, PI_TIMER_PAST);
    assert_int_equal(b.finding_offset, 0x3010);
    board_write(&b, C0, 1000);
    assert_int_equal(b.finding, PI_TIMER_FIRMWARE);
    assert_int_equal(b.finding_offset, 0x300c);
    assert_int_equal(b.finding_count, 2);
    board_write(&b, C3, 0); /* an initial value */
    assert_int_equal(b.finding_count, 2);
}
