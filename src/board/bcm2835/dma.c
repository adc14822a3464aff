/* SPDX-License-Identifier: MIT */
/* dma.c - the DMA controller.
 *
 * In:  control blocks and data in RAM; register accesses; requests of peripherals.
 * Out: data in RAM and in peripherals; interrupts.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 4; Linux' bcm2835-dma.c (zeros for ignored sources,
 *         idle channels have a CONBLK_AD of 0); circle's dmachannel.cpp (YLENGTH is the number of
 *         rows minus one); hzeller/rpi-gpio-dma-demo (measured times).
 * Modelled: chains of control blocks, rows with strides, fills, ignored sources and destinations,
 *           pacing by requests, waits, pause, abort, reset, errors.
 * Left out: priorities, panic, the order of outstanding writes (a write is complete when its data
 *           has moved); the interrupt of channel 15, whose line is not published.
 * Choices: time is counted in clocks of the core. Each burst takes LATENCY clocks, and each beat in
 *          it takes one clock plus the waits. A burst is BURST_LENGTH + 1 beats; a beat has 16
 *          bytes if source and destination are 128 bits wide, otherwise 4. Lite channels take twice
 *          the time, as the manual gives them half the bandwidth. A single access takes 84 ns at
 *          250 MHz; the demo measured about 100 ns between two words for GPIO. A control block
 *          takes LOAD clocks. Copies between RAM move at most CHUNK bytes at a time. All other
 *          transfers move word by word, and check the request before each word. A channel stops at
 *          an error. */
#include "board/bcm2835/dma.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "board/bcm2835/rate.h"
#include "board/pi/pi.h"

enum {
    CS = 0x00,
    CONBLK_AD = 0x04,
    TI = 0x08,
    SOURCE_AD = 0x0c,
    DEST_AD = 0x10,
    TXFR_LEN = 0x14,
    STRIDE = 0x18,
    NEXTCONBK = 0x1c,
    DEBUG = 0x20,
    CHANNEL_SIZE = 0x100,
    INT_STATUS = 0xfe0,
    ENABLE = 0xff0,
    BASE = 0x7000,
    BASE_15 = 0xe05000,
    FIRST_LITE = 7,

    BLOCK_SIZE = 32,
    BLOCK_USED = 24, /* without reserved words */
    CHUNK = 4096,
    BURST_BYTES = 256, /* 16 beats of 16 bytes */
    LATENCY = 20,
    LOAD = 100,
    CORE_RATE = 250000000,
    STEPS = 100000, /* the largest number of chunks in one call of dma_advance() */
};

/* CS */
enum {
    CS_ACTIVE = 1 << 0,
    CS_END = 1 << 1,
    CS_INT = 1 << 2,
    CS_DREQ = 1 << 3,
    CS_PAUSED = 1 << 4,
    CS_HELD = 1 << 5, /* DREQ_STOPS_DMA */
    CS_ERROR = 1 << 8,
    CS_STORED = 0x30ff0000, /* priorities, WAIT_FOR_OUTSTANDING_WRITES, DISDEBUG */
    CS_ABORT = 1 << 30,
};
#define CS_RESET UINT32_C(0x80000000)

/* TI */
enum {
    TI_INTEN = 1 << 0,
    TI_2D = 1 << 1,
    TI_DEST_INC = 1 << 4,
    TI_DEST_WIDE = 1 << 5,
    TI_DEST_DREQ = 1 << 6,
    TI_DEST_IGNORE = 1 << 7,
    TI_SRC_INC = 1 << 8,
    TI_SRC_WIDE = 1 << 9,
    TI_SRC_DREQ = 1 << 10,
    TI_SRC_IGNORE = 1 << 11,
    TI_LITE_LEFT_OUT = TI_2D | TI_SRC_IGNORE | TI_DEST_IGNORE,
};

/* DEBUG */
enum { READ_ERROR = 1 << 2, ERRORS = 7, ID_SHIFT = 8, VERSION = 2 << 25, LITE = 1 << 28 };

static bool is_lite(const struct dma *state, unsigned index)
{
    unsigned number = state->first + index;
    return number >= FIRST_LITE && number < DMA_CHANNELS;
}

