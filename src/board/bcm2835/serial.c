/* SPDX-License-Identifier: MIT */
/* serial.c - what both UARTs share.
 *
 * In:  bytes from the program and from outside; the time of a byte.
 * Out: bytes at the time at which they have been sent or have arrived.
 *
 * Source: "BCM2835 ARM Peripherals", sections 2.2, 6.2 and 13.
 * Modelled: a byte leaves the FIFO when the transmitter begins to send it. Bytes from outside
 *           arrive one after the other at the baud rate.
 * Left out: bits on the line, and differences between the baud rates of both ends. */
#include "board/bcm2835/serial.h"

#include <stdio.h>

#include "board/bcm2835/rate.h"
#include "board/pi/pi.h"

enum { GPIO_FUNCTIONS = 0x7e200000, PINS_PER_REGISTER = 10, TOLERANCE = 33 /* 3 % */ };

void serial_reset(struct serial *s, uint32_t depth)
{
    *s = (struct serial){.depth = depth, .sent_at = DEVICE_NEVER, .received_at = DEVICE_NEVER};
}

bool serial_push(const struct serial *s, struct serial_fifo *fifo, uint16_t word)
{
    if (fifo->count >= s->depth)
        return false;
    fifo->words[fifo->count++] = word;
    return true;
}

uint16_t serial_pop(struct serial_fifo *fifo)
{
    uint16_t word = fifo->words[0];
    if (fifo->count == 0)
        return 0;
    fifo->count--;
    for (unsigned i = 0; i < fifo->count; i++)
        fifo->words[i] = fifo->words[i + 1];
    return word;
}

bool serial_receive(struct serial *s, uint16_t word)
{
    bool good = serial_push(s, &s->receive, word);
    s->lost += !good;
    return good;
}

uint16_t serial_take(struct serial *s, const struct device_ports *ports, const char *name,
                     uint32_t offset)
{
    char text[96];
    snprintf(text, sizeof text, "the %s has lost %u received byte%s, because its FIFO was full",
             name, s->lost, s->lost == 1 ? "" : "s");
    if (s->lost)
        ports->finding(ports->user, PI_UART_LOST, offset, text);
    s->lost = 0;
    return serial_pop(&s->receive);
}

void serial_start(struct serial *s, const struct serial_mode *mode, uint64_t time)
{
    if (s->sent_at != DEVICE_NEVER || s->send.count == 0 || !mode->send ||
        mode->byte_time == DEVICE_NEVER)
        return;
    s->sending = serial_pop(&s->send);
    s->sent_at = rate_after(time, mode->byte_time);
}

static void finish_sending(struct serial *s, const struct serial_mode *mode, uint8_t *byte)
{
    uint64_t time = s->sent_at;
    *byte = (uint8_t)s->sending;
    s->sent_at = DEVICE_NEVER;
    serial_start(s, mode, time);
}

static void finish_receiving(struct serial *s, const struct serial_mode *mode, uint8_t *byte)
{
    *byte = s->line[s->line_first];
    s->line_first = (s->line_first + 1) % SERIAL_LINE;
    s->line_count--;
    s->received_at = s->line_count ? rate_after(s->received_at, mode->byte_time) : DEVICE_NEVER;
}

enum serial_event serial_step(struct serial *s, const struct serial_mode *mode, uint64_t now,
                              uint8_t *byte)
{
    if (serial_next(s) > now || serial_next(s) == DEVICE_NEVER)
        return SERIAL_NOTHING;
    if (s->sent_at <= s->received_at) {
        finish_sending(s, mode, byte);
        return SERIAL_SENT;
    }
    finish_receiving(s, mode, byte);
    return SERIAL_RECEIVED;
}

void serial_input(struct serial *s, const struct serial_mode *mode, uint64_t now, uint8_t byte)
{
    if (!mode->receive || mode->byte_time == DEVICE_NEVER || s->line_count == SERIAL_LINE)
        return;
    s->line[(s->line_first + s->line_count) % SERIAL_LINE] = byte;
    if (s->line_count++ == 0)
        s->received_at = rate_after(now, mode->byte_time);
}

unsigned serial_room(const struct serial *s)
{
    return SERIAL_LINE - s->line_count;
}

uint64_t serial_next(const struct serial *s)
{
    return s->sent_at < s->received_at ? s->sent_at : s->received_at;
}

void serial_check_baud(const struct device_ports *ports, const char *name, uint32_t offset,
                       uint32_t baud, uint32_t clock)
{
    static const uint32_t rates[] = {
        300,    600,    1200,   2400,    4800,    9600,    14400,   19200,   28800,   31250,
        38400,  57600,  74880,  76800,   115200,  128000,  230400,  250000,  256000,  460800,
        500000, 576000, 921600, 1000000, 1152000, 1500000, 2000000, 2500000, 3000000,
    };
    char text[160];
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (baud >= rates[i] - rates[i] / TOLERANCE && baud <= rates[i] + rates[i] / TOLERANCE)
            return;
    snprintf(text, sizeof text, "the %s sends at %u baud, from a clock of %u Hz", name,
             (unsigned)baud, (unsigned)clock);
    ports->finding(ports->user, PI_UART_BAUD, offset, text);
}

bool serial_has_pin(const struct device_ports *ports, const struct serial_pin *pins, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bus = GPIO_FUNCTIONS + pins[i].pin / PINS_PER_REGISTER * UINT32_C(4);
        uint32_t functions = ports->read(ports->user, bus);
        if ((functions >> pins[i].pin % PINS_PER_REGISTER * 3 & 7) == pins[i].function)
            return true;
    }
    return false;
}
