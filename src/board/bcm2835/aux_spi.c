/* SPDX-License-Identifier: MIT */
/* aux_spi.c - SPI1 and SPI2. No device is connected to them.
 *
 * In:  register accesses.
 * Out: register values; the level of the interrupt.
 *
 * Source: "BCM2835 ARM Peripherals", section 2.3; Linux' spi-bcm2835aux.c.
 * Modelled: transfers with their status bits. Each transfer receives zeros.
 * Left out: the time of transfers, and their bits on pins.
 * Choices: a transfer ends at once. The line MISO is 0. */
#include "board/bcm2835/aux_spi.h"

enum {
    CONTROL_0 = 0x00,
    CONTROL_1 = 0x04,
    STATUS = 0x08,
    PEEK = 0x0c,
    IO = 0x20,
    HOLD = 0x30,
    END = 0x40,

    CONTROL_0_ENABLE = 1 << 11,
    CONTROL_0_CLEAR = 1 << 9,
    CONTROL_1_DONE = 1 << 6,  /* interrupt when the SPI is idle */
    CONTROL_1_EMPTY = 1 << 7, /* interrupt when the transmit FIFO is empty */
    STATUS_RECEIVE_EMPTY = 1 << 7,
    STATUS_RECEIVE_FULL = 1 << 8,
    STATUS_SEND_EMPTY = 1 << 9,
    STATUS_RECEIVED = 16, /* lowest bit of the number of received words */
};

bool aux_spi_read(struct aux_spi *s, uint32_t offset, uint32_t *value)
{
    *value = 0;
    if (offset == CONTROL_0 || offset == CONTROL_1)
        *value = s->control[offset / 4];
    else if (offset == STATUS)
        *value = STATUS_SEND_EMPTY | s->received << STATUS_RECEIVED |
                 (s->received == 0 ? STATUS_RECEIVE_EMPTY : 0) |
                 (s->received == AUX_SPI_FIFO ? STATUS_RECEIVE_FULL : 0);
    else if (offset >= IO && offset < END)
        s->received -= s->received > 0;
    else
        return offset == PEEK;
    return true;
}

bool aux_spi_write(struct aux_spi *s, uint32_t offset, uint32_t value)
{
    if (offset == CONTROL_0 || offset == CONTROL_1) {
        s->control[offset / 4] = value;
        if (s->control[0] & CONTROL_0_CLEAR)
            s->received = 0;
    } else if (offset >= IO && offset < END) {
        if (s->control[0] & CONTROL_0_ENABLE && s->received < AUX_SPI_FIFO)
            s->received++;
    } else {
        return offset == STATUS || offset == PEEK; /* read-only */
    }
    return true;
}

bool aux_spi_interrupt(const struct aux_spi *s)
{
    return s->control[0] & CONTROL_0_ENABLE && s->control[1] & (CONTROL_1_DONE | CONTROL_1_EMPTY);
}
