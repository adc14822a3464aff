/* SPDX-License-Identifier: MIT */
/* spi.c - the SPI master SPI0. No device is connected to it.
 *
 * In:  register accesses; the core clock's rate.
 * Out: register values; the interrupt line LINE_SPI; requests to the DMA controller.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 10; Linux' spi-bcm2835.c and circle's
 *         spimasterdma.cpp.
 * Modelled: transfers in polled, interrupt and DMA mode, with FIFOs and the time of each byte.
 * Left out: LoSSI mode, which is reported; panic signals of DMA mode; bits on pins.
 * Choices: the line MISO is 0, since its pin is pulled down after power-on. The thresholds RDREQ
 *          and TDREQ count bytes, as the FIFOs have 64. At the end of a transfer, all received
 *          bytes are requested, also below RDREQ: Linux reads a transfer of any length with
 *          RDREQ's value after power-on. ADCS clears TA at the end of a transfer, so that the next
 *          word of the DMA controller is a header. */
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
    CONTROL_AUTOMATIC = 1 << 11, /* ADCS */
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
    WORD = 4,           /* bytes of an access of the FIFO in DMA mode */
    HEADER_BITS = 0xff, /* bits of CS in a header */
    DMA_RESET = 0x30201020,
};

#define CONTROL_SETTINGS (CONTROL_BITS & 0xffffu)

static uint32_t status(const struct spi *s)
{
    bool done = s->control & CONTROL_ACTIVE && s->to_send == 0 && s->rest == 0 &&
                s->sent_at == DEVICE_NEVER;
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

static void request(const struct device_ports *ports, enum device_request number, uint32_t *old,
                    bool level)
{
    if (*old == level)
        return;
    *old = level;
    ports->request(ports->user, number, level);
}

/* Returns the number of bytes of the transfer that are or will be in the FIFO for output. */
static uint32_t to_come(const struct spi *s)
{
    return s->rest && s->sent_at != DEVICE_NEVER ? s->rest - 1 : s->rest;
}

/* Returns true if the FIFO for output wants a word: a header or data. */
static bool needs_writing(const struct spi *s)
{
    bool wanted = !(s->control & CONTROL_ACTIVE) || s->to_send < to_come(s);
    return wanted && s->to_send <= (s->dma & 0xff) && s->to_send + WORD <= SPI_FIFO;
}

static bool needs_reading(const struct spi *s)
{
    return s->rest ? s->received > (s->dma >> 16 & 0xff) : s->received > 0;
}

static void update(struct spi *s, const struct device_ports *ports)
{
    uint32_t value = status(s);
    bool dma = s->control & CONTROL_DMA;
    request(ports, REQUEST_SPI_RX, &s->requested_in, dma && needs_reading(s));
    request(ports, REQUEST_SPI_TX, &s->requested_out, dma && needs_writing(s));
    ports->interrupt(ports->user, LINE_SPI,
                     (value & CONTROL_INTERRUPT_DONE && value & STATUS_DONE) ||
                         (value & CONTROL_INTERRUPT_RECEIVE && value & STATUS_RECEIVE_NEEDED));
}

/* Counts a byte as sent and received. */
static void end_byte(struct spi *s)
{
    s->sent_at = DEVICE_NEVER;
    s->received += s->received < SPI_FIFO;
    if (s->rest == 0)
        return;
    s->rest--;
    if (s->rest == 0 && s->control & CONTROL_AUTOMATIC)
        s->control &= ~(uint32_t)CONTROL_ACTIVE;
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
        end_byte(s);
        start(s, ports, time);
    }
    update(s, ports);
}

/* Takes a byte, or a word in DMA mode, out of the FIFO. All received bytes are 0. */
static uint32_t read_fifo(struct spi *s, const struct device_ports *ports)
{
    uint32_t size = s->control & CONTROL_DMA ? WORD : 1;
    s->received -= s->received < size ? s->received : size;
    start(s, ports, ports->now(ports->user));
    update(s, ports);
    return 0;
}

static uint32_t spi_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct spi *s = state;
    switch (offset) {
    case CONTROL: return status(s);
    case FIFO: return read_fifo(s, ports);
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
    if (value & CONTROL_LOSSI)
        ports->not_modelled(ports->user, spi.base + CONTROL, "SPI0: LoSSI mode is not modelled",
                            "clear bit 13 (LEN): SPI mode");
    uint32_t both = CONTROL_ACTIVE | CONTROL_DMA;
    bool transfers = (s->control & both) == both;
    s->control = value & CONTROL_SETTINGS;
    if (!(value & CONTROL_ACTIVE))
        s->sent_at = DEVICE_NEVER;
    if ((value & both) != both)
        s->rest = 0;
    else if (!transfers)
        s->rest = s->length;
}

/* Writes a byte into the FIFO; in DMA mode a word, or a header if no transfer is active. */
static void write_fifo(struct spi *s, const struct device_ports *ports, uint32_t value)
{
    if (!(s->control & CONTROL_DMA)) {
        s->to_send += s->to_send < SPI_FIFO;
    } else if (s->control & CONTROL_ACTIVE) {
        uint32_t most = to_come(s) < SPI_FIFO ? to_come(s) : SPI_FIFO;
        s->to_send = s->to_send + WORD < most ? s->to_send + WORD : most;
    } else {
        s->length = value >> 16;
        write_control(s, ports, (s->control & ~(uint32_t)HEADER_BITS) | (value & HEADER_BITS));
    }
}

static void spi_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct spi *s = state;
    switch (offset) {
    case CONTROL: write_control(s, ports, value); break;
    case FIFO: write_fifo(s, ports, value); break;
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
    s->dma = DMA_RESET;
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
