/* SPDX-License-Identifier: MIT */
/* pwm.h - the state of the pulse width modulator. */
#ifndef BOARD_BCM2835_PWM_H
#define BOARD_BCM2835_PWM_H

#include "board/bcm2835/device.h"

enum { PWM_FIFO = 16, PWM_CHANNELS = 2 };

struct pwm {
    uint32_t control, dma, status;
    uint32_t range[PWM_CHANNELS], data[PWM_CHANNELS];
    uint32_t fifo[PWM_FIFO];
    uint32_t fifo_first, fifo_count;
    uint32_t last[PWM_CHANNELS]; /* the latest word of each channel */
    uint32_t rate;               /* Hz of the clock */
    uint32_t requested;          /* level of the request to the DMA controller */
    uint32_t reserved;
    uint64_t start, periods; /* `periods` periods have begun since `start` */
    uint64_t due;            /* the time of the next period that reads the FIFO, or DEVICE_NEVER */
};

extern const struct device pwm;

#endif
