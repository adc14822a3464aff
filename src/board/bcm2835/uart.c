/* SPDX-License-Identifier: MIT */
/* uart.c - the UART that is ARM's PL011.
 *
 * In:  register accesses; bytes from outside; the rate of the UART's clock.
 * Out: bytes; the interrupt line LINE_UART; requests to the DMA controller; register values.
 *
 * Source: "PrimeCell UART (PL011) Technical Reference Manual"; "BCM2835 ARM Peripherals", chapter
 *         13.
 * Modelled: FIFOs, flags, the time of each byte, interrupts with their levels, loopback, DMA
 *           requests.
 * Left out: parity and framing errors, breaks, modem signals (CTS is always active), IrDA.
 * Choices: a byte that is sent in loopback does not leave the board. */
#include "board/bcm2835/uart.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    DR = 0x00,
    RSRECR = 0x04,
    FR = 0x18,
    ILPR = 0x20,
    IBRD = 0x24,
    FBRD = 0x28,
    LCRH = 0x2c,
    CR = 0x30,
    IFLS = 0x34,
    IMSC = 0x38,
    RIS = 0x3c,
    MIS = 0x40,
    ICR = 0x44,
    DMACR = 0x48,
    IDENTITY = 0xfe0,

    FLAG_CTS = 1 << 0,
    FLAG_BUSY = 1 << 3,
    FLAG_RECEIVE_EMPTY = 1 << 4,
    FLAG_SEND_FULL = 1 << 5,
    FLAG_RECEIVE_FULL = 1 << 6,
    FLAG_SEND_EMPTY = 1 << 7,

    LINE_PARITY = 1 << 1,
    LINE_TWO_STOPS = 1 << 3,
    LINE_FIFO = 1 << 4,

    CONTROL_ENABLE = 1 << 0,
    CONTROL_LOOPBACK = 1 << 7,
    CONTROL_SEND = 1 << 8,
    CONTROL_RECEIVE = 1 << 9,
    CONTROL_RESET = CONTROL_SEND | CONTROL_RECEIVE,

    INTERRUPT_RECEIVE = 1 << 4,
    INTERRUPT_SEND = 1 << 5,
    INTERRUPT_TIMEOUT = 1 << 6,
    INTERRUPT_OVERRUN = 1 << 10,
    INTERRUPTS = 0x7ff,

    ERROR_OVERRUN = 1 << 3, /* in RSRECR */
    DATA_OVERRUN = 1 << 11, /* in DR */
    DMA_RECEIVE = 1 << 0,
    DMA_SEND = 1 << 1,
    LEVELS_RESET = 0x12,
    TIMEOUT_BITS = 32,
};

/* --- levels and lines --- */

/* Returns the number of bytes in a FIFO at which it raises an interrupt. */
static uint32_t level(const struct uart *s, unsigned shift)
{
    static const uint8_t levels[8] = {2, 4, 8, 12, 14, 14, 14, 14}; /* 1/8 to 7/8 of 16 */
    return levels[s->levels >> shift & 7];
}

static uint32_t send_level(const struct uart *s)
{
    return s->line_control & LINE_FIFO ? level(s, 0) : 0;
}

static uint32_t receive_level(const struct uart *s)
{
    return s->line_control & LINE_FIFO ? level(s, 3) : 1;
}

static void update(const struct uart *s, const struct device_ports *ports)
{
    bool can_send = s->serial.send.count < s->serial.depth;
    ports->interrupt(ports->user, LINE_UART, (s->raw & s->mask) != 0);
    ports->request(ports->user, REQUEST_UART_TX, s->dma & DMA_SEND && can_send);
    ports->request(ports->user, REQUEST_UART_RX, s->dma & DMA_RECEIVE && s->serial.receive.count);
}

/* --- time --- */

/* Returns the time of a number of bits. */
static uint64_t bits_time(const struct uart *s, const struct device_ports *ports, unsigned bits)
{
    /* A bit has 16 / 64 clocks for each 64th of the divisor. */
    uint32_t clock = ports->clock_rate(ports->user, TESS_PI_CLOCK_UART);
    uint64_t time = rate_time((uint64_t)bits * s->divisor, clock);
    return s->divisor == 0 || time == DEVICE_NEVER ? DEVICE_NEVER : (time + 3) / 4;
}

static unsigned data_bits(const struct uart *s)
{
    return 5 + (s->line_control >> 5 & 3);
}

static struct serial_mode mode(const struct uart *s, const struct device_ports *ports)
{
    unsigned bits = 1 + data_bits(s) + (s->line_control & LINE_PARITY ? 1 : 0) +
                    (s->line_control & LINE_TWO_STOPS ? 2 : 1);
    return (struct serial_mode){
        .byte_time = bits_time(s, ports, bits),
        .send = s->control & CONTROL_ENABLE && s->control & CONTROL_SEND,
        .receive = s->control & CONTROL_ENABLE && s->control & CONTROL_RECEIVE,
    };
}

