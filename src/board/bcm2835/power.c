/* SPDX-License-Identifier: MIT */
/* power.c - the power manager with its watchdog, and the bridges between the V3D and the bus.
 *
 * In:  register accesses; time.
 * Out: resets of the board, with the partition to boot from; whether the V3D is on.
 *
 * Source: Linux' bcm2835_wdt.c and bcm2835-power.c. The hardware has no public manual for these.
 * Modelled: the password; the watchdog, which counts 65536 Hz; the partition in RSTS; the
 *           handshakes of power domains (POWOK, MRDONE) and of bridges (ACK).
 * Left out: effects of power domains on blocks other than the V3D. The other registers keep what is
 *           written.
 * Choices: a power domain is on, its memory is repaired, and a bridge stops, at once. */
#include "board/bcm2835/power.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    RSTC = 0x1c,
    RSTS = 0x20,
    WDOG = 0x24,
    IMAGE = 0x108,
    GRAFX = 0x10c,
    PROC = 0x110,

    RSTC_RESET = 0x102,
    RSTC_CONFIGURATION = 0x30, /* not 0: the watchdog resets the board */
    RSTS_WATCHDOG_FULL = 1 << 5,
    RSTS_POWER_ON = 1 << 12,
    WDOG_TIME = 0xfffff,
    WDOG_RATE = 65536,
    PARTITION_BITS = 6,

    DOMAIN_UP = 1 << 0,
    DOMAIN_OK = 1 << 1,
    DOMAIN_POWER = 1 << 2, /* not isolated electrically */
    DOMAIN_REPAIR = 1 << 3,
    DOMAIN_REPAIRED = 1 << 4,
    DOMAIN_FUNCTION = 1 << 5, /* not isolated functionally */
    DOMAIN_V3D = 1 << 6,      /* the V3D is not held in reset */

    ASB_VERSION = 0x00,
    ASB_V3D_S = 0x08,
    ASB_V3D_M = 0x0c,
    ASB_LAST_BRIDGE = 0x1c,
    ASB_ID = 0x20,
    ASB_STOP = 1 << 0,
    ASB_ACK = 1 << 1,
    ASB_EMPTY = 1 << 2,
    BRIDGE_NAME = 0x62726467, /* "brdg" */

    VALUE = 0xffffff, /* bits of a register below the password */
};

/* --- the power manager --- */

static bool is_armed(const struct power *s)
{
    return s->registers[RSTC / 4] & RSTC_CONFIGURATION && !s->expired;
}

/* Returns the partition number, whose bits are bits 0, 2, 4, 6, 8 and 10 of RSTS. */
static uint32_t partition(const struct power *s)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < PARTITION_BITS; i++)
        value |= (s->registers[RSTS / 4] >> 2 * i & 1) << i;
    return value;
}

static uint64_t power_next(const void *state)
{
    const struct power *s = state;
    return is_armed(s) ? rate_after(s->start, rate_time(s->ticks, WDOG_RATE)) : DEVICE_NEVER;
}

static void power_advance(void *state, const struct device_ports *ports)
{
    struct power *s = state;
    if (ports->now(ports->user) < power_next(s))
        return;
    s->expired = 1;
    uint32_t from = partition(s);
    s->registers[RSTS / 4] |= RSTS_WATCHDOG_FULL;
    ports->output(ports->user, OUTPUT_RESET, from);
}

static uint32_t ticks_left(const struct power *s, uint64_t time)
{
    uint64_t passed = rate_ticks(time - s->start, WDOG_RATE);
    if (!is_armed(s))
        return s->registers[WDOG / 4];
    return passed < s->ticks ? s->ticks - (uint32_t)passed : 0;
}

static uint32_t power_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct power *s = state;
    return offset == WDOG ? ticks_left(s, ports->now(ports->user)) : s->registers[offset / 4];
}

static bool power_counter_at(const void *state, uint32_t offset, uint64_t time, uint64_t *count)
{
    const struct power *s = state;
    *count = ticks_left(s, time);
    return offset == WDOG && is_armed(s);
}

/* Returns the value of a power domain's register, with the answers of the hardware. */
static uint32_t domain(uint32_t value)
{
    value &= ~(uint32_t)(DOMAIN_OK | DOMAIN_REPAIRED);
    if (value & DOMAIN_UP)
        value |= DOMAIN_OK | (value & DOMAIN_REPAIR ? DOMAIN_REPAIRED : 0);
    return value;
}

static void arm(struct power *s, const struct device_ports *ports)
{
    s->start = ports->now(ports->user);
    s->ticks = s->registers[WDOG / 4];
    s->expired = 0;
}

static void power_write(void *state, const struct device_ports *ports, uint32_t offset,
                        uint32_t value)
{
    struct power *s = state;
    if (!report_password(ports, &power, offset, value))
        return;
    value &= VALUE;
    switch (offset) {
    case RSTC:
        if (value & RSTC_CONFIGURATION && !is_armed(s))
            arm(s, ports);
        s->registers[RSTC / 4] = value;
        return;
    case WDOG:
        s->registers[WDOG / 4] = value & WDOG_TIME;
        arm(s, ports);
        return;
    case IMAGE:
    case GRAFX:
    case PROC: s->registers[offset / 4] = domain(value); return;
    default: s->registers[offset / 4] = value;
    }
}

static void power_reset(void *state, const struct device_ports *ports)
{
    struct power *s = state;
    (void)ports;
    s->registers[RSTC / 4] = RSTC_RESET;
    s->registers[RSTS / 4] = RSTS_POWER_ON;
}

bool power_v3d(const struct power *s)
{
    const uint32_t on = DOMAIN_UP | DOMAIN_POWER | DOMAIN_FUNCTION | DOMAIN_V3D;
    return (s->registers[GRAFX / 4] & on) == on;
}

const struct device power = {
    .name = "power manager",
    .base = 0x100000,
    .size = POWER_REGISTERS * 4,
    .state_size = sizeof(struct power),
    .reset = power_reset,
    .read = power_read,
    .write = power_write,
    .counter_at = power_counter_at,
    .next = power_next,
    .advance = power_advance,
};

/* --- the bridges --- */

static uint32_t asb_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct asb *s = state;
    (void)ports;
    return s->registers[offset / 4];
}

static void asb_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct asb *s = state;
    if (!report_password(ports, &asb, offset, value))
        return;
    if (offset >= ASB_V3D_S && offset <= ASB_LAST_BRIDGE)
        s->registers[offset / 4] = ASB_EMPTY | (value & ASB_STOP ? ASB_STOP | ASB_ACK : 0);
    else if (offset != ASB_ID && offset != ASB_VERSION)
        s->registers[offset / 4] = value & VALUE;
}

static void asb_reset(void *state, const struct device_ports *ports)
{
    struct asb *s = state;
    (void)ports;
    for (uint32_t offset = ASB_V3D_S; offset <= ASB_LAST_BRIDGE; offset += 4)
        s->registers[offset / 4] = ASB_STOP | ASB_ACK | ASB_EMPTY;
    s->registers[ASB_ID / 4] = BRIDGE_NAME;
}

bool asb_v3d(const struct asb *s)
{
    return !((s->registers[ASB_V3D_M / 4] | s->registers[ASB_V3D_S / 4]) & ASB_STOP);
}

const struct device asb = {
    .name = "AXI bridges",
    .base = 0xa000,
    .size = ASB_REGISTERS * 4,
    .state_size = sizeof(struct asb),
    .reset = asb_reset,
    .read = asb_read,
    .write = asb_write,
};
