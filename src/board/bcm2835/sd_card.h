/* SPDX-License-Identifier: MIT */
/* sd_card.h - the SD card behind a controller. */
#ifndef BOARD_BCM2835_SD_CARD_H
#define BOARD_BCM2835_SD_CARD_H

#include "board/bcm2835/device.h"

enum { SD_BLOCK = 512 };

/* The card. Plain data. */
struct sd_card {
    uint64_t size;        /* bytes, a multiple of SD_BLOCK; 0 if there is no card */
    uint64_t position;    /* of the next block, in bytes */
    uint32_t probed;      /* 1 if size is known */
    uint32_t state;       /* of the card, as in the status */
    uint32_t application; /* 1 if the next command is an application command */
    uint32_t address;     /* RCA */
    uint32_t errors;      /* bits of the status that the next response reports */
    uint32_t powering;    /* 1 after the first ACMD41 that starts the card */
    uint32_t wide, fast;  /* 1 if the card has switched to four data lines, and to high speed */
    uint32_t announced;   /* blocks of the next transfer by CMD23; 0 if open */
    uint32_t left;        /* blocks left in the transfer; 0 if it ends by CMD12 */
    uint32_t written;     /* blocks of the latest transfer that were written */
    uint32_t data_size;   /* bytes of a block of the transfer; 0 if no data is due */
    uint32_t registers;   /* 1 if the data is a register of the card in data[] */
    uint32_t reserved;
    uint8_t data[64];
};

/* The kind of a response. */
enum sd_response {
    SD_NO_RESPONSE,
    SD_SHORT, /* 48 bits; response[0] has bits 39:8 */
    SD_BUSY,  /* as SD_SHORT, and the card signals that it is busy */
    SD_LONG,  /* 136 bits; response[3] has bits 127:96, response[0] has bits 31:0 with the CRC */
};

/* The result of a transfer of a block. */
enum sd_transfer {
    SD_DONE,
    SD_NO_DATA, /* the card sends or takes no data, so the controller's time is up */
    SD_CRC,     /* the block has another size than the controller expects */
};

/* Sends a command to the card. */
enum sd_response sd_card_command(struct sd_card *card, const struct device_ports *ports,
                                 uint32_t offset, uint32_t index, uint32_t argument,
                                 uint32_t response[4]);

/* Returns true if there is a card. */
bool sd_card_present(struct sd_card *card, const struct device_ports *ports);

/* Reads or writes the next block of the transfer. size is the block size of the controller. offset
 * is the offset of a register of the controller, for findings. */
enum sd_transfer sd_card_read(struct sd_card *card, const struct device_ports *ports,
                              uint32_t offset, uint8_t *to, uint32_t size);
enum sd_transfer sd_card_write(struct sd_card *card, const struct device_ports *ports,
                               uint32_t offset, const uint8_t *from, uint32_t size);

#endif
