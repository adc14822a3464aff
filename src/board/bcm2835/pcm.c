/* SPDX-License-Identifier: MIT */
/* pcm.c - the PCM interface, which drives I2S audio chips.
 *
 * In:  register accesses; the clock manager's registers.
 * Out: audio samples; interrupts; requests to the DMA controller.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 8; Linux' bcm2835-i2s.c and circle's
 *         i2ssoundbasedevice.cpp.
 * Modelled: frames of one or two channels of 8 to 32 bits, packed frames, both FIFOs of 64 words
 *           with thresholds, errors, interrupts and requests.
 * Left out: GRAY and PDM modes; the positions of channels and the frame sync have no effect.
 * Choices: channel 1 is left; a single channel plays on both sides. The other chip sends zeros.
 *          While the FIFO for output is empty, no samples leave the board. No chip drives the clock
 *          if it is an input (CLKM): there are no frames then, and SYNC, which is read back two
 *          clocks after its write, keeps its old value. Otherwise SYNC can be read back at once. */
#include "board/bcm2835/pcm.h"

#include "board/bcm2835/audio_clock.h"
#include "board/bcm2835/rate.h"
#include "board/pi/pi.h"

enum {
    CS_A = 0x00,
    FIFO_A = 0x04,
    MODE_A = 0x08,
    RXC_A = 0x0c,
    TXC_A = 0x10,
    DREQ_A = 0x14,
    INTEN_A = 0x18,
    INTSTC_A = 0x1c,
    GRAY = 0x20,
    BASE = 0x203000,
};

/* CS_A */
enum {
    CS_EN = 1 << 0,
    CS_RXON = 1 << 1,
    CS_TXON = 1 << 2,
    CS_TXCLR = 1 << 3,
    CS_RXCLR = 1 << 4,
    CS_TXTHR_SHIFT = 5,
    CS_RXTHR_SHIFT = 7,
    CS_DMAEN = 1 << 9,
    CS_TXSYNC = 1 << 13,
    CS_RXSYNC = 1 << 14,
    CS_TXERR = 1 << 15,
    CS_RXERR = 1 << 16,
    CS_TXW = 1 << 17,
    CS_RXR = 1 << 18,
    CS_TXD = 1 << 19,
    CS_RXD = 1 << 20,
    CS_TXE = 1 << 21,
    CS_RXF = 1 << 22,
    CS_RXSEX = 1 << 23,
    CS_SYNC = 1 << 24,
    CS_STBY = 1 << 25,
    CS_ERRORS = CS_TXERR | CS_RXERR,
    CS_SETTINGS = CS_EN | CS_RXON | CS_TXON | 3 << CS_TXTHR_SHIFT | 3 << CS_RXTHR_SHIFT | CS_DMAEN |
                  CS_RXSEX | CS_SYNC | CS_STBY,
};

/* MODE_A, and the 16 bits of each channel in RXC_A and TXC_A */
enum {
    MODE_SLAVE = 1 << 23, /* CLKM */
    MODE_PACKED_OUT = 1 << 24,
    MODE_PACKED_IN = 1 << 25,
    MODE_PDM = 1 << 26,
    MODE_FLEN_SHIFT = 10,
    CHANNEL_WIDE = 1 << 15,
    CHANNEL_ENABLED = 1 << 14,
};

enum {
    INT_TXW = 1 << 0,
    INT_RXR = 1 << 1,
    INT_TXERR = 1 << 2,
    INT_RXERR = 1 << 3,
    INTERRUPTS = 15,
    DREQ_RESET = 0x10303020,
    QUARTER = PCM_FIFO / 4,
    STEPS = 100000, /* the largest number of frames in one call of pcm_advance() */
};

/* --- FIFOs --- */

static bool push(struct pcm_fifo *fifo, uint32_t value)
{
    if (fifo->count == PCM_FIFO)
        return false;
    fifo->words[(fifo->first + fifo->count++) % PCM_FIFO] = value;
    return true;
}

