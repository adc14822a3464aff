/* SPDX-License-Identifier: MIT */
/* serial.h - what both UARTs share: FIFOs, and bytes that take their time on the line. */
#ifndef BOARD_BCM2835_SERIAL_H
#define BOARD_BCM2835_SERIAL_H

#include "board/bcm2835/device.h"

enum {
    SERIAL_DEPTH = 16, /* most bytes in a FIFO */
    SERIAL_LINE = 256, /* bytes from outside that have not arrived yet */
};

/* A first-in, first-out queue. */
struct serial_fifo {
    uint16_t words[SERIAL_DEPTH];
    uint32_t count;
};

struct serial {
    struct serial_fifo send, receive;
    uint32_t depth; /* of both FIFOs, 1 to SERIAL_DEPTH */
    uint8_t line[SERIAL_LINE];
    uint32_t line_first, line_count;
    uint32_t sending;     /* the byte in the transmitter */
    uint64_t sent_at;     /* time at which the transmitter has sent it, or DEVICE_NEVER */
    uint64_t received_at; /* time at which the first byte of line has arrived, or DEVICE_NEVER */
    uint32_t lost; /* number of received bytes that were lost since the last read of the data */
};

/* What serial_step() has done. */
enum serial_event {
    SERIAL_NOTHING,
    SERIAL_SENT,     /* the transmitter has sent a byte */
    SERIAL_RECEIVED, /* a byte has arrived */
};

/* How bytes are sent. */
struct serial_mode {
    uint64_t byte_time; /* nanoseconds, or DEVICE_NEVER if there is no baud rate */
    bool send, receive; /* whether transmitter and receiver are on */
};

void serial_reset(struct serial *s, uint32_t depth);

/* Adds a word to a FIFO. Returns false if it is full. */
bool serial_push(const struct serial *s, struct serial_fifo *fifo, uint16_t word);

/* Takes the first word out of a FIFO. Returns 0 if it is empty. */
uint16_t serial_pop(struct serial_fifo *fifo);

/* Adds a received word to the receive FIFO. Returns false if it is full, and the byte is lost. */
bool serial_receive(struct serial *s, uint16_t word);

/* Takes a received word. If bytes were lost before, reports them: the program that reads the data
 * uses this UART. name is the UART's name, offset the offset of its data register. */
uint16_t serial_take(struct serial *s, const struct device_ports *ports, const char *name,
                     uint32_t offset);

/* Moves a byte from the FIFO to the transmitter, if this is possible at a time. */
void serial_start(struct serial *s, const struct serial_mode *mode, uint64_t time);

/* Carries out the next event up to the present time, and stores its byte. The caller adds a
 * received byte to the FIFO. */
enum serial_event serial_step(struct serial *s, const struct serial_mode *mode, uint64_t now,
                              uint8_t *byte);

/* Puts a byte from outside on the line. It is lost if the receiver is off or the line is full. */
void serial_input(struct serial *s, const struct serial_mode *mode, uint64_t now, uint8_t byte);

/* Returns the number of bytes that the line can take. */
unsigned serial_room(const struct serial *s);

/* Returns the time of the next event, or DEVICE_NEVER. */
uint64_t serial_next(const struct serial *s);

/* Reports a rate in baud that terminals do not use, and the rate in Hz of the clock that it comes
 * from. name is the UART's name, offset the offset of its data register. */
void serial_check_baud(const struct device_ports *ports, const char *name, uint32_t offset,
                       uint32_t baud, uint32_t clock);

/* A pin with the function that connects it to the transmitter of a UART. */
struct serial_pin {
    uint8_t pin, function;
};

/* Returns whether at least one of the pins has its function. */
bool serial_has_pin(const struct device_ports *ports, const struct serial_pin *pins, size_t count);

#endif
