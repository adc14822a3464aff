/* SPDX-License-Identifier: MIT */
/* spi.h - the SPI master SPI0. */
#ifndef BOARD_BCM2835_SPI_H
#define BOARD_BCM2835_SPI_H

#include "board/bcm2835/device.h"

enum { SPI_FIFO = 64 };

struct spi {
    uint32_t control, divider, length, hold, dma;
    uint32_t to_send, received; /* bytes in the FIFOs; all received bytes are 0 */
    uint32_t rest;              /* DMA mode: bytes of the transfer that have not been sent */
    uint32_t requested_out, requested_in; /* levels of the requests to the DMA controller */
    uint64_t sent_at; /* time at which the present byte is sent, or DEVICE_NEVER */
};

extern const struct device spi;

#endif
