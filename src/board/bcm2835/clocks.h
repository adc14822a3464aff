/* SPDX-License-Identifier: MIT */
/* clocks.h - the clock manager. */
#ifndef BOARD_BCM2835_CLOCKS_H
#define BOARD_BCM2835_CLOCKS_H

#include "board/bcm2835/device.h"

enum { CLOCKS_REGISTERS = 0x2000 / 4 };

/* Offsets of the control registers of some clock generators. */
enum clocks_generator {
    CLOCKS_GP0 = 0x070,
    CLOCKS_GP1 = 0x078,
    CLOCKS_GP2 = 0x080,
    CLOCKS_PCM = 0x098,
    CLOCKS_PWM = 0x0a0,
    CLOCKS_UART = 0x0f0,
};

struct clocks {
    uint32_t registers[CLOCKS_REGISTERS];
};

extern const struct device clocks;

/* Returns the rate in Hz that the values of a generator's two registers set, or 0 if it is off. */
uint32_t clocks_divided(uint32_t control, uint32_t divider);

/* Returns the rate in Hz that a generator's registers set, or 0 if it is off. */
uint32_t clocks_rate(const struct clocks *s, enum clocks_generator generator);

#endif
