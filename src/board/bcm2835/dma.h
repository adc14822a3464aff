/* SPDX-License-Identifier: MIT */
/* dma.h - the state of the DMA controller. */
#ifndef BOARD_BCM2835_DMA_H
#define BOARD_BCM2835_DMA_H

#include "board/bcm2835/device.h"

enum { DMA_CHANNELS = 15 };

struct dma_channel {
    uint32_t control;              /* the bits of CS that are stored */
    uint32_t block;                /* CONBLK_AD; 0 if the channel is idle */
    uint32_t information;          /* TI and the following are a copy of the control block */
    uint32_t source, destination;  /* the next byte to move */
    uint32_t length, stride, next; /* TXFR_LEN, STRIDE, NEXTCONBK */
    uint32_t errors;               /* bits 2:0 of DEBUG */
    uint32_t row, rows;            /* bytes left in the row, and rows left after it */
    uint32_t chunk;                /* bytes that move at the time `due` */
    uint32_t loaded;               /* 1 if a control block is in progress */
    uint64_t due;                  /* DEVICE_NEVER while the channel waits or is idle */
};

struct dma {
    struct dma_channel channel[DMA_CHANNELS];
    uint32_t first;    /* number of the first channel: 0 or 15 */
    uint32_t count;    /* number of channels */
    uint32_t enable;   /* register ENABLE */
    uint32_t requests; /* levels of the requests, bit n is request n */
    uint32_t stepping; /* 1 while a channel moves data */
    uint32_t reserved;
};

/* Channels 0 to 14 and channel 15. Both have a state of struct dma. */
extern const struct device dma, dma15;

#endif
