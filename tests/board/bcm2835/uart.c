/* SPDX-License-Identifier: MIT */
/* uart.c - tests the PL011 by its manual. Most tests send at 1 MBaud: 48 MHz / (16 * 3), so that a
 * byte of 10 bits takes 10 microseconds. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/uart.h"

enum {
    DR = 0x00,
    RSR = 0x04,
    FR = 0x18,
    IBRD = 0x24,
    FBRD = 0x28,
    LCRH = 0x2c,
    CR = 0x30,
    IFLS = 0x34,
    IMSC = 0x38,
    RIS = 0x3c,
    MIS = 0x40,
    ICR = 0x44,
    DMACR = 0x48,
    BITS_8 = 0x60,
    FIFO = 0x10,
    ON = 0x301,
    BYTE = 10000, /* nanoseconds */
    BUSY = 8,
    RXFE = 0x10,
    TXFF = 0x20,
    RXFF = 0x40,
    TXFE = 0x80,
    RX = 0x10,
    TX = 0x20,
    RT = 0x40,
    OE = 0x400,
};

#define FUNCTIONS UINT32_C(0x7e200004) /* the register GPFSEL1 */

static void open_at(struct board *b, uint32_t integer, uint32_t fraction, uint32_t line)
{
    board_open(b, &uart);
    board_set_register(b, FUNCTIONS, 4 << 12 | 4 << 15);
    board_write(b, IBRD, integer);
    board_write(b, FBRD, fraction);
    board_write(b, LCRH, line);
    board_write(b, CR, ON);
}

static void open_uart(struct board *b, uint32_t line)
{
    open_at(b, 3, 0, line);
}

TEST(values_after_power_on)
{
    struct board b;
    board_open(&b, &uart);
    assert_int_equal(board_read(&b, FR) & ~1u, RXFE | TXFE);
    assert_int_equal(board_read(&b, CR), 0x300);
    assert_int_equal(board_read(&b, IFLS), 0x12);
    assert_int_equal(board_read(&b, 0xfe0), 0x11);
    assert_int_equal(board_read(&b, 0xfe8), 0x24);
    assert_int_equal(board_read(&b, 0xffc), 0xb1);
}

TEST(bytes_take_their_time)
{
    struct board b;
    open_uart(&b, BITS_8 | FIFO);
    board_write(&b, DR, 'A');
    board_write(&b, DR, 'B');
    assert_int_equal(board_read(&b, FR) & (BUSY | TXFE), BUSY);
    board_wait(&b, BYTE - 1);
    assert_int_equal(b.output_count, 0);
    board_wait(&b, 1);
    assert_int_equal(b.output_count, 1);
    assert_int_equal(board_read(&b, FR) & (BUSY | TXFE), BUSY | TXFE);
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, FR) & (BUSY | TXFE), TXFE);
    assert_int_equal(b.output_count, 2);
    assert_int_equal(b.outputs[0].value, 'A');
    assert_int_equal(b.outputs[1].value, 'B');
    assert_int_equal(b.outputs[1].time, 2 * BYTE);
    assert_int_equal(b.finding_count, 0);
}

TEST(baud_rates_and_formats)
{
    struct board b;
    /* 48 MHz / (16 * (26 + 3 / 64)) is 115177 baud: 10 bits take 86823 ns. */
    open_at(&b, 26, 3, BITS_8 | FIFO);
    board_write(&b, DR, 'A');
    board_wait(&b, DEVICE_SECOND);
    assert_in_range(b.outputs[0].time, 86822, 86824);
    /* 7 bits, parity and two stop bits are 11 bits with the start bit. */
    open_at(&b, 3, 0, 0x40 | 2 | 8);
    board_write(&b, DR, 0xff);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(b.outputs[0].time, 11000);
    assert_int_equal(b.outputs[0].value, 0x7f);
}

