/* SPDX-License-Identifier: MIT */
/* uart.h - the UART that is ARM's PL011. */
#ifndef BOARD_BCM2835_UART_H
#define BOARD_BCM2835_UART_H

#include "board/bcm2835/serial.h"

struct uart {
    struct serial serial;
    uint32_t integer, fraction; /* baud-rate divisors as written */
    uint32_t divisor;           /* the divisor in use, in 64ths */
    uint32_t line_control, control, levels, mask, raw, dma;
    uint32_t overrun;      /* 1 if a received byte was lost since the last byte in the FIFO */
    uint32_t status;       /* the register RSRECR */
    uint32_t pins_checked; /* 1 if the function of the pins has been checked */
    uint32_t baud_checked; /* the divisor whose baud rate has been checked */
    uint64_t timeout_at;   /* time of the receive timeout, or DEVICE_NEVER */
};

extern const struct device uart;

/* Returns the number of bytes that the UART can take from outside now. It is 0 while the receiver
 * is off, since these bytes would be lost. */
unsigned uart_room(const struct uart *s);

#endif
