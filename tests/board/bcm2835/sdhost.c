/* SPDX-License-Identifier: MIT */
/* sdhost.c - tests the controller SDHOST with a card, by the sequences of Linux' bcm2835.c. The
 * names and meanings of bits are those of this driver. */
#include "../../register.h"
#include "board.h"

#include "base/bits.h"
#include "board/bcm2835/sdhost.h"

enum {
    SDCMD = 0x00,
    SDARG = 0x04,
    SDCDIV = 0x0c,
    SDRSP0 = 0x10,
    SDHSTS = 0x20,
    SDVDD = 0x30,
    SDEDM = 0x34,
    SDHCFG = 0x38,
    SDHBCT = 0x3c,
    SDDATA = 0x40,
    SDHBLC = 0x50,

    NEW = 1 << 15,
    FAIL = 1 << 14,
    BUSY = 1 << 11,
    NO_RESPONSE = 1 << 10,
    LONG = 1 << 9,
    WRITE = 1 << 7,
    READ = 1 << 6,

    STS_BUSY = 1 << 10,
    STS_BLOCK = 1 << 9,
    STS_COMMAND_TIMEOUT = 1 << 6,
    STS_FIFO = 1 << 3,
    STS_DATA = 1 << 0,

    CFG_BUSY = 1 << 10,
    CFG_BLOCK = 1 << 8,
    CFG_DATA = 1 << 4,
    CFG_SLOW = 1 << 3,
    CFG_WIDE = 1 << 2,

    FSM_DATA = 1,
    FSM_READ = 2,
    FSM_READ_WAIT = 4,
    RCA = 0xaaaa0000,
    WORD = 160, /* nanoseconds of a word on four lines at 50 MHz */
};

static int set_up(void **state)
{
    static struct board b;
    board_open(&b, &sdhost);
    for (unsigned i = 0; i < BOARD_CARD; i++)
        b.card[i] = (uint8_t)(i * 13 + i / 512);
    board_write(&b, SDEDM, 4 << 9 | 4 << 14);
    board_write(&b, SDVDD, 1);
    board_write(&b, SDHCFG, CFG_SLOW | CFG_WIDE);
    board_write(&b, SDCDIV, 3); /* 250 MHz / 5 */
    *state = &b;
    return 0;
}

/* Sends a command and waits for its end. Returns SDCMD. */
static uint32_t command(struct board *b, uint32_t code, uint32_t argument)
{
    assert_int_equal(board_read(b, SDCMD) & NEW, 0);
    board_write(b, SDARG, argument);
    board_write(b, SDCMD, code | NEW);
    assert_int_equal(board_read(b, SDCMD) & NEW, NEW);
    for (unsigned i = 0; i < 100 && board_read(b, SDCMD) & NEW; i++)
        board_wait(b, 1000);
    assert_int_equal(board_read(b, SDCMD) & NEW, 0);
    return board_read(b, SDCMD);
}

static void select_card(struct board *b)
{
    uint32_t ocr = 0;
    command(b, 0 | NO_RESPONSE, 0);
    command(b, 8, 0x1aa);
    assert_int_equal(board_read(b, SDRSP0), 0x1aa);
    while (!(ocr >> 31)) {
        command(b, 55, 0);
        command(b, 41, 0x40ff8000);
        ocr = board_read(b, SDRSP0);
    }
    command(b, 2 | LONG, 0);
    command(b, 3, 0);
    assert_int_equal(board_read(b, SDRSP0) & 0xffff0000, RCA);
    command(b, 7 | BUSY, RCA);
    board_wait(b, 1000000);
}

