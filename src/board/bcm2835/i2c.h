/* SPDX-License-Identifier: MIT */
/* i2c.h - the three I2C masters (BSC). */
#ifndef BOARD_BCM2835_I2C_H
#define BOARD_BCM2835_I2C_H

#include "board/bcm2835/device.h"

enum { I2C_FIFO = 16 };

struct i2c {
    uint32_t control, status, length, address, divider, delay, stretch;
    uint32_t to_send; /* bytes in the FIFO */
    uint32_t level;   /* of the interrupt */
    uint64_t ends_at; /* end of the transfer, or DEVICE_NEVER */
};

/* The masters at 0x205000, 0x804000 and 0x805000. Each has a struct i2c of its own. */
extern const struct device i2c0, i2c1, i2c2;

#endif
