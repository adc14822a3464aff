/* SPDX-License-Identifier: MIT */
/* uart.c - the PL011 of the BCM2835 ("BCM2835 ARM Peripherals", sections 6 and 13). */
#include "uart.h"

#include "board.h"

#define GPFSEL1   PERIPHERAL(0x200004)
#define GPPUD     PERIPHERAL(0x200094)
#define GPPUDCLK0 PERIPHERAL(0x200098)

#define UART_DR   PERIPHERAL(0x201000)
#define UART_FR   PERIPHERAL(0x201018)
#define UART_IBRD PERIPHERAL(0x201024)
#define UART_FBRD PERIPHERAL(0x201028)
#define UART_LCRH PERIPHERAL(0x20102c)
#define UART_CR   PERIPHERAL(0x201030)
#define UART_ICR  PERIPHERAL(0x201044)

enum { FR_TXFF = 1 << 5 };

static void wait(uint32_t cycles)
{
    while (cycles--)
        asm volatile("");
}

void uart_start(void)
{
    UART_CR = 0;
    /* Pins 14 and 15 have function 0 (binary 100), without pull-up or pull-down. */
    GPFSEL1 = (GPFSEL1 & ~(077u << 12)) | 044u << 12;
    GPPUD = 0;
    wait(150);
    GPPUDCLK0 = 3 << 14;
    wait(150);
    GPPUDCLK0 = 0;

    UART_ICR = 0x7ff;
    UART_IBRD = 26; /* 48 MHz / (16 * 115200) = 26 + 3/64 */
    UART_FBRD = 3;
    UART_LCRH = 7 << 4; /* 8 bits, FIFOs */
    UART_CR = 0x301;    /* on, in both directions */
}

static void send(char c)
{
    while (UART_FR & FR_TXFF)
        ;
    UART_DR = (uint8_t)c;
}

void uart_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            send('\r');
        send(*text);
    }
}

void uart_number(uint32_t number)
{
    if (number >= 10)
        uart_number(number / 10);
    send((char)('0' + number % 10));
}

void uart_hex(uint32_t number)
{
    uart_text("0x");
    for (int shift = 28; shift >= 0; shift -= 4)
        send("0123456789abcdef"[number >> shift & 15]);
}

/* Called by start.S for each exception that is not an interrupt. */
void report_exception(uint32_t address)
{
    uart_text("exception near ");
    uart_hex(address);
    uart_text("\n");
}
