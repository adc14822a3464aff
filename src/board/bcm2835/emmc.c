/* SPDX-License-Identifier: MIT */
/* emmc.c - the controller for SD cards that the manual calls "External Mass Media Controller", an
 * Arasan SDHCI controller.
 *
 * In:  register accesses; the SD card.
 * Out: commands and blocks for the card; interrupts; requests to the DMA controller.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 5; "SD Host Controller Simplified Specification" 3.00;
 *         the drivers that poll it: bztsrc/raspi3-tutorial's sd.c, circle's emmc.cpp, Linux'
 *         sdhci-iproc.c (CAPABILITIES reads 0).
 * Modelled: commands, responses, blocks by register DATA or by DMA requests, CMD12 and CMD23 that
 *           the controller sends, interrupts, timeouts, resets.
 * Left out: tuning, boot, SPI mode, suspend and resume, interrupts of SDIO cards.
 * Choices: a command takes the time of its bits at the card's clock, a block the time of its bits
 *          on one or four lines, and a block that is read comes ACCESS later. An access to DATA
 *          that is too early waits for the block, because circle reads several blocks in one loop;
 *          the model lets the block arrive at once. Resets take no time. A clock that is off counts
 *          as 400 kHz, with a finding. */
#include "board/bcm2835/emmc.h"

#include <string.h>

#include "base/bits.h"
#include "board/bcm2835/rate.h"
#include "board/pi/pi.h"

enum {
    ARG2 = 0x00,
    BLKSIZECNT = 0x04,
    ARG1 = 0x08,
    CMDTM = 0x0c,
    RESP0 = 0x10,
    RESP3 = 0x1c,
    DATA = 0x20,
    STATUS = 0x24,
    CONTROL0 = 0x28,
    CONTROL1 = 0x2c,
    INTERRUPT = 0x30,
    IRPT_MASK = 0x34,
    IRPT_EN = 0x38,
    CONTROL2 = 0x3c,
    CAPABILITIES0 = 0x40,
    CAPABILITIES1 = 0x44,
    FORCE_IRPT = 0x50,
    BOOT_TIMEOUT = 0x70,
    DBG_SEL = 0x74,
    EXRDFIFO_CFG = 0x80,
    EXRDFIFO_EN = 0x84,
    TUNE_STEP = 0x88,
    TUNE_STEPS_STD = 0x8c,
    TUNE_STEPS_DDR = 0x90,
    SPI_INT_SPT = 0xf0,
    SLOTISR_VER = 0xfc,
    BASE = 0x300000,
};

/* CMDTM */
enum {
    TM_COUNT = 1 << 1,
    TM_AUTO_SHIFT = 2, /* 1: CMD12, 2: CMD23 */
    TM_READ = 1 << 4,
    TM_MULTI = 1 << 5,
    CMD_RESPONSE_SHIFT = 16, /* 0: none, 1: 136 bits, 2: 48 bits, 3: 48 bits and busy */
    CMD_DATA = 1 << 21,
    CMD_INDEX_SHIFT = 24,
    AUTO_STOP = 1,
    AUTO_COUNT = 2,
    RESPONSE_NONE = 0,
    RESPONSE_BUSY = 3,
};

/* STATUS */
enum {
    SR_COMMAND = 1 << 0,
    SR_DATA = 1 << 1,
    SR_DATA_ACTIVE = 1 << 2,
    SR_WRITING = 1 << 8,
    SR_READING = 1 << 9,
    SR_SPACE = 1 << 10,
    SR_AVAILABLE = 1 << 11,
    SR_INSERTED = 7 << 16, /* inserted, stable, level of card detect */
    SR_LEVELS = 0x1ff << 20 /* DAT, CMD */,
    SR_UNPROTECTED = 1 << 19,
};

/* INTERRUPT */
enum {
    INT_COMMAND = 1 << 0,
    INT_DATA = 1 << 1,
    INT_SPACE = 1 << 4,
    INT_AVAILABLE = 1 << 5,
    INT_ERROR = 1 << 15,
    INT_COMMAND_TIMEOUT = 1 << 16,
    INT_DATA_TIMEOUT = 1 << 20,
    INT_DATA_CRC = 1 << 21,
    INT_CLEARABLE = 0x7fff,
    INT_FORCED = 0x017f0000 | 0x1ff,
};

