/* SPDX-License-Identifier: MIT */
/* auxiliary.c - the auxiliary peripherals: the mini UART; SPI1 and SPI2 by aux_spi.c.
 *
 * In:  register accesses; bytes from outside; the rate of the core clock.
 * Out: bytes; the interrupt line LINE_AUX; register values.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 2, and the errata at elinux.org ("BCM2835 datasheet
 *         errata"): bits 0 and 1 of AUX_MU_IER_REG enable the interrupts of receiver and
 *         transmitter; 8 bits need the value 3 in AUX_MU_LCR_REG. The value at 0x10, by which
 *         kernels find the peripheral base: leiradel/barebones-rpi, barebones05/memio.c, and
 *         LdB-ECM/Raspberry-Pi, GLES2_Rotate/SmartStart32.S.
 * Modelled: enables, FIFOs, the time of each byte, status bits, interrupts.
 * Left out: flow control, breaks, signals of a modem (CTS is always active).
 * Choices: a byte of 7 bits leaves the board with bit 7 cleared. */
#include "board/bcm2835/auxiliary.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    AUX_IRQ = 0x00,
    AUX_ENABLES = 0x04,
    AUX_ID = 0x10,
    AUX_ID_VALUE = 0x61757830, /* "aux0" */
    MU_IO = 0x40,
    MU_IER = 0x44,
    MU_IIR = 0x48,
    MU_LCR = 0x4c,
    MU_MCR = 0x50,
    MU_LSR = 0x54,
    MU_MSR = 0x58,
    MU_SCRATCH = 0x5c,
    MU_CNTL = 0x60,
    MU_STAT = 0x64,
    MU_BAUD = 0x68,
    MU_END = 0x6c,
    SPI_FIRST = 0x80,
    SPI_SIZE = 0x40,
    SPI_END = SPI_FIRST + 2 * SPI_SIZE,

    ENABLE_UART = 1 << 0,
    INTERRUPT_RECEIVE = 1 << 0,
    INTERRUPT_SEND = 1 << 1,
    IIR_NONE = 1,
    IIR_SEND = 1 << 1,
    IIR_RECEIVE = 2 << 1,
    IIR_FIFOS = 3 << 6,
    IIR_CLEAR_RECEIVE = 1 << 1,
    IIR_CLEAR_SEND = 1 << 2,
    LCR_BITS = 3, /* 3: 8 bits */
    LCR_BAUD = 1 << 7,
    LSR_DATA = 1 << 0,
    LSR_OVERRUN = 1 << 1,
    LSR_SPACE = 1 << 5,
    LSR_IDLE = 1 << 6,
    MSR_CTS = 3 << 4, /* the manual's bit and the errata's */
    CNTL_RECEIVE = 1 << 0,
    CNTL_SEND = 1 << 1,
    STAT_DATA = 1 << 0,
    STAT_SPACE = 1 << 1,
    STAT_RECEIVE_IDLE = 1 << 2,
    STAT_SEND_IDLE = 1 << 3,
    STAT_OVERRUN = 1 << 4,
    STAT_SEND_FULL = 1 << 5,
    STAT_CTS = 1 << 7,
    STAT_SEND_EMPTY = 1 << 8,
    STAT_SEND_DONE = 1 << 9,
    STAT_RECEIVED = 16, /* lowest bits of the numbers of bytes */
    STAT_TO_SEND = 24,
    DEPTH = 8,
};

static bool has_8_bits(const struct aux *s)
{
    return (s->line_control & LCR_BITS) == LCR_BITS;
}

static struct serial_mode mode(const struct aux *s, const struct device_ports *ports)
{
    uint32_t clock = ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE);
    unsigned bits = has_8_bits(s) ? 10 : 9;
    return (struct serial_mode){
        .byte_time = rate_time((uint64_t)bits * 8 * (s->baud + 1), clock),
        .send = s->enables & ENABLE_UART && s->control & CNTL_SEND,
        .receive = s->enables & ENABLE_UART && s->control & CNTL_RECEIVE,
    };
}

/* --- interrupts --- */

/* Returns the lower bits of AUX_MU_IIR_REG. */
static uint32_t pending(const struct aux *s)
{
    if (s->interrupts & INTERRUPT_RECEIVE && s->serial.receive.count)
        return IIR_RECEIVE;
    return s->interrupts & INTERRUPT_SEND && s->serial.send.count == 0 ? IIR_SEND : IIR_NONE;
}

static uint32_t interrupts(const struct aux *s)
{
    uint32_t value = pending(s) != IIR_NONE;
    for (unsigned i = 0; i < 2; i++)
        value |= (uint32_t)aux_spi_interrupt(&s->spi[i]) << (i + 1);
    return value & s->enables;
}

