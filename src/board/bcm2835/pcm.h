/* SPDX-License-Identifier: MIT */
/* pcm.h - the state of the PCM (I2S) interface. */
#ifndef BOARD_BCM2835_PCM_H
#define BOARD_BCM2835_PCM_H

#include "board/bcm2835/device.h"

enum { PCM_FIFO = 64 };

struct pcm_fifo {
    uint32_t words[PCM_FIFO];
    uint32_t first, count;
};

struct pcm {
    uint32_t control; /* the bits of CS_A that are stored */
    uint32_t mode, receive, transmit, requests, enables, interrupts, gray;
    struct pcm_fifo in, out;
    uint32_t requested_out, requested_in; /* levels of the requests to the DMA controller */
    uint32_t rate;                        /* clocks per second; 0 if the clock is off */
    uint32_t reserved;
    uint64_t start, frames; /* `frames` frames have begun since `start` */
    uint64_t due;           /* the time of the next frame, or DEVICE_NEVER */
};

extern const struct device pcm;

#endif
