/* SPDX-License-Identifier: MIT */
/* power.h - the power manager with its watchdog, and the bridges between the V3D and the bus. */
#ifndef BOARD_BCM2835_POWER_H
#define BOARD_BCM2835_POWER_H

#include "board/bcm2835/device.h"

enum { POWER_REGISTERS = 0x114 / 4, ASB_REGISTERS = 0x24 / 4 };

struct power {
    uint32_t registers[POWER_REGISTERS];
    uint32_t expired; /* 1 after the watchdog has reset the board */
    uint32_t ticks;   /* ticks of the watchdog, counted from start */
    uint64_t start;
};

struct asb {
    uint32_t registers[ASB_REGISTERS];
};

extern const struct device power;
extern const struct device asb;

/* Returns whether the registers switch the V3D on: its power domain is on and the V3D is not held
 * in reset. The firmware switches the V3D on without these registers. */
bool power_v3d(const struct power *s);

/* Returns whether both bridges of the V3D let requests pass. */
bool asb_v3d(const struct asb *s);

#endif
