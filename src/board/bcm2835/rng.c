/* SPDX-License-Identifier: MIT */
/* rng.c - the random number generator.
 *
 * In:  register accesses; time.
 * Out: words, the number of words that can be read.
 *
 * Source: Linux' bcm2835-rng.c; the hardware has no public manual.
 * Modelled: enable, the warm-up count, the number of words.
 * Left out: its interrupt.
 * Choices: the words are the same in each run: word n is the upper half of SplitMix64's output n +
 *          1 for the seed 0. The generator makes a bit in each microsecond, and keeps up to 16
 *          words. */
#include "board/bcm2835/rng.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    CONTROL = 0x00,
    STATUS = 0x04,
    DATA = 0x08,
    THRESHOLD = 0x0c,
    MASK = 0x10,
    CONTROL_ENABLE = 1 << 0,
    STATUS_COUNT = 24, /* lowest bit of the number of words */
    STATUS_WARM_UP = 0xfffff,
    BIT_TIME = DEVICE_MICROSECOND,
    WORD_TIME = 32 * BIT_TIME,
    WORDS = 16,
};

static uint32_t word(uint64_t number)
{
    uint64_t z = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32);
}

/* Makes all words up to the present time. */
static void rng_advance(void *state, const struct device_ports *ports)
{
    struct rng *s = state;
    uint64_t now = ports->now(ports->user);
    for (; s->count < WORDS && s->word_at <= now; s->count++)
        s->word_at = rate_after(s->word_at, WORD_TIME);
    if (s->count == WORDS)
        s->word_at = DEVICE_NEVER; /* the generator waits */
}

static uint32_t read_word(struct rng *s, const struct device_ports *ports)
{
    if (s->count == 0)
        return 0;
    if (s->count-- == WORDS && s->control & CONTROL_ENABLE)
        s->word_at = rate_after(ports->now(ports->user), WORD_TIME);
    return word(s->drawn++);
}

static uint32_t rng_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct rng *s = state;
    switch (offset) {
    case CONTROL: return s->control;
    case STATUS: return s->count << STATUS_COUNT | s->warm_up;
    case DATA: return read_word(s, ports);
    case THRESHOLD: return s->threshold;
    case MASK: return s->mask;
    default: return report_register(ports, &rng, offset);
    }
}

/* The generator discards its first bits, whose number is the warm-up count. */
static void write_control(struct rng *s, const struct device_ports *ports, uint32_t value)
{
    bool starts = value & ~s->control & CONTROL_ENABLE;
    s->control = value;
    if (starts)
        s->word_at = rate_after(ports->now(ports->user),
                                (STATUS_WARM_UP + 1 - (uint64_t)s->warm_up) * BIT_TIME + WORD_TIME);
    else if (!(value & CONTROL_ENABLE))
        s->word_at = DEVICE_NEVER;
}

static void rng_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct rng *s = state;
    switch (offset) {
    case CONTROL: write_control(s, ports, value); return;
    case STATUS: s->warm_up = value & STATUS_WARM_UP; return;
    case DATA: return;
    case THRESHOLD: s->threshold = value; return;
    case MASK: s->mask = value; return;
    default: report_register(ports, &rng, offset);
    }
}

static void rng_reset(void *state, const struct device_ports *ports)
{
    struct rng *s = state;
    (void)ports;
    s->word_at = DEVICE_NEVER;
}

const struct device rng = {
    .name = "random number generator",
    .base = 0x104000,
    .size = 0x1000,
    .state_size = sizeof(struct rng),
    .reset = rng_reset,
    .read = rng_read,
    .write = rng_write,
    .advance = rng_advance,
};
