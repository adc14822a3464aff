/* SPDX-License-Identifier: MIT */
/* auxiliary.h - the auxiliary peripherals: the mini UART, SPI1 and SPI2. */
#ifndef BOARD_BCM2835_AUXILIARY_H
#define BOARD_BCM2835_AUXILIARY_H

#include "board/bcm2835/aux_spi.h"
#include "board/bcm2835/serial.h"

struct aux {
    struct serial serial;
    uint32_t enables;
    uint32_t interrupts, line_control, modem_control, scratch, control, baud;
    uint32_t overrun; /* 1 if a received byte was lost since the last read of the line status */
    uint32_t pins_checked; /* 1 if the function of the pins has been checked */
    uint32_t bits_checked; /* 1 if the number of bits has been checked */
    uint32_t baud_checked; /* the value of AUX_MU_BAUD + 1 that has been checked */
    struct aux_spi spi[2];
};

extern const struct device aux;

/* Returns the number of bytes that the mini UART can take from outside now. It is 0 while the
 * receiver is off, since these bytes would be lost. */
unsigned aux_room(const struct aux *s);

#endif