TEST(divisors_wait_for_lcrh)
{
    struct board b;
    open_uart(&b, BITS_8);
    board_write(&b, IBRD, 30);
    board_write(&b, DR, 'A');
    board_wait(&b, BYTE);
    assert_int_equal(b.output_count, 1);
    board_write(&b, LCRH, BITS_8);
    board_write(&b, DR, 'A');
    board_wait(&b, BYTE);
    assert_int_equal(b.output_count, 1);
    board_wait(&b, 9 * BYTE);
    assert_int_equal(b.output_count, 2);
}

TEST(the_fifo_fills)
{
    struct board b;
    open_uart(&b, BITS_8 | FIFO);
    for (unsigned i = 0; i < 16; i++)
        board_write(&b, DR, i);
    assert_int_equal(board_read(&b, FR) & TXFF, 0); /* one byte is in the transmitter */
    board_write(&b, DR, 16);
    assert_int_equal(board_read(&b, FR) & TXFF, TXFF);
    assert_int_equal(b.finding_count, 0);
    board_write(&b, DR, 17);
    assert_int_equal(b.finding, PI_UART_FULL);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(b.output_count, 17);
    assert_int_equal(b.outputs[16].value, 16);
}

TEST(the_transmit_interrupt_is_a_transition)
{
    struct board b;
    open_uart(&b, BITS_8 | FIFO);
    board_write(&b, IMSC, TX);
    board_write(&b, DR, 'A'); /* never above the level of 8 bytes */
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, RIS), 0);
    for (unsigned i = 0; i < 10; i++)
        board_write(&b, DR, i);
    board_wait(&b, BYTE - 1);
    assert_false(b.lines[LINE_UART]); /* 9 bytes are in the FIFO */
    board_wait(&b, 1);
    assert_true(b.lines[LINE_UART]); /* 8 bytes */
    assert_int_equal(board_read(&b, MIS), TX);
    board_write(&b, ICR, TX);
    assert_false(b.lines[LINE_UART]);
    board_wait(&b, DEVICE_SECOND);
    assert_false(b.lines[LINE_UART]);
}

TEST(the_transmit_interrupt_without_fifos)
{
    struct board b;
    open_uart(&b, BITS_8);
    board_write(&b, IMSC, TX);
    board_write(&b, DR, 'A'); /* moves to the transmitter, so the holding register is empty */
    assert_true(b.lines[LINE_UART]);
    board_write(&b, DR, 'B');
    assert_false(b.lines[LINE_UART]);
    board_wait(&b, BYTE);
    assert_true(b.lines[LINE_UART]);
}

TEST(received_bytes_arrive_one_by_one)
{
    struct board b;
    open_uart(&b, BITS_8 | FIFO);
    board_write(&b, IMSC, RX);
    board_write(&b, IFLS, 0); /* a level of 2 bytes */
    board_input(&b, INPUT_UART, 'x');
    board_input(&b, INPUT_UART, 'y');
    assert_int_equal(board_read(&b, FR) & RXFE, RXFE);
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, FR) & RXFE, 0);
    assert_false(b.lines[LINE_UART]);
    board_wait(&b, BYTE);
    assert_true(b.lines[LINE_UART]);
    assert_int_equal(board_read(&b, DR), 'x');
    assert_false(b.lines[LINE_UART]);
    assert_int_equal(board_read(&b, DR), 'y');
    assert_int_equal(board_read(&b, FR) & RXFE, RXFE);
}

TEST(receive_timeout)
{
    struct board b;
    open_uart(&b, BITS_8 | FIFO);
    board_write(&b, IMSC, RT);
    board_input(&b, INPUT_UART, 'x');
    board_wait(&b, BYTE + 31999); /* 32 bits after the byte */
    assert_false(b.lines[LINE_UART]);
    board_wait(&b, 1);
    assert_true(b.lines[LINE_UART]);
    assert_int_equal(board_read(&b, DR), 'x');
    assert_false(b.lines[LINE_UART]);
}

