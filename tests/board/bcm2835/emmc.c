/* SPDX-License-Identifier: MIT */
/* emmc.c - tests the controller EMMC with a card, by the sequences of public drivers. Expected
 * values are from "BCM2835 ARM Peripherals", chapter 5, and the SD specifications. */
#include "../../register.h"
#include "board.h"

#include "base/bits.h"
#include "board/bcm2835/emmc.h"

enum {
    ARG2 = 0x00,
    BLKSIZECNT = 0x04,
    ARG1 = 0x08,
    CMDTM = 0x0c,
    RESP0 = 0x10,
    DATA = 0x20,
    STATUS = 0x24,
    CONTROL0 = 0x28,
    CONTROL1 = 0x2c,
    INTERRUPT = 0x30,
    IRPT_MASK = 0x34,
    IRPT_EN = 0x38,
    SLOTISR_VER = 0xfc,

    COMMAND_DONE = 1 << 0,
    DATA_DONE = 1 << 1,
    WRITE_READY = 1 << 4,
    READ_READY = 1 << 5,
    ERROR = 1 << 15,
    COMMAND_TIMEOUT = 1 << 16,
    DATA_TIMEOUT = 1 << 20,

    /* Values of CMDTM, as in bztsrc/raspi3-tutorial's sd.c. */
    GO_IDLE = 0x00000000,
    ALL_SEND_CID = 0x02010000,
    SEND_RELATIVE_ADDRESS = 0x03020000,
    SWITCH = 0x06220010,
    SET_BUS_WIDTH = 0x06020000,
    SELECT = 0x07030000,
    SEND_INTERFACE_CONDITION = 0x08020000,
    SEND_CSD = 0x09010000,
    STOP = 0x0c030000,
    SEND_STATUS = 0x0d020000,
    READ = 0x11220010,
    READ_MANY = 0x12220032,
    SET_COUNT = 0x17020000,
    WRITE = 0x18220000,
    WRITE_MANY = 0x19220022,
    OPERATING_CONDITION = 0x29020000,
    SEND_SCR = 0x33220010,
    APPLICATION = 0x37000000,
    APPLICATION_RESPONSE = 0x37020000,
    AUTO_STOP = 1 << 2,
    AUTO_COUNT = 2 << 2,
    RCA = 0xaaaa0000,
    MILLISECOND = 1000000,
};

static int set_up(void **state)
{
    static struct board b;
    board_open(&b, &emmc);
    for (unsigned i = 0; i < BOARD_CARD; i++)
        b.card[i] = (uint8_t)(i * 13 + i / 512);
    /* The sequence of sd.c: reset, internal clock, divider, card clock, all interrupts. */
    board_write(&b, CONTROL1, 1 << 24);
    board_write(&b, CONTROL1, 1 | 0xe << 16);
    board_write(&b, CONTROL1, 1 | 0xe << 16 | 0x68 << 8);
    board_write(&b, CONTROL1, 1 | 0xe << 16 | 0x68 << 8 | 4);
    board_write(&b, IRPT_EN, 0xffffffff);
    board_write(&b, IRPT_MASK, 0xffffffff);
    *state = &b;
    return 0;
}

/* Waits until INTERRUPT has one of the bits or an error, and clears the bits. Returns INTERRUPT. */
static uint32_t wait_for(struct board *b, uint32_t bits)
{
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t value = board_read(b, INTERRUPT);
        if (value & (bits | ERROR)) {
            board_write(b, INTERRUPT, bits | (value & 0xffff0000));
            return value;
        }
        board_wait(b, 10000);
    }
    fail_msg("no interrupt 0x%x", bits);
    return 0;
}

/* Sends a command. Returns the first word of the response. */
static uint32_t command(struct board *b, uint32_t code, uint32_t argument)
{
    assert_int_equal(board_read(b, STATUS) & 1, 0);
    board_write(b, ARG1, argument);
    board_write(b, CMDTM, code);
    assert_int_equal(board_read(b, STATUS) & 1, 1);
    assert_int_equal(wait_for(b, COMMAND_DONE) & (COMMAND_DONE | ERROR), COMMAND_DONE);
    return board_read(b, RESP0);
}

