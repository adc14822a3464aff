/* SPDX-License-Identifier: MIT */
/* sdhost.c - the controller SDHOST, which is for SD cards only.
 *
 * In:  register accesses; the SD card.
 * Out: commands and blocks for the card; interrupts; requests to the DMA controller.
 *
 * Source: Linux' bcm2835.c (drivers/mmc/host) and circle's sdhost.cpp, which name the registers and
 *         poll them; QEMU's bcm2835_sdhost.c for the reset value of SDEDM. There is no manual.
 * Modelled: commands, responses, the FIFO of 16 words and its thresholds, blocks, interrupts,
 *           timeouts.
 * Left out: CRC errors on the lines, clock pulses, bypass, SDIO interrupts.
 * Choices: a command takes the time of its bits at the card's clock, and each word of a block the
 *          time of its bits on one or four lines. The first word of a read comes ACCESS after the
 *          response. The transfer stops while the FIFO is full or empty. The state machine of SDEDM
 *          is in data mode as soon as the last word of the last block has moved. A block count of 0
 *          is no limit. */
#include "board/bcm2835/sdhost.h"

#include <string.h>

#include "base/bits.h"
#include "board/bcm2835/rate.h"
#include "board/pi/pi.h"

enum {
    SDCMD = 0x00,
    SDARG = 0x04,
    SDTOUT = 0x08,
    SDCDIV = 0x0c,
    SDRSP0 = 0x10,
    SDRSP3 = 0x1c,
    SDHSTS = 0x20,
    SDVDD = 0x30,
    SDEDM = 0x34,
    SDHCFG = 0x38,
    SDHBCT = 0x3c,
    SDDATA = 0x40,
    SDHBLC = 0x50,
    BASE = 0x202000,
};

/* SDCMD */
enum {
    CMD_NEW = 1 << 15,
    CMD_FAIL = 1 << 14,
    CMD_BUSY = 1 << 11,
    CMD_NO_RESPONSE = 1 << 10,
    CMD_LONG = 1 << 9,
    CMD_WRITE = 1 << 7,
    CMD_READ = 1 << 6,
    CMD_INDEX = 0x3f,
};

/* SDHSTS */
enum {
    STS_BUSY = 1 << 10,
    STS_BLOCK = 1 << 9,
    STS_SDIO = 1 << 8,
    STS_DATA_TIMEOUT = 1 << 7,
    STS_COMMAND_TIMEOUT = 1 << 6,
    STS_CRC16 = 1 << 5,
    STS_FIFO = 1 << 3,
    STS_DATA = 1 << 0,
    STS_CLEARABLE = 0x7f8,
};

/* SDHCFG */
enum {
    CFG_BUSY_IRQ = 1 << 10,
    CFG_BLOCK_IRQ = 1 << 8,
    CFG_DATA_IRQ = 1 << 4,
    CFG_SLOW_CARD = 1 << 3,
    CFG_WIDE = 1 << 2,
};

/* SDEDM */
enum {
    EDM_FILL_SHIFT = 4,
    EDM_WRITE_THRESHOLD_SHIFT = 9,
    EDM_READ_THRESHOLD_SHIFT = 14,
    EDM_THRESHOLD = 0x1f,
    EDM_THRESHOLDS = 0x1f << 9 | 0x1f << 14,
    EDM_FORCE_DATA_MODE = 1 << 19,
    FSM_IDENTIFICATION = 0,
    FSM_DATA = 1,
    FSM_READ = 2,
    FSM_WRITE = 3,
    FSM_READ_WAIT = 4,
    FSM_WRITE_START = 0xa,
};

enum {
    EDM_RESET = 0xc60f & EDM_THRESHOLDS,
    TIMEOUT_RESET = 0xa00000,
    DIVIDER_RESET = 0x1fb,
    CORE_RATE = 250000000,
    COMMAND_BITS = 48,
    GAP_BITS = 8,
    LONG_BITS = 136,
    SHORT_BITS = 48,
    TIMEOUT_BITS = 64,
    ACCESS = 100 * DEVICE_MICROSECOND,
    BUSY = 100 * DEVICE_MICROSECOND,
    IN_TRANSFER = 4, /* the first state of the card in data mode with transfers */
};

/* --- time --- */

static uint64_t bits_time(const struct sdhost *s, const struct device_ports *ports, uint64_t bits)
{
    uint32_t rate = ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE);
    bool data_mode = s->card.state >= IN_TRANSFER && !(s->config & CFG_SLOW_CARD);
    uint32_t divider = (data_mode ? s->divider & 7 : s->divider) + 2;
    return rate_time(bits * divider, rate ? rate : CORE_RATE);
}

