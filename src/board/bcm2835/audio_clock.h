/* SPDX-License-Identifier: MIT */
/* audio_clock.h - the rates of the clocks of PWM and PCM, which these peripherals read from the
 * clock manager over the board's bus. */
#ifndef BOARD_BCM2835_AUDIO_CLOCK_H
#define BOARD_BCM2835_AUDIO_CLOCK_H

#include "board/bcm2835/clocks.h"

/* Returns the rate in Hz of a generator of the clock manager, or 0 if it is off. */
static inline uint32_t audio_clock(const struct device_ports *ports,
                                   enum clocks_generator generator)
{
    uint32_t bus = UINT32_C(0x7e000000) + clocks.base + generator;
    return clocks_divided(ports->read(ports->user, bus), ports->read(ports->user, bus + 4));
}

#endif