/* Raises the transmit interrupt if the FIFO had more bytes than its level, and has no longer. */
static void send_level_passed(struct uart *s, uint32_t before)
{
    if (before > send_level(s) && s->serial.send.count <= send_level(s))
        s->raw |= INTERRUPT_SEND;
}

static void start(struct uart *s, const struct device_ports *ports)
{
    const struct serial_mode now = mode(s, ports);
    uint32_t before = s->serial.send.count;
    serial_start(&s->serial, &now, ports->now(ports->user));
    send_level_passed(s, before);
}

static void receive(struct uart *s, const struct device_ports *ports, uint8_t byte, uint64_t time)
{
    uint16_t word = (uint16_t)(byte | (s->overrun ? DATA_OVERRUN : 0));
    s->timeout_at = rate_after(time, bits_time(s, ports, TIMEOUT_BITS));
    s->overrun = !serial_receive(&s->serial, word);
    if (s->overrun) {
        s->raw |= INTERRUPT_OVERRUN;
        s->status |= ERROR_OVERRUN;
    }
    if (s->serial.receive.count >= receive_level(s))
        s->raw |= INTERRUPT_RECEIVE;
}

static uint64_t uart_next(const void *state)
{
    const struct uart *s = state;
    uint64_t next = serial_next(&s->serial);
    return s->timeout_at < next ? s->timeout_at : next;
}

static void end_timeout(struct uart *s, uint64_t time)
{
    if (s->timeout_at > time)
        return;
    s->timeout_at = DEVICE_NEVER;
    if (s->serial.receive.count)
        s->raw |= INTERRUPT_TIMEOUT;
}

/* Carries out the next event. Returns false if there is none up to the present time. */
static bool step(struct uart *s, const struct device_ports *ports, uint64_t now)
{
    const struct serial_mode present = mode(s, ports);
    uint64_t time = serial_next(&s->serial);
    uint32_t before = s->serial.send.count;
    uint8_t byte;
    if (time <= now)
        end_timeout(s, time);
    switch (serial_step(&s->serial, &present, now, &byte)) {
    case SERIAL_NOTHING: end_timeout(s, now); return false;
    case SERIAL_RECEIVED: receive(s, ports, byte, time); return true;
    case SERIAL_SENT:
        send_level_passed(s, before);
        if (!(s->control & CONTROL_LOOPBACK))
            ports->output(ports->user, OUTPUT_UART, byte);
        else if (present.receive)
            receive(s, ports, byte, time);
    }
    return true;
}

static void uart_advance(void *state, const struct device_ports *ports)
{
    struct uart *s = state;
    uint64_t now = ports->now(ports->user);
    if (uart_next(s) > now)
        return;
    while (step(s, ports, now))
        continue;
    update(s, ports);
}

static void uart_input(void *state, const struct device_ports *ports, enum device_input input,
                       uint32_t value)
{
    struct uart *s = state;
    const struct serial_mode now = mode(s, ports);
    if (input == INPUT_UART)
        serial_input(&s->serial, &now, ports->now(ports->user), (uint8_t)value);
}

unsigned uart_room(const struct uart *s)
{
    const uint32_t on = CONTROL_ENABLE | CONTROL_RECEIVE;
    return (s->control & on) == on && s->divisor ? serial_room(&s->serial) : 0;
}

/* --- data --- */

static uint32_t read_data(struct uart *s, const struct device_ports *ports)
{
    uint32_t word = serial_take(&s->serial, ports, uart.name, uart.base);
    if (s->serial.receive.count < receive_level(s))
        s->raw &= ~(uint32_t)INTERRUPT_RECEIVE;
    if (s->serial.receive.count == 0)
        s->raw &= ~(uint32_t)INTERRUPT_TIMEOUT;
    s->status = word >> 8 & 0xf;
    update(s, ports);
    return word;
}

static void check_baud(struct uart *s, const struct device_ports *ports)
{
    uint32_t clock = ports->clock_rate(ports->user, TESS_PI_CLOCK_UART);
    if (s->baud_checked != s->divisor)
        serial_check_baud(ports, "UART", uart.base + DR,
                          (uint32_t)((uint64_t)clock * 4 / s->divisor), clock);
    s->baud_checked = s->divisor;
}

