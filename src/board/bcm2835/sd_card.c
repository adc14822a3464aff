/* SPDX-License-Identifier: MIT */
/* sd_card.c - an SD card with the contents of an image.
 *
 * In:  commands and blocks of a controller; the image, through the ports of the board.
 * Out: responses and blocks; findings.
 *
 * Source: SD Specifications, Part 1, "Physical Layer Simplified Specification" 3.01: chapters 4
 *         (states, commands, responses, status) and 5 (registers CID, CSD, SCR).
 * Modelled: identification, selection, blocks, CMD6, CMD23, the registers of the card.
 * Left out: SPI mode, 1.8 V, erasing, write protection, locking.
 * Choices: the card is an SDHC card of specification 3.0x, whatever the size of its image:
 *          addresses are numbers of blocks. Its capacity is rounded up to 512 KiB in the CSD;
 *          blocks after the end of the image are out of range. The card becomes ready at the second
 *          ACMD41 with a voltage, so that a program must repeat the command. */
#include "board/bcm2835/sd_card.h"

#include <stdio.h>
#include <string.h>

#include "board/pi/pi.h"

enum {
    IDLE,
    READY,
    IDENTIFICATION,
    STAND_BY,
    TRANSFER,
    SENDING,
    RECEIVING,
};

enum {
    STATUS_OUT_OF_RANGE_BIT = 31,
    STATUS_ILLEGAL = 1 << 22,
    STATUS_STATE_SHIFT = 9,
    STATUS_READY = 1 << 8,
    STATUS_APPLICATION = 1 << 5,
    RCA = 0xaaaa,
    OCR_VOLTAGES = 0x00ff8000,
    OCR_HIGH_CAPACITY = 1 << 30,
    CAPACITY_UNIT = 512 * 1024,
    MAX_SIZE_BITS = 41, /* 2 TiB */
    APPLICATION = 55,   /* the next command is an application command */
};
#define STATUS_OUT_OF_RANGE (UINT32_C(1) << STATUS_OUT_OF_RANGE_BIT)
#define OCR_POWERED         UINT32_C(0x80000000)

/* The present command. */
struct command {
    struct sd_card *card;
    const struct device_ports *ports;
    uint32_t offset, index, argument;
    uint32_t *response;
};

/* Finds the size of the image: the largest size whose last byte can be read. */
static void probe(struct sd_card *card, const struct device_ports *ports)
{
    uint64_t size = 0;
    uint8_t byte;
    for (unsigned bit = MAX_SIZE_BITS; bit-- > 0;) {
        uint64_t larger = size | UINT64_C(1) << bit;
        if (ports->card_read(ports->user, larger - 1, &byte, 1))
            size = larger;
    }
    card->size = size / SD_BLOCK * SD_BLOCK;
    card->probed = 1;
}

bool sd_card_present(struct sd_card *card, const struct device_ports *ports)
{
    if (!card->probed)
        probe(card, ports);
    return card->size > 0;
}

/* --- registers of the card --- */

/* Stores the CRC7 of 15 bytes in the last byte of a register of 16 bytes. */
static void put_crc(uint8_t bytes[16])
{
    uint32_t crc = 0;
    for (unsigned i = 0; i < 15 * 8; i++) {
        uint32_t bit = bytes[i / 8] >> (7 - i % 8) & 1;
        crc = (crc << 1 & 0x7f) ^ ((crc >> 6 ^ bit) & 1 ? 9 : 0);
    }
    bytes[15] = (uint8_t)(crc << 1 | 1);
}

static enum sd_response long_response(const struct command *c, uint8_t bytes[16])
{
    put_crc(bytes);
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *at = bytes + 12 - 4 * i;
        c->response[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
                         at[3];
    }
    return SD_LONG;
}

static enum sd_response send_cid(const struct command *c)
{
    /* Manufacturer 0, application "TS", name "TESSA", revision 1.0, number 1, January 2020. */
    uint8_t cid[16] = {0x00, 'T', 'S', 'T', 'E', 'S', 'S', 'A', 0x10, 0, 0, 0, 1, 0x01, 0x41};
    return long_response(c, cid);
}

static enum sd_response send_csd(const struct command *c)
{
    uint64_t units = (c->card->size + CAPACITY_UNIT - 1) / CAPACITY_UNIT;
    uint32_t size = (uint32_t)(units - 1) & 0x3fffff;
    /* Version 2.0, 25 MHz, command classes 0x5b5, blocks of 512 bytes. */
    uint8_t csd[16] = {0x40, 0x0e, 0x00, 0x32, 0x5b, 0x59, 0x00, 0, 0, 0, 0x7f, 0x80, 0x0a, 0x40};
    csd[7] = (uint8_t)(size >> 16);
    csd[8] = (uint8_t)(size >> 8);
    csd[9] = (uint8_t)size;
    return long_response(c, csd);
}