static uint32_t register_offset(const struct dma *state, unsigned index, uint32_t offset)
{
    return state->first ? BASE_15 + offset : BASE + index * CHANNEL_SIZE + offset;
}

static void update_lines(const struct dma *state, const struct device_ports *ports)
{
    if (state->first) {
        if (state->channel[0].control & CS_INT)
            ports->not_modelled(ports->user, BASE_15, "DMA: the interrupt of channel 15",
                                "use a channel below 15, or poll the bit INT");
        return;
    }
    bool shared = false, any = false;
    for (unsigned i = 0; i < state->count; i++) {
        bool level = state->channel[i].control & CS_INT;
        any |= level;
        if (LINE_DMA0 + i < LINE_DMA_SHARED)
            ports->interrupt(ports->user, LINE_DMA0 + i, level);
        else
            shared |= level;
    }
    ports->interrupt(ports->user, LINE_DMA_SHARED, shared);
    ports->interrupt(ports->user, LINE_DMA_ALL, any);
}

/* --- control blocks --- */

static void fail(struct dma *state, const struct device_ports *ports, unsigned index,
                 enum pi_finding finding, const char *text, uint32_t address)
{
    struct dma_channel *channel = &state->channel[index];
    char line[160];
    snprintf(line, sizeof line, "DMA channel %u: %s (0x%08x)", state->first + index, text, address);
    ports->finding(ports->user, finding, register_offset(state, index, CS), line);
    channel->errors |= READ_ERROR;
    channel->control &= ~(uint32_t)CS_ACTIVE;
    channel->loaded = 0;
    channel->due = DEVICE_NEVER;
}

static unsigned request_of(const struct dma_channel *channel)
{
    return channel->information >> 16 & 31;
}

static bool is_paced(const struct dma_channel *channel)
{
    return request_of(channel) != REQUEST_ALWAYS &&
           channel->information & (TI_SRC_DREQ | TI_DEST_DREQ);
}

static bool is_held(const struct dma *state, const struct dma_channel *channel)
{
    return is_paced(channel) && !(state->requests >> request_of(channel) & 1);
}

static uint32_t beat_size(const struct dma_channel *channel)
{
    bool wide = channel->information & TI_SRC_WIDE && channel->information & TI_DEST_WIDE;
    return wide ? 16 : 4;
}

static uint32_t burst_size(const struct dma_channel *channel)
{
    return beat_size(channel) * ((channel->information >> 12 & 15) + 1);
}

static uint64_t nanoseconds(const struct device_ports *ports, uint64_t clocks)
{
    uint32_t rate = ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE);
    return rate_time(clocks, rate ? rate : CORE_RATE);
}

/* Returns true if the next `size` bytes of the channel stay inside RAM. */
static bool is_copy(const struct dma_channel *channel, const struct device_ports *ports,
                    uint32_t size)
{
    bool from = channel->information & TI_SRC_IGNORE ||
                ports->ram(ports->user, channel->source, size);
    bool to = channel->information & TI_DEST_IGNORE ||
              ports->ram(ports->user, channel->destination, size);
    return from && to;
}

/* Plans the next chunk: its size, and the time after `time` at which it has moved. */
static void plan(struct dma *state, const struct device_ports *ports, unsigned index, uint64_t time,
                 uint32_t clocks)
{
    struct dma_channel *channel = &state->channel[index];
    uint32_t size = channel->row < CHUNK ? channel->row : CHUNK;
    if (is_paced(channel) || !is_copy(channel, ports, size))
        size = channel->row < 4 ? channel->row : 4;
    uint32_t beat = beat_size(channel), burst = burst_size(channel);
    uint32_t waits = channel->information >> 21 & 31;
    clocks += (size + burst - 1) / burst * LATENCY + (size + beat - 1) / beat * (1 + waits);
    if (is_lite(state, index))
        clocks *= 2;
    channel->chunk = size;
    channel->due = is_held(state, channel) ? DEVICE_NEVER : time + nanoseconds(ports, clocks);
}

static void touch(const struct device_ports *ports, uint32_t bus, uint32_t size, bool write)
{
    if (ports->touches)
        ports->touches(ports->user, bus, size, write);
}

