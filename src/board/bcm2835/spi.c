/* SPDX-License-Identifier: MIT */
/* spi.c - the SPI master SPI0. No device is connected to it.
 *
 * In:  register accesses; the core clock's rate.
 * Out: register values; the interrupt line LINE_SPI.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 10.
 * Modelled: transfers in polled and interrupt mode, with FIFOs and the time of each byte.
 * Left out: DMA and LoSSI mode, which are reported; bits on pins.
 * Choices: the line MISO is 0, since its pin is pulled down after power-on. */
#include "board/bcm2835/spi.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    CONTROL = 0x00,
    FIFO = 0x04,
    CLOCK = 0x08,
    LENGTH = 0x0c,
    HOLD = 0x10,
    DMA = 0x14,

    CONTROL_CLEAR_SEND = 1 << 4,
    CONTROL_CLEAR_RECEIVE = 1 << 5,
    CONTROL_ACTIVE = 1 << 7,
    CONTROL_DMA = 1 << 8,
    CONTROL_INTERRUPT_DONE = 1 << 9,
    CONTROL_INTERRUPT_RECEIVE = 1 << 10,
    CONTROL_LOSSI = 1 << 13,
    CONTROL_RESET = 1 << 12, /* read enable */
    CONTROL_BITS = 0x03e0ffcf,
    STATUS_DONE = 1 << 16,
    STATUS_RECEIVED = 1 << 17,
    STATUS_SPACE = 1 << 18,
    STATUS_RECEIVE_NEEDED = 1 << 19,
    STATUS_RECEIVE_FULL = 1 << 20,
    RECEIVE_NEEDED = SPI_FIFO * 3 / 4,
    BYTE_BITS = 8,
};

#define CONTROL_SETTINGS (CONTROL_BITS & 0xffffu)

static uint32_t status(const struct spi *s)
{
    bool done = s->control & CONTROL_ACTIVE && s->to_send == 0 && s->sent_at == DEVICE_NEVER;
    uint32_t value = s->control | (done ? STATUS_DONE : 0);
    value |= s->received ? STATUS_RECEIVED : 0;
    value |= s->to_send < SPI_FIFO ? STATUS_SPACE : 0;
    value |= s->received >= RECEIVE_NEEDED ? STATUS_RECEIVE_NEEDED : 0;
    return value | (s->received == SPI_FIFO ? STATUS_RECEIVE_FULL : 0);
}

/* Begins to send the next byte at a time, if there is one and room for the received byte. */
static void start(struct spi *s, const struct device_ports *ports, uint64_t time)
{
    uint32_t clock = ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE);
    uint32_t divider = s->divider ? s->divider : 0x10000;
    if (s->sent_at != DEVICE_NEVER || !(s->control & CONTROL_ACTIVE) || s->to_send == 0 ||
        s->received == SPI_FIFO)
        return;
    s->to_send--;
    s->sent_at = rate_after(time, rate_time((uint64_t)divider * BYTE_BITS, clock));
}

static void update(const struct spi *s, const struct device_ports *ports)
{
    uint32_t value = status(s);
    ports->interrupt(ports->user, LINE_SPI,
                     (value & CONTROL_INTERRUPT_DONE && value & STATUS_DONE) ||
                         (value & CONTROL_INTERRUPT_RECEIVE && value & STATUS_RECEIVE_NEEDED));
}

static uint64_t spi_next(const void *state)
{
    const struct spi *s = state;
    return s->sent_at;
}

static void spi_advance(void *state, const struct device_ports *ports)
{
    struct spi *s = state;
    uint64_t now = ports->now(ports->user);
    if (s->sent_at > now)
        return;
    while (s->sent_at <= now && s->sent_at != DEVICE_NEVER) {
        uint64_t time = s->sent_at;
        s->sent_at = DEVICE_NEVER;
        s->received += s->received < SPI_FIFO;
        start(s, ports, time);
    }
    update(s, ports);
}

static uint32_t spi_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct spi *s = state;
    switch (offset) {
    case CONTROL: return status(s);
    case FIFO:
        s->received -= s->received > 0;
        start(s, ports, ports->now(ports->user));
        update(s, ports);
        return 0;
    case CLOCK: return s->divider;
    case LENGTH: return s->length;
    case HOLD: return s->hold;
    case DMA: return s->dma;
    default: return report_register(ports, &spi, offset);
    }
}

static void write_control(struct spi *s, const struct device_ports *ports, uint32_t value)
{
    if (value & CONTROL_CLEAR_SEND)
        s->to_send = 0;
    if (value & CONTROL_CLEAR_RECEIVE)
        s->received = 0;
    if (value & (CONTROL_DMA | CONTROL_LOSSI))
        ports->not_modelled(ports->user, spi.base + CONTROL,
                            "SPI0: DMA mode and LoSSI mode are not modelled",
                            "send bytes by the FIFO in polled or interrupt mode");
    s->control = value & CONTROL_SETTINGS;
    if (!(value & CONTROL_ACTIVE))
        s->sent_at = DEVICE_NEVER;
}

static void spi_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct spi *s = state;
    switch (offset) {
    case CONTROL: write_control(s, ports, value); break;
    case FIFO: s->to_send += s->to_send < SPI_FIFO; break;
    case CLOCK: s->divider = value & 0xffff; break;
    case LENGTH: s->length = value & 0xffff; break;
    case HOLD: s->hold = value & 0xf; break;
    case DMA: s->dma = value; break;
    default: report_register(ports, &spi, offset);
    }
    start(s, ports, ports->now(ports->user));
    update(s, ports);
}

static void spi_reset(void *state, const struct device_ports *ports)
{
    struct spi *s = state;
    (void)ports;
    s->control = CONTROL_RESET;
    s->hold = 1;
    s->sent_at = DEVICE_NEVER;
}

const struct device spi = {
    .name = "SPI0",
    .base = 0x204000,
    .size = 0x1000,
    .state_size = sizeof(struct spi),
    .reset = spi_reset,
    .read = spi_read,
    .write = spi_write,
    .next = spi_next,
    .advance = spi_advance,
};