/* --- responses --- */

static enum sd_response status(const struct command *c, enum sd_response kind)
{
    struct sd_card *card = c->card;
    c->response[0] = card->errors | card->state << STATUS_STATE_SHIFT | STATUS_READY |
                     (card->application ? STATUS_APPLICATION : 0);
    card->errors = 0;
    return kind;
}

static enum sd_response short_response(const struct command *c, uint32_t value)
{
    c->response[0] = value;
    return SD_SHORT;
}

static enum sd_response unknown(const struct command *c)
{
    c->card->errors |= STATUS_ILLEGAL;
    return SD_NO_RESPONSE;
}

/* Rejects a command that the card's state does not allow. */
static enum sd_response wrong_state(const struct command *c)
{
    static const char *const names[] = {"idle",     "ready",        "identification", "stand-by",
                                        "transfer", "sending data", "receiving data"};
    char line[160];
    snprintf(line, sizeof line, "SD card: command %u is not allowed in the state \"%s\"", c->index,
             names[c->card->state]);
    c->ports->finding(c->ports->user, PI_SD_STATE, c->offset, line);
    return unknown(c);
}

static enum sd_response left_out(const struct command *c)
{
    char line[160];
    snprintf(line, sizeof line, "SD card: command %u", c->index);
    c->ports->not_modelled(c->ports->user, c->offset, line,
                           "read and write blocks by commands 17, 18, 24 and 25");
    return unknown(c);
}

/* --- transfers --- */

/* Prepares the sending of a register of the card. */
static enum sd_response send_register(const struct command *c, const uint8_t *bytes, uint32_t size)
{
    struct sd_card *card = c->card;
    if (card->state != TRANSFER)
        return wrong_state(c);
    enum sd_response kind = status(c, SD_SHORT);
    memset(card->data, 0, sizeof card->data);
    memcpy(card->data, bytes, size);
    card->data_size = size;
    card->registers = 1;
    card->left = 1;
    card->state = SENDING;
    return kind;
}

static enum sd_response send_scr(const struct command *c)
{
    /* Specification 3.0x, one or four data lines, CMD23. */
    static const uint8_t scr[8] = {0x02, 0x35, 0x80, 0x02};
    return send_register(c, scr, sizeof scr);
}

static enum sd_response send_sd_status(const struct command *c)
{
    uint8_t bytes[64] = {0};
    bytes[0] = c->card->wide ? 0x80 : 0;
    bytes[8] = 2;     /* speed class 4 */
    bytes[10] = 0x90; /* allocation units of 4 MiB */
    return send_register(c, bytes, sizeof bytes);
}

static enum sd_response send_written(const struct command *c)
{
    uint32_t count = c->card->written;
    const uint8_t bytes[4] = {(uint8_t)(count >> 24), (uint8_t)(count >> 16), (uint8_t)(count >> 8),
                              (uint8_t)count};
    return send_register(c, bytes, sizeof bytes);
}

/* CMD6: the function of group 1 is 0 (default speed) or 1 (high speed). All other groups have
 * function 0 only. */
static enum sd_response switch_function(const struct command *c)
{
    enum { GROUPS = 6, CURRENT = 0xf, SUPPORT = 2, SELECTED = 14 };
    uint8_t bytes[64] = {0, 100}; /* mA */
    uint32_t speed = c->argument & 0xf;
    for (unsigned group = 0; group < GROUPS; group++) {
        uint32_t wanted = c->argument >> 4 * group & 0xf, largest = group == 0 ? 1 : 0;
        uint32_t present = group == 0 ? c->card->fast : 0;
        uint32_t selected = wanted == CURRENT ? present : wanted > largest ? 0xf : wanted;
        uint8_t *support = bytes + SUPPORT + 2 * (GROUPS - 1 - group);
        support[0] = 0x80;
        support[1] = largest ? 3 : 1;
        bytes[SELECTED + (GROUPS - 1 - group) / 2] |= (uint8_t)(selected << group % 2 * 4);
    }
    if (c->argument >> 31 && speed <= 1 && c->card->state == TRANSFER)
        c->card->fast = speed;
    return send_register(c, bytes, sizeof bytes);
}