static uint32_t application_command(struct board *b, uint32_t code, uint32_t argument, uint32_t rca)
{
    command(b, rca ? APPLICATION_RESPONSE : APPLICATION, rca);
    return command(b, code, argument);
}

/* Identifies and selects the card. */
static void select_card(struct board *b)
{
    command(b, GO_IDLE, 0);
    assert_int_equal(command(b, SEND_INTERFACE_CONDITION, 0x1aa), 0x1aa);
    while (!(application_command(b, OPERATING_CONDITION, 0x51ff8000, 0) >> 31))
        board_wait(b, MILLISECOND);
    command(b, ALL_SEND_CID, 0);
    assert_int_equal(command(b, SEND_RELATIVE_ADDRESS, 0) & 0xffff0000, RCA);
    command(b, SELECT, RCA);
    assert_int_equal(wait_for(b, DATA_DONE) & ERROR, 0);
    assert_int_equal(board_read(b, STATUS) & 3, 0);
}

TEST_WITH(identification, set_up, NULL)
{
    struct board *b = *fixture;
    assert_int_equal(board_read(b, SLOTISR_VER) >> 16 & 0xff, 2);
    assert_int_equal(board_read(b, CONTROL1) & 2, 2); /* the clock is stable */
    assert_int_equal(board_read(b, STATUS) >> 16 & 7, 7);
    command(b, GO_IDLE, 0);
    assert_int_equal(command(b, SEND_INTERFACE_CONDITION, 0x1aa), 0x1aa);
    /* CMD5 is for SDIO cards: a timeout. */
    board_write(b, CMDTM, 0x05010000);
    assert_int_equal(wait_for(b, COMMAND_DONE) & 0xffff0000, COMMAND_TIMEOUT);
    assert_int_equal(application_command(b, OPERATING_CONDITION, 0, 0), 0x00ff8000);
    assert_int_equal(application_command(b, OPERATING_CONDITION, 0x40ff8000, 0), 0x00ff8000);
    assert_int_equal(application_command(b, OPERATING_CONDITION, 0x40ff8000, 0), 0xc0ff8000);
    command(b, ALL_SEND_CID, 0);
    /* Bits 127:8 of the CID: "TS" in bits 119:104, the name from bit 103. */
    assert_int_equal(board_read(b, RESP0 + 12), 0x00005453);
    assert_int_equal(board_read(b, RESP0 + 8), 0x54455353);
    /* The state before the command is 2 (identification), and the card is ready for data. */
    assert_int_equal(command(b, SEND_RELATIVE_ADDRESS, 0), RCA | 2 << 9 | 1 << 8);
    command(b, SEND_CSD, RCA);
    /* CSD 2.0: the size of 64 KiB rounds up to one unit of 512 KiB, so C_SIZE is 0. */
    assert_int_equal(board_read(b, RESP0 + 12), 0x00400e00);
    assert_int_equal(board_read(b, RESP0 + 8), 0x325b5900);
    assert_int_equal(board_read(b, RESP0 + 4), 0x0000007f);
    assert_int_equal(board_read(b, RESP0), 0x800a4000);
    assert_int_equal(command(b, SELECT, RCA), 3 << 9 | 1 << 8);
    assert_int_equal(board_read(b, STATUS) & 2, 2); /* the card is busy */
    wait_for(b, DATA_DONE);
    assert_int_equal(command(b, SEND_STATUS, RCA), 4 << 9 | 1 << 8);

    board_write(b, BLKSIZECNT, 1 << 16 | 8);
    application_command(b, SEND_SCR, 0, RCA);
    wait_for(b, READ_READY);
    assert_int_equal(board_read(b, STATUS) & 1 << 11, 1 << 11);
    assert_int_equal(board_read(b, DATA), 0x02803502); /* big-endian: 3.0x, 1 or 4 lines, CMD23 */
    assert_int_equal(board_read(b, DATA), 0);
    wait_for(b, DATA_DONE);
    assert_int_equal(application_command(b, SET_BUS_WIDTH, 2, RCA), 4 << 9 | 1 << 8 | 1 << 5);
    board_write(b, CONTROL0, 2);
    assert_int_equal(b->finding_count + b->not_modelled, 0);
}