static void update(const struct aux *s, const struct device_ports *ports)
{
    ports->interrupt(ports->user, LINE_AUX, interrupts(s) != 0);
}

/* --- time --- */

static uint64_t aux_next(const void *state)
{
    const struct aux *s = state;
    return serial_next(&s->serial);
}

static void aux_advance(void *state, const struct device_ports *ports)
{
    struct aux *s = state;
    const struct serial_mode present = mode(s, ports);
    uint64_t now = ports->now(ports->user);
    uint8_t byte;
    if (aux_next(s) > now)
        return;
    for (;;)
        switch (serial_step(&s->serial, &present, now, &byte)) {
        case SERIAL_NOTHING: update(s, ports); return;
        case SERIAL_SENT: ports->output(ports->user, OUTPUT_MINI_UART, byte); break;
        case SERIAL_RECEIVED:
            if (!serial_receive(&s->serial, byte))
                s->overrun = 1;
        }
}

static void aux_input(void *state, const struct device_ports *ports, enum device_input input,
                      uint32_t value)
{
    struct aux *s = state;
    const struct serial_mode now = mode(s, ports);
    if (input == INPUT_MINI_UART)
        serial_input(&s->serial, &now, ports->now(ports->user), (uint8_t)value);
}

unsigned aux_room(const struct aux *s)
{
    bool on = s->enables & ENABLE_UART && s->control & CNTL_RECEIVE;
    return on ? serial_room(&s->serial) : 0;
}

/* --- the mini UART's registers --- */

static void check_data(struct aux *s, const struct device_ports *ports)
{
    static const struct serial_pin pins[] = {{14, 2}, {32, 2}, {40, 2}}; /* ALT5 */
    uint32_t offset = aux.base + MU_IO;
    if (s->serial.send.count >= s->serial.depth)
        ports->finding(ports->user, PI_UART_FULL, offset,
                       "a byte is written to the mini UART while its transmit FIFO is full");
    if (!s->bits_checked && !has_8_bits(s))
        ports->finding(ports->user, PI_MINI_UART_BITS, offset,
                       "the mini UART sends bytes of 7 bits");
    if (!s->pins_checked && !serial_has_pin(ports, pins, sizeof pins / sizeof *pins))
        ports->finding(ports->user, PI_UART_PINS, offset,
                       "the mini UART sends, but pin 14 does not have its function TXD1 (ALT5)");
    s->bits_checked = s->pins_checked = 1;
    if (s->baud_checked != s->baud + 1) {
        uint32_t clock = ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE);
        serial_check_baud(ports, "mini UART", offset, clock / (8 * (s->baud + 1)), clock);
    }
    s->baud_checked = s->baud + 1;
}

static void write_data(struct aux *s, const struct device_ports *ports, uint32_t value)
{
    if (s->line_control & LCR_BAUD) {
        s->baud = (s->baud & 0xff00) | (value & 0xff);
        return;
    }
    check_data(s, ports);
    serial_push(&s->serial, &s->serial.send, (uint16_t)(value & (has_8_bits(s) ? 0xff : 0x7f)));
}

static uint32_t line_status(struct aux *s)
{
    uint32_t value = s->serial.receive.count ? LSR_DATA : 0;
    value |= s->overrun ? LSR_OVERRUN : 0;
    value |= s->serial.send.count < s->serial.depth ? LSR_SPACE : 0;
    value |= s->serial.send.count == 0 && s->serial.sent_at == DEVICE_NEVER ? LSR_IDLE : 0;
    s->overrun = 0;
    return value;
}

static uint32_t status(const struct aux *s)
{
    const struct serial *serial = &s->serial;
    uint32_t value = STAT_CTS;
    value |= serial->receive.count ? STAT_DATA : 0;
    value |= serial->send.count < serial->depth ? STAT_SPACE : STAT_SEND_FULL;
    value |= serial->received_at == DEVICE_NEVER ? STAT_RECEIVE_IDLE : 0;
    value |= serial->sent_at == DEVICE_NEVER ? STAT_SEND_IDLE : 0;
    value |= s->overrun ? STAT_OVERRUN : 0;
    value |= serial->send.count == 0 ? STAT_SEND_EMPTY : 0;
    value |= serial->send.count == 0 && serial->sent_at == DEVICE_NEVER ? STAT_SEND_DONE : 0;
    return value | serial->receive.count << STAT_RECEIVED | serial->send.count << STAT_TO_SEND;
}