enum {
    C0_WIDE = 1 << 1,
    C1_INTERNAL = 1 << 0,
    C1_STABLE = 1 << 1,
    C1_CLOCK = 1 << 2,
    C1_RESET = 1 << 24,
    C1_RESET_COMMAND = 1 << 25,
    C1_RESET_DATA = 1 << 26,
    C1_RESETS = 7 << 24,
    VERSION = 2 << 16, /* SDHCI 3.0; the vendor is in bits 31:24 */
    SLOW = 400000,     /* Hz */
    COMMAND_BITS = 48,
    GAP_BITS = 8,
    TIMEOUT_BITS = 64, /* clocks without a response */
    FRAME_BITS = 20,   /* start, CRC and end of a block */
    ACCESS = 100 * DEVICE_MICROSECOND,
    BUSY = 100 * DEVICE_MICROSECOND,
};
#define VENDOR UINT32_C(0x99000000)

static uint32_t *stored(struct emmc *s, uint32_t offset)
{
    return &s->stored[offset / 4];
}

static uint32_t value_of(const struct emmc *s, uint32_t offset)
{
    return s->stored[offset / 4];
}

/* --- interrupts and requests --- */

static void update(struct emmc *s, const struct device_ports *ports)
{
    uint32_t errors = s->interrupt & 0xffff0000;
    s->interrupt = errors ? s->interrupt | INT_ERROR : s->interrupt & ~(uint32_t)INT_ERROR;
    ports->interrupt(ports->user, LINE_EMMC, s->interrupt & value_of(s, IRPT_EN));
    uint32_t level = s->ready && s->direction != EMMC_NONE;
    if (level != s->requested) {
        s->requested = level;
        ports->request(ports->user, REQUEST_EMMC, level);
    }
}

static void raise(struct emmc *s, const struct device_ports *ports, uint32_t bits)
{
    s->interrupt |= bits & value_of(s, IRPT_MASK);
    update(s, ports);
}

/* --- time --- */

static uint64_t bits_time(const struct emmc *s, const struct device_ports *ports, uint64_t bits)
{
    uint32_t rate = ports->clock_rate(ports->user, TESS_PI_CLOCK_EMMC);
    uint32_t control = value_of(s, CONTROL1);
    uint32_t divider = (control >> 8 & 0xff) | (control >> 6 & 3) << 8;
    if (divider)
        rate /= 2 * divider;
    if (rate == 0 || !(control & C1_CLOCK))
        rate = SLOW;
    return rate_time(bits, rate);
}

static uint64_t block_time(const struct emmc *s, const struct device_ports *ports)
{
    uint32_t lines = value_of(s, CONTROL0) & C0_WIDE ? 4 : 1;
    return bits_time(s, ports, s->size * 8 / lines + FRAME_BITS);
}

/* --- data --- */

static bool is_last(const struct emmc *s)
{
    return s->counted && s->blocks == 1;
}

static void end_data(struct emmc *s, const struct device_ports *ports)
{
    s->direction = EMMC_NONE;
    s->ready = 0;
    s->data_due = DEVICE_NEVER;
    if ((value_of(s, CMDTM) >> TM_AUTO_SHIFT & 3) == AUTO_STOP && s->card.data_size)
        sd_card_command(&s->card, ports, BASE + CMDTM, 12, 0, (uint32_t[4]){0});
    raise(s, ports, INT_DATA);
}

static void fail_data(struct emmc *s, const struct device_ports *ports, uint32_t error)
{
    s->direction = EMMC_NONE;
    s->ready = 0;
    s->data_due = DEVICE_NEVER;
    raise(s, ports, error);
}

/* A block has arrived. */
static void receive_block(struct emmc *s, const struct device_ports *ports)
{
    s->data_due = DEVICE_NEVER;
    switch (sd_card_read(&s->card, ports, BASE + DATA, s->buffer, s->size)) {
    case SD_NO_DATA: fail_data(s, ports, INT_DATA_TIMEOUT); return;
    case SD_CRC: fail_data(s, ports, INT_DATA_CRC); return;
    case SD_DONE: break;
    }
    s->at = 0;
    s->ready = 1;
    raise(s, ports, INT_AVAILABLE);
}

