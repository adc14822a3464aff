/* SPDX-License-Identifier: MIT */
/* small.c - tests the peripherals of few registers: random numbers, temperature, one-time
 * programmable memory, SMI, USB. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/otp.h"
#include "board/bcm2835/rng.h"
#include "board/bcm2835/smi.h"
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

/* The steps of raspberrypi/firmware, issue 67, and of Linux' vc4_firmware_kms.c. The display has 60
 * frames a second. */
TEST(vertical_syncs)
{
    enum { LINE = 48, BITS = 7 << 9, FRAME = 16666667 };
    struct board b;
    board_open(&b, &smi);
    struct smi *s = (struct smi *)b.state;
    board_wait(&b, 2 * FRAME);
    assert_false(b.lines[LINE]); /* the firmware does not tell of them */
    s->on = 1;
    board_wait(&b, FRAME - 2);
    assert_false(b.lines[LINE]);
    board_wait(&b, 2); /* 50 ms */
    assert_true(b.lines[LINE]);
    assert_int_equal(board_read(&b, 0x00), BITS);
    board_wait(&b, FRAME / 2);
    board_write(&b, 0x00, 0);
    assert_false(b.lines[LINE]);
    assert_int_equal(board_read(&b, 0x00), 0);
    board_wait(&b, FRAME / 2 - 2);
    assert_false(b.lines[LINE]);
    board_wait(&b, 3);
    assert_true(b.lines[LINE]);
    assert_int_equal(b.not_modelled, 0);
    board_write(&b, 0x00, 1); /* a transfer */
    assert_int_equal(b.not_modelled, 1);
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

/* The registers, bits and steps of Linux' drivers/usb/dwc2: core reset, port power, a channel. */
enum {
    GAHBCFG = 0x008,
    GUSBCFG = 0x00c,
    GRSTCTL = 0x010,
    GINTSTS = 0x014,
    GINTMSK = 0x018,
    GHWCFG2 = 0x048,
    HAINT = 0x414,
    HAINTMSK = 0x418,
    HPRT = 0x440,
    HCCHAR2 = 0x540,
    HCINT2 = 0x548,
    HCINTMSK2 = 0x54c,
};

TEST(usb_core_resets)
{
    struct board b;
    board_open(&b, &usb);
    assert_int_equal(board_read(&b, 0x40), 0x4f54280a);       /* GSNPSID */
    assert_int_equal(board_read(&b, GHWCFG2) >> 14 & 0xf, 7); /* eight channels */
    board_write(&b, GUSBCFG, 0x2400);
    board_write(&b, HPRT, 0x1000);
    board_write(&b, GRSTCTL, 1);
    assert_int_equal(board_read(&b, GRSTCTL), 0x80000000); /* idle, and the reset has ended */
    assert_int_equal(board_read(&b, GUSBCFG), 0x1400);
    assert_int_equal(board_read(&b, HPRT), 0);
    board_write(&b, GRSTCTL, 0x10 << 6 | 1 << 5); /* flushes all FIFOs for sending */
    assert_int_equal(board_read(&b, GRSTCTL), 0x80000400);
    assert_int_equal(board_read(&b, GINTSTS) & 1, 1); /* host mode */
    board_write(&b, GUSBCFG, 1 << 30);
    assert_int_equal(board_read(&b, GINTSTS) & 1, 0);
    assert_int_equal(b.finding_count, 0);
}

TEST(usb_port_is_empty)
{
    struct board b;
    board_open(&b, &usb);
    assert_int_equal(board_read(&b, HPRT), 0);
    assert_int_equal(b.finding_count, 0);
    board_write(&b, HPRT, 0x1000);
    assert_int_equal(board_read(&b, HPRT), 0x1000); /* power, and no connection */
    board_write(&b, HPRT, 0x1100);
    assert_int_equal(board_read(&b, HPRT), 0x1100); /* reset; the port is not enabled */
    assert_int_equal(b.finding_count, 1);
    assert_int_equal(b.finding, PI_USB_EMPTY);
    assert_int_equal(b.finding_offset, 0x980440);
}

TEST(usb_transfers_end_with_an_error)
{
    struct board b;
    board_open(&b, &usb);
    board_write(&b, GAHBCFG, 1);
    board_write(&b, GINTMSK, 1 << 25);
    board_write(&b, HAINTMSK, 1 << 2);
    board_write(&b, HCINTMSK2, 1 << 1);
    board_write(&b, HCCHAR2, 0x80000040);
    assert_true(b.lines[LINE_USB]);
    assert_int_equal(board_read(&b, HCCHAR2), 0x40);
    assert_int_equal(board_read(&b, HCINT2), 0x82); /* halted, transaction error */
    assert_int_equal(board_read(&b, HAINT), 1 << 2);
    assert_int_equal(board_read(&b, GINTSTS) >> 25 & 1, 1);
    board_write(&b, HCINT2, 0x82);
    assert_false(b.lines[LINE_USB]);
    board_write(&b, HCCHAR2, 0xc0000000); /* disabled */
    assert_int_equal(board_read(&b, HCINT2), 0x02);
    assert_true(b.lines[LINE_USB]);
    board_write(&b, GAHBCFG, 0);
    assert_false(b.lines[LINE_USB]);
    assert_int_equal(b.finding_count, 1);
}
