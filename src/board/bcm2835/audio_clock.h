/* SPDX-License-Identifier: MIT */
/* audio_clock.h - the rates of the clocks of PWM and PCM.
 *
 * In:  the registers of the clock manager, through the board's bus.
 * Out: rates in Hz.
 *
 * Source: "BCM2835 ARM Peripherals", section 6.3; Linux' clk-bcm2835.c for the registers of PWM and
 *         PCM, and for the PLLs.
 * Choices: the oscillator has 19.2 MHz, PLLC 1 GHz, PLLD 500 MHz, the HDMI clock 216 MHz. */
#ifndef BOARD_BCM2835_AUDIO_CLOCK_H
#define BOARD_BCM2835_AUDIO_CLOCK_H

#include "board/bcm2835/device.h"

/* Bus addresses of control registers. The divider follows each. */
#define AUDIO_CLOCK_PCM UINT32_C(0x7e101098)
#define AUDIO_CLOCK_PWM UINT32_C(0x7e1010a0)

/* Returns the rate that the clock manager is set to, or 0 if the clock is off. */
static inline uint32_t audio_clock(const struct device_ports *ports, uint32_t control_register)
{
    enum { ENABLED = 1 << 4, FRACTION = 4096 };
    static const uint32_t sources[16] = {
        [1] = 19200000,
        [5] = 1000000000,
        [6] = 500000000,
        [7] = 216000000,
    };
    uint32_t control = ports->read(ports->user, control_register);
    uint32_t divider = ports->read(ports->user, control_register + 4) & 0xffffff;
    if (!(control & ENABLED) || divider < FRACTION)
        return 0;
    return (uint32_t)((uint64_t)sources[control & 15] * FRACTION / divider);
}

#endif