static void read_block(struct board *b, uint32_t block)
{
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(board_read(b, DATA), load_le32(b->card + block * 512 + i * 4));
}

TEST_WITH(reads, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_write(b, BLKSIZECNT, 1 << 16 | 512);
    assert_int_equal(command(b, READ, 5), 4 << 9 | 1 << 8);
    assert_int_equal(board_read(b, STATUS) & 0x306, 0x206);
    wait_for(b, READ_READY);
    assert_true(b->requests[REQUEST_EMMC]);
    read_block(b, 5);
    assert_false(b->requests[REQUEST_EMMC]);
    assert_int_equal(wait_for(b, DATA_DONE) & ERROR, 0);
    assert_int_equal(board_read(b, STATUS) & 3, 0);

    command(b, SET_COUNT, 3);
    board_write(b, BLKSIZECNT, 3 << 16 | 512);
    command(b, READ_MANY, 100);
    for (uint32_t i = 0; i < 3; i++) {
        wait_for(b, READ_READY);
        assert_int_equal(board_read(b, BLKSIZECNT) >> 16, 3 - i);
        read_block(b, 100 + i);
    }
    wait_for(b, DATA_DONE);
    assert_int_equal(command(b, SEND_STATUS, RCA), 4 << 9 | 1 << 8);
    /* circle reads all blocks after the first interrupt. The controller sends CMD12. */
    board_write(b, BLKSIZECNT, 2 << 16 | 512);
    command(b, READ_MANY | AUTO_STOP, 7);
    wait_for(b, READ_READY);
    read_block(b, 7);
    read_block(b, 8);
    wait_for(b, DATA_DONE);
    assert_int_equal(command(b, SEND_STATUS, RCA), 4 << 9 | 1 << 8);
    /* Without CMD12 or CMD23, the card continues to send. */
    command(b, READ_MANY, 7);
    wait_for(b, READ_READY);
    read_block(b, 7);
    read_block(b, 8);
    assert_int_equal(command(b, SEND_STATUS, RCA), 5 << 9 | 1 << 8);
    command(b, STOP, 0);
    wait_for(b, DATA_DONE);
    assert_int_equal(command(b, SEND_STATUS, RCA), 4 << 9 | 1 << 8);
    assert_int_equal(b->finding_count + b->not_modelled, 0);
}

TEST_WITH(writes, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_write(b, BLKSIZECNT, 1 << 16 | 512);
    command(b, WRITE, 9);
    wait_for(b, WRITE_READY);
    assert_true(b->requests[REQUEST_EMMC]);
    for (uint32_t i = 0; i < 128; i++)
        board_write(b, DATA, i << 16 | i);
    assert_int_equal(board_read(b, STATUS) & 2, 2);
    wait_for(b, DATA_DONE);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(load_le32(b->card + 9 * 512 + 4 * i), i << 16 | i);

    board_write(b, BLKSIZECNT, 2 << 16 | 512);
    board_write(b, ARG2, 2);
    command(b, WRITE_MANY | AUTO_COUNT, 20);
    for (uint32_t block = 0; block < 2; block++) {
        wait_for(b, WRITE_READY);
        for (uint32_t i = 0; i < 128; i++)
            board_write(b, DATA, block + i);
    }
    wait_for(b, DATA_DONE);
    assert_int_equal(load_le32(b->card + 20 * 512), 0);
    assert_int_equal(load_le32(b->card + 21 * 512 + 508), 128);
    assert_int_equal(command(b, SEND_STATUS, RCA), 4 << 9 | 1 << 8);
    assert_int_equal(b->finding_count, 0);
}

