/* SPDX-License-Identifier: MIT */
/* gpio.h - the general-purpose pins. */
#ifndef BOARD_BCM2835_GPIO_H
#define BOARD_BCM2835_GPIO_H

#include "board/bcm2835/device.h"

enum { GPIO_PINS = 54, GPIO_FUNCTION_REGISTERS = 6 };

/* Kinds of events that a pin can detect, in the order of the registers. */
enum gpio_detect {
    GPIO_RISING,
    GPIO_FALLING,
    GPIO_HIGH,
    GPIO_LOW,
    GPIO_ASYNC_RISING,
    GPIO_ASYNC_FALLING,
    GPIO_DETECTS
};

/* Bit n of each 64-bit member is pin n. */
struct gpio {
    uint32_t functions[GPIO_FUNCTION_REGISTERS];
    uint64_t outputs; /* pins that are outputs */
    uint64_t latch;   /* levels that the program has set */
    uint64_t
        set_as_input; /* pins whose level the program has set to 1 while they were no outputs */
    uint64_t driven, outside; /* pins that are driven from outside, and their levels */
    uint64_t pull_up, pull_down;
    uint64_t events;
    uint64_t detect[GPIO_DETECTS];
    uint32_t pull, padding;
    uint64_t pull_clock;
};

extern const struct device gpio;

/* Returns the levels of all pins. */
uint64_t gpio_levels(const struct gpio *s);

#endif