/* Copies the control block at CONBLK_AD into the registers. Returns false if it is not in RAM. */
static bool copy_block(struct dma *state, const struct device_ports *ports, unsigned index)
{
    struct dma_channel *channel = &state->channel[index];
    if (channel->block % BLOCK_SIZE) {
        char line[160];
        snprintf(line, sizeof line,
                 "DMA channel %u: the control block's address, 0x%08x, is not a multiple of 32",
                 state->first + index, channel->block);
        ports->finding(ports->user, PI_DMA_BLOCK, register_offset(state, index, CONBLK_AD), line);
        channel->block &= ~UINT32_C(31);
    }
    const uint8_t *words = ports->ram(ports->user, channel->block, BLOCK_SIZE);
    if (!words) {
        fail(state, ports, index, PI_DMA_BLOCK, "the control block is not in RAM", channel->block);
        return false;
    }
    touch(ports, channel->block, BLOCK_USED, false);
    channel->information = load_le32(words);
    channel->source = load_le32(words + 4);
    channel->destination = load_le32(words + 8);
    channel->length = load_le32(words + 12) & 0x3fffffff;
    channel->stride = load_le32(words + 16);
    channel->next = load_le32(words + 20);
    return true;
}

/* Starts the control block at CONBLK_AD. */
static void load(struct dma *state, const struct device_ports *ports, unsigned index, uint64_t time)
{
    struct dma_channel *channel = &state->channel[index];
    if (!copy_block(state, ports, index))
        return;
    if (is_lite(state, index) &&
        (channel->information & TI_LITE_LEFT_OUT || channel->length > 0xffff)) {
        char line[160];
        snprintf(
            line, sizeof line,
            "DMA channel %u is a lite channel: it has no rows, no ignored accesses, and lengths "
            "below 65536 only",
            index);
        ports->finding(ports->user, PI_DMA_LITE, register_offset(state, index, TI), line);
        channel->information &= ~(uint32_t)TI_LITE_LEFT_OUT;
        channel->length &= 0xffff;
    }
    bool rows = channel->information & TI_2D;
    channel->row = rows ? channel->length & 0xffff : channel->length;
    channel->rows = rows ? channel->length >> 16 : 0;
    channel->loaded = 1;
    plan(state, ports, index, time, LOAD);
}

/* Continues with the next control block of the chain, or becomes idle. */
static void follow(struct dma *state, const struct device_ports *ports, unsigned index,
                   uint64_t time)
{
    struct dma_channel *channel = &state->channel[index];
    channel->loaded = 0;
    channel->due = DEVICE_NEVER;
    channel->block = channel->next;
    if (channel->block == 0)
        channel->control &= ~(uint32_t)CS_ACTIVE;
    else if (channel->control & CS_ACTIVE)
        load(state, ports, index, time);
}

/* --- data --- */

static bool is_peripheral(uint32_t bus)
{
    return bus >> 24 == 0x7e;
}

/* Reads `size` bytes, at most a burst, from the channel's source. Returns false after an error. */
static bool take(struct dma *state, const struct device_ports *ports, unsigned index, uint8_t *data,
                 uint32_t size)
{
    struct dma_channel *channel = &state->channel[index];
    if (channel->information & TI_SRC_IGNORE) {
        memset(data, 0, size);
        return true;
    }
    bool increments = channel->information & TI_SRC_INC;
    uint32_t beat = beat_size(channel), period = increments || size < beat ? size : beat;
    const uint8_t *from = ports->ram(ports->user, channel->source, period);
    if (from) {
        touch(ports, channel->source, period, false);
        for (uint32_t i = 0; i < size; i++)
            data[i] = from[i % period];
    } else if (is_peripheral(channel->source)) {
        uint8_t word[4];
        store_le32(word, ports->read(ports->user, channel->source & ~UINT32_C(3)));
        memcpy(data, word, size < 4 ? size : 4);
    } else {
        fail(state, ports, index, PI_DMA_ADDRESS, "the source is neither RAM nor a peripheral",
             channel->source);
        return false;
    }
    if (increments)
        channel->source += size;
    return true;
}

