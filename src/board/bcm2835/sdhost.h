/* SPDX-License-Identifier: MIT */
/* sdhost.h - the state of the controller SDHOST. */
#ifndef BOARD_BCM2835_SDHOST_H
#define BOARD_BCM2835_SDHOST_H

#include "board/bcm2835/sd_card.h"

enum { SDHOST_FIFO = 16, SDHOST_BLOCK = 1024 };

struct sdhost {
    struct sd_card card;
    uint32_t command, argument, timeout, divider, status, power, debug, config;
    uint32_t byte_count, block_count;
    uint32_t response[4];
    uint32_t fifo[SDHOST_FIFO];
    uint32_t fifo_first, fifo_count;
    uint32_t direction; /* of the transfer: SDHOST_NONE, SDHOST_READ or SDHOST_WRITE */
    uint32_t blocks;    /* blocks left, the present one included; 0 if the number is not limited */
    uint32_t limited;   /* 1 if the transfer ends after `blocks` blocks */
    uint32_t at, size;  /* position in the block and its size, in bytes */
    uint32_t filled;    /* 1 if the block of a read is in block[] */
    uint32_t requested; /* level of the request to the DMA controller */
    uint64_t command_due; /* the time at which the command ends, or DEVICE_NEVER */
    uint64_t busy_due;    /* the time at which the card is no longer busy, or DEVICE_NEVER */
    uint64_t word_due;    /* the time at which the next word moves between card and FIFO */
    uint64_t word_time;   /* nanoseconds for a word */
    uint8_t block[SDHOST_BLOCK];
};

enum { SDHOST_NONE, SDHOST_READ, SDHOST_WRITE };

extern const struct device sdhost;

#endif
