/* SPDX-License-Identifier: MIT */
/* json.h - writes one JSON document piece by piece into a buffer. The writer adds commas, line
 * breaks and escapes. The caller may empty the buffer between calls. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum { JSON_DEPTH = 64 };

/* State of the writer. The caller sets .out, and sets the other members to 0. */
struct json {
    struct buffer *out;
    uint32_t depth;
    uint64_t has_members; /* one bit per nesting level, set if the level has members */
    bool after_key;       /* true between json_key() and the value */
};

void json_begin_object(struct json *json);
void json_end_object(struct json *json);
void json_begin_array(struct json *json);
void json_end_array(struct json *json);

/* Writes a key. Inside an object, each value follows its key. */
void json_key(struct json *json, const char *key);

/* Writes a string, or null if text is NULL. Bytes that are not UTF-8 become U+FFFD. */
void json_string(struct json *json, const char *text);
void json_int(struct json *json, int64_t value);
void json_uint(struct json *json, uint64_t value);
void json_bool(struct json *json, bool value);

/* Writes nine significant digits, so that reading restores the same float. NaN and infinities are
 * written as the strings "nan", "inf" and "-inf". */
void json_float(struct json *json, float value);

/* Writes a number as a hexadecimal string, "0x00001f40" for digits = 8. */
void json_hex(struct json *json, uint64_t value, unsigned digits);

/* Writes bytes as a string of hexadecimal digits in memory order. */
void json_bytes(struct json *json, const uint8_t *bytes, size_t size);

#endif