static uint32_t read_mini_uart(struct aux *s, const struct device_ports *ports, uint32_t offset)
{
    switch (offset) {
    case MU_IO:
        return s->line_control & LCR_BAUD
                   ? s->baud & 0xff
                   : serial_take(&s->serial, ports, "mini UART", aux.base + MU_IO);
    case MU_IER: return s->line_control & LCR_BAUD ? s->baud >> 8 : s->interrupts;
    case MU_IIR: return IIR_FIFOS | pending(s);
    case MU_LCR: return s->line_control;
    case MU_MCR: return s->modem_control;
    case MU_LSR: return line_status(s);
    case MU_MSR: return MSR_CTS;
    case MU_SCRATCH: return s->scratch;
    case MU_CNTL: return s->control;
    case MU_STAT: return status(s);
    case MU_BAUD: return s->baud;
    default: return report_register(ports, &aux, offset);
    }
}

static void write_interrupts(struct aux *s, uint32_t value)
{
    if (s->line_control & LCR_BAUD)
        s->baud = (s->baud & 0xff) | (value & 0xff) << 8;
    else
        s->interrupts = value & 0xf;
}

static void clear_fifos(struct aux *s, uint32_t value)
{
    if (value & IIR_CLEAR_RECEIVE)
        s->serial.receive.count = 0;
    if (value & IIR_CLEAR_SEND)
        s->serial.send.count = 0;
}

static void write_mini_uart(struct aux *s, const struct device_ports *ports, uint32_t offset,
                            uint32_t value)
{
    switch (offset) {
    case MU_IO: write_data(s, ports, value); return;
    case MU_IER: write_interrupts(s, value); return;
    case MU_IIR: clear_fifos(s, value); return;
    case MU_LCR: s->line_control = value & 0xff; return;
    case MU_MCR: s->modem_control = value & 0xff; return;
    case MU_SCRATCH: s->scratch = value & 0xff; return;
    case MU_CNTL: s->control = value & 0xff; return;
    case MU_BAUD: s->baud = value & 0xffff; return;
    case MU_LSR:
    case MU_MSR:
    case MU_STAT: return; /* read-only */
    default: report_register(ports, &aux, offset);
    }
}

/* --- all registers --- */

/* Returns whether the block of a register is enabled. Reports that it is not. */
static bool is_enabled(const struct aux *s, const struct device_ports *ports, uint32_t offset)
{
    static const char *const texts[] = {
        "the mini UART is accessed while it is not enabled",
        "SPI1 is accessed while it is not enabled",
        "SPI2 is accessed while it is not enabled",
    };
    unsigned block = offset < SPI_FIRST ? 0 : 1 + (offset - SPI_FIRST) / SPI_SIZE;
    if (!(s->enables >> block & 1))
        ports->finding(ports->user, PI_AUX_OFF, aux.base + offset, texts[block]);
    return s->enables >> block & 1;
}

static bool is_of_block(uint32_t offset)
{
    return (offset >= MU_IO && offset < MU_END) || (offset >= SPI_FIRST && offset < SPI_END);
}

static uint32_t aux_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct aux *s = state;
    uint32_t value;
    if (offset == AUX_IRQ)
        return interrupts(s);
    if (offset == AUX_ENABLES)
        return s->enables;
    if (offset == AUX_ID)
        return AUX_ID_VALUE;
    if (!is_of_block(offset))
        return report_register(ports, &aux, offset);
    if (!is_enabled(s, ports, offset))
        return 0;
    if (offset < SPI_FIRST)
        value = read_mini_uart(s, ports, offset);
    else if (!aux_spi_read(&s->spi[(offset - SPI_FIRST) / SPI_SIZE], offset % SPI_SIZE, &value))
        value = report_register(ports, &aux, offset);
    update(s, ports);
    return value;
}

static void aux_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct aux *s = state;
    if (offset == AUX_ENABLES)
        s->enables = value & 7;
    else if (!is_of_block(offset) && offset != AUX_IRQ)
        report_register(ports, &aux, offset);
    else if (is_of_block(offset) && is_enabled(s, ports, offset)) {
        if (offset < SPI_FIRST)
            write_mini_uart(s, ports, offset, value);
        else if (!aux_spi_write(&s->spi[(offset - SPI_FIRST) / SPI_SIZE], offset % SPI_SIZE, value))
            report_register(ports, &aux, offset);
    }
    const struct serial_mode present = mode(s, ports);
    serial_start(&s->serial, &present, ports->now(ports->user));
    update(s, ports);
}

static void aux_reset(void *state, const struct device_ports *ports)
{
    struct aux *s = state;
    (void)ports;
    serial_reset(&s->serial, DEPTH);
    s->control = CNTL_RECEIVE | CNTL_SEND;
}

const struct device aux = {
    .name = "auxiliary peripherals",
    .base = 0x215000,
    .size = 0x1000,
    .state_size = sizeof(struct aux),
    .reset = aux_reset,
    .read = aux_read,
    .write = aux_write,
    .input = aux_input,
    .next = aux_next,
    .advance = aux_advance,
};