static void check_data(struct uart *s, const struct device_ports *ports)
{
    static const struct serial_pin pins[] = {{14, 4}, {32, 7}, {36, 6}}; /* ALT0, ALT3, ALT2 */
    const struct serial_mode now = mode(s, ports);
    const char *text = NULL;
    if (!now.send)
        text = "a byte is written to the UART while its transmitter is off";
    else if (now.byte_time == DEVICE_NEVER)
        text = "a byte is written to the UART, which has no baud rate";
    else
        check_baud(s, ports);
    if (text)
        ports->finding(ports->user, PI_UART_OFF, uart.base + DR, text);
    else if (s->serial.send.count >= s->serial.depth)
        ports->finding(ports->user, PI_UART_FULL, uart.base + DR,
                       "a byte is written to the UART while its transmit FIFO is full");
    if (!s->pins_checked && !serial_has_pin(ports, pins, sizeof pins / sizeof *pins))
        ports->finding(ports->user, PI_UART_PINS, uart.base + DR,
                       "the UART sends, but pin 14 does not have its function TXD0 (ALT0)");
    s->pins_checked = 1;
}

static void write_data(struct uart *s, const struct device_ports *ports, uint32_t value)
{
    uint16_t byte = (uint16_t)(value & ((1u << data_bits(s)) - 1));
    check_data(s, ports);
    serial_push(&s->serial, &s->serial.send, byte);
    if (s->serial.send.count > send_level(s))
        s->raw &= ~(uint32_t)INTERRUPT_SEND;
    start(s, ports);
}

/* --- registers --- */

static uint32_t flags(const struct uart *s)
{
    const struct serial *serial = &s->serial;
    uint32_t value = FLAG_CTS;
    value |= serial->receive.count == 0 ? FLAG_RECEIVE_EMPTY : 0;
    value |= serial->receive.count >= serial->depth ? FLAG_RECEIVE_FULL : 0;
    value |= serial->send.count == 0 ? FLAG_SEND_EMPTY : 0;
    value |= serial->send.count >= serial->depth ? FLAG_SEND_FULL : 0;
    value |= serial->send.count || serial->sent_at != DEVICE_NEVER ? FLAG_BUSY : 0;
    return value;
}

static uint32_t identity(uint32_t offset)
{
    static const uint8_t bytes[8] = {0x11, 0x10, 0x24, 0x00, 0x0d, 0xf0, 0x05, 0xb1};
    return bytes[(offset - IDENTITY) / 4 % 8];
}

static uint32_t uart_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct uart *s = state;
    switch (offset) {
    case DR: return read_data(s, ports);
    case RSRECR: return s->status;
    case FR: return flags(s);
    case ILPR: return 0; /* the BCM2835 has no IrDA */
    case IBRD: return s->integer;
    case FBRD: return s->fraction;
    case LCRH: return s->line_control;
    case CR: return s->control;
    case IFLS: return s->levels;
    case IMSC: return s->mask;
    case RIS: return s->raw;
    case MIS: return s->raw & s->mask;
    case ICR: return 0;
    case DMACR: return s->dma;
    default: return offset >= IDENTITY ? identity(offset) : report_register(ports, &uart, offset);
    }
}

/* The line control register also puts the divisors into use. */
static void write_line_control(struct uart *s, uint32_t value)
{
    s->line_control = value & 0xff;
    s->divisor = s->integer ? s->integer << 6 | s->fraction : 0;
    s->serial.depth = value & LINE_FIFO ? SERIAL_DEPTH : 1;
    if (!(value & LINE_FIFO))
        s->serial.send.count = s->serial.receive.count = 0;
}

static void uart_write(void *state, const struct device_ports *ports, uint32_t offset,
                       uint32_t value)
{
    struct uart *s = state;
    switch (offset) {
    case DR: write_data(s, ports, value); break;
    case RSRECR: s->status = 0; break;
    case FR:
    case ILPR:
    case RIS:
    case MIS: break; /* read-only */
    case IBRD: s->integer = value & 0xffff; break;
    case FBRD: s->fraction = value & 0x3f; break;
    case LCRH: write_line_control(s, value); break;
    case CR: s->control = value & 0xffff; break;
    case IFLS: s->levels = value & 0x3f; break;
    case IMSC: s->mask = value & INTERRUPTS; break;
    case ICR: s->raw &= ~value; break;
    case DMACR: s->dma = value & 7; break;
    default:
        if (offset < IDENTITY)
            report_register(ports, &uart, offset);
    }
    start(s, ports);
    update(s, ports);
}

static void uart_reset(void *state, const struct device_ports *ports)
{
    struct uart *s = state;
    (void)ports;
    serial_reset(&s->serial, 1);
    s->control = CONTROL_RESET;
    s->levels = LEVELS_RESET;
    s->timeout_at = DEVICE_NEVER;
}

const struct device uart = {
    .name = "UART",
    .base = 0x201000,
    .size = 0x1000,
    .state_size = sizeof(struct uart),
    .reset = uart_reset,
    .read = uart_read,
    .write = uart_write,
    .input = uart_input,
    .next = uart_next,
    .advance = uart_advance,
};
