/* SPDX-License-Identifier: MIT */
/* spi.c - tests SPI0 by "BCM2835 ARM Peripherals", chapter 10. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/spi.h"

enum {
    CS = 0x00,
    FIFO = 0x04,
    CLK = 0x08,
    TA = 1 << 7,
    DONE = 1 << 16,
    RXD = 1 << 17,
    TXD = 1 << 18,
    RXR = 1 << 19,
    RXF = 1 << 20,
    BYTE = 8000, /* nanoseconds: 250 MHz / 250 */
};

TEST(values_after_power_on)
{
    struct board b;
    board_open(&b, &spi);
    assert_int_equal(board_read(&b, CS), 0x00041000);
    assert_int_equal(board_read(&b, 0x10), 1);
}

/* The steps of section 10.6.1, "Polled". */
TEST(polled)
{
    struct board b;
    board_open(&b, &spi);
    board_write(&b, CLK, 250);
    board_write(&b, CS, TA | 3 << 4);
    board_write(&b, FIFO, 0x9f);
    board_write(&b, FIFO, 0);
    assert_int_equal(board_read(&b, CS) & (DONE | RXD | TXD), TXD);
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, CS) & (DONE | RXD), RXD);
    board_wait(&b, BYTE - 1);
    assert_int_equal(board_read(&b, CS) & DONE, 0);
    board_wait(&b, 1);
    assert_int_equal(board_read(&b, CS) & DONE, DONE);
    assert_int_equal(board_read(&b, FIFO), 0);
    assert_int_equal(board_read(&b, FIFO), 0);
    assert_int_equal(board_read(&b, CS) & RXD, 0);
    board_write(&b, CS, 0);
    assert_int_equal(board_read(&b, CS) & DONE, 0);
}

TEST(a_full_receive_fifo_stops_the_clock)
{
    struct board b;
    board_open(&b, &spi);
    board_write(&b, CLK, 250);
    board_write(&b, CS, TA | 1 << 9 | 1 << 10);
    assert_true(b.lines[LINE_SPI]); /* DONE */
    for (unsigned i = 0; i < 64; i++)
        board_write(&b, FIFO, i);
    assert_false(b.lines[LINE_SPI]);
    board_wait(&b, 48 * BYTE);
    assert_int_equal(board_read(&b, CS) & (RXR | RXF), RXR);
    assert_true(b.lines[LINE_SPI]);
    board_write(&b, FIFO, 64);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(board_read(&b, CS) & (RXF | DONE), RXF);
    board_read(&b, FIFO);
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, CS) & (RXF | DONE), RXF | DONE);
}

TEST(modes_that_are_not_modelled)
{
    struct board b;
    board_open(&b, &spi);
    board_write(&b, CS, TA | 1 << 8);
    assert_int_equal(b.not_modelled, 1);
}
