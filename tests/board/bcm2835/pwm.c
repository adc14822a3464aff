/* SPDX-License-Identifier: MIT */
/* pwm.c - tests the pulse width modulator. Expected values are from "BCM2835 ARM Peripherals",
 * chapter 9, with elinux.org's errata. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/pwm.h"

enum {
    CTL = 0x00,
    STA = 0x04,
    DMAC = 0x08,
    RNG1 = 0x10,
    DAT1 = 0x14,
    FIF1 = 0x18,
    RNG2 = 0x20,
    ENABLE = 1 << 0,
    SERIALISER = 1 << 1,
    USE_FIFO = 1 << 5,
    CLEAR = 1 << 6,
    FULL = 1 << 0,
    EMPTY = 1 << 1,
    WRITE_ERROR = 1 << 2,
    GAP1 = 1 << 4,
    GAP2 = 1 << 5,
    ACTIVE1 = 1 << 9,
    ACTIVE2 = 1 << 10,
    FIFO = 16,
};

static int set_up(void **state)
{
    static struct board b;
    board_open(&b, &pwm);
    /* PLLD / 2, as PeterLemon's demos set it: 250 MHz. */
    board_set_register(&b, 0x7e1010a0, 0x96);
    board_set_register(&b, 0x7e1010a4, 0x2000);
    *state = &b;
    return 0;
}

static void play(struct board *b, uint32_t range, uint32_t left, uint32_t right)
{
    board_write(b, RNG1, range);
    board_write(b, RNG2, range);
    board_write(b, CTL, left | right << 8 | CLEAR);
}

TEST_WITH(reset, set_up, NULL)
{
    struct board *b = *fixture;
    assert_int_equal(board_read(b, CTL), 0);
    assert_int_equal(board_read(b, STA), EMPTY);
    assert_int_equal(board_read(b, DMAC), 0x707);
    assert_int_equal(board_read(b, RNG1), 0x20);
    board_write(b, DAT1, 5);
    assert_int_equal(board_read(b, DAT1), 5);
    board_write(b, CTL, ENABLE);
    assert_int_equal(board_read(b, STA), EMPTY | ACTIVE1);
    assert_int_equal(board_next(b), DEVICE_NEVER);
}

TEST_WITH(stereo_samples, set_up, NULL)
{
    struct board *b = *fixture;
    play(b, 5000, ENABLE | USE_FIFO, ENABLE | USE_FIFO); /* 50 kHz */
    static const uint32_t words[6] = {0, 5000, 2500, 1250, 6000, 3750};
    for (unsigned i = 0; i < 6; i++)
        board_write(b, FIF1, words[i]);
    assert_int_equal(board_read(b, STA), ACTIVE1 | ACTIVE2);
    board_wait(b, 59999);
    assert_int_equal(b->output_count, 2);
    board_wait(b, 1);
    assert_int_equal(b->output_count, 3);
    /* Sample = word * 65535 / range - 32768, at most 32767: left in the low half. */
    assert_int_equal(b->outputs[0].output, OUTPUT_AUDIO);
    assert_int_equal(b->outputs[0].value, 0x7fff8000);
    assert_int_equal(b->outputs[0].time, 20000);
    assert_int_equal(b->outputs[1].value, 0xbfffffff);
    assert_int_equal(b->outputs[2].value, 0x3fff7fff);
    assert_int_equal(b->outputs[2].time, 60000);
    board_wait(b, 1000000);
    assert_int_equal(b->output_count, 3);
    assert_int_equal(board_read(b, STA), EMPTY | GAP1 | GAP2);
    board_write(b, STA, GAP1);
    assert_int_equal(board_read(b, STA), EMPTY | GAP2);
    assert_int_equal(board_next(b), DEVICE_NEVER);
}

