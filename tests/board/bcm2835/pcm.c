/* SPDX-License-Identifier: MIT */
/* pcm.c - tests the PCM interface. Expected values are from "BCM2835 ARM Peripherals", chapter 8;
 * the settings are those of circle's and Linux' drivers. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/pcm.h"

enum {
    CS_A = 0x00,
    FIFO_A = 0x04,
    MODE_A = 0x08,
    RXC_A = 0x0c,
    TXC_A = 0x10,
    DREQ_A = 0x14,
    INTEN_A = 0x18,
    INTSTC_A = 0x1c,
    EN = 1 << 0,
    RXON = 1 << 1,
    TXON = 1 << 2,
    TXCLR = 1 << 3,
    RXCLR = 1 << 4,
    TXTHR = 1 << 5,
    DMAEN = 1 << 9,
    TXSYNC = 1 << 13,
    TXERR = 1 << 15,
    TXW = 1 << 17,
    TXD = 1 << 19,
    RXD = 1 << 20,
    TXE = 1 << 21,
    SYNC = 1 << 24,
    STBY = 1 << 25,
    PACKED = 1 << 24,
    FLEN = 10,
    CLKM = 1 << 23,
    FRAME = 20480, /* nanoseconds of a frame of 64 clocks at 3.125 MHz */
};

/* Two channels of 24 bits in slots of 32. */
#define CHANNELS_24 UINT32_C(0xc010c210)
/* Two channels of 16 bits. */
#define CHANNELS_16 UINT32_C(0x40184118)

static int set_up(void **state)
{
    static struct board b;
    board_open(&b, &pcm);
    board_set_register(&b, 0x7e101098, 0x96); /* PLLD / 160 */
    board_set_register(&b, 0x7e10109c, 160 << 12);
    board_write(&b, CS_A, 0);
    board_write(&b, CS_A, TXCLR | RXCLR);
    board_write(&b, MODE_A, 63 << FLEN | 32);
    board_write(&b, CS_A, STBY);
    board_write(&b, CS_A, STBY | EN);
    *state = &b;
    return 0;
}

TEST_WITH(status, set_up, NULL)
{
    struct board *b = *fixture;
    board_write(b, TXC_A, CHANNELS_24);
    assert_int_equal(board_read(b, CS_A), STBY | EN | TXE | TXD | TXW | TXSYNC);
    board_write(b, CS_A, STBY | EN | SYNC);
    assert_int_equal(board_read(b, CS_A) & SYNC, SYNC);
    board_write(b, CS_A, STBY | EN);
    assert_int_equal(board_read(b, DREQ_A), 0x10303020);
    board_write(b, FIFO_A, 1);
    assert_int_equal(board_read(b, CS_A), STBY | EN | TXD); /* half a frame */
    board_write(b, FIFO_A, 1);
    assert_int_equal(board_read(b, CS_A), STBY | EN | TXD | TXSYNC);
    for (unsigned i = 2; i < 64; i++)
        board_write(b, FIFO_A, 1);
    assert_int_equal(board_read(b, CS_A), STBY | EN | TXSYNC);
    board_write(b, FIFO_A, 1);
    assert_int_equal(b->finding, PI_AUDIO_FULL);
    assert_int_equal(board_read(b, CS_A) & TXERR, TXERR);
    board_write(b, CS_A, STBY | EN | TXERR | TXCLR);
    assert_int_equal(board_read(b, CS_A), STBY | EN | TXE | TXD | TXW | TXSYNC);
    assert_int_equal(b->output_count, 0);
}

TEST_WITH(frames_of_24_bits, set_up, NULL)
{
    struct board *b = *fixture;
    board_write(b, TXC_A, CHANNELS_24);
    board_write(b, FIFO_A, 0x00123456);
    board_write(b, FIFO_A, 0x00fedcba);
    board_write(b, FIFO_A, 0x00800000);
    board_write(b, FIFO_A, 0x007fffff);
    assert_int_equal(board_next(b), DEVICE_NEVER);
    board_write(b, CS_A, STBY | EN | TXON);
    board_wait(b, 10 * FRAME);
    assert_int_equal(b->output_count, 2);
    assert_int_equal(b->outputs[0].output, OUTPUT_AUDIO);
    assert_int_equal(b->outputs[0].value, 0xfedc1234);
    assert_int_equal(b->outputs[0].time, FRAME);
    assert_int_equal(b->outputs[1].value, 0x7fff8000);
    assert_int_equal(b->outputs[1].time, 2 * FRAME);
    assert_int_equal(board_read(b, CS_A) & TXERR, TXERR); /* the FIFO has become empty */
    assert_int_equal(b->finding_count + b->not_modelled, 0);
}

