/* SPDX-License-Identifier: MIT */
/* uart.h - text on the serial line: 115200 baud on pins 14 and 15. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

/* Sets up the PL011. Must be called before the other functions. */
void uart_start(void);

void uart_text(const char *text);
void uart_number(uint32_t number);
void uart_hex(uint32_t number);

#endif