static void report_range(const struct sd_card *card, const struct device_ports *ports,
                         uint32_t offset, uint64_t block)
{
    char line[160];
    snprintf(line, sizeof line, "SD card: block %llu is accessed, but the card has %llu blocks",
             (unsigned long long)block, (unsigned long long)(card->size / SD_BLOCK));
    ports->finding(ports->user, PI_SD_RANGE, offset, line);
}

/* CMD17, CMD18, CMD24, CMD25. */
static enum sd_response start_blocks(const struct command *c, uint32_t state, bool many)
{
    struct sd_card *card = c->card;
    if (card->state != TRANSFER)
        return wrong_state(c);
    uint64_t position = (uint64_t)c->argument * SD_BLOCK;
    if (position >= card->size) {
        report_range(card, c->ports, c->offset, c->argument);
        card->errors |= STATUS_OUT_OF_RANGE;
        card->announced = 0;
        return status(c, SD_SHORT);
    }
    enum sd_response kind = status(c, SD_SHORT);
    card->position = position;
    card->left = many ? card->announced : 1;
    card->announced = card->written = card->registers = 0;
    card->data_size = SD_BLOCK;
    card->state = state;
    return kind;
}

static enum sd_response stop(const struct command *c)
{
    struct sd_card *card = c->card;
    if (card->state != SENDING && card->state != RECEIVING)
        return wrong_state(c);
    enum sd_response kind = status(c, SD_BUSY);
    card->state = TRANSFER;
    card->data_size = 0;
    return kind;
}

/* Counts a block of the transfer. */
static void count_block(struct sd_card *card)
{
    card->position += SD_BLOCK;
    if (card->left && --card->left == 0) {
        card->state = TRANSFER;
        card->data_size = 0;
    }
}

enum sd_transfer sd_card_read(struct sd_card *card, const struct device_ports *ports,
                              uint32_t offset, uint8_t *to, uint32_t size)
{
    uint8_t block[SD_BLOCK];
    uint32_t card_size = card->data_size;
    memset(to, 0, size);
    if (card->state != SENDING || card_size == 0)
        return SD_NO_DATA;
    if (card->registers) {
        memcpy(block, card->data, card_size);
    } else if (!ports->card_read(ports->user, card->position, block, SD_BLOCK)) {
        report_range(card, ports, offset, card->position / SD_BLOCK);
        card->errors |= STATUS_OUT_OF_RANGE;
        return SD_NO_DATA;
    }
    memcpy(to, block, size < card_size ? size : card_size);
    count_block(card);
    return size == card_size ? SD_DONE : SD_CRC;
}

enum sd_transfer sd_card_write(struct sd_card *card, const struct device_ports *ports,
                               uint32_t offset, const uint8_t *from, uint32_t size)
{
    if (card->state != RECEIVING)
        return SD_NO_DATA;
    if (size != SD_BLOCK)
        return SD_CRC;
    if (!ports->card_write(ports->user, card->position, from, SD_BLOCK)) {
        report_range(card, ports, offset, card->position / SD_BLOCK);
        card->errors |= STATUS_OUT_OF_RANGE;
        return SD_NO_DATA;
    }
    card->written++;
    count_block(card);
    return SD_DONE;
}

/* --- identification --- */

static enum sd_response go_idle(const struct command *c)
{
    struct sd_card *card = c->card;
    *card = (struct sd_card){.size = card->size, .probed = 1, .state = IDLE};
    return SD_NO_RESPONSE;
}

static enum sd_response send_interface_condition(const struct command *c)
{
    if (c->card->state != IDLE)
        return wrong_state(c);
    bool voltage = (c->argument >> 8 & 0xf) == 1; /* 2.7 to 3.6 V */
    return voltage ? short_response(c, c->argument & 0xfff) : SD_NO_RESPONSE;
}

/* ACMD41. */
static enum sd_response send_operating_condition(const struct command *c)
{
    struct sd_card *card = c->card;
    if (card->state != IDLE && card->state != READY)
        return wrong_state(c);
    uint32_t ocr = OCR_VOLTAGES;
    if (!(c->argument & OCR_VOLTAGES))
        return short_response(c, ocr); /* an inquiry */
    if (!(c->argument & OCR_HIGH_CAPACITY)) {
        c->ports->finding(c->ports->user, PI_SD_CAPACITY, c->offset,
                          "SD card: ACMD41 has no bit 30, so the card never becomes ready");
        return short_response(c, ocr);
    }
    if (card->powering) {
        ocr |= OCR_POWERED | OCR_HIGH_CAPACITY;
        card->state = READY;
    }
    card->powering = 1;
    return short_response(c, ocr);
}