static bool put(struct dma *state, const struct device_ports *ports, unsigned index,
                const uint8_t *data, uint32_t size)
{
    struct dma_channel *channel = &state->channel[index];
    if (channel->information & TI_DEST_IGNORE)
        return true;
    bool increments = channel->information & TI_DEST_INC;
    uint32_t beat = beat_size(channel), period = increments || size < beat ? size : beat;
    uint32_t to_address = channel->destination;
    uint8_t *to = ports->ram(ports->user, to_address, period);
    if (increments)
        channel->destination += size;
    if (to) {
        touch(ports, to_address, period, true);
        for (uint32_t i = 0; i < size; i++)
            to[i % period] = data[i];
        return true;
    }
    if (is_peripheral(to_address)) {
        uint8_t word[4] = {0};
        memcpy(word, data, size < 4 ? size : 4);
        ports->write(ports->user, to_address & ~UINT32_C(3), load_le32(word));
        return true;
    }
    fail(state, ports, index, PI_DMA_ADDRESS, "the destination is neither RAM nor a peripheral",
         to_address);
    return false;
}

/* Moves the chunk that is due. Returns false if the channel has stopped. */
static bool move(struct dma *state, const struct device_ports *ports, unsigned index)
{
    struct dma_channel *channel = &state->channel[index];
    uint8_t data[BURST_BYTES];
    uint32_t left = channel->chunk;
    while (left) {
        uint32_t burst = burst_size(channel), size = left < burst ? left : burst;
        /* A copy can leave RAM in the middle. The rest moves word by word. */
        if (size > 4 && !is_copy(channel, ports, size))
            size = 4;
        if (!take(state, ports, index, data, size) || !channel->loaded ||
            !put(state, ports, index, data, size) || !channel->loaded)
            return false;
        left -= size;
    }
    return true;
}

/* Extends the sign of bits 15:0. */
static uint32_t signed_half(uint32_t value)
{
    return ((value & 0xffff) ^ 0x8000) - 0x8000;
}

static void end_block(struct dma *state, const struct device_ports *ports, unsigned index,
                      uint64_t time)
{
    struct dma_channel *channel = &state->channel[index];
    channel->control |= CS_END;
    if (channel->information & TI_INTEN) {
        channel->control |= CS_INT;
        update_lines(state, ports);
    }
    follow(state, ports, index, time);
}

/* Moves the chunk of a channel that is due, and plans the next one. */
static void step(struct dma *state, const struct device_ports *ports, unsigned index)
{
    struct dma_channel *channel = &state->channel[index];
    uint64_t time = channel->due;
    if (is_held(state, channel)) {
        channel->due = DEVICE_NEVER;
        return;
    }
    uint32_t size = channel->chunk;
    if (!move(state, ports, index))
        return;
    channel->row -= size < channel->row ? size : channel->row;
    if (channel->row == 0 && channel->rows) {
        channel->rows--;
        channel->row = channel->length & 0xffff;
        channel->source += signed_half(channel->stride);
        channel->destination += signed_half(channel->stride >> 16);
    } else if (channel->row == 0) {
        end_block(state, ports, index, time);
        return;
    }
    if (channel->control & CS_ACTIVE)
        plan(state, ports, index, time, 0);
    else
        channel->due = DEVICE_NEVER;
}

/* --- registers --- */

static void reset_channel(struct dma_channel *channel)
{
    *channel = (struct dma_channel){.due = DEVICE_NEVER};
}

static void dma_reset(void *user, const struct device_ports *ports)
{
    struct dma *state = user;
    (void)ports;
    state->count = DMA_CHANNELS;
    state->enable = (1 << DMA_CHANNELS) - 1;
    for (unsigned i = 0; i < DMA_CHANNELS; i++)
        reset_channel(&state->channel[i]);
}

static void dma15_reset(void *user, const struct device_ports *ports)
{
    struct dma *state = user;
    dma_reset(state, ports);
    state->first = DMA_CHANNELS;
    state->count = 1;
}

