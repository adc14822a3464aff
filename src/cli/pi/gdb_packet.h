/* SPDX-License-Identifier: MIT */
/* gdb_packet.h - packets of gdb's remote protocol: "$text#checksum". */
#ifndef CLI_PI_GDB_PACKET_H
#define CLI_PI_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GDB_PACKET = 4096 }; /* largest number of bytes of a packet's text */

/* A text that is built piece by piece. What does not fit is left out. */
struct gdb_text {
    char text[GDB_PACKET + 1]; /* NUL-terminated */
    size_t length;
};

__attribute__((format(printf, 2, 3))) void gdb_add(struct gdb_text *text, const char *format, ...);

/* Adds bytes as hexadecimal digits. */
void gdb_add_hex(struct gdb_text *text, const void *bytes, size_t size);

/* Adds an integer of `size` bytes as hexadecimal digits in the target's order, little-endian. */
void gdb_add_value(struct gdb_text *text, uint64_t value, unsigned size);

/* Reads a number in hexadecimal digits at *at, and moves *at behind it. Returns false if there is
 * no digit, or the number has more than 64 bits. */
bool gdb_number(const char **at, uint64_t *value);

/* Reads pairs of hexadecimal digits, at most `size` bytes. Returns the number of bytes. */
size_t gdb_bytes(const char *at, void *bytes, size_t size);

/* The stream from gdb. */
struct gdb_reader {
    char text[GDB_PACKET + 1];
    size_t length;
    unsigned state, checksum, expected;
    bool too_long;
};

enum gdb_input {
    GDB_MORE,      /* nothing is complete */
    GDB_COMPLETE,  /* .text is a packet with a right checksum */
    GDB_DAMAGED,   /* a packet with a wrong checksum, or one that is too long */
    GDB_INTERRUPT, /* the user wants the target to stop */
    GDB_REPEAT,    /* gdb has not understood the latest packet */
};

/* Takes one byte of the stream. */
enum gdb_input gdb_take(struct gdb_reader *reader, uint8_t byte);

/* Writes a packet with a text. `to` has room for GDB_FRAME bytes. Returns the number of bytes. */
enum { GDB_FRAME = 2 * GDB_PACKET + 4 };
size_t gdb_frame(const struct gdb_text *text, char *to);

#endif