TEST_WITH(identification, set_up, NULL)
{
    struct board *b = *fixture;
    assert_int_equal(board_read(b, SDEDM) & 0x1ff, 0);
    command(b, 0 | NO_RESPONSE, 0);
    assert_int_equal(command(b, 5, 0) & FAIL, FAIL); /* no SDIO card */
    assert_int_equal(board_read(b, SDHSTS), STS_COMMAND_TIMEOUT);
    board_write(b, SDHSTS, 0x7f8);
    assert_int_equal(board_read(b, SDHSTS), 0);
    board_write(b, SDHCFG, CFG_SLOW | CFG_WIDE | CFG_BUSY);
    select_card(b);
    assert_int_equal(board_read(b, SDHSTS), STS_BUSY); /* of command 7 */
    assert_true(b->lines[LINE_SDHOST]);
    board_write(b, SDHSTS, STS_BUSY);
    assert_false(b->lines[LINE_SDHOST]);
    assert_int_equal(board_read(b, SDEDM) & 15, FSM_DATA);
    command(b, 7 | NO_RESPONSE, 0);
    command(b, 9 | LONG, RCA);
    /* CSD 2.0. The test registers_have_a_crc checks the last byte. */
    assert_int_equal(board_read(b, SDRSP0 + 12), 0x400e0032);
    assert_int_equal(board_read(b, SDRSP0 + 8), 0x5b590000);
    assert_int_equal(board_read(b, SDRSP0 + 4), 0x00007f80);
    assert_int_equal(board_read(b, SDRSP0) & 0xffffff00, 0x0a400000);
    assert_int_equal(b->finding_count + b->not_modelled, 0);
}

/* The remainder of a division of polynomials by x^7 + x^3 + 1, bit by bit as in the specification's
 * section 4.5. */
static uint32_t crc7(const uint8_t *bytes, unsigned count)
{
    uint32_t remainder = 0;
    for (unsigned i = 0; i < count * 8 + 7; i++) {
        uint32_t bit = i < count * 8 ? (uint32_t)bytes[i / 8] >> (7 - i % 8) & 1 : 0;
        remainder = remainder << 1 | bit;
        if (remainder & 0x80)
            remainder ^= 0x89;
    }
    return remainder;
}

TEST_WITH(registers_have_a_crc, set_up, NULL)
{
    struct board *b = *fixture;
    /* The examples of section 4.5: CMD0 and CMD17 with argument 0. */
    assert_int_equal(crc7((const uint8_t[]){0x40, 0, 0, 0, 0}, 5), 0x4a);
    assert_int_equal(crc7((const uint8_t[]){0x51, 0, 0, 0, 0}, 5), 0x2a);
    select_card(b);
    command(b, 7 | NO_RESPONSE, 0);
    for (uint32_t code = 9; code <= 10; code++) {
        uint8_t bytes[16];
        command(b, code | LONG, RCA);
        for (unsigned i = 0; i < 16; i++)
            bytes[i] = (uint8_t)(board_read(b, SDRSP0 + 12 - i / 4 * 4) >> (24 - i % 4 * 8));
        assert_int_equal(bytes[15], crc7(bytes, 15) << 1 | 1);
    }
}

/* Reads words as the driver does: as many as SDEDM reports. */
static void read_words(struct board *b, uint32_t block, unsigned count)
{
    unsigned at = 0;
    while (at < count) {
        uint32_t words = board_read(b, SDEDM) >> 4 & 0x1f;
        if (words == 0)
            board_wait(b, WORD);
        for (; words && at < count; words--, at++)
            assert_int_equal(board_read(b, SDDATA), load_le32(b->card + block * 512 + at * 4));
    }
}