/* The card has taken the block in the buffer. */
static void send_block(struct emmc *s, const struct device_ports *ports)
{
    s->data_due = DEVICE_NEVER;
    switch (sd_card_write(&s->card, ports, BASE + DATA, s->buffer, s->size)) {
    case SD_NO_DATA: fail_data(s, ports, INT_DATA_TIMEOUT); return;
    case SD_CRC: fail_data(s, ports, INT_DATA_CRC); return;
    case SD_DONE: break;
    }
    if (is_last(s)) {
        end_data(s, ports);
        return;
    }
    s->blocks -= s->counted;
    s->at = 0;
    s->ready = 1;
    raise(s, ports, INT_SPACE);
}

static void next_data(struct emmc *s, const struct device_ports *ports)
{
    if (s->busy) {
        s->busy = 0;
        s->data_due = DEVICE_NEVER;
        raise(s, ports, INT_DATA);
    } else if (s->direction == EMMC_READ) {
        receive_block(s, ports);
    } else if (s->direction == EMMC_WRITE) {
        send_block(s, ports);
    } else {
        s->data_due = DEVICE_NEVER;
    }
}

/* Waits for the block that the program accesses too early. Returns false if no block comes. */
static bool wait_for_buffer(struct emmc *s, const struct device_ports *ports, uint32_t direction)
{
    if (s->direction == direction && !s->ready && s->command_due == DEVICE_NEVER && !s->busy &&
        s->data_due != DEVICE_NEVER)
        next_data(s, ports);
    if (s->direction == direction && s->ready)
        return true;
    ports->finding(ports->user, PI_SD_DATA, BASE + DATA,
                   "EMMC: DATA is accessed without data of the card");
    return false;
}

static uint32_t read_data(struct emmc *s, const struct device_ports *ports)
{
    if (!wait_for_buffer(s, ports, EMMC_READ))
        return 0;
    uint32_t value = load_le32(s->buffer + s->at);
    s->at += 4;
    if (s->at < s->size)
        return value;
    s->ready = 0;
    if (is_last(s)) {
        end_data(s, ports);
    } else {
        s->blocks -= s->counted;
        s->data_due = ports->now(ports->user) + block_time(s, ports);
        update(s, ports);
    }
    return value;
}

static void write_data(struct emmc *s, const struct device_ports *ports, uint32_t value)
{
    if (!wait_for_buffer(s, ports, EMMC_WRITE))
        return;
    store_le32(s->buffer + s->at, value);
    s->at += 4;
    if (s->at < s->size)
        return;
    s->ready = 0;
    s->data_due = ports->now(ports->user) + block_time(s, ports) + BUSY;
    update(s, ports);
}

/* Starts the transfer of the present command, whose response has arrived. */
static void start_data(struct emmc *s, const struct device_ports *ports, uint64_t time)
{
    uint32_t mode = value_of(s, CMDTM), blocks = value_of(s, BLKSIZECNT);
    s->size = blocks & 0x3ff;
    s->blocks = mode & TM_MULTI ? blocks >> 16 : 1;
    s->counted = !(mode & TM_MULTI) || mode & TM_COUNT;
    s->direction = mode & TM_READ ? EMMC_READ : EMMC_WRITE;
    s->at = 0;
    if (s->size == 0 || (s->counted && s->blocks == 0)) {
        ports->finding(ports->user, PI_SD_BLOCKS, BASE + BLKSIZECNT,
                       "EMMC: BLKSIZECNT has no blocks for a command with data");
        end_data(s, ports);
    } else if (s->direction == EMMC_READ) {
        s->data_due = time + ACCESS + block_time(s, ports);
    } else {
        s->ready = 1;
        raise(s, ports, INT_SPACE);
    }
}

/* --- commands --- */

/* Stores a response in the registers. A long response has no CRC here: bits 127:8 of the card's
 * register are bits 119:0. */
