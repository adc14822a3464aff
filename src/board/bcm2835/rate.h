/* SPDX-License-Identifier: MIT */
/* rate.h - conversions between nanoseconds and ticks of a clock, without overflow. */
#ifndef BOARD_BCM2835_RATE_H
#define BOARD_BCM2835_RATE_H

#include "board/bcm2835/device.h"

/* Returns the number of whole ticks of a clock of hz in a time. */
static inline uint64_t rate_ticks(uint64_t nanoseconds, uint32_t hz)
{
    uint64_t seconds = nanoseconds / DEVICE_SECOND;
    return seconds * hz + nanoseconds % DEVICE_SECOND * hz / DEVICE_SECOND;
}

/* Returns the shortest time that has a number of whole ticks of a clock of hz. A clock that is off
 * (0 Hz), and a time that is too long, are DEVICE_NEVER. */
static inline uint64_t rate_time(uint64_t ticks, uint32_t hz)
{
    if (hz == 0 || ticks / hz >= DEVICE_NEVER / DEVICE_SECOND)
        return DEVICE_NEVER;
    return ticks / hz * DEVICE_SECOND + (ticks % hz * DEVICE_SECOND + hz - 1) / hz;
}

/* Returns the sum of a time and a duration, each of which may be DEVICE_NEVER. */
static inline uint64_t rate_after(uint64_t time, uint64_t duration)
{
    return duration < DEVICE_NEVER - time ? time + duration : DEVICE_NEVER;
}

#endif