/* --- FIFO, interrupts, requests --- */

static bool more_to_write(const struct sdhost *s)
{
    return s->direction == SDHOST_WRITE;
}

/* Returns true if the program or a DMA channel should access the FIFO. */
static bool wants_access(const struct sdhost *s)
{
    uint32_t threshold = s->debug >> EDM_READ_THRESHOLD_SHIFT & EDM_THRESHOLD;
    uint32_t space = s->debug >> EDM_WRITE_THRESHOLD_SHIFT & EDM_THRESHOLD;
    if (more_to_write(s))
        return s->fifo_count < SDHOST_FIFO && SDHOST_FIFO - s->fifo_count >= space;
    if (s->fifo_count == 0 || !(s->command & CMD_READ))
        return false;
    return s->fifo_count >= threshold || s->direction == SDHOST_NONE ||
           s->fifo_count == SDHOST_FIFO;
}

static uint32_t read_status(const struct sdhost *s)
{
    return s->status | (wants_access(s) ? STS_DATA : 0);
}

static void update(struct sdhost *s, const struct device_ports *ports)
{
    uint32_t status = read_status(s);
    bool data = status & STS_DATA && s->config & CFG_DATA_IRQ;
    ports->interrupt(ports->user, LINE_SDHOST, data || status & (STS_BUSY | STS_BLOCK | STS_SDIO));
    uint32_t level = status & STS_DATA;
    if (level != s->requested) {
        s->requested = level;
        ports->request(ports->user, REQUEST_SDHOST, level);
    }
}

static void push(struct sdhost *s, uint32_t value)
{
    s->fifo[(s->fifo_first + s->fifo_count++) % SDHOST_FIFO] = value;
}

static uint32_t pop(struct sdhost *s)
{
    uint32_t value = s->fifo[s->fifo_first % SDHOST_FIFO];
    s->fifo_first = (s->fifo_first + 1) % SDHOST_FIFO;
    s->fifo_count--;
    return value;
}

static void stop_data(struct sdhost *s)
{
    s->direction = SDHOST_NONE;
    s->word_due = DEVICE_NEVER;
}

static void end_block(struct sdhost *s)
{
    s->at = s->filled = 0;
    if (s->config & CFG_BLOCK_IRQ)
        s->status |= STS_BLOCK;
    if (s->limited && --s->blocks == 0)
        stop_data(s);
}

/* Returns true if the result of a transfer is an error, after which the transfer stops. */
static bool failed(struct sdhost *s, enum sd_transfer result)
{
    if (result == SD_DONE)
        return false;
    s->status |= result == SD_CRC ? STS_CRC16 : STS_DATA_TIMEOUT;
    stop_data(s);
    return true;
}

/* Moves a word from the card into the FIFO. */
static void read_word(struct sdhost *s, const struct device_ports *ports)
{
    if (!s->filled && failed(s, sd_card_read(&s->card, ports, BASE + SDDATA, s->block, s->size)))
        return;
    s->filled = 1;
    push(s, load_le32(s->block + s->at));
    s->at += 4;
    if (s->at >= s->size)
        end_block(s);
}

/* Moves a word from the FIFO to the card. */
static void write_word(struct sdhost *s, const struct device_ports *ports)
{
    store_le32(s->block + s->at, pop(s));
    s->at += 4;
    if (s->at < s->size)
        return;
    if (!failed(s, sd_card_write(&s->card, ports, BASE + SDDATA, s->block, s->size)))
        end_block(s);
}

static bool can_move(const struct sdhost *s)
{
    return s->direction == SDHOST_READ ? s->fifo_count < SDHOST_FIFO : s->fifo_count > 0;
}

/* Moves all words whose time has come. A transfer that had to wait continues at `time`. */
static void move_words(struct sdhost *s, const struct device_ports *ports, uint64_t time)
{
    bool moved = false;
    while (s->direction != SDHOST_NONE && s->word_due <= time && can_move(s)) {
        if (s->direction == SDHOST_READ)
            read_word(s, ports);
        else
            write_word(s, ports);
        if (s->direction != SDHOST_NONE)
            s->word_due += s->word_time;
        moved = true;
    }
    if (moved)
        update(s, ports);
}

/* Restarts the clock of a transfer that waited for the FIFO. */
static void resume(struct sdhost *s, const struct device_ports *ports)
{
    uint64_t now = ports->now(ports->user);
    if (s->direction != SDHOST_NONE && s->word_due < now + s->word_time)
        s->word_due = now + s->word_time;
}

