/* SPDX-License-Identifier: MIT */
/* i2c.c - the three I2C masters (BSC). No device is connected to them.
 *
 * In:  register accesses; the core clock's rate.
 * Out: register values; the interrupt line LINE_I2C.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 3.
 * Modelled: a transfer sends the address for the time of 10 bits, then ends without an acknowledge.
 * Left out: data, since no device acknowledges; bits on pins.
 * Choices: the masters share an interrupt line. Each sets it only when its own level changes. */
#include "board/bcm2835/i2c.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    CONTROL = 0x00,
    STATUS = 0x04,
    LENGTH = 0x08,
    ADDRESS = 0x0c,
    FIFO = 0x10,
    DIVIDER = 0x14,
    DELAY = 0x18,
    STRETCH = 0x1c,

    CONTROL_ENABLE = 1 << 15,
    CONTROL_INTERRUPT_SEND = 1 << 9,
    CONTROL_INTERRUPT_DONE = 1 << 8,
    CONTROL_START = 1 << 7,
    CONTROL_CLEAR = 3 << 4,
    CONTROL_READ = 1 << 0,
    CONTROL_BITS = 0x8701, /* the bits that can be read back */

    STATUS_ACTIVE = 1 << 0,
    STATUS_DONE = 1 << 1,
    STATUS_SEND_NEEDED = 1 << 2,
    STATUS_SEND_SPACE = 1 << 4,
    STATUS_SEND_EMPTY = 1 << 6,
    STATUS_ERROR = 1 << 8, /* no acknowledge */
    STATUS_STRETCH = 1 << 9,
    STATUS_CLEARED = STATUS_DONE | STATUS_ERROR | STATUS_STRETCH, /* by writing 1 */

    DIVIDER_RESET = 0x5dc,
    DELAY_RESET = 0x00300030,
    STRETCH_RESET = 0x40,
    ADDRESS_BITS = 10, /* start, 8 bits, acknowledge */
};

static uint32_t status(const struct i2c *s)
{
    bool active = s->ends_at != DEVICE_NEVER;
    uint32_t value = s->status | (active ? STATUS_ACTIVE : 0);
    value |= s->to_send < I2C_FIFO ? STATUS_SEND_SPACE : 0;
    value |= s->to_send == 0 ? STATUS_SEND_EMPTY : 0;
    if (active && !(s->control & CONTROL_READ) && s->to_send < I2C_FIFO / 4)
        value |= STATUS_SEND_NEEDED;
    return value;
}

static void update(struct i2c *s, const struct device_ports *ports)
{
    uint32_t value = status(s);
    bool level = (s->control & CONTROL_INTERRUPT_DONE && value & STATUS_DONE) ||
                 (s->control & CONTROL_INTERRUPT_SEND && value & STATUS_SEND_NEEDED);
    if (level != (s->level != 0))
        ports->interrupt(ports->user, LINE_I2C, level);
    s->level = level;
}

static uint64_t i2c_next(const void *state)
{
    const struct i2c *s = state;
    return s->ends_at;
}

static void i2c_advance(void *state, const struct device_ports *ports)
{
    struct i2c *s = state;
    if (s->ends_at > ports->now(ports->user))
        return;
    s->ends_at = DEVICE_NEVER;
    s->status |= STATUS_DONE | STATUS_ERROR;
    update(s, ports);
}

static void start(struct i2c *s, const struct device_ports *ports)
{
    uint32_t divider = s->divider ? s->divider : 0x8000;
    uint32_t clock = ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE);
    s->ends_at = rate_after(ports->now(ports->user),
                            rate_time((uint64_t)divider * ADDRESS_BITS, clock));
}

static void write_control(struct i2c *s, const struct device_ports *ports, uint32_t value)
{
    if (value & CONTROL_CLEAR)
        s->to_send = 0;
    s->control = value & CONTROL_BITS;
    if (!(value & CONTROL_ENABLE))
        s->ends_at = DEVICE_NEVER;
    else if (value & CONTROL_START)
        start(s, ports);
}

static uint32_t read_register(struct i2c *s, const struct device_ports *ports,
                              const struct device *device, uint32_t offset)
{
    switch (offset) {
    case CONTROL: return s->control;
    case STATUS: return status(s);
    case LENGTH: return s->length;
    case ADDRESS: return s->address;
    case FIFO: return 0;
    case DIVIDER: return s->divider;
    case DELAY: return s->delay;
    case STRETCH: return s->stretch;
    default: return report_register(ports, device, offset);
    }
}

static void write_register(struct i2c *s, const struct device_ports *ports,
                           const struct device *device, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case CONTROL: write_control(s, ports, value); break;
    case STATUS: s->status &= ~(value & STATUS_CLEARED); break;
    case LENGTH: s->length = value & 0xffff; break;
    case ADDRESS: s->address = value & 0x7f; break;
    case FIFO: s->to_send += s->to_send < I2C_FIFO; break;
    case DIVIDER: s->divider = value & 0xffff; break;
    case DELAY: s->delay = value; break;
    case STRETCH: s->stretch = value & 0xffff; break;
    default: report_register(ports, device, offset);
    }
    update(s, ports);
}

static void i2c_reset(void *state, const struct device_ports *ports)
{
    struct i2c *s = state;
    (void)ports;
    s->divider = DIVIDER_RESET;
    s->delay = DELAY_RESET;
    s->stretch = STRETCH_RESET;
    s->ends_at = DEVICE_NEVER;
}

/* Defines a master. */
#define MASTER(symbol, title, address)                                                            \
    static uint32_t symbol##_read(void *state, const struct device_ports *ports, uint32_t offset) \
    {                                                                                             \
        return read_register(state, ports, &symbol, offset);                                      \
    }                                                                                             \
    static void symbol##_write(void *state, const struct device_ports *ports, uint32_t offset,    \
                               uint32_t value)                                                    \
    {                                                                                             \
        write_register(state, ports, &symbol, offset, value);                                     \
    }                                                                                             \
    const struct device symbol = {                                                                \
        .name = title,                                                                            \
        .base = address,                                                                          \
        .size = 0x1000,                                                                           \
        .state_size = sizeof(struct i2c),                                                         \
        .reset = i2c_reset,                                                                       \
        .read = symbol##_read,                                                                    \
        .write = symbol##_write,                                                                  \
        .next = i2c_next,                                                                         \
        .advance = i2c_advance,                                                                   \
    }

MASTER(i2c0, "I2C master 0", 0x205000);
MASTER(i2c1, "I2C master 1", 0x804000);
MASTER(i2c2, "I2C master 2", 0x805000);
