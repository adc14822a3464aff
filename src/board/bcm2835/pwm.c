/* SPDX-License-Identifier: MIT */
/* pwm.c - the pulse width modulator, which also drives the audio jack.
 *
 * In:  register accesses; the clock manager's registers.
 * Out: audio samples; requests to the DMA controller.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 9; elinux.org's "BCM2835 datasheet errata" and the
 *         page on PWM in ma16/rpio, which measured that the FIFO has 16 words, not eight, that a
 *         request is raised at its threshold, and that a channel that repeats its last word has no
 *         gap.
 * Modelled: both channels, range and data registers, the FIFO with its status bits, and the time of
 *           each period. A period has as many clocks as the range, in all modes.
 * Left out: pulses at pins: words of the data registers, polarity, silence bits and the M/S mode
 *           have no effect on samples. Words of the serialiser are not samples.
 * Choices: a word of the FIFO in PWM mode is a sample: 0 is the lowest level, the range the
 *          highest. Channel 1 is left. A single channel plays on both sides. While the FIFO is
 *          empty, no samples leave the board. Without a clock, the rate is that of the property
 *          interface, or 100 MHz, the manual's nominal rate. Periods follow the range of the first
 *          channel that reads the FIFO. */
#include "board/bcm2835/pwm.h"

#include "board/bcm2835/audio_clock.h"
#include "board/bcm2835/rate.h"
#include "board/pi/pi.h"

enum {
    CTL = 0x00,
    STA = 0x04,
    DMAC = 0x08,
    RNG1 = 0x10,
    DAT1 = 0x14,
    FIF1 = 0x18,
    RNG2 = 0x20,
    DAT2 = 0x24,
    BASE = 0x20c000,
};

/* CTL: bits 7:0 are channel 1, bits 15:8 channel 2 */
enum {
    CTL_ENABLE = 1 << 0,
    CTL_SERIALISER = 1 << 1,
    CTL_REPEAT = 1 << 2,
    CTL_FIFO = 1 << 5,
    CTL_CLEAR = 1 << 6,
    CTL_STORED = 0xbfbf,
};

/* STA */
enum {
    STA_FULL = 1 << 0,
    STA_EMPTY = 1 << 1,
    STA_WRITE_ERROR = 1 << 2,
    STA_READ_ERROR = 1 << 3,
    STA_GAP1 = 1 << 4,
    STA_BUS_ERROR = 1 << 8,
    STA_ACTIVE1 = 1 << 9,
    STA_CLEARABLE = 0x1fc,
};

enum {
    DMAC_RESET = 7 << 8 | 7,
    RANGE_RESET = 0x20,
    NOMINAL_RATE = 100000000,
    LEVELS = 65535,
    SILENCE = 32768,
    WRITE_ONLY = 0x70776d30, /* what FIF1 reads: "pwm0" */
};
#define DMAC_ENABLE UINT32_C(0x80000000)

static uint32_t channel_control(const struct pwm *s, unsigned channel)
{
    return s->control >> 8 * channel & 0xff;
}

static bool reads_fifo(const struct pwm *s, unsigned channel)
{
    uint32_t control = channel_control(s, channel);
    return control & CTL_ENABLE && control & CTL_FIFO;
}

static void update(struct pwm *s, const struct device_ports *ports)
{
    uint32_t level = s->dma & DMAC_ENABLE && s->fifo_count < PWM_FIFO &&
                     s->fifo_count <= (s->dma & 0xff);
    if (level != s->requested) {
        s->requested = level;
        ports->request(ports->user, REQUEST_PWM, level);
    }
}

/* --- time --- */

static uint32_t period_clocks(const struct pwm *s)
{
    uint32_t range = s->range[reads_fifo(s, 0) ? 0 : 1];
    return range ? range : 1;
}

static void plan(struct pwm *s)
{
    uint64_t ticks = s->periods * period_clocks(s);
    s->due = rate_after(s->start, rate_time(ticks, s->rate));
}

static uint32_t clock_rate(const struct device_ports *ports)
{
    uint32_t rate = audio_clock(ports, CLOCKS_PWM);
    if (rate == 0)
        rate = ports->clock_rate(ports->user, TESS_PI_CLOCK_PWM);
    return rate ? rate : NOMINAL_RATE;
}

/* Starts periods at the present time if a channel waits for the FIFO and the FIFO has words. */
static void start(struct pwm *s, const struct device_ports *ports)
{
    if (s->due != DEVICE_NEVER || s->fifo_count == 0 || (!reads_fifo(s, 0) && !reads_fifo(s, 1)))
        return;
    s->rate = clock_rate(ports);
    s->start = ports->now(ports->user);
    s->periods = 1;
    plan(s);
}

/* Restarts the count of periods after a change of the range or the channels. */
static void restart(struct pwm *s, const struct device_ports *ports)
{
    s->due = DEVICE_NEVER;
    start(s, ports);
}

/* --- samples --- */

/* Returns the sample of a word, from -32768 to 32767. */
static uint32_t sample(const struct pwm *s, unsigned channel)
{
    uint64_t range = s->range[channel] ? s->range[channel] : 1;
    uint64_t word = s->last[channel] < range ? s->last[channel] : range;
    return (uint32_t)(word * LEVELS / range - SILENCE) & 0xffff;
}

