/* SPDX-License-Identifier: MIT */
/* aux_spi.h - SPI1 and SPI2, the SPI masters of the auxiliary peripherals. */
#ifndef BOARD_BCM2835_AUX_SPI_H
#define BOARD_BCM2835_AUX_SPI_H

#include "board/bcm2835/device.h"

enum { AUX_SPI_FIFO = 4 };

struct aux_spi {
    uint32_t control[2];
    uint32_t received; /* words in the receive FIFO, which are all 0 */
};

/* Read and write a register. offset is in bytes from the SPI's first register. Return false if
 * there is no such register. */
bool aux_spi_read(struct aux_spi *s, uint32_t offset, uint32_t *value);
bool aux_spi_write(struct aux_spi *s, uint32_t offset, uint32_t value);

/* Returns the level of the interrupt. */
bool aux_spi_interrupt(const struct aux_spi *s);

#endif
