/* SPDX-License-Identifier: MIT */
/* thermal.h - the temperature sensor of the AVS monitor. */
#ifndef BOARD_BCM2835_THERMAL_H
#define BOARD_BCM2835_THERMAL_H

#include "board/bcm2835/device.h"

struct thermal {
    uint32_t control;
};

extern const struct device thermal;

#endif
