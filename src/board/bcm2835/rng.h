/* SPDX-License-Identifier: MIT */
/* rng.h - the random number generator. */
#ifndef BOARD_BCM2835_RNG_H
#define BOARD_BCM2835_RNG_H

#include "board/bcm2835/device.h"

struct rng {
    uint32_t control, warm_up, threshold, mask;
    uint32_t count;   /* words that can be read */
    uint64_t drawn;   /* words that have been read since power-on */
    uint64_t word_at; /* time of the next word, or DEVICE_NEVER */
};

extern const struct device rng;

#endif