static enum sd_response all_send_cid(const struct command *c)
{
    if (c->card->state != READY)
        return wrong_state(c);
    c->card->state = IDENTIFICATION;
    return send_cid(c);
}

static enum sd_response send_relative_address(const struct command *c)
{
    struct sd_card *card = c->card;
    if (card->state != IDENTIFICATION && card->state != STAND_BY)
        return wrong_state(c);
    status(c, SD_SHORT);
    uint32_t value = c->response[0];
    card->address = RCA;
    card->state = STAND_BY;
    return short_response(c, (uint32_t)RCA << 16 | (value >> 8 & 0xc000) | (value >> 6 & 0x2000) |
                                 (value & 0x1fff));
}

static bool is_addressed(const struct command *c)
{
    return c->card->address == c->argument >> 16;
}

static enum sd_response select_card(const struct command *c)
{
    struct sd_card *card = c->card;
    if (!card->address || !is_addressed(c)) { /* deselects this card */
        if (card->state >= TRANSFER)
            card->state = STAND_BY;
        return SD_NO_RESPONSE;
    }
    if (card->state != STAND_BY)
        return wrong_state(c);
    enum sd_response kind = status(c, SD_BUSY);
    card->state = TRANSFER;
    return kind;
}

/* CMD9 and CMD10. */
static enum sd_response send_card_register(const struct command *c)
{
    if (!is_addressed(c))
        return SD_NO_RESPONSE;
    if (c->card->state != STAND_BY)
        return wrong_state(c);
    return c->index == 9 ? send_csd(c) : send_cid(c);
}

static enum sd_response send_status(const struct command *c)
{
    if (c->card->state < STAND_BY || !is_addressed(c))
        return SD_NO_RESPONSE;
    return status(c, SD_SHORT);
}

static enum sd_response application_command(const struct command *c)
{
    if (!is_addressed(c))
        return SD_NO_RESPONSE;
    c->card->application = 1;
    return status(c, SD_SHORT);
}

/* Commands that only change a setting in the state "transfer". */
static enum sd_response set(const struct command *c, uint32_t *setting, uint32_t value)
{
    if (c->card->state != TRANSFER)
        return wrong_state(c);
    if (setting)
        *setting = value;
    return status(c, SD_SHORT);
}

static enum sd_response run(const struct command *c)
{
    switch (c->index) {
    case 0: return go_idle(c);
    case 1: /* MMC */
    case 5: /* SDIO, as the next two */
    case 52:
    case 53: return unknown(c);
    case 2: return all_send_cid(c);
    case 3: return send_relative_address(c);
    case 4: return SD_NO_RESPONSE; /* the driver stage */
    case 6: return switch_function(c);
    case 7: return select_card(c);
    case 8: return send_interface_condition(c);
    case 9:
    case 10: return send_card_register(c);
    case 12: return stop(c);
    case 13: return send_status(c);
    case 16: return set(c, NULL, 0); /* blocks of this card always have 512 bytes */
    case 17:
    case 18: return start_blocks(c, SENDING, c->index == 18);
    case 23: return set(c, &c->card->announced, c->argument);
    case 24:
    case 25: return start_blocks(c, RECEIVING, c->index == 25);
    case APPLICATION: return application_command(c);
    default: return left_out(c);
    }
}

static enum sd_response run_application(const struct command *c)
{
    switch (c->index) {
    case 6: return set(c, &c->card->wide, c->argument >> 1 & 1);
    case 13: return send_sd_status(c);
    case 22: return send_written(c);
    case 23: /* blocks to erase before a write */
    case 42: /* the pull-up at DAT3 */ return set(c, NULL, 0);
    case 41: return send_operating_condition(c);
    case 51: return send_scr(c);
    default: return run(c); /* other commands are the same as without CMD55 */
    }
}

enum sd_response sd_card_command(struct sd_card *card, const struct device_ports *ports,
                                 uint32_t offset, uint32_t index, uint32_t argument,
                                 uint32_t response[4])
{
    const struct command command = {card, ports, offset, index & 63, argument, response};
    memset(response, 0, 4 * sizeof *response);
    if (!sd_card_present(card, ports))
        return SD_NO_RESPONSE;
    enum sd_response kind = card->application ? run_application(&command) : run(&command);
    if (command.index != APPLICATION)
        card->application = 0;
    return kind;
}
