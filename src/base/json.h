/* SPDX-License-Identifier: MIT */
/* json.h - writes JSON documents piece by piece, into a buffer or to a stream. The writer adds
 * commas, spaces, line breaks and escapes. The caller may empty the buffer between calls. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"

enum { JSON_DEPTH = 64 };

/* State of the writer. The caller sets .out or .stream, and .flow, and sets the other members to
 * 0. */
struct json {
    struct buffer *out;
    FILE *stream;
    bool flow; /* true for a document on one line; false for a member on each line, indented */
    uint32_t depth;
    uint64_t has_members; /* one bit per nesting level, set if the level has members */
    uint8_t
        rows[JSON_DEPTH]; /* per nesting level, 1 + indentation of json_begin_..._rows(), or 0 */
    bool after_key;       /* true between json_key() and the value */
};

void json_begin_object(struct json *json);
void json_end_object(struct json *json);
void json_begin_array(struct json *json);
void json_end_array(struct json *json);

/* Begin an object and an array with each member on a line of its own, even in a flow. Elements of
 * the array are indented. */
void json_begin_object_rows(struct json *json);
void json_begin_array_rows(struct json *json);

/* Writes a key. Inside an object, each value follows its key. */
void json_key(struct json *json, const char *key);

/* Writes a string, or null if text is NULL. Bytes that are not UTF-8 become U+FFFD. Control
 * characters are escaped. */
void json_string(struct json *json, const char *text);
void json_int(struct json *json, int64_t value);
void json_uint(struct json *json, uint64_t value);
void json_boolean(struct json *json, bool value);

/* Writes nine significant digits, so that reading restores the same float. NaN and infinities are
 * written as the strings "nan", "inf" and "-inf". */
void json_float(struct json *json, float value);

/* Writes a number with this number of digits after the point. */
void json_decimal(struct json *json, double value, int digits);

/* Writes a number as a hexadecimal string, "0x00001f40" for digits = 8. */
void json_hex(struct json *json, uint64_t value, unsigned digits);

/* Writes bytes as a string of hexadecimal digits in memory order. */
void json_bytes(struct json *json, const uint8_t *bytes, size_t size);

/* Writes a value that is JSON already. */
void json_raw(struct json *json, const void *text, size_t size);
void json_null(struct json *json);

/* Write a key and its value. json_member_text() writes nothing if text is NULL. */
void json_member_object(struct json *json, const char *key);
void json_member_array(struct json *json, const char *key);
void json_member_string(struct json *json, const char *key, const char *text);
void json_member_text(struct json *json, const char *key, const char *text);
void json_member_int(struct json *json, const char *key, int64_t value);
void json_member_uint(struct json *json, const char *key, uint64_t value);
void json_member_bool(struct json *json, const char *key, bool value);
void json_member_hex(struct json *json, const char *key, uint64_t value, unsigned digits);

#endif