static bool pop(struct pcm_fifo *fifo, uint32_t *value)
{
    *value = 0;
    if (fifo->count == 0)
        return false;
    *value = fifo->words[fifo->first % PCM_FIFO];
    fifo->first = (fifo->first + 1) % PCM_FIFO;
    fifo->count--;
    return true;
}

/* Returns true if the FIFO for output needs words, by the threshold TXTHR. */
static bool needs_writing(const struct pcm *s)
{
    switch (s->control >> CS_TXTHR_SHIFT & 3) {
    case 0: return s->out.count == 0;
    case 1: return s->out.count < 3 * QUARTER;
    case 2: return s->out.count < PCM_FIFO - 1;
    default: return s->out.count < PCM_FIFO;
    }
}

static bool needs_reading(const struct pcm *s)
{
    switch (s->control >> CS_RXTHR_SHIFT & 3) {
    case 0: return s->in.count > 0;
    case 1: return s->in.count >= QUARTER;
    case 2: return s->in.count >= 3 * QUARTER;
    default: return s->in.count == PCM_FIFO;
    }
}

/* Returns the number of words of a frame. */
static uint32_t frame_words(uint32_t channels, bool packed)
{
    uint32_t count = channels >> 30 & 1; /* CHANNEL_ENABLED of channel 1 */
    count += channels >> 14 & 1;
    return packed && count ? 1 : count;
}

static uint32_t read_control(const struct pcm *s)
{
    uint32_t value = s->control;
    uint32_t out = frame_words(s->transmit, s->mode & MODE_PACKED_OUT);
    uint32_t in = frame_words(s->receive, s->mode & MODE_PACKED_IN);
    value |= s->out.count == 0 ? CS_TXE : 0;
    value |= s->out.count < PCM_FIFO ? CS_TXD : 0;
    value |= s->in.count > 0 ? CS_RXD : 0;
    value |= s->in.count == PCM_FIFO ? CS_RXF : 0;
    value |= needs_writing(s) ? CS_TXW : 0;
    value |= needs_reading(s) ? CS_RXR : 0;
    value |= out && s->out.count % out == 0 ? CS_TXSYNC : 0;
    value |= in && s->in.count % in == 0 ? CS_RXSYNC : 0;
    return value;
}

static void request(const struct device_ports *ports, enum device_request number, uint32_t *old,
                    bool level)
{
    if (*old == level)
        return;
    *old = level;
    ports->request(ports->user, number, level);
}

static void update(struct pcm *s, const struct device_ports *ports)
{
    bool on = s->control & CS_EN;
    uint32_t now = on ? (needs_writing(s) ? INT_TXW : 0) | (needs_reading(s) ? INT_RXR : 0) : 0;
    s->interrupts |= now & s->enables;
    ports->interrupt(ports->user, LINE_PCM, s->interrupts);
    bool dma = on && s->control & CS_DMAEN;
    uint32_t out = s->requests >> 8 & 0x7f, in = s->requests & 0x7f;
    request(ports, REQUEST_PCM_TX, &s->requested_out,
            dma && s->out.count < out && s->out.count < PCM_FIFO);
    request(ports, REQUEST_PCM_RX, &s->requested_in, dma && s->in.count > in);
}

static void set_error(struct pcm *s, uint32_t control, uint32_t interrupt)
{
    s->control |= control;
    s->interrupts |= interrupt & s->enables;
}

/* --- time --- */

static bool sends(const struct pcm *s)
{
    return s->control & CS_TXON && frame_words(s->transmit, s->mode & MODE_PACKED_OUT);
}

static bool receives(const struct pcm *s)
{
    return s->control & CS_RXON && frame_words(s->receive, s->mode & MODE_PACKED_IN);
}

static void plan(struct pcm *s)
{
    uint32_t bits = (s->mode >> MODE_FLEN_SHIFT & 0x3ff) + 1;
    s->due = rate_after(s->start, rate_time(s->frames * bits, s->rate));
}