TEST_WITH(mono_plays_on_both_sides, set_up, NULL)
{
    struct board *b = *fixture;
    play(b, 1000, 0, ENABLE | USE_FIFO);
    board_write(b, FIF1, 1000);
    board_wait(b, 4000);
    assert_int_equal(b->output_count, 1);
    assert_int_equal(b->outputs[0].value, 0x7fff7fff);
}

TEST_WITH(full_fifo, set_up, NULL)
{
    struct board *b = *fixture;
    for (unsigned i = 0; i < FIFO; i++)
        board_write(b, FIF1, i);
    assert_int_equal(board_read(b, STA), FULL);
    board_write(b, FIF1, 9);
    assert_int_equal(b->finding, PI_AUDIO_FULL);
    assert_int_equal(board_read(b, STA), FULL | WRITE_ERROR);
    board_write(b, STA, WRITE_ERROR);
    board_write(b, CTL, CLEAR);
    assert_int_equal(board_read(b, STA), EMPTY);
    assert_int_equal(board_read(b, CTL), 0);
}

TEST_WITH(requests, set_up, NULL)
{
    struct board *b = *fixture;
    play(b, 1000, ENABLE | USE_FIFO, 0);
    assert_false(b->requests[REQUEST_PWM]);
    board_write(b, DMAC, UINT32_C(0x80000703)); /* threshold 3 */
    assert_true(b->requests[REQUEST_PWM]);
    for (unsigned i = 0; i < 4; i++)
        board_write(b, FIF1, i);
    assert_false(b->requests[REQUEST_PWM]);
    board_wait(b, 4000);
    assert_true(b->requests[REQUEST_PWM]);
    board_write(b, DMAC, 0x703);
    assert_false(b->requests[REQUEST_PWM]);
}

/* A channel that repeats the last word is active without words, and has no gap. */
TEST_WITH(repeated_word, set_up, NULL)
{
    struct board *b = *fixture;
    play(b, 1000, ENABLE | USE_FIFO | 1 << 2, ENABLE | USE_FIFO);
    assert_int_equal(board_read(b, STA), EMPTY | ACTIVE1);
    board_write(b, FIF1, 500);
    board_write(b, FIF1, 500);
    board_wait(b, 100000);
    assert_int_equal(board_read(b, STA), EMPTY | ACTIVE1 | GAP2);
    assert_int_equal(b->output_count, 1);
}

/* Lights of the type WS2812 are driven by the serialiser, which is no audio. */
TEST_WITH(serialiser, set_up, NULL)
{
    struct board *b = *fixture;
    board_write(b, RNG1, 32);
    board_write(b, CTL, ENABLE | USE_FIFO | SERIALISER);
    board_write(b, FIF1, 0x924924);
    board_write(b, FIF1, 0x924924);
    assert_int_equal(board_next(b), 128); /* 32 bits at 250 MHz */
    board_wait(b, 1000);
    assert_int_equal(board_read(b, STA), EMPTY | GAP1);
    assert_int_equal(b->output_count, 0);
}

TEST_WITH(clocks, set_up, NULL)
{
    struct board *b = *fixture;
    board_set_register(b, 0x7e1010a0, 0x291); /* oscillator / 19.2 */
    board_set_register(b, 0x7e1010a4, 19 << 12 | 819);
    play(b, 1000, ENABLE | USE_FIFO, 0);
    board_write(b, FIF1, 0);
    /* 19200000 * 4096 / (19 * 4096 + 819) is 1000002 Hz. 1000 clocks are 999998.000004 ns. */
    assert_int_equal(board_next(b), 999999);
    board_set_register(b, 0x7e1010a0, 0);
    b->clock_rates[TESS_PI_CLOCK_PWM] = 50000000;
    board_write(b, RNG1, 1000);
    assert_int_equal(board_next(b), 20000);
    b->clock_rates[TESS_PI_CLOCK_PWM] = 0;
    board_write(b, RNG1, 1000);
    assert_int_equal(board_next(b), 10000); /* 100 MHz */
}