static uint32_t read_control(const struct dma *state, const struct dma_channel *channel)
{
    uint32_t value = channel->control;
    bool active = value & CS_ACTIVE, held = channel->loaded && is_held(state, channel);
    if (request_of(channel) && state->requests >> request_of(channel) & 1)
        value |= CS_DREQ;
    if (channel->loaded && !active)
        value |= CS_PAUSED;
    if (active && held)
        value |= CS_HELD;
    if (channel->errors)
        value |= CS_ERROR;
    return value;
}

/* Returns TXFR_LEN: the bytes that have not moved yet. */
static uint32_t read_length(const struct dma_channel *channel)
{
    if (!channel->loaded)
        return channel->length;
    return channel->information & TI_2D ? channel->rows << 16 | channel->row : channel->row;
}

static uint32_t read_channel(const struct dma *state, const struct device_ports *ports,
                             unsigned index, uint32_t offset)
{
    const struct dma_channel *channel = &state->channel[index];
    switch (offset) {
    case CS: return read_control(state, channel);
    case CONBLK_AD: return channel->block;
    case TI: return channel->information;
    case SOURCE_AD: return channel->source;
    case DEST_AD: return channel->destination;
    case TXFR_LEN: return read_length(channel);
    case STRIDE: return channel->stride;
    case NEXTCONBK: return channel->next;
    case DEBUG:
        return channel->errors | (state->first + index) << ID_SHIFT | VERSION |
               (is_lite(state, index) ? LITE : 0);
    default:
        ports->not_modelled(ports->user, register_offset(state, index, offset),
                            "DMA: a register that does not exist is read",
                            "read registers of offsets 0x00 to 0x20");
        return 0;
    }
}

static uint32_t dma_read(void *user, const struct device_ports *ports, uint32_t offset)
{
    const struct dma *state = user;
    if (offset < state->count * CHANNEL_SIZE)
        return read_channel(state, ports, offset / CHANNEL_SIZE, offset % CHANNEL_SIZE);
    uint32_t status = 0;
    switch (offset) {
    case INT_STATUS:
        for (unsigned i = 0; i < state->count; i++)
            status |= (uint32_t)(state->channel[i].control & CS_INT ? 1 << i : 0);
        return status;
    case ENABLE: return state->enable;
    default:
        ports->not_modelled(ports->user, BASE + offset,
                            "DMA: a register that does not exist is read",
                            "read registers of channels, INT_STATUS or ENABLE");
        return 0;
    }
}

/* Starts or resumes a channel whose bit ACTIVE has become 1. */
static void activate(struct dma *state, const struct device_ports *ports, unsigned index)
{
    struct dma_channel *channel = &state->channel[index];
    uint64_t now = ports->now(ports->user);
    if (channel->block == 0) {
        channel->control &= ~(uint32_t)CS_ACTIVE;
    } else if (!state->first && !(state->enable >> index & 1)) {
        channel->control &= ~(uint32_t)CS_ACTIVE;
        ports->finding(ports->user, PI_DMA_DISABLED, register_offset(state, index, CS),
                       "a DMA channel is started whose bit in ENABLE is 0");
    } else if (channel->loaded) {
        plan(state, ports, index, now, 0);
    } else {
        load(state, ports, index, now);
    }
}

static void write_control(struct dma *state, const struct device_ports *ports, unsigned index,
                          uint32_t value)
{
    struct dma_channel *channel = &state->channel[index];
    if (value & CS_RESET) {
        reset_channel(channel);
        update_lines(state, ports);
        return;
    }
    bool was_active = channel->control & CS_ACTIVE, interrupted = channel->control & CS_INT;
    uint32_t flags = channel->control & ~value & (CS_END | CS_INT);
    channel->control = flags | (value & (CS_STORED | CS_ACTIVE));
    if (interrupted && !(flags & CS_INT))
        update_lines(state, ports);
    if (value & CS_ABORT && channel->loaded)
        follow(state, ports, index, ports->now(ports->user));
    if (!(channel->control & CS_ACTIVE))
        channel->due = DEVICE_NEVER;
    else if (!was_active && channel->due == DEVICE_NEVER)
        activate(state, ports, index);
}

