/* SPDX-License-Identifier: MIT */
/* spi.c - tests SPI0 by "BCM2835 ARM Peripherals", chapter 10. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/spi.h"

enum {
    CS = 0x00,
    FIFO = 0x04,
    CLK = 0x08,
    DLEN = 0x0c,
    DC = 0x14,
    TA = 1 << 7,
    DMAEN = 1 << 8,
    ADCS = 1 << 11,
    LEN = 1 << 13,
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
    assert_int_equal(board_read(&b, DC), 0x30201020);
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

/* A transfer of DLEN bytes, as Linux and circle start it: 58 bytes are 15 words. The FIFO for
 * output is filled while it has at most 32 bytes (TDREQ), the other is read from 33 bytes on
 * (RDREQ). */
TEST(dma_mode)
{
    struct board b;
    board_open(&b, &spi);
    board_write(&b, CLK, 250);
    board_write(&b, DLEN, 58);
    board_write(&b, CS, TA | DMAEN | 3 << 4);
    assert_true(b.requests[REQUEST_SPI_TX]);
    assert_false(b.requests[REQUEST_SPI_RX]);
    board_write(&b, FIFO, 0);
    for (unsigned words = 1; words < 9; words++) {
        assert_true(b.requests[REQUEST_SPI_TX]);
        board_write(&b, FIFO, 0);
    }
    assert_false(b.requests[REQUEST_SPI_TX]); /* the first of 36 bytes is being sent: 35 are left */
    board_wait(&b, 32 * BYTE);
    assert_false(b.requests[REQUEST_SPI_RX]);
    board_wait(&b, BYTE);
    assert_true(b.requests[REQUEST_SPI_RX]);
    assert_int_equal(board_read(&b, FIFO), 0);
    assert_false(b.requests[REQUEST_SPI_RX]);
    for (unsigned words = 9; words < 15; words++)
        board_write(&b, FIFO, 0);
    assert_false(b.requests[REQUEST_SPI_TX]); /* all 58 bytes are written */
    board_wait(&b, 25 * BYTE - 1);
    assert_int_equal(board_read(&b, CS) & DONE, 0);
    board_wait(&b, 1);
    assert_int_equal(board_read(&b, CS) & DONE, DONE);
    for (unsigned words = 1; words < 15; words++) { /* 54 bytes: 14 words */
        assert_true(b.requests[REQUEST_SPI_RX]);
        board_read(&b, FIFO);
    }
    assert_false(b.requests[REQUEST_SPI_RX]);
    assert_int_equal(b.not_modelled, 0);
}

/* Section 10.6.3: while TA is 0, the first word has the length and the bits 7:0 of CS. */
TEST(headers_of_dma_mode)
{
    struct board b;
    board_open(&b, &spi);
    board_write(&b, CLK, 250);
    board_write(&b, CS, DMAEN | ADCS);
    assert_true(b.requests[REQUEST_SPI_TX]);
    board_write(&b, FIFO, 3 << 16 | TA | 1);
    assert_int_equal(board_read(&b, DLEN), 3);
    assert_int_equal(board_read(&b, CS) & 0xfff, TA | DMAEN | ADCS | 1);
    board_write(&b, FIFO, 0xaabbccdd);
    assert_false(b.requests[REQUEST_SPI_TX]);
    board_wait(&b, 3 * BYTE - 1);
    assert_int_equal(board_read(&b, CS) & TA, TA);
    board_wait(&b, 1);
    assert_int_equal(board_read(&b, CS) & TA, 0);
    assert_true(b.requests[REQUEST_SPI_RX]);
    board_read(&b, FIFO);
    assert_false(b.requests[REQUEST_SPI_RX]);
    assert_true(b.requests[REQUEST_SPI_TX]); /* the next header */
    board_write(&b, CS, 0);
    assert_false(b.requests[REQUEST_SPI_TX]);
}

TEST(modes_that_are_not_modelled)
{
    struct board b;
    board_open(&b, &spi);
    board_write(&b, CS, TA | LEN);
    assert_int_equal(b.not_modelled, 1);
}
