/* SPDX-License-Identifier: MIT */
/* emmc.h - the state of the controller "External Mass Media Controller". */
#ifndef BOARD_BCM2835_EMMC_H
#define BOARD_BCM2835_EMMC_H

#include "board/bcm2835/sd_card.h"

enum { EMMC_BUFFER = 1024, EMMC_STORED = 0x100 / 4 };

struct emmc {
    struct sd_card card;
    uint32_t stored[EMMC_STORED]; /* registers that keep the written value, by offset / 4 */
    uint32_t response[4];
    uint32_t interrupt;   /* register INTERRUPT */
    uint32_t blocks;      /* blocks left in the transfer, the present one included */
    uint32_t counted;     /* 1 if the transfer ends after `blocks` blocks */
    uint32_t direction;   /* of the data: EMMC_NONE, EMMC_READ or EMMC_WRITE */
    uint32_t ready;       /* 1 if the buffer can be read or written */
    uint32_t at, size;    /* position in the buffer and size of a block, in bytes */
    uint32_t busy;        /* 1 while the card signals that it is busy after a command */
    uint32_t requested;   /* level of the request to the DMA controller */
    uint64_t command_due; /* the time at which the command ends, or DEVICE_NEVER */
    uint64_t data_due;    /* the time of the next block, or of the end of busy */
    uint8_t buffer[EMMC_BUFFER];
};

enum { EMMC_NONE, EMMC_READ, EMMC_WRITE };

extern const struct device emmc;

#endif