TEST_WITH(packed_frames, set_up, NULL)
{
    struct board *b = *fixture;
    board_write(b, TXC_A, CHANNELS_16);
    board_write(b, MODE_A, PACKED | 31 << FLEN | 16);
    board_write(b, CS_A, STBY | EN | TXON);
    board_write(b, FIFO_A, 0x12348765);
    assert_int_equal(board_next(b), FRAME / 2);
    board_wait(b, FRAME);
    assert_int_equal(b->output_count, 1);
    assert_int_equal(b->outputs[0].value, 0x12348765);
}

TEST_WITH(requests_and_interrupts, set_up, NULL)
{
    struct board *b = *fixture;
    board_write(b, TXC_A, CHANNELS_16);
    board_write(b, MODE_A, PACKED | 31 << FLEN | 16);
    board_write(b, CS_A, STBY | EN | DMAEN | TXTHR);
    assert_true(b->requests[REQUEST_PCM_TX]);
    board_write(b, INTEN_A, 1);
    assert_true(b->lines[LINE_PCM]);
    for (unsigned i = 0; i < 0x30; i++)
        board_write(b, FIFO_A, i);
    assert_false(b->requests[REQUEST_PCM_TX]); /* the level is 0x30 */
    board_write(b, INTSTC_A, 1);
    assert_false(b->lines[LINE_PCM]); /* three quarters are full */
    board_write(b, CS_A, STBY | EN | DMAEN | TXTHR | TXON);
    board_wait(b, FRAME / 2);
    assert_true(b->requests[REQUEST_PCM_TX]);
    assert_true(b->lines[LINE_PCM]);
    assert_int_equal(board_read(b, INTSTC_A), 1);
}

/* With its clock as an input, the interface waits for another chip, and a board has none. */
TEST_WITH(the_clock_of_another_chip, set_up, NULL)
{
    struct board *b = *fixture;
    board_write(b, CS_A, STBY);
    board_write(b, MODE_A, CLKM | 63 << FLEN | 32);
    assert_int_equal(b->not_modelled, 1);
    assert_non_null(strstr(b->text, "no frame is sent or received"));
    board_write(b, RXC_A, CHANNELS_24);
    board_write(b, TXC_A, CHANNELS_24);
    board_write(b, FIFO_A, 1);
    board_write(b, FIFO_A, 1);
    board_write(b, CS_A, STBY | EN | RXON | TXON | SYNC);
    assert_int_equal(board_next(b), DEVICE_NEVER);
    board_wait(b, DEVICE_SECOND);
    assert_int_equal(board_read(b, CS_A) & (RXD | TXE | SYNC), 0);
    assert_int_equal(b->output_count, 0);
    board_write(b, MODE_A, 63 << FLEN | 32);
    board_write(b, CS_A, STBY | EN | RXON | TXON | SYNC);
    board_wait(b, FRAME);
    assert_int_equal(board_read(b, CS_A) & (RXD | TXE | SYNC), RXD | TXE | SYNC);
    assert_int_equal(b->output_count, 1);
}

TEST_WITH(receives_zeros, set_up, NULL)
{
    struct board *b = *fixture;
    board_write(b, RXC_A, CHANNELS_24);
    board_write(b, CS_A, STBY | EN | DMAEN | RXON);
    board_wait(b, 16 * FRAME);
    assert_int_equal(board_read(b, CS_A) & RXD, RXD);
    assert_false(b->requests[REQUEST_PCM_RX]);
    board_wait(b, FRAME);
    assert_true(b->requests[REQUEST_PCM_RX]); /* more than 0x20 words */
    assert_int_equal(board_read(b, FIFO_A), 0);
    assert_int_equal(b->output_count, 0);
}

TEST_WITH(no_clock, set_up, NULL)
{
    struct board *b = *fixture;
    board_set_register(b, 0x7e101098, 0);
    board_write(b, TXC_A, CHANNELS_24);
    board_write(b, CS_A, STBY | EN | TXON);
    assert_int_equal(b->finding, PI_AUDIO_CLOCK);
    board_write(b, FIFO_A, 0);
    assert_int_equal(board_next(b), DEVICE_NEVER);
    board_set_register(b, 0x7e101098, 0x96);
    board_write(b, FIFO_A, 0);
    assert_int_equal(board_next(b), FRAME);
}
