/* SPDX-License-Identifier: MIT */
/* gdb_packet.c - see gdb_packet.h.
 *
 * In:  bytes from gdb; texts for gdb.
 * Out: packets.
 *
 * Source: "Debugging with GDB", appendix E.1, "Overview" of the remote serial protocol. */
#include "cli/pi/gdb_packet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OUTSIDE, INSIDE, ESCAPED, FIRST_DIGIT, SECOND_DIGIT };
enum { ESCAPE = '}', ESCAPE_BIT = 0x20, INTERRUPT = 3 };

/* --- texts --- */

void gdb_add(struct gdb_text *text, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof text->text - text->length;
    va_start(arguments, format);
    int size = vsnprintf(text->text + text->length, room, format, arguments);
    va_end(arguments);
    if (size > 0)
        text->length += (size_t)size < room ? (size_t)size : room - 1;
}

void gdb_add_hex(struct gdb_text *text, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size && text->length + 2 <= GDB_PACKET; i++) {
        text->text[text->length++] = digits[from[i] >> 4];
        text->text[text->length++] = digits[from[i] & 15];
    }
    text->text[text->length] = 0;
}

void gdb_add_value(struct gdb_text *text, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    gdb_add_hex(text, bytes, size);
}

static int digit_of(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

bool gdb_number(const char **at, uint64_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; digit_of(**at) >= 0; ++*at) {
        if (*value >> 60)
            return false;
        *value = *value << 4 | (uint64_t)digit_of(**at);
    }
    return *at != start;
}

size_t gdb_bytes(const char *at, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    size_t done = 0;
    while (done < size && digit_of(at[0]) >= 0 && digit_of(at[1]) >= 0) {
        to[done++] = (uint8_t)(digit_of(at[0]) << 4 | digit_of(at[1]));
        at += 2;
    }
    return done;
}

/* --- the stream --- */

static void add_byte(struct gdb_reader *reader, uint8_t byte)
{
    if (reader->length == GDB_PACKET) {
        reader->too_long = true;
        return;
    }
    reader->text[reader->length++] = (char)byte;
}

static enum gdb_input take_outside(struct gdb_reader *reader, uint8_t byte)
{
    if (byte == INTERRUPT)
        return GDB_INTERRUPT;
    if (byte == '-')
        return GDB_REPEAT;
    if (byte == '$') {
        reader->state = INSIDE;
        reader->length = reader->checksum = 0;
        reader->too_long = false;
    }
    return GDB_MORE;
}

static void take_inside(struct gdb_reader *reader, uint8_t byte)
{
    if (byte == '#' && reader->state == INSIDE) {
        reader->state = FIRST_DIGIT;
        return;
    }
    reader->checksum += byte;
    if (reader->state == ESCAPED) {
        reader->state = INSIDE;
        add_byte(reader, byte ^ ESCAPE_BIT);
    } else if (byte == ESCAPE) {
        reader->state = ESCAPED;
    } else {
        add_byte(reader, byte);
    }
}

enum gdb_input gdb_take(struct gdb_reader *reader, uint8_t byte)
{
    int digit = digit_of((char)byte);
    switch (reader->state) {
    case OUTSIDE: return take_outside(reader, byte);
    case INSIDE:
    case ESCAPED: take_inside(reader, byte); return GDB_MORE;
    case FIRST_DIGIT:
        reader->expected = digit < 0 ? 0x100 : (unsigned)digit << 4;
        reader->state = SECOND_DIGIT;
        return GDB_MORE;
    default:
        reader->expected |= digit < 0 ? 0x100 : (unsigned)digit;
        reader->state = OUTSIDE;
        reader->text[reader->length] = 0;
        return reader->expected == (reader->checksum & 0xff) && !reader->too_long ? GDB_COMPLETE
                                                                                  : GDB_DAMAGED;
    }
}

size_t gdb_frame(const struct gdb_text *text, char *to)
{
    size_t size = 0;
    unsigned checksum = 0;
    to[size++] = '$';
    for (size_t i = 0; i < text->length; i++) {
        char byte = text->text[i];
        if (byte == '$' || byte == '#' || byte == ESCAPE || byte == '*') {
            to[size++] = ESCAPE;
            byte ^= ESCAPE_BIT;
        }
        to[size++] = byte;
    }
    for (size_t i = 1; i < size; i++)
        checksum += (uint8_t)to[i];
    to[size++] = '#';
    to[size++] = "0123456789abcdef"[checksum >> 4 & 15];
    to[size++] = "0123456789abcdef"[checksum & 15];
    return size;
}