/* Starts frames at the present time if there is something to send or to receive. */
static void start(struct pcm *s, const struct device_ports *ports)
{
    bool work = (sends(s) && s->out.count) || receives(s);
    if (s->due != DEVICE_NEVER || !(s->control & CS_EN) || s->mode & MODE_SLAVE || !work)
        return;
    s->rate = audio_clock(ports, CLOCKS_PCM);
    s->start = ports->now(ports->user);
    s->frames = 1;
    plan(s);
}

/* Restarts the count of frames after a change of a setting. */
static void restart(struct pcm *s, const struct device_ports *ports)
{
    s->due = DEVICE_NEVER;
    start(s, ports);
    update(s, ports);
}

/* --- frames --- */

/* Converts a sample of a channel to 16 bits. */
static uint32_t convert(uint32_t channel, uint32_t word)
{
    uint32_t width = (channel & 15) + 8 + (channel & CHANNEL_WIDE ? 16 : 0);
    if (width > 32)
        width = 32;
    return (width >= 16 ? word >> (width - 16) : word << (16 - width)) & 0xffff;
}

static void send_frame(struct pcm *s, const struct device_ports *ports)
{
    uint32_t first = s->transmit >> 16, second = s->transmit & 0xffff, left = 0, right = 0;
    bool have = true;
    if (s->mode & MODE_PACKED_OUT) {
        have = pop(&s->out, &left);
        right = left >> 16;
        left &= 0xffff;
    } else {
        if (first & CHANNEL_ENABLED)
            have = pop(&s->out, &left);
        if (second & CHANNEL_ENABLED)
            have = pop(&s->out, &right) && have;
    }
    if (!have)
        set_error(s, CS_TXERR, INT_TXERR);
    left = convert(first, left);
    right = convert(second, right);
    if (!(second & CHANNEL_ENABLED))
        right = left;
    if (!(first & CHANNEL_ENABLED))
        left = right;
    ports->output(ports->user, OUTPUT_AUDIO, left | right << 16);
}

static void receive_frame(struct pcm *s)
{
    uint32_t words = frame_words(s->receive, s->mode & MODE_PACKED_IN);
    for (; words; words--)
        if (!push(&s->in, 0))
            set_error(s, CS_RXERR, INT_RXERR);
}

static void step(struct pcm *s, const struct device_ports *ports)
{
    bool empty = s->out.count == 0;
    if (sends(s) && !empty)
        send_frame(s, ports);
    else if (sends(s))
        set_error(s, CS_TXERR, INT_TXERR);
    if (receives(s))
        receive_frame(s);
    if (empty && !receives(s)) {
        s->due = DEVICE_NEVER; /* continues with the next word */
    } else {
        s->frames++;
        plan(s);
    }
    update(s, ports);
}

/* --- registers --- */

static void pcm_reset(void *state, const struct device_ports *ports)
{
    struct pcm *s = state;
    (void)ports;
    s->requests = DREQ_RESET;
    s->due = DEVICE_NEVER;
}

static void write_control(struct pcm *s, const struct device_ports *ports, uint32_t value)
{
    uint32_t errors = s->control & CS_ERRORS & ~value;
    bool was_on = s->control & CS_EN;
    uint32_t changed = s->control ^ value;
    if (s->mode & MODE_SLAVE)
        value = (value & ~(uint32_t)CS_SYNC) | (s->control & CS_SYNC);
    s->control = (value & CS_SETTINGS) | errors;
    if (value & CS_TXCLR)
        s->out.count = 0;
    if (value & CS_RXCLR)
        s->in.count = 0;
    if (!was_on || changed & (CS_EN | CS_TXON | CS_RXON))
        restart(s, ports);
    bool starts = changed & s->control & (CS_TXON | CS_RXON);
    if (starts && !(s->mode & MODE_SLAVE) && audio_clock(ports, CLOCKS_PCM) == 0)
        ports->finding(ports->user, PI_AUDIO_CLOCK, BASE + CS_A,
                       "PCM: the interface is started while the clock manager has no PCM clock");
    update(s, ports);
}

