/* SPDX-License-Identifier: MIT */
/* small.c - tests the peripherals of few registers: random numbers, temperature, one-time
 * programmable memory, USB. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/otp.h"
#include "board/bcm2835/rng.h"
#include "board/bcm2835/thermal.h"
#include "board/bcm2835/usb.h"

/* The steps of Linux' bcm2835-rng.c. */
TEST(random_numbers)
{
    struct board b;
    board_open(&b, &rng);
    board_write(&b, 0x10, 1);
    board_write(&b, 0x04, 0x40000);
    board_write(&b, 0x00, 1);
    assert_int_equal(board_read(&b, 0x04) >> 24, 0);
    assert_int_equal(board_read(&b, 0x08), 0);
    board_wait(&b, 2ull * DEVICE_SECOND);
    assert_int_equal(board_read(&b, 0x04) >> 24, 16);
    /* The first outputs of SplitMix64 for the seed 0 are e220a8397b1dcdaf and 6e789e6aa1b965f4. */
    assert_int_equal(board_read(&b, 0x08), 0xe220a839);
    assert_int_equal(board_read(&b, 0x08), 0x6e789e6a);
    assert_int_equal(board_read(&b, 0x04) >> 24, 14);
    board_wait(&b, 64000); /* 32 microseconds for each word */
    assert_int_equal(board_read(&b, 0x04) >> 24, 16);
    board_write(&b, 0x00, 0);
    board_read(&b, 0x08);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(board_read(&b, 0x04) >> 24, 15);
}

TEST(temperature)
{
    struct board b;
    board_open(&b, &thermal);
    uint32_t status = board_read(&b, 0x04);
    assert_int_equal(status >> 10 & 1, 1);
    assert_in_range(407000 - 538 * (status & 0x3ff), 39700, 40600);
    board_write(&b, 0x00, 0); /* held in reset */
    assert_int_equal(board_read(&b, 0x04) >> 10 & 1, 0);
}

TEST(contents_of_otp_are_reported)
{
    struct board b;
    board_open(&b, &otp);
    board_write(&b, 0x1c, 30);
    assert_int_equal(board_read(&b, 0x1c), 30);
    assert_int_equal(board_read(&b, 0x10) & 1, 1);
    assert_int_equal(b.not_modelled, 0);
    assert_int_equal(board_read(&b, 0x18), 0);
    assert_int_equal(b.not_modelled, 1);
}

TEST(usb_is_reported_once)
{
    struct board b;
    board_open(&b, &usb);
    assert_int_equal(board_read(&b, 0x40), 0x4f54280a); /* GSNPSID */
    assert_int_equal(b.not_modelled, 0);
    assert_int_equal(board_read(&b, 0x08), 0); /* GAHBCFG */
    assert_int_equal(b.not_modelled, 1);
    assert_string_equal(b.text, "USB is not modelled");
    assert_int_equal(b.finding_offset, 0x980008);
    board_write(&b, 0x08, 1);
    assert_int_equal(b.not_modelled, 1);
}