static void put_sample(const struct pwm *s, const struct device_ports *ports)
{
    bool left = reads_fifo(s, 0), right = reads_fifo(s, 1);
    if ((left && channel_control(s, 0) & CTL_SERIALISER) ||
        (right && channel_control(s, 1) & CTL_SERIALISER))
        return;
    ports->output(ports->user, OUTPUT_AUDIO,
                  sample(s, left ? 0 : 1) | sample(s, right ? 1 : 0) << 16);
}

/* A period ends: each channel that uses the FIFO takes the next word, in turns. */
static void step(struct pwm *s, const struct device_ports *ports)
{
    bool taken = false;
    for (unsigned channel = 0; channel < PWM_CHANNELS; channel++) {
        if (!reads_fifo(s, channel))
            continue;
        if (s->fifo_count == 0) {
            if (!(channel_control(s, channel) & CTL_REPEAT))
                s->status |= (uint32_t)STA_GAP1 << channel;
            continue;
        }
        s->last[channel] = s->fifo[s->fifo_first % PWM_FIFO];
        s->fifo_first = (s->fifo_first + 1) % PWM_FIFO;
        s->fifo_count--;
        taken = true;
    }
    if (!taken) {
        s->due = DEVICE_NEVER; /* continues with the next word */
        return;
    }
    put_sample(s, ports);
    s->periods++;
    plan(s);
    update(s, ports);
}

/* --- registers --- */

static void pwm_reset(void *state, const struct device_ports *ports)
{
    struct pwm *s = state;
    (void)ports;
    s->dma = DMAC_RESET;
    s->range[0] = s->range[1] = RANGE_RESET;
    s->rate = NOMINAL_RATE;
    s->due = DEVICE_NEVER;
}

static uint32_t read_status(const struct pwm *s)
{
    uint32_t value = s->status;
    if (s->fifo_count == PWM_FIFO)
        value |= STA_FULL;
    if (s->fifo_count == 0)
        value |= STA_EMPTY;
    for (unsigned channel = 0; channel < PWM_CHANNELS; channel++) {
        uint32_t control = channel_control(s, channel);
        bool waits = control & CTL_FIFO && !(control & CTL_REPEAT) && s->due == DEVICE_NEVER;
        if (control & CTL_ENABLE && !waits)
            value |= (uint32_t)STA_ACTIVE1 << channel;
    }
    return value;
}

static void write_fifo(struct pwm *s, const struct device_ports *ports, uint32_t value)
{
    if (s->fifo_count == PWM_FIFO) {
        s->status |= STA_WRITE_ERROR;
        ports->finding(ports->user, PI_AUDIO_FULL, BASE + FIF1,
                       "PWM: FIF1 is written while the FIFO is full; the word is lost");
        return;
    }
    s->fifo[(s->fifo_first + s->fifo_count++) % PWM_FIFO] = value;
    start(s, ports);
    update(s, ports);
}

static uint32_t pwm_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct pwm *s = state;
    switch (offset) {
    case CTL: return s->control;
    case STA: return read_status(s);
    case DMAC: return s->dma;
    case RNG1: return s->range[0];
    case DAT1: return s->data[0];
    case FIF1: return WRITE_ONLY;
    case RNG2: return s->range[1];
    case DAT2: return s->data[1];
    default:
        ports->not_modelled(ports->user, BASE + offset, "PWM: a register that does not exist",
                            "use the registers CTL to DAT2");
        return 0;
    }
}

static void pwm_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct pwm *s = state;
    switch (offset) {
    case CTL:
        if (value & CTL_CLEAR)
            s->fifo_count = 0;
        s->control = value & CTL_STORED;
        restart(s, ports);
        break;
    case STA: s->status &= ~(value & STA_CLEARABLE); break;
    case DMAC: s->dma = value & (DMAC_ENABLE | 0xffff); break;
    case RNG1:
    case RNG2:
        s->range[offset == RNG2] = value;
        restart(s, ports);
        break;
    case DAT1:
    case DAT2: s->data[offset == DAT2] = value; break;
    case FIF1: write_fifo(s, ports, value); break;
    default:
        ports->not_modelled(ports->user, BASE + offset, "PWM: a register that does not exist",
                            "use the registers CTL to DAT2");
    }
    update(s, ports);
}

static uint64_t pwm_next(const void *state)
{
    const struct pwm *s = state;
    return s->due;
}

static void pwm_advance(void *state, const struct device_ports *ports)
{
    struct pwm *s = state;
    uint64_t now = ports->now(ports->user);
    while (s->due <= now && s->due != DEVICE_NEVER) /* at most once for each word, and once more */
        step(s, ports);
}

const struct device pwm = {
    .name = "PWM",
    .base = BASE,
    .size = 0x28,
    .state_size = sizeof(struct pwm),
    .reset = pwm_reset,
    .read = pwm_read,
    .write = pwm_write,
    .next = pwm_next,
    .advance = pwm_advance,
};