static void write_mode(struct pcm *s, const struct device_ports *ports, uint32_t value)
{
    s->mode = value & 0x1fffffff;
    if (value & MODE_PDM)
        ports->not_modelled(ports->user, BASE + MODE_A, "PCM: PDM mode", "use PCM mode");
    if (value & MODE_SLAVE)
        ports->not_modelled(ports->user, BASE + MODE_A,
                            "PCM: the clock is an input, but no chip is connected that drives it; "
                            "no frame is sent or received",
                            "set bit 23 (CLKM) to 0: the clock manager's PCM clock is then used");
    restart(s, ports);
}

static void write_fifo(struct pcm *s, const struct device_ports *ports, uint32_t value)
{
    if (!push(&s->out, value)) {
        set_error(s, CS_TXERR, INT_TXERR);
        ports->finding(ports->user, PI_AUDIO_FULL, BASE + FIFO_A,
                       "PCM: FIFO_A is written while the FIFO is full; the word is lost");
    }
    start(s, ports);
    update(s, ports);
}

static uint32_t read_fifo(struct pcm *s, const struct device_ports *ports)
{
    uint32_t value;
    if (!pop(&s->in, &value))
        set_error(s, CS_RXERR, INT_RXERR);
    update(s, ports);
    return value;
}

static uint32_t pcm_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct pcm *s = state;
    switch (offset) {
    case CS_A: return read_control(s);
    case FIFO_A: return read_fifo(s, ports);
    case MODE_A: return s->mode;
    case RXC_A: return s->receive;
    case TXC_A: return s->transmit;
    case DREQ_A: return s->requests;
    case INTEN_A: return s->enables;
    case INTSTC_A: return s->interrupts;
    case GRAY: return s->gray;
    default:
        ports->not_modelled(ports->user, BASE + offset, "PCM: a register that does not exist",
                            "use the registers CS_A to GRAY");
        return 0;
    }
}

static void pcm_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct pcm *s = state;
    switch (offset) {
    case CS_A: write_control(s, ports, value); break;
    case FIFO_A: write_fifo(s, ports, value); break;
    case MODE_A: write_mode(s, ports, value); break;
    case RXC_A:
        s->receive = value;
        restart(s, ports);
        break;
    case TXC_A:
        s->transmit = value;
        restart(s, ports);
        break;
    case DREQ_A: s->requests = value; break;
    case INTEN_A: s->enables = value & INTERRUPTS; break;
    case INTSTC_A: s->interrupts &= ~value; break;
    case GRAY:
        s->gray = value;
        if (value & 1)
            ports->not_modelled(ports->user, BASE + GRAY, "PCM: GRAY mode", "use PCM mode");
        break;
    default:
        ports->not_modelled(ports->user, BASE + offset, "PCM: a register that does not exist",
                            "use the registers CS_A to GRAY");
    }
    update(s, ports);
}

static uint64_t pcm_next(const void *state)
{
    const struct pcm *s = state;
    return s->due;
}

static void pcm_advance(void *state, const struct device_ports *ports)
{
    struct pcm *s = state;
    uint64_t now = ports->now(ports->user);
    for (unsigned steps = 0; steps < STEPS && s->due <= now && s->due != DEVICE_NEVER; steps++)
        step(s, ports);
    if (s->due <= now && s->due != DEVICE_NEVER) { /* after a large jump of time */
        s->start = now;
        s->frames = 1;
        plan(s);
    }
}

const struct device pcm = {
    .name = "PCM",
    .base = BASE,
    .size = 0x24,
    .state_size = sizeof(struct pcm),
    .reset = pcm_reset,
    .read = pcm_read,
    .write = pcm_write,
    .next = pcm_next,
    .advance = pcm_advance,
};