TEST_WITH(time_of_transfers, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_write(b, CONTROL0, 2);
    board_write(b, CONTROL1, 1 | 4 | 4 << 8); /* 200 MHz / 8 */
    board_write(b, BLKSIZECNT, 1 << 16 | 512);
    board_write(b, ARG1, 0);
    board_write(b, CMDTM, READ);
    /* 48 bits, 8 between, and 48 bits of response, at 40 ns. */
    assert_int_equal(board_next(b) - b->time, 104 * 40);
    board_wait(b, 104 * 40);
    /* 100 microseconds of access, 1024 clocks of data on four lines, and 20 of framing. */
    assert_int_equal(board_next(b) - b->time, 100000 + 1044 * 40);
    assert_true(b->lines[LINE_EMMC]);
    board_write(b, INTERRUPT, 0xffffffff);
    assert_false(b->lines[LINE_EMMC]);
    board_write(b, IRPT_EN, 0);
    board_wait(b, MILLISECOND);
    assert_int_equal(board_read(b, INTERRUPT), READ_READY);
    assert_false(b->lines[LINE_EMMC]);
    board_write(b, CONTROL1, board_read(b, CONTROL1) | 1 << 26); /* resets the data */
    assert_int_equal(board_read(b, INTERRUPT), 0);
    assert_int_equal(board_read(b, STATUS) & 2, 0);
}

TEST_WITH(switch_to_high_speed, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_write(b, BLKSIZECNT, 1 << 16 | 64);
    command(b, SWITCH, 0x80fffff1);
    wait_for(b, READ_READY);
    uint32_t words[16];
    for (unsigned i = 0; i < 16; i++)
        words[i] = board_read(b, DATA);
    assert_int_equal(words[0], 0x01806400);      /* 100 mA; group 6 has function 0 */
    assert_int_equal(words[3] & 0xffff, 0x0380); /* group 1 has functions 0 and 1 */
    assert_int_equal(words[4], 1);               /* function 1 of group 1 is selected */
    wait_for(b, DATA_DONE);
}

TEST_WITH(errors, set_up, NULL)
{
    struct board *b = *fixture;
    /* No block without a selected card. */
    command(b, GO_IDLE, 0);
    board_write(b, BLKSIZECNT, 1 << 16 | 512);
    board_write(b, CMDTM, READ);
    assert_int_equal(wait_for(b, COMMAND_DONE) & 0xffff8001, COMMAND_TIMEOUT | ERROR);
    assert_int_equal(b->finding, PI_SD_STATE);
    select_card(b);
    /* 128 blocks: the first after the end is 128. */
    board_write(b, ARG1, 128);
    board_write(b, CMDTM, READ);
    assert_int_equal(wait_for(b, READ_READY) & COMMAND_DONE, COMMAND_DONE);
    assert_int_equal(board_read(b, RESP0) >> 31, 1);
    assert_int_equal(b->finding, PI_SD_RANGE);
    board_wait(b, MILLISECOND);
    assert_int_equal(board_read(b, INTERRUPT) & 0xffff8000, 0); /* cleared by wait_for() */
    board_read(b, DATA);
    assert_int_equal(b->finding, PI_SD_DATA);
    board_write(b, CMDTM, SEND_STATUS);
    board_write(b, CMDTM, SEND_STATUS);
    assert_int_equal(b->finding, PI_SD_BUSY);
}

static bool no_card_read(void *user, uint64_t position, void *to, uint32_t size)
{
    (void)user;
    (void)position;
    (void)to;
    (void)size;
    return false;
}

TEST_WITH(no_card, set_up, NULL)
{
    struct board *b = *fixture;
    board_open(b, &emmc);
    b->ports.card_read = no_card_read;
    assert_int_equal(board_read(b, STATUS) >> 16 & 7, 0);
    board_write(b, CONTROL1, 1 | 4);
    board_write(b, IRPT_MASK, 0xffffffff);
    board_write(b, CMDTM, SEND_INTERFACE_CONDITION);
    assert_int_equal(wait_for(b, COMMAND_DONE), COMMAND_TIMEOUT | ERROR);
    command(b, GO_IDLE, 0); /* has no response, so it succeeds */
    assert_int_equal(b->finding_count, 0);
}