static void store_response(struct emmc *s, enum sd_response kind, const uint32_t response[4])
{
    if (kind != SD_LONG) {
        s->response[0] = response[0];
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        s->response[i] = response[i] >> 8 | (i < 3 ? response[i + 1] << 24 : 0);
}

static void send_auto_count(struct emmc *s, const struct device_ports *ports)
{
    if ((value_of(s, CMDTM) >> TM_AUTO_SHIFT & 3) == AUTO_COUNT)
        sd_card_command(&s->card, ports, BASE + CMDTM, 23, value_of(s, ARG2), (uint32_t[4]){0});
}

/* The time of the present command is over. */
static void end_command(struct emmc *s, const struct device_ports *ports)
{
    uint64_t time = s->command_due;
    uint32_t command = value_of(s, CMDTM), response[4];
    uint32_t expected = command >> CMD_RESPONSE_SHIFT & 3, index = command >> CMD_INDEX_SHIFT & 63;
    s->command_due = DEVICE_NEVER;
    send_auto_count(s, ports);
    enum sd_response kind = sd_card_command(&s->card, ports, BASE + CMDTM, index, value_of(s, ARG1),
                                            response);
    if (kind == SD_NO_RESPONSE && expected != RESPONSE_NONE) {
        raise(s, ports, INT_COMMAND_TIMEOUT);
        return;
    }
    if (expected != RESPONSE_NONE)
        store_response(s, kind, response);
    if (index == 12) { /* the end of a transfer */
        s->direction = EMMC_NONE;
        s->ready = 0;
        s->data_due = DEVICE_NEVER;
    }
    raise(s, ports, INT_COMMAND);
    if (command & CMD_DATA) {
        start_data(s, ports, time);
    } else if (expected == RESPONSE_BUSY) {
        s->busy = 1;
        s->data_due = time + BUSY;
    }
}

static void start_command(struct emmc *s, const struct device_ports *ports, uint32_t value)
{
    if (s->command_due != DEVICE_NEVER) {
        ports->finding(ports->user, PI_SD_BUSY, BASE + CMDTM,
                       "EMMC: a command is written while another command is in progress");
        return;
    }
    if (!(value_of(s, CONTROL1) & C1_CLOCK))
        ports->finding(ports->user, PI_SD_CLOCK, BASE + CMDTM,
                       "EMMC: a command is sent while the card's clock is off");
    *stored(s, CMDTM) = value;
    static const uint32_t bits[] = {0, 136, 48, 48};
    uint32_t clocks = COMMAND_BITS + GAP_BITS + bits[value >> CMD_RESPONSE_SHIFT & 3];
    if (!sd_card_present(&s->card, ports))
        clocks += TIMEOUT_BITS;
    s->command_due = ports->now(ports->user) + bits_time(s, ports, clocks);
}

/* --- registers --- */

static void stop_data(struct emmc *s)
{
    s->direction = EMMC_NONE;
    s->ready = s->busy = 0;
    s->data_due = DEVICE_NEVER;
    s->interrupt &= ~(uint32_t)(INT_DATA | INT_SPACE | INT_AVAILABLE);
}

static void stop_command(struct emmc *s)
{
    s->command_due = DEVICE_NEVER;
    s->interrupt &= ~(uint32_t)INT_COMMAND;
}

static void emmc_reset(void *state, const struct device_ports *ports)
{
    struct emmc *s = state;
    (void)ports;
    s->command_due = s->data_due = DEVICE_NEVER;
}

static void reset_all(struct emmc *s, const struct device_ports *ports)
{
    stop_data(s);
    stop_command(s);
    s->interrupt = 0;
    memset(s->stored, 0, sizeof s->stored);
    memset(s->response, 0, sizeof s->response);
    update(s, ports);
}

static void write_control1(struct emmc *s, const struct device_ports *ports, uint32_t value)
{
    if (value & C1_RESET)
        reset_all(s, ports);
    if (value & C1_RESET_COMMAND)
        stop_command(s);
    if (value & C1_RESET_DATA)
        stop_data(s);
    *stored(s, CONTROL1) = value & ~(uint32_t)(C1_RESETS | C1_STABLE);
    update(s, ports);
}

static uint32_t read_status(struct emmc *s, const struct device_ports *ports)
{
    uint32_t value = SR_LEVELS | SR_UNPROTECTED;
    bool active = s->direction != EMMC_NONE, command = s->command_due != DEVICE_NEVER;
    if (sd_card_present(&s->card, ports))
        value |= SR_INSERTED;
    if (command)
        value |= SR_COMMAND;
    if (active || s->busy || (command && value_of(s, CMDTM) & CMD_DATA))
        value |= SR_DATA;
    if (active)
        value |= SR_DATA_ACTIVE | (s->direction == EMMC_READ ? SR_READING : SR_WRITING);
    if (s->ready)
        value |= s->direction == EMMC_READ ? SR_AVAILABLE : SR_SPACE;
    return value;
}

static uint32_t emmc_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct emmc *s = state;
    switch (offset) {
    case DATA: return read_data(s, ports);
    case STATUS: return read_status(s, ports);
    case CONTROL1:
        return value_of(s, CONTROL1) | (value_of(s, CONTROL1) & C1_INTERNAL ? C1_STABLE : 0);
    case INTERRUPT: return s->interrupt;
    case BLKSIZECNT:
        if (s->direction != EMMC_NONE && s->counted)
            return (value_of(s, BLKSIZECNT) & 0xffff) | s->blocks << 16;
        return value_of(s, BLKSIZECNT);
    case CAPABILITIES0:
    case CAPABILITIES1: return 0;
    case SLOTISR_VER: return VENDOR | VERSION | (s->interrupt & value_of(s, IRPT_EN) ? 1 : 0);
    case ARG2:
    case ARG1:
    case CMDTM:
    case CONTROL0:
    case IRPT_MASK:
    case IRPT_EN:
    case CONTROL2:
    case FORCE_IRPT:
    case BOOT_TIMEOUT:
    case DBG_SEL:
    case EXRDFIFO_CFG:
    case EXRDFIFO_EN:
    case TUNE_STEP:
    case TUNE_STEPS_STD:
    case TUNE_STEPS_DDR:
    case SPI_INT_SPT: return value_of(s, offset);
    default:
        if (offset >= RESP0 && offset <= RESP3)
            return s->response[(offset - RESP0) / 4];
        ports->not_modelled(ports->user, BASE + offset, "EMMC: a register that is not modelled",
                            "use the registers of the manual's chapter 5");
        return 0;
    }
}