static uint32_t read_data(struct sdhost *s, const struct device_ports *ports)
{
    if (s->fifo_count == 0 || s->direction == SDHOST_WRITE) {
        s->status |= STS_FIFO;
        ports->finding(ports->user, PI_SD_DATA, BASE + SDDATA,
                       "SDHOST: SDDATA is read while the FIFO has no data of the card");
        return 0;
    }
    bool waited = s->fifo_count == SDHOST_FIFO;
    uint32_t value = pop(s);
    if (waited)
        resume(s, ports);
    update(s, ports);
    return value;
}

static void write_data(struct sdhost *s, const struct device_ports *ports, uint32_t value)
{
    if (s->fifo_count == SDHOST_FIFO || s->direction != SDHOST_WRITE) {
        s->status |= STS_FIFO;
        ports->finding(
            ports->user, PI_SD_DATA, BASE + SDDATA,
            "SDHOST: SDDATA is written while the FIFO is full or no write is in progress");
        return;
    }
    bool waited = s->fifo_count == 0;
    push(s, value);
    if (waited)
        resume(s, ports);
    update(s, ports);
}

/* --- commands --- */

static void start_data(struct sdhost *s, const struct device_ports *ports, uint64_t time)
{
    s->size = s->byte_count;
    s->blocks = s->block_count;
    s->limited = s->block_count != 0;
    s->at = s->filled = 0;
    s->fifo_count = 0;
    if (s->size == 0 || s->size > SDHOST_BLOCK) {
        ports->finding(ports->user, PI_SD_BLOCKS, BASE + SDHBCT,
                       "SDHOST: SDHBCT has no valid block size for a command with data");
        return;
    }
    s->direction = s->command & CMD_READ ? SDHOST_READ : SDHOST_WRITE;
    s->word_time = bits_time(s, ports, s->config & CFG_WIDE ? 8 : 32);
    s->word_due = time + s->word_time + (s->direction == SDHOST_READ ? ACCESS : 0);
}

static void end_command(struct sdhost *s, const struct device_ports *ports)
{
    uint64_t time = s->command_due;
    uint32_t response[4], index = s->command & CMD_INDEX;
    s->command_due = DEVICE_NEVER;
    s->command &= ~(uint32_t)CMD_NEW;
    enum sd_response kind = sd_card_command(&s->card, ports, BASE + SDCMD, index, s->argument,
                                            response);
    bool expected = !(s->command & CMD_NO_RESPONSE);
    if (expected && (kind == SD_NO_RESPONSE || (kind == SD_LONG) != !!(s->command & CMD_LONG))) {
        s->command |= CMD_FAIL;
        s->status |= STS_COMMAND_TIMEOUT;
        update(s, ports);
        return;
    }
    if (expected)
        memcpy(s->response, response, sizeof s->response);
    if (index == 12)
        stop_data(s);
    if (s->command & CMD_BUSY)
        s->busy_due = time + BUSY;
    if (s->command & (CMD_READ | CMD_WRITE))
        start_data(s, ports, time);
    update(s, ports);
}

static void write_command(struct sdhost *s, const struct device_ports *ports, uint32_t value)
{
    if (s->command_due != DEVICE_NEVER) {
        ports->finding(ports->user, PI_SD_BUSY, BASE + SDCMD,
                       "SDHOST: a command is written while another command is in progress");
        return;
    }
    s->command = value & (0xffff & ~CMD_FAIL);
    if (!(value & CMD_NEW))
        return;
    if (!(s->power & 1))
        ports->finding(ports->user, PI_SD_CLOCK, BASE + SDCMD,
                       "SDHOST: a command is sent while the power of SDVDD is off");
    uint32_t bits = COMMAND_BITS + GAP_BITS;
    if (!(value & CMD_NO_RESPONSE))
        bits += value & CMD_LONG ? LONG_BITS : SHORT_BITS;
    if (!sd_card_present(&s->card, ports))
        bits += TIMEOUT_BITS;
    s->command_due = ports->now(ports->user) + bits_time(s, ports, bits);
}

/* --- registers --- */

static void sdhost_reset(void *state, const struct device_ports *ports)
{
    struct sdhost *s = state;
    (void)ports;
    s->debug = EDM_RESET;
    s->timeout = TIMEOUT_RESET;
    s->divider = DIVIDER_RESET;
    s->command_due = s->busy_due = s->word_due = DEVICE_NEVER;
}