TEST_WITH(reads, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_write(b, SDHCFG, CFG_SLOW | CFG_WIDE | CFG_DATA);
    board_write(b, SDHBCT, 512);
    board_write(b, SDHBLC, 1);
    command(b, 17 | READ, 6);
    assert_int_equal(board_read(b, SDRSP0), 4 << 9 | 1 << 8);
    assert_int_equal(board_read(b, SDEDM) & 15, FSM_READ);
    assert_false(b->requests[REQUEST_SDHOST]);
    board_wait(b, 1000000);
    assert_int_equal(board_read(b, SDEDM), 4 << 9 | 4 << 14 | 16 << 4 | FSM_READ_WAIT);
    assert_int_equal(board_read(b, SDHSTS), STS_DATA);
    assert_true(b->requests[REQUEST_SDHOST]);
    assert_true(b->lines[LINE_SDHOST]);
    read_words(b, 6, 128);
    assert_int_equal(board_read(b, SDEDM) & 0x1ff, FSM_DATA);
    assert_false(b->lines[LINE_SDHOST]);
    assert_false(b->requests[REQUEST_SDHOST]);

    command(b, 23, 2);
    board_write(b, SDHBLC, 2);
    command(b, 18 | READ, 30);
    read_words(b, 30, 256);
    assert_int_equal(board_read(b, SDEDM) & 0x1ff, FSM_DATA);
    command(b, 18 | READ, 1); /* without command 23 */
    read_words(b, 1, 256);
    command(b, 12 | BUSY, 0);
    command(b, 13, RCA);
    assert_int_equal(board_read(b, SDRSP0), 4 << 9 | 1 << 8);
    assert_int_equal(b->finding_count + b->not_modelled, 0);
}

/* The request to the DMA controller follows the threshold of 4 words. */
TEST_WITH(read_requests, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_write(b, SDHBCT, 512);
    board_write(b, SDHBLC, 1);
    command(b, 17 | READ, 0);
    while (!b->requests[REQUEST_SDHOST])
        board_wait(b, board_next(b) - b->time);
    assert_int_equal(board_read(b, SDEDM) >> 4 & 0x1f, 4);
    board_read(b, SDDATA);
    assert_false(b->requests[REQUEST_SDHOST]);
    board_wait(b, WORD);
    assert_true(b->requests[REQUEST_SDHOST]);
}

TEST_WITH(writes, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_write(b, SDHCFG, CFG_SLOW | CFG_WIDE | CFG_BLOCK);
    board_write(b, SDHBCT, 512);
    board_write(b, SDHBLC, 2);
    command(b, 25 | WRITE, 40);
    for (uint32_t block = 0; block < 2; block++) {
        for (uint32_t i = 0; i < 128; i++) {
            while ((board_read(b, SDEDM) >> 4 & 0x1f) == 16)
                board_wait(b, WORD);
            assert_int_equal(board_read(b, SDHSTS) & STS_BLOCK, 0);
            board_write(b, SDDATA, block << 16 | i);
        }
        board_wait(b, 17 * WORD);
        assert_int_equal(board_read(b, SDHSTS) & STS_BLOCK, STS_BLOCK);
        assert_true(b->lines[LINE_SDHOST]);
        board_write(b, SDHSTS, STS_BLOCK);
    }
    assert_int_equal(board_read(b, SDEDM) & 0x1ff, FSM_DATA);
    assert_int_equal(load_le32(b->card + 40 * 512 + 508), 127);
    assert_int_equal(load_le32(b->card + 41 * 512 + 4), 1 << 16 | 1);
    command(b, 12 | BUSY, 0);
    assert_int_equal(b->finding_count, 0);
}

TEST_WITH(mistakes, set_up, NULL)
{
    struct board *b = *fixture;
    select_card(b);
    board_read(b, SDDATA);
    assert_int_equal(b->finding, PI_SD_DATA);
    assert_int_equal(board_read(b, SDHSTS), STS_FIFO);
    command(b, 17 | READ, 0); /* SDHBCT is 0 */
    assert_int_equal(b->finding, PI_SD_BLOCKS);
    board_write(b, SDCMD, 13 | NEW);
    board_write(b, SDCMD, 13 | NEW);
    assert_int_equal(b->finding, PI_SD_BUSY);
    board_write(b, SDVDD, 0);
    assert_int_equal(board_read(b, SDCMD) & NEW, 0);
    board_write(b, SDCMD, 13 | NEW);
    assert_int_equal(b->finding, PI_SD_CLOCK);
}