TEST(overrun)
{
    struct board b;
    open_uart(&b, BITS_8 | FIFO);
    for (unsigned i = 0; i < 17; i++)
        board_input(&b, INPUT_UART, i);
    board_wait(&b, 16 * BYTE);
    assert_int_equal(board_read(&b, FR) & RXFF, RXFF);
    assert_int_equal(board_read(&b, RIS) & OE, 0);
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, RIS) & OE, OE);
    assert_int_equal(board_read(&b, RSR), 8);
    board_write(&b, RSR, 0);
    assert_int_equal(board_read(&b, RSR), 0);
    assert_int_equal(b.finding_count, 0);
    assert_int_equal(board_read(&b, DR), 0);
    assert_int_equal(b.finding, PI_UART_LOST);
    assert_string_equal(b.text, "the UART has lost 1 received byte, because its FIFO was full");
    board_input(&b, INPUT_UART, 0x55);
    board_wait(&b, BYTE);
    for (unsigned i = 1; i < 16; i++)
        assert_int_equal(board_read(&b, DR), i);
    assert_int_equal(board_read(&b, DR), 0x855); /* bytes before this one were lost */
    assert_int_equal(b.finding_count, 1);
}

TEST(loopback)
{
    struct board b;
    open_uart(&b, BITS_8 | FIFO);
    board_write(&b, CR, ON | 0x80);
    board_write(&b, DR, 'z');
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, DR), 'z');
    assert_int_equal(b.output_count, 0);
}

TEST(dma_requests)
{
    struct board b;
    open_uart(&b, BITS_8);
    assert_false(b.requests[REQUEST_UART_TX]);
    board_write(&b, DMACR, 3);
    assert_true(b.requests[REQUEST_UART_TX]);
    board_write(&b, DR, 1);
    board_write(&b, DR, 2);
    assert_false(b.requests[REQUEST_UART_TX]);
    board_wait(&b, BYTE);
    assert_true(b.requests[REQUEST_UART_TX]);
    board_input(&b, INPUT_UART, 3);
    board_wait(&b, BYTE);
    assert_true(b.requests[REQUEST_UART_RX]);
    board_read(&b, DR);
    assert_false(b.requests[REQUEST_UART_RX]);
}

TEST(mistakes)
{
    struct board b;
    board_open(&b, &uart);
    board_set_register(&b, FUNCTIONS, 4 << 12);
    board_write(&b, DR, 'A');
    assert_int_equal(b.finding, PI_UART_OFF);
    board_write(&b, CR, ON);
    assert_int_equal(uart_room((const void *)b.state), 0);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(b.output_count, 0); /* no baud rate */
    board_write(&b, IBRD, 3);
    board_write(&b, LCRH, BITS_8);
    assert_int_equal(uart_room((const void *)b.state), SERIAL_LINE);
    board_set_register(&b, FUNCTIONS, 2 << 12);
    assert_int_equal(b.finding_count, 1);
}

TEST(rates_that_terminals_do_not_use)
{
    struct board b;
    open_at(&b, 1, 40, BITS_8 | FIFO); /* 1.625: 115,384 baud for a clock of 3 MHz */
    board_write(&b, DR, 'A');
    assert_int_equal(b.finding, PI_UART_BAUD);
    assert_string_equal(b.text, "the UART sends at 1846153 baud, from a clock of 48000000 Hz");
    board_write(&b, DR, 'A');
    assert_int_equal(b.finding_count, 1);
    open_at(&b, 26, 0, BITS_8 | FIFO); /* 115,384 baud */
    board_write(&b, DR, 'A');
    assert_int_equal(b.finding_count, 0);
}

TEST(function_of_the_pins)
{
    struct board b;
    open_uart(&b, BITS_8);
    board_set_register(&b, FUNCTIONS, 2 << 12); /* the mini UART's */
    board_write(&b, DR, 'A');
    assert_int_equal(b.finding, PI_UART_PINS);
    board_write(&b, DR, 'A');
    assert_int_equal(b.finding_count, 1);
    open_uart(&b, BITS_8);
    board_set_register(&b, FUNCTIONS, 0);
    board_set_register(&b, 0x7e20000c, 7 << 6); /* pin 32: ALT3 */
    board_write(&b, DR, 'A');
    assert_int_equal(b.finding_count, 0);
}