static void emmc_write(void *state, const struct device_ports *ports, uint32_t offset,
                       uint32_t value)
{
    struct emmc *s = state;
    switch (offset) {
    case CMDTM: start_command(s, ports, value); break;
    case DATA: write_data(s, ports, value); break;
    case CONTROL1: write_control1(s, ports, value); break;
    case INTERRUPT:
        s->interrupt &= ~value | INT_ERROR;
        update(s, ports);
        break;
    case FORCE_IRPT: raise(s, ports, value & INT_FORCED); break;
    case IRPT_MASK:
    case IRPT_EN:
        *stored(s, offset) = value;
        update(s, ports);
        break;
    case STATUS:
    case CAPABILITIES0:
    case CAPABILITIES1:
    case SLOTISR_VER: break; /* read-only */
    case ARG2:
    case BLKSIZECNT:
    case ARG1:
    case CONTROL0:
    case CONTROL2:
    case EXRDFIFO_CFG:
    case EXRDFIFO_EN: *stored(s, offset) = value; break;
    default:
        if (offset >= RESP0 && offset <= RESP3)
            break; /* read-only */
        ports->not_modelled(ports->user, BASE + offset,
                            "EMMC: booting, tuning, or a register that is not modelled",
                            "use the registers of the manual's chapter 5 up to CONTROL2");
    }
}

static uint64_t emmc_next(const void *state)
{
    const struct emmc *s = state;
    return s->command_due < s->data_due ? s->command_due : s->data_due;
}

static void emmc_advance(void *state, const struct device_ports *ports)
{
    struct emmc *s = state;
    uint64_t now = ports->now(ports->user);
    /* A command or a block can be followed by another one, but then waits for the program. */
    while (emmc_next(s) != DEVICE_NEVER && emmc_next(s) <= now)
        if (s->command_due <= s->data_due)
            end_command(s, ports);
        else
            next_data(s, ports);
}

const struct device emmc = {
    .name = "EMMC",
    .base = BASE,
    .size = 0x100,
    .state_size = sizeof(struct emmc),
    .reset = emmc_reset,
    .read = emmc_read,
    .write = emmc_write,
    .next = emmc_next,
    .advance = emmc_advance,
};