static uint32_t state_machine(const struct sdhost *s)
{
    switch (s->direction) {
    case SDHOST_READ: return s->fifo_count < SDHOST_FIFO ? FSM_READ : FSM_READ_WAIT;
    case SDHOST_WRITE: return s->fifo_count || s->at ? FSM_WRITE : FSM_WRITE_START;
    default: return s->card.state >= IN_TRANSFER ? FSM_DATA : FSM_IDENTIFICATION;
    }
}

static void write_debug(struct sdhost *s, const struct device_ports *ports, uint32_t value)
{
    s->debug = value & EDM_THRESHOLDS;
    if (value & EDM_FORCE_DATA_MODE)
        stop_data(s);
    update(s, ports);
}

static void write_power(struct sdhost *s, const struct device_ports *ports, uint32_t value)
{
    s->power = value & 1;
    if (!s->power) {
        stop_data(s);
        s->fifo_count = 0;
        s->command_due = s->busy_due = DEVICE_NEVER;
        s->command &= ~(uint32_t)CMD_NEW;
    }
    update(s, ports);
}

static uint32_t sdhost_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct sdhost *s = state;
    switch (offset) {
    case SDCMD: return s->command;
    case SDARG: return s->argument;
    case SDTOUT: return s->timeout;
    case SDCDIV: return s->divider;
    case SDHSTS: return read_status(s);
    case SDVDD: return s->power;
    case SDEDM: return s->debug | s->fifo_count << EDM_FILL_SHIFT | state_machine(s);
    case SDHCFG: return s->config;
    case SDHBCT: return s->byte_count;
    case SDDATA: return read_data(s, ports);
    case SDHBLC: return s->direction != SDHOST_NONE ? s->blocks : s->block_count;
    default:
        if (offset >= SDRSP0 && offset <= SDRSP3)
            return s->response[(offset - SDRSP0) / 4];
        ports->not_modelled(ports->user, BASE + offset, "SDHOST: a register that is not known",
                            "use the registers that Linux' driver names");
        return 0;
    }
}

static void sdhost_write(void *state, const struct device_ports *ports, uint32_t offset,
                         uint32_t value)
{
    struct sdhost *s = state;
    switch (offset) {
    case SDCMD: write_command(s, ports, value); break;
    case SDARG: s->argument = value; break;
    case SDTOUT: s->timeout = value; break;
    case SDCDIV: s->divider = value & 0x7ff; break;
    case SDHSTS:
        s->status &= ~(value & STS_CLEARABLE);
        update(s, ports);
        break;
    case SDVDD: write_power(s, ports, value); break;
    case SDEDM: write_debug(s, ports, value); break;
    case SDHCFG:
        s->config = value;
        update(s, ports);
        break;
    case SDHBCT: s->byte_count = value; break;
    case SDDATA: write_data(s, ports, value); break;
    case SDHBLC: s->block_count = value & 0x1ff; break;
    default:
        if (offset >= SDRSP0 && offset <= SDRSP3)
            break; /* read-only */
        ports->not_modelled(ports->user, BASE + offset, "SDHOST: a register that is not known",
                            "use the registers that Linux' driver names");
    }
}

/* Returns the time at which the FIFO's level changes the request, or the transfer cannot move. */
static uint64_t next_level(const struct sdhost *s)
{
    return s->direction != SDHOST_NONE && can_move(s) ? s->word_due : DEVICE_NEVER;
}

static uint64_t sdhost_next(const void *state)
{
    const struct sdhost *s = state;
    uint64_t first = s->command_due < s->busy_due ? s->command_due : s->busy_due;
    uint64_t level = next_level(s);
    return level < first ? level : first;
}

static void sdhost_advance(void *state, const struct device_ports *ports)
{
    struct sdhost *s = state;
    uint64_t now = ports->now(ports->user);
    if (s->command_due != DEVICE_NEVER && s->command_due <= now)
        end_command(s, ports);
    if (s->busy_due != DEVICE_NEVER && s->busy_due <= now) {
        s->busy_due = DEVICE_NEVER;
        if (s->config & CFG_BUSY_IRQ)
            s->status |= STS_BUSY;
        update(s, ports);
    }
    move_words(s, ports, now);
}

const struct device sdhost = {
    .name = "SDHOST",
    .base = BASE,
    .size = 0x100,
    .state_size = sizeof(struct sdhost),
    .reset = sdhost_reset,
    .read = sdhost_read,
    .write = sdhost_write,
    .next = sdhost_next,
    .advance = sdhost_advance,
};
