/* SPDX-License-Identifier: MIT */
/* auxiliary.c - tests the mini UART and SPI1 by "BCM2835 ARM Peripherals", chapter 2, and its
 * errata. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/auxiliary.h"

enum {
    IRQ = 0x00,
    ENABLES = 0x04,
    IO = 0x40,
    IER = 0x44,
    IIR = 0x48,
    LCR = 0x4c,
    LSR = 0x54,
    CNTL = 0x60,
    STAT = 0x64,
    BAUD = 0x68,
    SPI1 = 0x80,
    BYTE = 86720, /* nanoseconds: 250 MHz / (8 * 271) is 115313 baud, 10 bits */
};

#define FUNCTIONS UINT32_C(0x7e200004) /* the register GPFSEL1 */

/* Sets the mini UART up as most kernels do. */
static void open_uart(struct board *b)
{
    board_open(b, &aux);
    board_set_register(b, FUNCTIONS, 2 << 12 | 2 << 15);
    board_write(b, ENABLES, 1);
    board_write(b, LCR, 3);
    board_write(b, BAUD, 270);
    board_write(b, CNTL, 3);
}

/* LdB-ECM/Raspberry-Pi, GLES2_Rotate/SmartStart32.S. */
TEST(identification)
{
    struct board b;
    board_open(&b, &aux);
    assert_int_equal(board_read(&b, 0x10), 0x61757830);
    assert_int_equal(b.not_modelled, 0);
}

TEST(registers_need_the_enable)
{
    struct board b;
    board_open(&b, &aux);
    board_write(&b, BAUD, 270);
    assert_int_equal(b.finding, PI_AUX_OFF);
    assert_int_equal(b.finding_offset, 0x215068);
    board_write(&b, ENABLES, 1);
    assert_int_equal(board_read(&b, BAUD), 0);
    assert_int_equal(board_read(&b, CNTL), 3);
    assert_int_equal(board_read(&b, IIR), 0xc1);
    assert_int_equal(board_read(&b, LSR), 0x60);
    assert_int_equal(b.finding_count, 1);
}

TEST(bytes_take_their_time)
{
    struct board b;
    open_uart(&b);
    board_write(&b, IO, 'A');
    assert_int_equal(board_read(&b, LSR), 0x20);
    board_wait(&b, BYTE - 1);
    assert_int_equal(b.output_count, 0);
    board_wait(&b, 1);
    assert_int_equal(b.output_count, 1);
    assert_int_equal(b.outputs[0].output, OUTPUT_MINI_UART);
    assert_int_equal(b.outputs[0].value, 'A');
    assert_int_equal(board_read(&b, LSR), 0x60);
    assert_int_equal(b.finding_count, 0);
}

TEST(the_fifo_has_8_bytes)
{
    struct board b;
    open_uart(&b);
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(board_read(&b, LSR) & 0x20, 0x20);
        board_write(&b, IO, i);
    }
    assert_int_equal(board_read(&b, LSR) & 0x20, 0);
    assert_int_equal(board_read(&b, STAT), 8u << 24 | 1 << 7 | 1 << 5 | 1 << 2);
    board_write(&b, IO, 9);
    assert_int_equal(b.finding, PI_UART_FULL);
    board_write(&b, IIR, 4); /* clears the transmit FIFO */
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(b.output_count, 1);
}

TEST(interrupts)
{
    struct board b;
    open_uart(&b);
    board_write(&b, IER, 1); /* the receiver's, by the errata */
    assert_false(b.lines[LINE_AUX]);
    board_input(&b, INPUT_MINI_UART, 'x');
    board_wait(&b, BYTE);
    assert_true(b.lines[LINE_AUX]);
    assert_int_equal(board_read(&b, IRQ), 1);
    assert_int_equal(board_read(&b, IIR), 0xc4);
    assert_int_equal(board_read(&b, LSR) & 1, 1);
    assert_int_equal(board_read(&b, IO), 'x');
    assert_false(b.lines[LINE_AUX]);
    board_write(&b, IER, 2); /* the transmitter's: its FIFO is empty */
    assert_true(b.lines[LINE_AUX]);
    assert_int_equal(board_read(&b, IIR), 0xc2);
    board_write(&b, IO, 1);
    board_write(&b, IO, 2);
    assert_false(b.lines[LINE_AUX]);
    board_wait(&b, BYTE);
    assert_true(b.lines[LINE_AUX]);
}

TEST(baud_rate_by_the_divisor_latch)
{
    struct board b;
    open_uart(&b);
    board_write(&b, LCR, 0x83);
    board_write(&b, IO, 0x34);
    board_write(&b, IER, 0x12);
    board_write(&b, LCR, 3);
    assert_int_equal(board_read(&b, BAUD), 0x1234);
    assert_int_equal(board_read(&b, IER), 0);
}

TEST(overrun)
{
    struct board b;
    open_uart(&b);
    for (unsigned i = 0; i < 9; i++)
        board_input(&b, INPUT_MINI_UART, i);
    board_wait(&b, 8 * BYTE);
    assert_int_equal(board_read(&b, LSR) & 2, 0);
    board_wait(&b, BYTE);
    assert_int_equal(board_read(&b, LSR) & 2, 2);
    assert_int_equal(board_read(&b, LSR) & 2, 0); /* the read cleared it */
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(board_read(&b, IO), i);
    assert_int_equal(b.finding_count, 1);
    assert_int_equal(b.finding, PI_UART_LOST);
}

TEST(mistakes)
{
    struct board b;
    open_uart(&b);
    board_write(&b, BAUD, 0);
    board_write(&b, IO, 'A');
    assert_int_equal(b.finding, PI_UART_BAUD);
    open_uart(&b);
    board_write(&b, LCR, 1);
    board_write(&b, IO, 0xc1);
    assert_int_equal(b.finding, PI_MINI_UART_BITS);
    board_wait(&b, DEVICE_SECOND);
    assert_int_equal(b.outputs[0].value, 0x41);
    open_uart(&b);
    board_set_register(&b, FUNCTIONS, 4 << 12);
    board_write(&b, IO, 'A');
    assert_int_equal(b.finding, PI_UART_PINS);
}

TEST(spi_receives_zeros)
{
    struct board b;
    board_open(&b, &aux);
    board_write(&b, ENABLES, 2);
    board_write(&b, SPI1, 1 << 11);
    assert_int_equal(board_read(&b, SPI1 + 8), 0x280); /* both FIFOs are empty */
    board_write(&b, SPI1 + 0x20, 0xff);
    assert_int_equal(board_read(&b, SPI1 + 8), 0x10200);
    assert_int_equal(board_read(&b, SPI1 + 0x20), 0);
    assert_int_equal(board_read(&b, SPI1 + 8), 0x280);
    board_write(&b, SPI1 + 4, 1 << 6);
    assert_true(b.lines[LINE_AUX]);
    assert_int_equal(board_read(&b, IRQ), 2);
    board_write(&b, ENABLES, 0);
    assert_false(b.lines[LINE_AUX]);
}

/* leiradel/barebones-rpi, barebones05/memio.c finds the peripheral base by this value. */
TEST(name)
{
    struct board b;
    board_open(&b, &aux);
    assert_int_equal(board_read(&b, 0x10), 0x61757830); /* "aux0" */
}
