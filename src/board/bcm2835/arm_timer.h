/* SPDX-License-Identifier: MIT */
/* arm_timer.h - the ARM's timer, which is similar to ARM's SP804. */
#ifndef BOARD_BCM2835_ARM_TIMER_H
#define BOARD_BCM2835_ARM_TIMER_H

#include "board/bcm2835/device.h"

struct arm_timer {
    uint32_t control, load, divider;
    uint32_t rate;    /* Hz of the core clock */
    uint32_t pending; /* 1 if the timer has reached 0 */
    uint32_t stopped; /* value of the timer while it is off */

    /* The timer is 0 `zero` ticks after `start`. */
    uint64_t start, zero;

    /* The free-running counter had the value free_count at free_start. */
    uint64_t free_start;
    uint32_t free_count;
};

extern const struct device arm_timer;

#endif