static void write_channel(struct dma *state, const struct device_ports *ports, unsigned index,
                          uint32_t offset, uint32_t value)
{
    struct dma_channel *channel = &state->channel[index];
    switch (offset) {
    case CS: write_control(state, ports, index, value); break;
    case CONBLK_AD:
        if (channel->control & CS_ACTIVE) {
            ports->finding(ports->user, PI_DMA_ACTIVE, register_offset(state, index, offset),
                           "CONBLK_AD is written while the DMA channel is active");
            break;
        }
        channel->block = value;
        channel->loaded = 0;
        break;
    case NEXTCONBK: channel->next = value; break;
    case DEBUG: channel->errors &= ~value; break;
    case TI:
    case SOURCE_AD:
    case DEST_AD:
    case TXFR_LEN:
    case STRIDE:
        ports->finding(ports->user, PI_DMA_READ_ONLY, register_offset(state, index, offset),
                       "a DMA register is written that only control blocks set");
        break;
    default:
        ports->not_modelled(ports->user, register_offset(state, index, offset),
                            "DMA: a register that does not exist is written",
                            "write CS, CONBLK_AD, NEXTCONBK or DEBUG");
    }
}

static void dma_write(void *user, const struct device_ports *ports, uint32_t offset, uint32_t value)
{
    struct dma *state = user;
    if (offset < state->count * CHANNEL_SIZE)
        write_channel(state, ports, offset / CHANNEL_SIZE, offset % CHANNEL_SIZE, value);
    else if (offset == ENABLE)
        state->enable = value & ((1 << DMA_CHANNELS) - 1);
    else if (offset !=
             INT_STATUS) /* which follows from bit INT of each CS; rsta2/circle writes it */
        ports->not_modelled(ports->user, BASE + offset,
                            "DMA: a register that does not exist, or is read-only, is written",
                            "write registers of channels, or ENABLE");
}

/* --- time --- */

static void dma_requested(void *user, const struct device_ports *ports, enum device_request request,
                          bool level)
{
    struct dma *state = user;
    if (request >= REQUEST_COUNT)
        return;
    uint32_t bit = UINT32_C(1) << request;
    state->requests = level ? state->requests | bit : state->requests & ~bit;
    for (unsigned i = 0; level && i < state->count; i++) {
        struct dma_channel *channel = &state->channel[i];
        if (channel->loaded && channel->control & CS_ACTIVE && channel->due == DEVICE_NEVER &&
            request_of(channel) == request)
            plan(state, ports, i, ports->now(ports->user), 0);
    }
}

/* Returns the number of the channel that is due first. */
static unsigned first_due(const struct dma *state)
{
    unsigned first = 0;
    for (unsigned i = 1; i < state->count; i++)
        if (state->channel[i].due < state->channel[first].due)
            first = i;
    return first;
}

static uint64_t dma_next(const void *user)
{
    const struct dma *state = user;
    return state->channel[first_due(state)].due;
}

static void dma_advance(void *user, const struct device_ports *ports)
{
    struct dma *state = user;
    if (state->stepping)
        return; /* a channel accesses the controller itself */
    state->stepping = 1;
    uint64_t now = ports->now(ports->user);
    for (unsigned steps = 0; steps < STEPS && dma_next(state) <= now; steps++)
        step(state, ports, first_due(state));
    /* After a large jump of time, the channels continue from the present. */
    for (unsigned i = 0; i < state->count; i++)
        if (state->channel[i].due < now)
            state->channel[i].due = now;
    state->stepping = 0;
}

const struct device dma = {
    .name = "DMA",
    .base = BASE,
    .size = 0x1000,
    .state_size = sizeof(struct dma),
    .reset = dma_reset,
    .read = dma_read,
    .write = dma_write,
    .requested = dma_requested,
    .next = dma_next,
    .advance = dma_advance,
};

const struct device dma15 = {
    .name = "DMA channel 15",
    .base = BASE_15,
    .size = CHANNEL_SIZE,
    .state_size = sizeof(struct dma),
    .reset = dma15_reset,
    .read = dma_read,
    .write = dma_write,
    .requested = dma_requested,
    .next = dma_next,
    .advance = dma_advance,
};
