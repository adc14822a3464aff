/* SPDX-License-Identifier: MIT */
/* system_timer.h - the system timer, which counts microseconds. */
#ifndef BOARD_BCM2835_SYSTEM_TIMER_H
#define BOARD_BCM2835_SYSTEM_TIMER_H

#include "board/bcm2835/device.h"

enum { SYSTEM_TIMER_COMPARES = 4 };

struct system_timer {
    uint64_t count; /* microseconds up to which matches are found */
    uint32_t compare[SYSTEM_TIMER_COMPARES];
    uint32_t matches; /* the register CS */
};

extern const struct device system_timer;

#endif
